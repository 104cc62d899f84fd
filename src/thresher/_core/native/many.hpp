// Many problems in one call: the exact sums from which each one's area, DeLong's error and the rank test follow.
#pragma once
#include "order.hpp"
#include "pr.hpp"
#include "rank_sums.hpp"
#include "workers.hpp"

namespace thresher::THRESHER_ISA {

// Keys of few scores are counted instead of sorted; `cells` has room for as many as there are keys.
template <class Key>
bool count_cells(const Key* keys, size_t n, const Codec& codec, Key* cells, RankSums& sums) {
    constexpr size_t copies = 4;  // neighbouring rows use different ones, so that a frequent score does not wait for itself
    const size_t width = 2 * (static_cast<size_t>(codec.span) + 1);
    if (codec.span > 1023 || copies * width > n) return false;
    std::memset(cells, 0, copies * width * sizeof(Key));
    size_t i = 0;
    for (; i + copies <= n; i += copies)
        for (size_t c = 0; c < copies; ++c) ++cells[c * width + keys[i + c]];
    for (; i < n; ++i) ++cells[keys[i]];
    for (size_t k = 0; k < width; k += 2) {
        uint64_t neg = 0, pos = 0;
        for (size_t c = 0; c < copies; ++c) {
            neg += cells[c * width + k];
            pos += cells[c * width + k + 1];
        }
        if (neg + pos) sums.block(pos, neg);
    }
    return true;
}

// Sorts n keys in `room.of<Key>(n)`.
template <class Key>
void sort_here(Key* keys, size_t n) {
#if defined(__AVX2__)
    if (n > 4 && n <= leaf_keys<Key>) return sort_padded(keys, n, keys);
#endif
    sort_keys(keys, keys + n + sort_slack, n);
}

// Keys in `room.of<Key>(n)`, in any order.
template <class Key>
THRESHER_APART void walk_keys(Key* keys, size_t n, const Codec& codec, RankSums& sums) {
    if (!all_within(keys, n, codec)) throw Changed();
    if constexpr (sizeof(Key) == 4)
        if (count_cells(keys, n, codec, keys + n + sort_slack, sums)) return;
    sort_here(keys, n);
    add_sorted(keys, n, sums);
}

template <class S, class Key>
void walk_scores(const S* scores, const uint8_t* positive, size_t n, const Codec& codec, KeyRoom& room, RankSums& sums) {
    Key* const keys = room.of<Key>(n);
    encode(scores, positive, n, codec, keys);
    walk_keys(keys, n, codec, sums);
}

// From the highest score to the lowest; none is NaN.
template <class S>
void walk_rows(const S* scores, const uint8_t* positive, size_t n, const Stats<S>& stats, KeyRoom& room, RankSums& sums) {
    if (n < sample_rows<uint64_t>) {
        const Codec codec = make_codec(stats);
        if (codec.span <= most_span<uint32_t>) return walk_scores<S, uint32_t>(scores, positive, n, codec, room, sums);
        if constexpr (sizeof(S) >= 4)
            if (codec.span <= most_span<uint64_t>) return walk_scores<S, uint64_t>(scores, positive, n, codec, room, sums);
    }
    Rows rows;
    rows.scores = scores;
    rows.positive = positive;
    rows.size = n;
    CountOptions options;
    options.cumulative = false;
    options.wide = true;
    Table table;
    count_rows<S>(rows, options, table);
    if (table.nan.count) throw Changed();
    for (size_t k = 0; k < table.size; ++k)
        sums.block(static_cast<uint64_t>(table.pos.as<int64_t>()[k]), static_cast<uint64_t>(table.neg.as<int64_t>()[k]));
}

template <class S>
void walk_rows(const S* scores, const uint8_t* positive, size_t n, KeyRoom& room, RankSums& sums) {
    if (n) walk_rows(scores, positive, n, gather_stats(scores, n, scores[0]), room, sums);
}

inline uint64_t positives_of(const uint8_t* positive, size_t n) {
    uint64_t count = 0;
    for (size_t i = 0; i < n; ++i) count += positive[i] != 0;
    return count;
}

template <class S>
uint64_t nan_count(const S* scores, size_t n, const Stats<S>& stats) {
    if (!has_nan(stats)) return 0;
    NotNumbers nan;
    find_nan(scores, n, nan);
    return nan.count;
}

template <class S>
void measure_rows(const S* scores, const uint8_t* positive, size_t n, uint64_t n_pos, KeyRoom& room, ManyRow& out) {
    out = ManyRow{};
    if (n == 0) return;
    const Stats<S> stats = gather_stats(scores, n, scores[0]);
    out.nan = nan_count(scores, n, stats);
    if (out.nan) return;
    RankSums sums(n, n - n_pos);
    walk_rows(scores, positive, n, stats, room, sums);
    out = sums.row();
}

// Rows ends[g - 1] to ends[g] are problem g.
inline void many_groups(const Rows& rows, const int64_t* ends, size_t problems, int threads, ManyRow* out) {
    with_type(rows.type, [&](auto kind) {
        using S = decltype(kind);
        const S* const scores = static_cast<const S*>(rows.scores);
        in_chunks(problems, 256, threads, [&](size_t g, size_t stop, KeyRoom& room) {
            for (; g < stop; ++g) {
                const size_t begin = g ? static_cast<size_t>(ends[g - 1]) : 0;
                const size_t m = static_cast<size_t>(ends[g]) - begin;
                measure_rows(scores + begin, rows.positive + begin, m, positives_of(rows.positive + begin, m), room, out[g]);
            }
        });
    });
}

// How many columns are brought together where a row's columns lie side by side: about a line of the cache.
constexpr size_t columns_at_once = 16;

// Some neighbouring columns, one behind the other. A width that the compiler knows takes half the time.
template <class S, class Width>
void bring_columns(const S* from, size_t n, size_t row_step, Width width, S* own) {
    for (size_t i = 0; i < n; ++i)
        for (size_t c = 0; c < width; ++c) own[c * n + i] = from[i * row_step + c];
}

// Columns of a matrix against one column of labels. Rows are `row_step` numbers apart, columns `column_step`.
inline void many_columns(const Rows& labels, const void* matrix, size_t columns, size_t row_step, size_t column_step, int threads,
                         ManyRow* out) {
    const size_t n = labels.size;
    const uint64_t n_pos = positives_of(labels.positive, n);
    with_type(labels.type, [&](auto kind) {
        using S = decltype(kind);
        const S* const from = static_cast<const S*>(matrix);
        in_chunks(columns, columns_at_once, threads, [&](size_t begin, size_t stop, KeyRoom& room) {
            if (row_step == 1) {
                for (size_t c = begin; c < stop; ++c) measure_rows(from + c * column_step, labels.positive, n, n_pos, room, out[c]);
                return;
            }
            const size_t width = stop - begin;
            S* const own = reinterpret_cast<S*>(room.columns.bytes(width * n * sizeof(S)));
            const S* const first = from + begin;  // column_step is 1
            if (width == columns_at_once) bring_columns(first, n, row_step, std::integral_constant<size_t, columns_at_once>(), own);
            else bring_columns(first, n, row_step, width, own);
            for (size_t c = 0; c < width; ++c) measure_rows(own + c * n, labels.positive, n, n_pos, room, out[begin + c]);
        });
    });
}

// Columns of labels against one column of scores, which is put in order once.
inline void many_labels(const Rows& rows, const uint8_t* matrix, size_t columns, size_t row_step, size_t column_step, int threads,
                        ManyRow* out, NotNumbers& nan) {
    const size_t n = rows.size;
    Block order_block(n * sizeof(int64_t)), first_block(n);
    int64_t* const order = order_block.as<int64_t>();
    uint8_t* const first = first_block.as<uint8_t>();
    order_of(rows, order, first, nan);
    if (nan.count) return;
    in_chunks(columns, columns_at_once, threads, [&](size_t begin, size_t stop, KeyRoom& room) {
        const size_t width = stop - begin;
        uint8_t* const own = reinterpret_cast<uint8_t*>(room.columns.bytes(width * n));
        for (size_t i = 0; i < n; ++i) {
            const uint8_t* const row = matrix + static_cast<size_t>(order[i]) * row_step + begin * column_step;
            for (size_t c = 0; c < width; ++c) own[c * n + i] = row[c * column_step] != 0;
        }
        for (size_t c = 0; c < width; ++c) {
            const uint8_t* const positive = own + c * n;
            RankSums sums(n, n - positives_of(positive, n));
            for (size_t i = n; i > 0;) {  // the order is from the lowest score up
                const size_t end = i;
                uint64_t p = 0;
                do p += positive[--i];
                while (!first[i]);
                sums.block(p, end - i - p);
            }
            out[begin + c] = sums.row();
        }
    });
}

// Columns of a matrix of which only some entries are stored; the others are 0, and tie with those stored as 0.
inline void many_sparse(const Rows& labels, const void* data, const void* indices, bool wide_indices, const int64_t* ends, size_t columns,
                        int threads, ManyRow* out) {
    const size_t n = labels.size;
    const uint64_t n_pos = positives_of(labels.positive, n);
    with_type(labels.type, [&](auto kind) {
        using S = decltype(kind);
        if constexpr (!std::is_same<S, Half>::value) {
            in_chunks(columns, columns_at_once, threads, [&](size_t begin, size_t stop, KeyRoom& room) {
                Block score_block, label_block;
                size_t held = 0;
                for (size_t c = begin; c < stop; ++c) {
                    const size_t from = c ? static_cast<size_t>(ends[c - 1]) : 0, m = static_cast<size_t>(ends[c]) - from;
                    const S* const values = static_cast<const S*>(data) + from;
                    out[c] = ManyRow{};
                    out[c].nan = m ? nan_count(values, m, gather_stats(values, m, values[0])) : 0;
                    if (out[c].nan) continue;
                    if (m > n) throw Changed();
                    if (m > held || !held) {
                        score_block = Block((m + 1) * sizeof(S));
                        label_block = Block(m + 1);
                        held = m + 1;
                    }
                    S* const own = score_block.as<S>();
                    uint8_t* const mine = label_block.as<uint8_t>();
                    size_t above = 0, below = m;
                    uint64_t p_above = 0, p_below = 0;
                    for (size_t k = 0; k < m; ++k) {
                        const uint64_t row = wide_indices ? static_cast<uint64_t>(static_cast<const int64_t*>(indices)[from + k])
                                                          : static_cast<uint64_t>(static_cast<const int32_t*>(indices)[from + k]);
                        if (row >= n) throw Changed();
                        const S value = values[k];
                        const uint8_t positive = labels.positive[row] != 0;
                        if (value > 0) {
                            own[above] = value;
                            mine[above++] = positive;
                            p_above += positive;
                        } else if (value < 0) {
                            own[--below] = value;
                            mine[below] = positive;
                            p_below += positive;
                        }
                    }
                    if (p_above + p_below > n_pos) throw Changed();
                    const uint64_t p_zero = n_pos - p_above - p_below, zeros = n - above - (m - below);
                    if (p_zero > zeros) throw Changed();
                    RankSums sums(n, n - n_pos);
                    walk_rows(own, mine, above, room, sums);
                    if (zeros) sums.block(p_zero, zeros - p_zero);
                    walk_rows(own + below, mine + below, m - below, room, sums);
                    out[c] = sums.row();
                }
            });
        }
    });
}

// Tables that are counted already: rows ends[g - 1] to ends[g] are the scores of problem g, highest first.
inline void many_tables(const int64_t* pos, const int64_t* neg, const int64_t* ends, size_t problems, int threads, ManyRow* out) {
    in_chunks(problems, 256, threads, [=](size_t g, size_t stop, KeyRoom&) {
        for (; g < stop; ++g) {
            const size_t begin = g ? static_cast<size_t>(ends[g - 1]) : 0, end = static_cast<size_t>(ends[g]);
            uint64_t n_pos = 0, n_neg = 0;
            for (size_t i = begin; i < end; ++i) {
                n_pos += static_cast<uint64_t>(pos[i]);
                n_neg += static_cast<uint64_t>(neg[i]);
            }
            RankSums sums(n_pos + n_neg, n_neg);
            for (size_t i = begin; i < end; ++i) sums.block(static_cast<uint64_t>(pos[i]), static_cast<uint64_t>(neg[i]));
            out[g] = sums.row();
        }
    });
}

// An area under the PR curve of each of such tables, times its positives, and its spread; false positives of problem g
// count scale[g] times.
inline void many_pr(const int64_t* pos, const int64_t* neg, const int64_t* ends, size_t problems, PrKind kind, const double* scale,
                    int threads, ManyPr* out) {
    const PrKind of_spread = kind == PrKind::unit_steps ? PrKind::interpolated : kind;
    in_chunks(problems, 256, threads, [=](size_t g, size_t stop, KeyRoom& room) {
        for (; g < stop; ++g) {
            const size_t begin = g ? static_cast<size_t>(ends[g - 1]) : 0, n = static_cast<size_t>(ends[g]) - begin;
            int64_t* const tp = room.of<int64_t>(n);
            int64_t* const fp = tp + n;
            uint64_t n_pos = 0, n_neg = 0;
            for (size_t i = 0; i < n; ++i) {
                n_pos += static_cast<uint64_t>(pos[begin + i]);
                n_neg += static_cast<uint64_t>(neg[begin + i]);
                tp[i] = static_cast<int64_t>(n_pos);
                fp[i] = static_cast<int64_t>(n_neg);
            }
            out[g].area = pr_area_of(tp, fp, n, kind, scale[g], 1);
            pr_spread_of(tp, fp, n, of_spread, scale[g], 1, out[g].spread);
        }
    });
}

}  // namespace thresher::THRESHER_ISA
