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

// Gives `take` all rows, highest scores first, as what `make` makes of their numbers: by `tied` those of one score, in their
// order, and by `apart` a stretch of rows of which none ties, so that what it adds up stays in registers. There are fewer
// than 2**32 rows. Finds NaN rows instead if there are any.
template <class Make, class Take>
void in_order(const Rows& rows, NotNumbers& nan, Make make, Take& take) {
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
    Block block((3 * to.largest + 1) * sizeof(uint64_t));
    uint64_t *const depth = block.as<uint64_t>(), *const keys = depth + to.largest;
    int64_t* const own = reinterpret_cast<int64_t*>(keys + to.largest + 1);
    for (size_t b = 0; b < to.buckets; ++b) {
        const size_t m = to.start[b + 1] - to.start[b];
        if (m == 0) continue;
        const DeepRow* const mine = deep + to.start[b];
        const SortedPlaces sorted = sort_places(mine, m, to.buckets == 1, space, keys, false, depth);
        for (size_t i = 0; i < m; ++i) own[i] = mine[sorted.keys[i] & sorted.mask].row;
        if (!sorted.ties) {
            take.apart(own, m);
            continue;
        }
        for (size_t i = 0, j; i < m; i = j) {
            for (j = i + 1; j < m && depth[j] == depth[i];) ++j;
            take.tied(own + i, j - i);
        }
    }
}

struct Ordered {
    int64_t* order;
    uint8_t* first;
    size_t at;
    void apart(const int64_t* rows, size_t m) {
        at -= m;
        for (size_t k = 0; k < m; ++k) order[at + k] = rows[m - 1 - k];
        if (first) std::memset(first + at, 1, m);
    }
    void tied(const int64_t* rows, size_t m) {
        at -= m;
        std::memcpy(order + at, rows, m * sizeof(int64_t));
        for (size_t k = 0; first && k < m; ++k) first[at + k] = k == 0;
    }
};

// Writes what `make` makes of every row number, lowest scores first, and to `first`, where that is wanted, 1 for rows that do
// not tie with the one before and 0 for the others.
template <class Make>
void order_of(const Rows& rows, int64_t* order, uint8_t* first, NotNumbers& nan, Make make) {
    Ordered take{order, first, rows.size};
    in_order(rows, nan, make, take);
}

inline void order_of(const Rows& rows, int64_t* order, uint8_t* first, NotNumbers& nan) {
    order_of(rows, order, first, nan, [](int64_t row) { return row; });
}

inline void order(const Rows& rows, int64_t* out, NotNumbers& nan) { order_of(rows, out, nullptr, nan); }

// Twice the placement of every row, of rows as twice their number plus 1 for a positive.
template <class Out>
struct Placed {
    Out* out;
    int64_t n_neg, pos = 0, neg = 0, twice_u = 0;  // of those above

    void apart(const int64_t* rows, size_t m) {
        int64_t p = pos, q = neg, twice = twice_u;
        for (size_t k = 0; k < m; ++k) {
            const int64_t right = rows[k] & 1, below = 2 * (n_neg - q), above = 2 * p;
            out[rows[k] >> 1] = static_cast<Out>(right ? below : above);
            twice += right ? below : 0;
            p += right;
            q += 1 - right;
        }
        pos = p;
        neg = q;
        twice_u = twice;
    }
    void tied(const int64_t* rows, size_t m) {
        int64_t p = 0;
        for (size_t k = 0; k < m; ++k) p += rows[k] & 1;
        const int64_t q = static_cast<int64_t>(m) - p, below = 2 * (n_neg - neg - q) + q, above = 2 * pos + p;
        for (size_t k = 0; k < m; ++k) out[rows[k] >> 1] = static_cast<Out>(rows[k] & 1 ? below : above);
        twice_u += p * below;
        pos += p;
        neg += q;
    }
};

// Writes twice the placement of every row: for a positive the negatives below it, for a negative the positives above it, those
// tied counted half. Returns twice U. Labels are read once for each row, after `n_pos` of them were counted.
template <class Out, class Positive>
int64_t place_rows(const Rows& rows, int64_t n_pos, Positive positive, NotNumbers& nan, Out* out) {
    Placed<Out> take{out, static_cast<int64_t>(rows.size) - n_pos};
    in_order(rows, nan, [=](int64_t row) { return 2 * row + positive(static_cast<size_t>(row)); }, take);
    if (!nan.count && take.pos != n_pos) throw Changed();
    return take.twice_u;
}

inline void place(const Rows& rows, int64_t* out, NotNumbers& nan) {
    const uint8_t* const positive = rows.positive;
    int64_t n_pos = 0;
    for (size_t i = 0; i < rows.size; ++i) n_pos += positive[i] != 0;
    place_rows(rows, n_pos, [=](size_t row) { return positive[row] != 0; }, nan, out);
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
