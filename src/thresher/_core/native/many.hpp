// Many problems in one call: the exact sums from which each one's area, DeLong's error and the rank test follow.
#pragma once
#include <atomic>

#include "order.hpp"
#include "pr.hpp"

namespace thresher::THRESHER_ISA {

// Sums over the distinct scores of one problem, highest first, in 64 bits while they fit.
class RankSums {
public:
    RankSums(size_t rows, uint64_t n_neg) : n_neg_(n_neg), wide_(rows > (size_t{1} << 20)) {}

    // So many positives and negatives share the next score.
    void block(uint64_t p, uint64_t q) {
        const uint64_t of_pos = 2 * (n_neg_ - fp_) - q, of_neg = 2 * tp_ + p, tied = p + q;
        tp_ += p;
        fp_ += q;
        if (!wide_) {
            positives_ += p * of_pos * of_pos;
            negatives_ += q * of_neg * of_neg;
            twice_u_ += q * of_neg;
            ties_ += tied * tied * tied - tied;
            return;
        }
        add_square(all_.positives, p, of_pos);
        add_square(all_.negatives, q, of_neg);
        all_.twice_u.add(multiply(q, of_neg));
        if (tied > 1) all_.ties.add(multiply(multiply(tied - 1, tied + 1), tied));
    }

    ManyRow row() const {
        ManyRow out = all_;
        out.n_pos = tp_;
        out.n_neg = fp_;
        out.twice_u.add(twice_u_);
        out.positives.add(positives_);
        out.negatives.add(negatives_);
        out.ties.add(ties_);
        return out;
    }

private:
    static void add_square(U128& total, uint64_t times, uint64_t value) {
        if (times) total.add(multiply(multiply(value, value), times));
    }

    uint64_t n_neg_, tp_ = 0, fp_ = 0, positives_ = 0, negatives_ = 0, twice_u_ = 0, ties_ = 0;
    bool wide_;
    ManyRow all_;
};

// Room for keys that is kept between problems.
class KeyRoom {
public:
    template <class Key>
    Key* of(size_t n) {
        const size_t bytes = 2 * (n + 64) * sizeof(Key);
        if (bytes > size_) {
            block_ = Block(bytes);
            size_ = bytes;
        }
        return block_.as<Key>();
    }

private:
    Block block_;
    size_t size_ = 0;
};

template <class S, class Key>
void walk_keys(const S* scores, const uint8_t* positive, size_t n, const Codec& codec, KeyRoom& room, RankSums& sums) {
    Key* const keys = room.of<Key>(n);
    encode(scores, positive, n, codec, keys);
    if (!all_within(keys, n, codec)) throw Changed();
    sort_keys(keys, keys + n + 64, n);
    for (size_t i = 0; i < n;) {
        const Key score = keys[i] >> 1;
        size_t j = i;
        uint64_t p = 0;
        do p += keys[j++] & 1;
        while (j < n && (keys[j] >> 1) == score);
        sums.block(p, j - i - p);
        i = j;
    }
}

// From the highest score to the lowest; none is NaN.
template <class S>
void walk_rows(const S* scores, const uint8_t* positive, size_t n, KeyRoom& room, RankSums& sums) {
    if (n == 0) return;
    if (n < small_rows) {
        const Stats<S> stats = gather_stats(scores, n, scores[0]);
        const Codec codec = make_codec(stats);
        if (codec.span <= most_span<uint32_t>) return walk_keys<S, uint32_t>(scores, positive, n, codec, room, sums);
        if constexpr (sizeof(S) >= 4)
            if (codec.span <= most_span<uint64_t>) return walk_keys<S, uint64_t>(scores, positive, n, codec, room, sums);
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

inline uint64_t positives_of(const uint8_t* positive, size_t n) {
    uint64_t count = 0;
    for (size_t i = 0; i < n; ++i) count += positive[i] != 0;
    return count;
}

template <class S>
uint64_t nan_count(const S* scores, size_t n) {
    if (n == 0 || !has_nan(gather_stats(scores, n, scores[0]))) return 0;
    NotNumbers nan;
    find_nan(scores, n, nan);
    return nan.count;
}

template <class S>
void measure_rows(const S* scores, const uint8_t* positive, size_t n, KeyRoom& room, ManyRow& out) {
    out = ManyRow{};
    out.nan = nan_count(scores, n);
    if (out.nan) return;
    RankSums sums(n, n - positives_of(positive, n));
    walk_rows(scores, positive, n, room, sums);
    out = sums.row();
}

template <class F>
void with_type(Type type, F&& body) {
    switch (type) {
        case Type::f16: return body(Half{});
        case Type::f32: return body(float{});
        case Type::f64: return body(double{});
        case Type::i8: return body(int8_t{});
        case Type::i16: return body(int16_t{});
        case Type::i32: return body(int32_t{});
        case Type::i64: return body(int64_t{});
        case Type::u8: return body(uint8_t{});
        case Type::u16: return body(uint16_t{});
        case Type::u32: return body(uint32_t{});
        case Type::u64: return body(uint64_t{});
    }
}

// Problems in chunks, on threads; what a chunk throws is thrown when all are done.
template <class F>
void in_chunks(size_t problems, size_t chunk, int threads, F&& body) {
    std::atomic<bool> failed{false}, changed{false};
    parallel_for((problems + chunk - 1) / chunk, threads, [&](size_t c) {
        try {
            KeyRoom room;
            body(c * chunk, problems - c * chunk < chunk ? problems : (c + 1) * chunk, room);
        } catch (const Changed&) {
            changed = true;
        } catch (...) {
            failed = true;
        }
    });
    if (failed) throw std::bad_alloc();
    if (changed) throw Changed();
}

// Rows ends[g - 1] to ends[g] are problem g.
inline void many_groups(const Rows& rows, const int64_t* ends, size_t problems, int threads, ManyRow* out) {
    with_type(rows.type, [&](auto kind) {
        using S = decltype(kind);
        const S* const scores = static_cast<const S*>(rows.scores);
        in_chunks(problems, 256, threads, [&](size_t g, size_t stop, KeyRoom& room) {
            for (; g < stop; ++g) {
                const size_t begin = g ? static_cast<size_t>(ends[g - 1]) : 0;
                measure_rows(scores + begin, rows.positive + begin, static_cast<size_t>(ends[g]) - begin, room, out[g]);
            }
        });
    });
}

// How many columns are brought together where a row's columns lie side by side: about a line of the cache.
constexpr size_t columns_at_once = 16;

// Columns of a matrix against one column of labels. Rows are `row_step` numbers apart, columns `column_step`.
inline void many_columns(const Rows& labels, const void* matrix, size_t columns, size_t row_step, size_t column_step, int threads,
                         ManyRow* out) {
    const size_t n = labels.size;
    with_type(labels.type, [&](auto kind) {
        using S = decltype(kind);
        const S* const from = static_cast<const S*>(matrix);
        in_chunks(columns, columns_at_once, threads, [&](size_t begin, size_t stop, KeyRoom& room) {
            if (row_step == 1) {
                for (size_t c = begin; c < stop; ++c) measure_rows(from + c * column_step, labels.positive, n, room, out[c]);
                return;
            }
            const size_t width = stop - begin;
            Block block(width * n * sizeof(S));
            S* const own = block.as<S>();
            for (size_t i = 0; i < n; ++i)
                for (size_t c = 0; c < width; ++c) own[c * n + i] = from[i * row_step + (begin + c) * column_step];
            for (size_t c = 0; c < width; ++c) measure_rows(own + c * n, labels.positive, n, room, out[begin + c]);
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
    with_type(rows.type, [&](auto kind) {
        using S = decltype(kind);
        order_of(static_cast<const S*>(rows.scores), n, order, first, nan);
    });
    if (nan.count) return;
    in_chunks(columns, columns_at_once, threads, [&](size_t begin, size_t stop, KeyRoom&) {
        const size_t width = stop - begin;
        Block block(width * n);
        uint8_t* const own = block.as<uint8_t>();
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
                    out[c].nan = nan_count(values, m);
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
