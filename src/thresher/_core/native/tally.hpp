// One bucket of keys, or one piece of a table, to its sums and the points that are kept of it.
#pragma once
#include "areas.hpp"
#include "distinct.hpp"
#include "hull.hpp"
#include "ordinal.hpp"
#include "stream.hpp"

namespace thresher::THRESHER_ISA {

// Where the next point is kept, after one with these counts.
struct Marks {
    uint64_t tp, fp, rank;
    Marks(uint64_t tp0, uint64_t fp0, const TallyOptions& options)
        : tp((tp0 / options.pos_step + 1) * options.pos_step), fp((fp0 / options.neg_step + 1) * options.neg_step),
          rank(after(tp0 + fp0, options.log_bits)) {}
    static uint64_t after(uint64_t rank, int log_bits) {
        int octave = 0;
        while (octave < 63 && (rank >> octave) > 1) ++octave;
        const int shift = octave > log_bits ? octave - log_bits : 0;
        return ((rank >> shift) + 1) << shift;
    }
};

// Adds doubles without rounding. Those of usual size are split in two with a last bit that all have in common, so that
// up to 512 of them add up exactly as doubles.
static inline void add_exactly(const double* terms, size_t n, Fixed& total) {
    double least = 1, most = 1;
    for (size_t i = 0; i < n; ++i) {
        least = terms[i] < least ? terms[i] : least;
        most = terms[i] > most ? terms[i] : most;
    }
    if (least < 0x1p-12 || most >= 4) {
        for (size_t i = 0; i < n; ++i) total.add(terms[i]);
        return;
    }
    constexpr size_t lanes = 8;
    constexpr double split = 0x1.8p22;  // adding it rounds to multiples of 2**-30
    double high[lanes] = {}, low[lanes] = {};
    const auto add = [&](size_t lane, double term) {
        const double part = (term + split) - split;
        high[lane] += part;
        low[lane] += term - part;
    };
    size_t i = 0;
    for (; i + lanes <= n; i += lanes)
        for (size_t lane = 0; lane < lanes; ++lane) add(lane, terms[i + lane]);
    for (; i < n; ++i) add(0, terms[i]);
    for (size_t lane = 1; lane < lanes; ++lane) {
        high[0] += high[lane];
        low[0] += low[lane];
    }
    U128 sum = multiply(static_cast<uint64_t>(high[0] * 0x1p30), uint64_t{1} << 34);
    const int64_t rest = static_cast<int64_t>(low[0] * 0x1p64);
    if (rest < 0) sum = subtract(sum, {0, static_cast<uint64_t>(-rest)});
    else sum.add(static_cast<uint64_t>(rest));
    total.add(sum);
}

// Points at which true positives rise, gathered so that their areas are computed many at a time.
struct Rises {
    static constexpr size_t most = 512;
    double gained[most], lost[most], right[most], wrong[most], found[most], missed[most];
    size_t n = 0;

    void add_areas(Fixed& average, Fixed& area) {
        double terms[most];
        for (size_t i = 0; i < n; ++i) terms[i] = gained[i] * (found[i] / (found[i] + missed[i]));
        add_exactly(terms, n, average);
        double steepest = 0;
        for (size_t i = 0; i < n; ++i) {
            const double ahead = right[i] + wrong[i], z = ahead > 0 ? (gained[i] + lost[i]) / ahead : 1;
            steepest = z > steepest ? z : steepest;
        }
        if (steepest < 1.0 / 64)
            for (size_t i = 0; i < n; ++i) terms[i] = gained[i] * mean_precision_by_series<9>(right[i], wrong[i], gained[i], lost[i]);
        else
            for (size_t i = 0; i < n; ++i) terms[i] = gained[i] * mean_precision(right[i], wrong[i], gained[i], lost[i]);
        add_exactly(terms, n, area);
        n = 0;
    }
};

// Sums of products; `Narrow` where all of them fit.
struct Narrow {
    uint64_t low = 0;
    void add_product(uint64_t times, uint64_t value) { low += times * value; }
    void add_square(uint64_t times, uint64_t value) { low += times * value * value; }
    U128 value() const { return {0, low}; }
};
struct Wide {
    U128 total;
    void add_product(uint64_t times, uint64_t value) { total.add(multiply(times, value)); }
    void add_square(uint64_t times, uint64_t value) { total.add(multiply(multiply(value, value), times)); }
    U128 value() const { return total; }
};

// Sums over points with counts relative to the bucket's start.
template <class Sum, class C>
void add_sums_of(const C* tp, const C* fp, size_t d, const TallyOptions& options, Tally& out) {
    Sum neg_twice, neg_squares, pos_twice, pos_squares, tied;
    Rises rises;
    size_t shared = 0;
    uint64_t shared_pos = 0, tp0 = 0, fp0 = 0;
    // Points without positives have the same t: a run of them is added at once, before the next positive.
    const auto add_run = [&](uint64_t fp1) {
        neg_twice.add_product(fp1 - fp0, 2 * tp0);
        neg_squares.add_square(fp1 - fp0, 2 * tp0);
    };
    constexpr size_t block = Rises::most / 2;
    size_t risen[block];
    for (size_t begin = 0; begin < d; begin += block) {
        const size_t end = begin + block < d ? begin + block : d;
        size_t found = 0;
        C last = static_cast<C>(tp0);
        for (size_t k = begin; k < end; ++k) {
            risen[found] = k;
            found += tp[k] != last;
            last = tp[k];
        }
        for (size_t j = 0; j < found; ++j) {
            const size_t k = risen[j], i = rises.n++;
            const uint64_t before = k ? static_cast<uint64_t>(fp[k - 1]) : 0, fp1 = static_cast<uint64_t>(fp[k]);
            const uint64_t tp1 = static_cast<uint64_t>(tp[k]), p = tp1 - tp0, q = fp1 - before, t = tp0 + tp1, f = before + fp1;
            add_run(before);
            pos_twice.add_product(p, f);
            pos_squares.add_square(p, f);
            neg_twice.add_product(q, t);
            neg_squares.add_square(q, t);
            tied.add_product(p, q);
            shared += q != 0;
            shared_pos += q ? p : 0;
            rises.gained[i] = static_cast<double>(p);
            rises.lost[i] = static_cast<double>(q);
            rises.right[i] = static_cast<double>(options.tp0 + tp0);
            rises.wrong[i] = static_cast<double>(options.fp0 + before);
            rises.found[i] = static_cast<double>(options.tp0 + tp1);
            rises.missed[i] = static_cast<double>(options.fp0 + fp1);
            tp0 = tp1;
            fp0 = fp1;
        }
        if (rises.n > Rises::most - block) rises.add_areas(out.average_precision, out.interpolated);
    }
    rises.add_areas(out.average_precision, out.interpolated);
    if (d) add_run(static_cast<uint64_t>(fp[d - 1]));
    out.scores = d;
    out.positives = tp0;
    out.negatives = d ? static_cast<uint64_t>(fp[d - 1]) : 0;
    out.shared_scores = shared;
    out.shared_pos = shared_pos;
    out.neg_twice = neg_twice.value();
    out.neg_squares = neg_squares.value();
    out.pos_twice = pos_twice.value();
    out.pos_squares = pos_squares.value();
    out.tied = tied.value();
}

template <class C>
void add_sums(const C* tp, const C* fp, size_t d, const TallyOptions& options, Tally& out) {
    const double pos = d ? static_cast<double>(tp[d - 1]) : 0, neg = d ? static_cast<double>(fp[d - 1]) : 0;
    // The largest sum is that of one class times the square of twice the other.
    if (4 * pos * neg * (pos > neg ? pos : neg) < 0x1p63) add_sums_of<Narrow>(tp, fp, d, options, out);
    else add_sums_of<Wide>(tp, fp, d, options, out);
}

// The first index from k on, below n, for which `passed` holds, as it then does for all after it; n if there is none.
template <class F>
size_t first_from(size_t k, size_t n, F&& passed) {
    size_t step = 1, low = k;
    while (low + step <= n && !passed(low + step - 1)) {
        low += step;
        step *= 2;
    }
    size_t high = low + step <= n ? low + step - 1 : n;  // passed, or the end
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (passed(middle)) high = middle;
        else low = middle + 1;
    }
    return low;
}

// The points that stay: those that pass a mark, and the vertices of the hull (both ends are). Returns how many; `why`
// has bit 0 for a vertex, bit 1 for a mark.
template <class C>
size_t choose_points(const C* tp, const C* fp, size_t d, const TallyOptions& options, int64_t* rows, uint8_t* why) {
    if (d <= options.most_points) {
        for (size_t k = 0; k < d; ++k) rows[k] = static_cast<int64_t>(k);
        std::memset(why, 2, d);
        return d;
    }
    Block vertices(d * sizeof(int64_t));
    const int64_t* const vertex = vertices.as<int64_t>();
    const size_t found = d ? hull_of(fp, tp, d, 1, vertices.as<int64_t>()) : 0;
    size_t v = 0, kept = 0;
    const auto keep_vertices = [&](size_t end) {  // those before a row
        for (; v < found && static_cast<size_t>(vertex[v]) < end; ++v) {
            rows[kept] = vertex[v];
            why[kept++] = 1;
        }
    };
    uint64_t t = options.tp0, f = options.fp0;
    for (size_t k = 0; k < d; ++k) {
        const Marks next(t, f, options);
        // Counts never fall, so the first point that passes a mark is found without looking at all before it.
        k = first_from(k, d, [&](size_t i) {
            const uint64_t a = options.tp0 + static_cast<uint64_t>(tp[i]), b = options.fp0 + static_cast<uint64_t>(fp[i]);
            return a >= next.tp || b >= next.fp || a + b >= next.rank;
        });
        if (k == d) break;
        keep_vertices(k);
        const bool corner = v < found && static_cast<size_t>(vertex[v]) == k;
        v += corner;
        rows[kept] = static_cast<int64_t>(k);
        why[kept++] = static_cast<uint8_t>(2 | corner);
        t = options.tp0 + static_cast<uint64_t>(tp[k]);
        f = options.fp0 + static_cast<uint64_t>(fp[k]);
    }
    keep_vertices(d);
    return kept;
}

// Leaves ordinals where scores are to be.
template <class Key, class C, class OrdinalAt>
void tally_points(const C* tp, const C* fp, size_t d, const TallyOptions& options, OrdinalAt ordinal, Tally& out) {
    add_sums(tp, fp, d, options, out);
    Block row_block(d * sizeof(int64_t)), why_block(d);
    const int64_t* const rows = row_block.as<int64_t>();
    const size_t n = choose_points(tp, fp, d, options, row_block.as<int64_t>(), why_block.as<uint8_t>());
    out.kept = n;
    out.thresholds = Block(n * sizeof(Key));
    out.below = Block(n * sizeof(Key));
    out.tp = Block(n * sizeof(int64_t));
    out.fp = Block(n * sizeof(int64_t));
    out.why = Block(n);
    std::memcpy(out.why.as<uint8_t>(), why_block.as<uint8_t>(), n);
    if (d) out.first = Block(sizeof(Key)), *out.first.as<Key>() = ordinal(0);
    for (size_t k = 0; k < n; ++k) {
        const size_t row = static_cast<size_t>(rows[k]);
        out.thresholds.as<Key>()[k] = ordinal(row);
        out.below.as<Key>()[k] = ordinal(row + 1 < d ? row + 1 : row);
        out.tp.as<int64_t>()[k] = static_cast<int64_t>(options.tp0 + static_cast<uint64_t>(tp[row]));
        out.fp.as<int64_t>()[k] = static_cast<int64_t>(options.fp0 + static_cast<uint64_t>(fp[row]));
    }
}

// Keys of one bucket, which are overwritten, with the counts of the frequent scores that belong to it.
template <class Key>
void tally_keys_of(Key* keys, size_t m, bool negative, const Frequent* frequent, size_t n_frequent, const TallyOptions& options, Tally& out) {
    const Key sign = static_cast<Key>(static_cast<Key>(negative) << last_bit<Key>);
    // 64-bit keys must look like positive normal doubles to be sorted by vectors.
    Key base = 0;
    bool plain = sizeof(Key) == 8;
    if (sizeof(Key) == 8 && m) {
        Key least = keys[0], greatest = keys[0];
        for (size_t i = 0; i < m; ++i) {
            least = keys[i] < least ? keys[i] : least;
            greatest = keys[i] > greatest ? keys[i] : greatest;
        }
        base = least & static_cast<Key>(~Key{1});
        if ((static_cast<uint64_t>(greatest - base) >> 1) < most_span<uint64_t>) {
            plain = false;
            base -= static_cast<Key>(key_bias<Key>);
            for (size_t i = 0; i < m; ++i) keys[i] -= base;
        } else {
            base = 0;
        }
    }
    Workspace<Key> space(plain ? 0 : m);
    Block tp_block(m * sizeof(int32_t)), fp_block(m * sizeof(int32_t));
    int32_t *const tp = tp_block.as<int32_t>(), *const fp = fp_block.as<int32_t>();
    Key* sorted = keys;
    if (plain) heap_sort(keys, m);
    const size_t d = plain ? scan_keys(keys, m, 0, 0, tp, fp) : distinct_keys(space, keys, m, extent_of(keys, m), 0, 0, tp, fp, sorted);
    const auto ordinal = [=](size_t k) { return static_cast<Key>((static_cast<Key>(sorted[k] + base) >> 1) | sign); };
    if (!n_frequent) return tally_points<Key>(tp, fp, d, options, ordinal, out);
    const size_t most = d + n_frequent;
    Block ordinals(most * sizeof(Key)), wide_tp(most * sizeof(int64_t)), wide_fp(most * sizeof(int64_t));
    Key* const o = ordinals.as<Key>();
    int64_t *const t = wide_tp.as<int64_t>(), *const f = wide_fp.as<int64_t>();
    size_t total = 0, k = 0, e = 0;
    int64_t tp1 = 0, fp1 = 0;
    while (k < d || e < n_frequent) {
        const bool from_keys = k < d && (e == n_frequent || ordinal(k) <= frequent[e].ordinal);
        const bool from_table = e < n_frequent && (k == d || frequent[e].ordinal <= ordinal(k));
        o[total] = from_keys ? ordinal(k) : static_cast<Key>(frequent[e].ordinal);
        if (from_keys) {
            tp1 += tp[k] - (k ? tp[k - 1] : 0);
            fp1 += fp[k] - (k ? fp[k - 1] : 0);
            ++k;
        }
        if (from_table) {
            tp1 += static_cast<int64_t>(frequent[e].count[1]);
            fp1 += static_cast<int64_t>(frequent[e].count[0]);
            ++e;
        }
        t[total] = tp1;
        f[total++] = fp1;
    }
    tally_points<Key>(t, f, total, options, [=](size_t row) { return o[row]; }, out);
}

// In place: an ordinal and its score take as many bytes.
template <class S>
void to_scores(const Block& block, size_t n) {
    using O = Ordinal<S>;
    typename O::Key* const ordinals = block.as<typename O::Key>();
    for (size_t k = 0; k < n; ++k) {
        const S score = O::score(ordinals[k]);
        std::memcpy(ordinals + k, &score, sizeof score);
    }
}

inline void tally_keys(Type type, void* keys, size_t m, bool negative, const Frequent* frequent, size_t n_frequent, const TallyOptions& options,
                       Tally& out) {
    with_type(type, [&](auto kind) {
        using S = decltype(kind);
        if constexpr (sizeof(S) >= 4) {
            tally_keys_of(static_cast<typename Ordinal<S>::Key*>(keys), m, negative, frequent, n_frequent, options, out);
            to_scores<S>(out.thresholds, out.kept);
            to_scores<S>(out.below, out.kept);
            to_scores<S>(out.first, out.first.as<void>() ? 1 : 0);
        }
    });
}

}  // namespace thresher::THRESHER_ISA
