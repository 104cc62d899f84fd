// The order of rows by score, lowest first and stable: keys that carry the row number in their lower bits. Where a key
// and a row number do not fit together, the key is cut and rows with equal cut keys are put right afterwards.
#pragma once
#include <algorithm>
#include <vector>

#include "count.hpp"
#include "pr.hpp"

namespace thresher::THRESHER_ISA {

// How far below the highest score, in units of the key; any type.
template <class S>
uint64_t depth_of(const S* score, const Codec& codec) {
    uint64_t v;
    if constexpr (Traits<S>::real) {
        using U = typename Traits<S>::U;
        U b;
        std::memcpy(&b, score, sizeof b);
        constexpr int last = 8 * sizeof(U) - 1;
        const uint64_t m = b & static_cast<U>(~(U{1} << last));
        const uint64_t negative = static_cast<uint64_t>(0) - static_cast<uint64_t>(b >> last);
        const uint64_t cut = m ? m - codec.gap : 0;
        v = (cut ^ negative) - negative;
    } else if constexpr (sizeof(S) == 8 && static_cast<S>(-1) > 0) {
        v = static_cast<uint64_t>(*score) ^ (uint64_t{1} << 63);
    } else {
        v = static_cast<uint64_t>(static_cast<int64_t>(*score));
    }
    return (static_cast<uint64_t>(codec.top) - v) >> codec.shift;
}

inline int bits_of(uint64_t x) {
    int bits = 0;
    for (; x; x >>= 1) ++bits;
    return bits;
}

struct DeepRow {
    uint64_t depth;
    int64_t row;
};

// Puts rows right whose keys, of which the lower bits are row numbers, were cut and are equal. `deepen` finds how deep the
// scores of rows are.
template <class Deepen>
void order_cut(const uint64_t* keys, int row_bits, size_t n, int64_t* order, uint8_t* first, Deepen deepen) {
    const auto key = [=](size_t i) { return (keys[i] - key_bias<uint64_t>) >> row_bits; };
    // A copy of what is compared: an order that changes meanwhile is none.
    std::vector<DeepRow> run;
    for (size_t i = 0; i < n;) {
        size_t j = i + 1;
        while (j < n && key(j) == key(i)) ++j;
        if (j > i + 1) {
            run.clear();
            for (size_t k = i; k < j; ++k) run.push_back({0, order[k]});
            deepen(run.data(), j - i);
            std::sort(run.begin(), run.end(), [](const DeepRow& a, const DeepRow& b) { return a.depth != b.depth ? a.depth > b.depth : a.row < b.row; });
            for (size_t k = i; k < j; ++k) {
                order[k] = run[k - i].row;
                if (first && k > i) first[k] = run[k - i].depth != run[k - i - 1].depth;
            }
        }
        i = j;
    }
}

// Writes row numbers, and to `first`, where that is wanted, 1 for rows that do not tie with the one before and 0 for the
// others; there are fewer than 2**32 rows. Finds NaN rows instead if there are any.
inline void order_of(const Rows& rows, int64_t* order, uint8_t* first, NotNumbers& nan) {
    const size_t n = rows.size;
    if (n == 0) return;
    const int row_bits = bits_of(n - 1);
    Block block(sort_scratch(n) * sizeof(uint64_t));
    uint64_t* const keys = block.as<uint64_t>();
    Codec codec;
    int cut = 0;
    with_type(rows.type, [&](auto kind) {
        using S = decltype(kind);
        const S* const scores = static_cast<const S*>(rows.scores);
        const Stats<S> stats = gather_stats(scores, n, scores[0]);
        if (has_nan(stats)) return find_nan(scores, n, nan);
        const Codec by = make_codec(stats);
        // Locals: what is captured aliases with the stores.
        const int room = row_bits, excess = bits_of(by.span) + room - 61, shift = excess > 0 ? excess : 0;
        const size_t size = n;
        uint64_t* const to = keys;
        uint64_t deepest = 0;
        for (size_t i = 0; i < size; ++i) {
            const uint64_t depth = depth_of(scores + i, by);
            deepest = depth > deepest ? depth : deepest;
            to[i] = ((((by.span - depth) >> shift) << room) | i) + key_bias<uint64_t>;
        }
        if (deepest > by.span) throw Changed();  // and the row numbers would be lost
        codec = by;
        cut = shift;
    });
    if (nan.count) return;
    // The result is where row numbers go later: no third buffer.
    uint64_t* const sorted = reinterpret_cast<uint64_t*>(order);
    quicksort(keys, keys + n + sort_slack, n, sorted, n, most_depth(n));
    std::memcpy(keys, sorted, n * sizeof(uint64_t));
    const uint64_t mask = (uint64_t{1} << row_bits) - 1;
    for (size_t i = 0; i < n; ++i) order[i] = static_cast<int64_t>((keys[i] - key_bias<uint64_t>) & mask);
    if (first) {
        const uint64_t differs = ~mask;
        first[0] = 1;
        for (size_t i = 1; i < n; ++i) first[i] = ((keys[i] ^ keys[i - 1]) & differs) != 0;
    }
    if (cut == 0) return;
    order_cut(keys, row_bits, n, order, first, [&](DeepRow* run, size_t size) {
        with_type(rows.type, [&](auto kind) {
            using S = decltype(kind);
            const S* const scores = static_cast<const S*>(rows.scores);
            for (size_t k = 0; k < size; ++k) run[k].depth = depth_of(scores + run[k].row, codec);
        });
    });
}

inline void order(const Rows& rows, int64_t* out, NotNumbers& nan) { order_of(rows, out, nullptr, nan); }

// Twice the placement of every row: for a positive the negatives below it, for a negative the positives above it, those
// tied counted half.
inline void place(const Rows& rows, int64_t* out, NotNumbers& nan) {
    const size_t n = rows.size;
    Block block(n * sizeof(int64_t)), first_block(n), label_block(n);
    int64_t* const order = block.as<int64_t>();
    uint8_t *const first = first_block.as<uint8_t>(), *const positive = label_block.as<uint8_t>();
    order_of(rows, order, first, nan);
    if (nan.count) return;
    int64_t n_pos = 0;
    for (size_t i = 0; i < n; ++i) n_pos += positive[i] = rows.positive[i] != 0;
    int64_t pos = 0, neg = 0;  // below the group
    for (size_t i = 0; i < n;) {
        size_t j = i;
        int64_t p = 0;
        do p += positive[order[j++]];
        while (j < n && !first[j]);
        const int64_t q = static_cast<int64_t>(j - i) - p;
        for (size_t k = i; k < j; ++k) {
            const int64_t row = order[k];
            out[row] = positive[row] ? 2 * neg + q : 2 * (n_pos - pos - p) + p;
        }
        pos += p;
        neg += q;
        i = j;
    }
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
