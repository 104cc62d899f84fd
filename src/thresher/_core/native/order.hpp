// The order of rows by score, lowest first and stable.
#pragma once
#include <algorithm>

#include "depths.hpp"
#include "pr.hpp"

namespace thresher::THRESHER_ISA {

struct DeepRow {
    uint64_t depth;
    int64_t row;
};

// Writes what `make` makes of every row number, and to `first`, where that is wanted, 1 for rows that do not tie with the one
// before and 0 for the others; there are fewer than 2**32 rows. Finds NaN rows instead if there are any.
template <class Make>
void order_of(const Rows& rows, int64_t* order, uint8_t* first, NotNumbers& nan, Make make) {
    const size_t n = rows.size;
    if (n == 0) return;
    DepthCoder coder;
    if (!depth_coder(rows, 1, coder)) {
        with_type(rows.type, [&](auto kind) { find_nan(static_cast<const decltype(kind)*>(rows.scores), n, nan); });
        return;
    }
    Block row_block(n * sizeof(DeepRow));
    DeepRow* const deep = row_block.as<DeepRow>();
    DepthBuckets to;
    scatter_depths(coder, 1, to, deep, [](size_t) { return true; },
                   [=](size_t i, uint64_t depth) { return DeepRow{depth, make(static_cast<int64_t>(i))}; });
    Workspace<uint64_t> space(to.largest);
    Block block((2 * to.largest + 1) * sizeof(uint64_t));
    uint64_t *const depth = block.as<uint64_t>(), *const keys = depth + to.largest;
    // Highest scores come first in their buckets, which are written from the end; those that tie keep their order.
    size_t at = n;
    for (size_t b = 0; b < to.buckets; ++b) {
        const size_t m = to.start[b + 1] - to.start[b];
        if (m == 0) continue;
        const DeepRow* const mine = deep + to.start[b];
        const SortedPlaces sorted = sort_places(mine, m, to.buckets == 1, space, keys, depth);
        at -= m;
        int64_t* const out = order + at;
        uint8_t* const starts = first ? first + at : nullptr;
        if (!sorted.ties) {
            for (size_t i = 0; i < m; ++i) out[m - 1 - i] = mine[sorted.keys[i] & sorted.mask].row;
            if (starts) std::memset(starts, 1, m);
            continue;
        }
        for (size_t i = 0, j; i < m; i = j) {
            for (j = i + 1; j < m && depth[j] == depth[i];) ++j;
            for (size_t k = i; k < j; ++k) out[m - j + (k - i)] = mine[sorted.keys[k] & sorted.mask].row;
            if (starts) {
                std::memset(starts + (m - j), 0, j - i);
                starts[m - j] = 1;
            }
        }
    }
}

inline void order_of(const Rows& rows, int64_t* order, uint8_t* first, NotNumbers& nan) {
    order_of(rows, order, first, nan, [](int64_t row) { return row; });
}

inline void order(const Rows& rows, int64_t* out, NotNumbers& nan) { order_of(rows, out, nullptr, nan); }

// Rows in the order of their scores, each twice its number plus 1 for a positive, and where those begin that tie: read once,
// so that they cannot change meanwhile.
class Ranking {
public:
    template <class Positive>
    Ranking(const Rows& rows, Positive positive, NotNumbers& nan)
        : size_(rows.size), order_(rows.size * sizeof(int64_t)), first_(rows.size + 1) {
        first_.as<uint8_t>()[size_] = 1;
        order_of(rows, order_.as<int64_t>(), first_.as<uint8_t>(), nan, [=](int64_t row) { return 2 * row + positive(static_cast<size_t>(row)); });
    }
    // Calls f with every group of rows that tie, lowest first, how many they are, and how many of them are positive.
    template <class F>
    void each_group(F&& f) const {
        const int64_t* const order = order_.as<int64_t>();
        const uint8_t* const first = first_.as<uint8_t>();
        for (size_t i = 0; i < size_;) {
            int64_t p = order[i] & 1;
            size_t j = i + 1;
            while (!first[j]) p += order[j++] & 1;
            f(order + i, j - i, p);
            i = j;
        }
    }

private:
    size_t size_;
    Block order_, first_;
};

// Twice the placement of every row: for a positive the negatives below it, for a negative the positives above it, those
// tied counted half.
inline void place(const Rows& rows, int64_t* out, NotNumbers& nan) {
    const uint8_t* const positive = rows.positive;
    const Ranking ranking(rows, [=](size_t row) { return positive[row] != 0; }, nan);
    if (nan.count || rows.size == 0) return;
    int64_t n_pos = 0, pos = 0, neg = 0;  // below the group
    ranking.each_group([&](const int64_t*, size_t, int64_t p) { n_pos += p; });
    ranking.each_group([&](const int64_t* group, size_t m, int64_t p) {
        const int64_t q = static_cast<int64_t>(m) - p;
        const int64_t value[2] = {2 * (n_pos - pos - p) + p, 2 * neg + q};
        for (size_t k = 0; k < m; ++k) out[group[k] >> 1] = value[group[k] & 1];
        pos += p;
        neg += q;
    });
}

inline size_t width_of(Type type) {
    return type == Type::f64 || type == Type::i64 || type == Type::u64   ? 8
           : type == Type::f32 || type == Type::i32 || type == Type::u32 ? 4
           : type == Type::i8 || type == Type::u8                        ? 1
                                                                         : 2;
}

// Many small problems: rows ends[g - 1] to ends[g] are problem g. Each row of `out` gets its measures.
inline void batch(const Rows& rows, const int64_t* ends, size_t problems, int threads, BatchRow* out) {
    const size_t width = width_of(rows.type);
    parallel_try((problems + 63) / 64, threads, [&](size_t chunk) {
        for (size_t g = chunk * 64; g < problems && g < chunk * 64 + 64; ++g) {
            const size_t begin = g ? static_cast<size_t>(ends[g - 1]) : 0, end = static_cast<size_t>(ends[g]);
            Rows mine = rows;
            mine.scores = static_cast<const char*>(rows.scores) + begin * width;
            mine.positive = rows.positive + begin;
            mine.size = end - begin;
            Table table;
            count(mine, CountOptions{}, table);
            BatchRow& row = out[g];
            row = BatchRow{};
            row.nan = static_cast<double>(table.nan.count);
            if (table.nan.count) continue;
            row.n_pos = static_cast<double>(table.n_pos);
            row.n_neg = static_cast<double>(table.n_neg);
            row.twice_u = static_cast<double>(table.twice_u.high) * 18446744073709551616.0 + static_cast<double>(table.twice_u.low);
            PrSums sums;
            pr_sums(table.pos.as<void>(), table.neg.as<void>(), table.wide, table.size, 1.0, sums);
            row.average_precision = sums.average_precision;
            row.interpolated = sums.interpolated;
        }
    });
}

// Many small tables: as `batch`, each written from where its rows begin.
inline void group_tables(const Rows& rows, const int64_t* ends, size_t problems, int threads, void* thresholds, int64_t* pos, int64_t* neg,
                         int64_t* sizes) {
    const size_t width = width_of(rows.type);
    parallel_try((problems + 63) / 64, threads, [&](size_t chunk) {
        for (size_t g = chunk * 64; g < problems && g < chunk * 64 + 64; ++g) {
            const size_t begin = g ? static_cast<size_t>(ends[g - 1]) : 0, end = static_cast<size_t>(ends[g]);
            sizes[g] = 0;
            if (begin == end) continue;
            Rows mine = rows;
            mine.scores = static_cast<const char*>(rows.scores) + begin * width;
            mine.positive = rows.positive + begin;
            mine.size = end - begin;
            CountOptions options;
            options.cumulative = false;
            options.wide = true;
            Table table;
            count(mine, options, table);
            if (table.nan.count || table.size > end - begin) throw Changed();
            std::memcpy(static_cast<char*>(thresholds) + begin * width, table.thresholds.as<char>(), table.size * width);
            std::memcpy(pos + begin, table.pos.as<int64_t>(), table.size * sizeof(int64_t));
            std::memcpy(neg + begin, table.neg.as<int64_t>(), table.size * sizeof(int64_t));
            sizes[g] = static_cast<int64_t>(table.size);
        }
    });
}

}  // namespace thresher::THRESHER_ISA
