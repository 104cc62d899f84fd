// Rows with weights: brought into buckets of scores, sorted, summed at each distinct score, and tallied as counts are.
// A row is a score and a weight above 0 with the sign of its class: positives above zero, negatives below.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>
#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#endif

#include "areas.hpp"
#include "long_sum.hpp"
#include "merge.hpp"
#include "workers.hpp"

namespace thresher::THRESHER_ISA {

// A sum that is rounded once; `add` also keeps the magnitudes that say how far off the parts can be.
struct RoundedSum {
    LongSum sum;
    double magnitude = 0;
    size_t terms = 0;
    void add(double x) {
        sum.add(x);
        magnitude += std::fabs(x);
        ++terms;
    }
    // Whether `out` is the correctly rounded sum: whatever is left out of the parts, rounding gives the same.
    bool value(double& out) const {
        constexpr double unit = 0x1p-52;
        const double n = static_cast<double>(terms) + 2.0, rest = sum.middle + sum.low;
        const double off = 4.0 * (n * n * n * unit * unit * unit * magnitude + unit * (std::fabs(sum.middle) + std::fabs(sum.low)));
        const double low = sum.high + (rest - off), high = sum.high + (rest + off);
        out = low;
        return low == high;
    }
};

// Running sums as if in twice the precision, which never decrease.
inline void running_sums(const double* values, size_t n, double* out) {
    LongSum sum;
    double most = -std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < n; ++i) {
        sum.add(values[i]);
        const double now = sum.value();
        most = now > most ? now : most;
        out[i] = most;
    }
}

// Those of two columns: the same operations, side by side where there are registers of two.
inline void running_sums(const double* a, const double* b, size_t n, double* out_a, double* out_b) {
#if defined(__SSE2__) || defined(_M_X64)
    const auto add = [](__m128d& sum, __m128d x) {
        const __m128d total = _mm_add_pd(sum, x), kept = _mm_sub_pd(total, sum);
        const __m128d error = _mm_add_pd(_mm_sub_pd(sum, _mm_sub_pd(total, kept)), _mm_sub_pd(x, kept));
        sum = total;
        return error;
    };
    __m128d high = _mm_setzero_pd(), middle = high, low = high, most = _mm_set1_pd(-std::numeric_limits<double>::infinity());
    for (size_t i = 0; i < n; ++i) {
        const __m128d error = add(high, _mm_loadh_pd(_mm_load_sd(a + i), b + i));
        low = _mm_add_pd(low, add(middle, error));
        most = _mm_max_pd(_mm_add_pd(high, _mm_add_pd(middle, low)), most);
        _mm_storel_pd(out_a + i, most);
        _mm_storeh_pd(out_b + i, most);
    }
#else
    running_sums(a, n, out_a);
    running_sums(b, n, out_b);
#endif
}

// The weights of pairs ranked right, tied ones half; false if their sum cannot be rounded for certain.
inline bool weighted_wins(const double* pos, const double* neg, const double* fp, size_t n, double& out) {
    RoundedSum sum;
    const double all = n ? fp[n - 1] : 0.0;
    double terms[256];
    for (size_t i = 0; i < n;) {  // whether a score has positives cannot be predicted
        size_t count = 0;
        for (const size_t end = n - i < 256 ? n : i + 256; i < end; ++i) {
            terms[count] = pos[i] * ((all - fp[i]) + neg[i] / 2);
            count += pos[i] != 0.0;
        }
        for (size_t k = 0; k < count; ++k) sum.add(terms[k]);
    }
    return sum.value(out);
}

constexpr size_t most_weighted_buckets = 512;

// Where buckets begin, ascending, of a sample of scores: bucket b holds ranks from splits[b - 1] to below splits[b].
struct Splits {
    int64_t at[most_weighted_buckets - 1];
    size_t buckets = 1;

    void set(const int64_t* values, size_t count) {
        buckets = count + 1;
        for (size_t i = 0; i < most_weighted_buckets - 1; ++i) at[i] = i < count ? values[i] : std::numeric_limits<int64_t>::max();
    }
    // Many at once, step by step: a search waits for memory nine times, but not for other searches.
    void classify(const int64_t* ranks, size_t m, uint16_t* out) const {
        uint32_t place[classified];
        for (size_t j = 0; j < m; ++j) place[j] = 0;
        for (uint32_t step = most_weighted_buckets / 2; step; step /= 2)
            for (size_t j = 0; j < m; ++j) place[j] += step & (0u - static_cast<uint32_t>(at[place[j] + step - 1] <= ranks[j]));
        const uint32_t last = static_cast<uint32_t>(buckets - 1);
        for (size_t j = 0; j < m; ++j) out[j] = static_cast<uint16_t>(place[j] < last ? place[j] : last);
    }
    static constexpr size_t classified = 256;
};

template <class S>
size_t learn_splits(const S* scores, size_t n, size_t buckets, int64_t* out) {
    constexpr size_t most_sampled = 32768;
    const size_t count = n < most_sampled ? n : most_sampled;
    std::vector<int64_t> sample(count);
    for (size_t i = 0; i < count; ++i) sample[i] = rank_of(scores[i * (n / count) + i * (n % count) / count]);
    std::sort(sample.begin(), sample.end());
    size_t found = 0;
    for (size_t b = 1; b < buckets && count; ++b) {
        const int64_t value = sample[b * count / buckets];
        if (value > (found ? out[found - 1] : sample[0])) out[found++] = value;
    }
    return found;
}

inline size_t weighted_part(size_t n, size_t parts, size_t i) { return n / parts * i + (n % parts * i) / parts; }

// Ranks as depths, which sort them from the highest to the lowest.
inline uint64_t depth_of_rank(int64_t rank) { return ~(static_cast<uint64_t>(rank) ^ (uint64_t{1} << 63)); }
inline int64_t rank_of_depth(uint64_t depth) { return static_cast<int64_t>(~depth ^ (uint64_t{1} << 63)); }

// The score of a rank; -0.0 has become 0.0.
template <class S>
S score_of(int64_t rank) {
    S out;
    if constexpr (Traits<S>::real) {
        using U = typename Traits<S>::U;
        const U magnitude = static_cast<U>(rank < 0 ? -rank : rank);
        const U bits = static_cast<U>(magnitude | (rank < 0 ? U{1} << (8 * sizeof(U) - 1) : U{0}));
        std::memcpy(&out, &bits, sizeof out);
    } else if constexpr (sizeof(S) == 8 && static_cast<S>(-1) > 0) {
        out = static_cast<uint64_t>(rank) ^ (uint64_t{1} << 63);
    } else {
        out = static_cast<S>(rank);
    }
    return out;
}

// Rows in the order of their buckets, as they stand within each; `ends` and the sums of both classes for each
// bucket.
template <class S>
void scatter_rows(const S* scores, const uint8_t* positive, const double* weight, size_t n, const Splits& splits, int threads, WeightedRow* out,
                  int64_t* ends, LongSum* sums) {
    const size_t buckets = splits.buckets, parts = static_cast<size_t>(threads > 1 && n > 65536 ? threads : 1);
    Block bucket_block(n * sizeof(uint16_t));
    uint16_t* const bucket_of = bucket_block.as<uint16_t>();
    std::vector<size_t> places(parts * buckets);
    std::vector<LongSum> each(parts * buckets * 2);
    size_t* const place = places.data();
    LongSum* const part_sums = each.data();
    parallel_for(parts, threads, [=, &splits](size_t p) {
        size_t* const mine = place + p * buckets;
        const size_t end = weighted_part(n, parts, p + 1);
        int64_t ranks[Splits::classified];
        for (size_t i = weighted_part(n, parts, p); i < end; i += Splits::classified) {
            const size_t m = std::min(Splits::classified, end - i);
            for (size_t j = 0; j < m; ++j) ranks[j] = rank_of(scores[i + j]);
            splits.classify(ranks, m, bucket_of + i);
            for (size_t j = 0; j < m; ++j) ++mine[bucket_of[i + j]];
        }
    });
    size_t at = 0;
    for (size_t b = 0; b < buckets; ++b) {
        for (size_t p = 0; p < parts; ++p) {
            const size_t here = place[p * buckets + b];
            place[p * buckets + b] = at;
            at += here;
        }
        ends[b] = static_cast<int64_t>(at);
    }
    // The bucket is not looked up again: scores that change meanwhile stay where there is room for them.
    parallel_for(parts, threads, [=](size_t p) {
        size_t* const next = place + p * buckets;
        LongSum* const mine = part_sums + p * buckets * 2;
        const size_t end = weighted_part(n, parts, p + 1);
        for (size_t i = weighted_part(n, parts, p); i < end; ++i) {
            const size_t b = bucket_of[i];
            const bool right = positive[i] != 0;
            const double w = weight[i];
            out[next[b]++] = {depth_of_rank(rank_of(scores[i])), right ? w : -w};
            mine[2 * b + !right].add(w);
        }
    });
    for (size_t k = 0; k < 2 * buckets; ++k)
        for (size_t p = 0; p < parts; ++p) sums[k].add(part_sums[p * buckets * 2 + k]);
}

// Which weights there are: rows above 0 of each class, positives first, and the least and greatest weight of each.
struct WeightSpans {
    size_t seen[2] = {}, counted[2] = {};
    double least[2], greatest[2] = {};
    WeightSpans() { least[0] = least[1] = std::numeric_limits<double>::infinity(); }
    void add(const uint8_t* positive, const double* weight, size_t n) {
        constexpr double none = std::numeric_limits<double>::infinity();
        size_t rows = 0, heavy[2] = {};
        double low[2] = {least[0], least[1]}, high[2] = {greatest[0], greatest[1]};
        for (size_t i = 0; i < n; ++i) {  // without branches on the data
            const double w = weight[i], some = w > 0 ? w : none;
            const bool right = positive[i] != 0;
            const double a = right ? some : none, b = right ? none : some, c = right ? w : 0.0, d = right ? 0.0 : w;
            rows += right;
            heavy[0] += a != none;
            heavy[1] += b != none;
            low[0] = a < low[0] ? a : low[0];
            low[1] = b < low[1] ? b : low[1];
            high[0] = c > high[0] ? c : high[0];
            high[1] = d > high[1] ? d : high[1];
        }
        const size_t each[2] = {rows, n - rows};
        for (int side = 0; side < 2; ++side) {
            seen[side] += each[side];
            counted[side] += heavy[side];
            least[side] = low[side];
            greatest[side] = high[side];
        }
    }
    // Whether all weights are numbers in these bounds, which are above 0.
    bool within(double low, double high) const {
        for (int side = 0; side < 2; ++side)
            if (counted[side] != seen[side] || (seen[side] && !(least[side] >= low && greatest[side] <= high))) return false;
        return true;
    }
    // Whether the weights of a class are about the same, or all are `one`; so are those of no rows.
    bool constant(int side) const { return !seen[side] || greatest[side] <= least[side] * (1 + 1e-6); }
    bool constant(int side, double one) const { return !seen[side] || (least[side] == one && greatest[side] == one); }
};

struct WeightedOptions {
    LongSum tp0, fp0;  // weights before the stretch
    double n_neg = 0, pos_step = 1, neg_step = 1;
    int log_bits = 0;
    size_t most_points = 0;
};

// As `Tally`, with sums of floats as two parts.
struct WeightedTally {
    struct Two {
        double sum = 0, error = 0;
        void add(double x) { error += two_sum(sum, x); }
    };
    size_t scores = 0, shared_scores = 0, kept = 0;
    Two twice_u, pos_squares, neg_squares, tied, shared_pos, average_precision, interpolated;
    Block rows, tp, fp, why, between_pos, between_neg;
};

// The memory that a bucket of n rows is counted in: one block, which is kept for the next, as pages that are new cost
// more than the sums.
struct WeightedScratch {
    Block block;
    WeightedColumns table;
    int64_t *order, *ranks;
    double *tp, *fp;
    uint8_t* why;
    explicit WeightedScratch(size_t n) : block(std::max((9 * sizeof(double) + 1) * n, size_t{4} << 20)) {
        double* const from = block.as<double>();
        table = {reinterpret_cast<uint64_t*>(from), from + n, from + 2 * n, from + 3 * n, from + 4 * n};
        order = reinterpret_cast<int64_t*>(from + 5 * n);
        ranks = order + n;
        tp = from + 7 * n;
        fp = from + 8 * n;
        why = reinterpret_cast<uint8_t*>(from + 9 * n);
    }
};

// As NumPy divides and rounds down, for numbers that are not negative.
inline double floor_divided(double a, double b) {
    const double q = a / b, f = std::floor(q), rest = q - f, unsure = q * 0x1p-50;
    if (rest > unsure && 1 - rest > unsure) return f;
    const double div = (a - std::fmod(a, b)) / b, floored = std::floor(div);
    return div - floored > 0.5 ? floored + 1 : floored;
}

// The stretch of one class's running sum between two multiples of a step.
struct Stride {
    double step, at, sure;  // below `sure` the multiple is surely the same
    Stride(double start, double step) : step(step), at(floor_divided(start, step)) { look(); }
    void look() { sure = (at + 1) * step * (1 - 1e-12); }
    bool passed(double value) {
        if (value < sure) return false;
        const double next = floor_divided(value, step);
        const bool moved = next != at;
        at = next;
        look();
        return moved;
    }
};

struct Octaves {
    double scale, at, sure;
    Octaves(double start, int log_bits) : scale(std::ldexp(1.0, log_bits)), at(place(start)) { look(); }
    double place(double rank) const { return std::floor(std::log2(rank > 1e-300 ? rank : 1e-300) * scale); }
    void look() { sure = std::exp2((at + 1) / scale) * (1 - 1e-9); }
    bool passed(double rank) {
        if (rank < sure) return false;
        const double next = place(rank);
        const bool moved = next != at;
        at = next;
        look();
        return moved;
    }
};

// Vertices of the upper hull of points that never fall, both ends kept.
inline size_t weighted_hull(const double* x, const double* y, size_t n, int64_t* out) {
    size_t top = 0;
    for (size_t i = 0; i < n; ++i) {
        if (i && i + 1 < n && y[i] == y[i - 1] && x[i] > x[i - 1]) continue;  // reached sideways: no vertex
        while (top > 1) {
            const size_t a = static_cast<size_t>(out[top - 2]), b = static_cast<size_t>(out[top - 1]);
            if ((x[i] - x[a]) * (y[b] - y[a]) - (y[i] - y[a]) * (x[b] - x[a]) > 0) break;
            --top;
        }
        out[top++] = static_cast<int64_t>(i);
    }
    return top;
}

// `vertex` is scratch of the same size as the others.
inline size_t choose_weighted(const double* tp, const double* fp, size_t d, const WeightedOptions& options, int64_t* vertex, int64_t* rows,
                              uint8_t* why) {
    if (d <= options.most_points) {
        for (size_t k = 0; k < d; ++k) rows[k] = static_cast<int64_t>(k);
        std::memset(why, 2, d);
        return d;
    }
    const size_t found = weighted_hull(fp, tp, d, vertex);
    const double tp0 = options.tp0.value(), fp0 = options.fp0.value();
    Stride right(tp0, options.pos_step), wrong(fp0, options.neg_step);
    Octaves rank(tp0 + fp0, options.log_bits);
    size_t v = 0, kept = 0;
    for (size_t k = 0; k < d; ++k) {
        const bool corner = v < found && static_cast<size_t>(vertex[v]) == k;
        v += corner;
        const bool a = right.passed(tp[k]), b = wrong.passed(fp[k]), c = rank.passed(tp[k] + fp[k]);
        const bool mark = a || b || c;
        rows[kept] = static_cast<int64_t>(k);
        why[kept] = static_cast<uint8_t>((mark ? 2 : 0) | (corner ? 1 : 0));
        kept += mark || corner;
    }
    return kept;
}

// Sums over a stretch of a table, and the points that are kept of it.
inline void tally_weighted(const WeightedColumns& table, size_t d, const WeightedOptions& options, const WeightedScratch& scratch,
                           WeightedTally& out) {
    double *const tp = scratch.tp, *const fp = scratch.fp;
    LongSum right = options.tp0, wrong = options.fp0;
    double last_right = right.value(), last_wrong = wrong.value();
    for (size_t k = 0; k < d; ++k) {
        const double p = table.pos[k], q = table.neg[k];
        if (p > 0) {
            right.add(p);
            last_right = std::max(last_right, right.value());
        }
        if (q > 0) {
            wrong.add(q);
            last_wrong = std::max(last_wrong, wrong.value());
        }
        tp[k] = last_right;
        fp[k] = last_wrong;
        const double t = (tp[k] - p) + tp[k], left = 2.0 * options.n_neg - ((fp[k] - q) + fp[k]);
        if (q > 0) {
            out.twice_u.add(q * t);
            out.neg_squares.add(q * t * t);
        }
        if (p > 0) {
            out.pos_squares.add(p * left * left);
            out.average_precision.add(p * (tp[k] / (tp[k] + fp[k])));
            out.interpolated.add(p * mean_precision(tp[k] - p, fp[k] - q, p, q));
            if (q > 0) {
                ++out.shared_scores;
                out.tied.add(p * q);
                out.shared_pos.add(p);
            }
        }
    }
    out.scores = d;
    const size_t n = choose_weighted(tp, fp, d, options, scratch.order, scratch.ranks, scratch.why);
    out.kept = n;
    out.rows = Block(n * sizeof(int64_t));
    out.why = Block(n);
    for (Block* column : {&out.tp, &out.fp, &out.between_pos, &out.between_neg}) *column = Block(n * sizeof(double));
    std::memcpy(out.rows.as<int64_t>(), scratch.ranks, n * sizeof(int64_t));
    std::memcpy(out.why.as<uint8_t>(), scratch.why, n);
    size_t from = 0;
    for (size_t k = 0; k < n; ++k) {
        const size_t row = static_cast<size_t>(out.rows.as<int64_t>()[k]);
        out.tp.as<double>()[k] = tp[row];
        out.fp.as<double>()[k] = fp[row];
        WeightedTally::Two pos, neg;
        for (; from <= row; ++from) {
            pos.add(table.pos_squares[from]);
            neg.add(table.neg_squares[from]);
        }
        out.between_pos.as<double>()[k] = pos.sum + pos.error;
        out.between_neg.as<double>()[k] = neg.sum + neg.error;
    }
}

}  // namespace thresher::THRESHER_ISA
