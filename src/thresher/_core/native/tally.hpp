// One bucket of keys, or one piece of a table, to its sums and the points that are kept of it.
#pragma once
#include "areas.hpp"
#include "buckets.hpp"
#include "hull.hpp"
#include "ordinal.hpp"
#include "scan.hpp"
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

// Sums over points with counts relative to the bucket's start.
template <class C>
void add_sums(const C* tp, const C* fp, size_t d, const TallyOptions& options, Tally& out) {
    const auto add_square = [](U128& total, uint64_t times, uint64_t twice) {
        const U128 square = multiply(twice, twice);
        total.add(multiply(square.low, times));
        total.high += square.high * times;
    };
    U128 neg_twice, neg_squares, pos_twice, pos_squares, tied;
    Fixed average, area;
    size_t shared = 0;
    uint64_t shared_pos = 0, tp0 = 0, fp0 = 0;
    // Points without positives have the same t: a run of them is added at once, before the next positive.
    const auto add_run = [&](uint64_t fp1) {
        neg_twice.add(multiply(fp1 - fp0, 2 * tp0));
        add_square(neg_squares, fp1 - fp0, 2 * tp0);
    };
    for (size_t k = 0; k < d; ++k) {
        const uint64_t tp1 = static_cast<uint64_t>(tp[k]);
        if (tp1 == tp0) continue;
        const uint64_t before = k ? static_cast<uint64_t>(fp[k - 1]) : 0, fp1 = static_cast<uint64_t>(fp[k]);
        const uint64_t p = tp1 - tp0, q = fp1 - before, t = tp0 + tp1, f = before + fp1;
        add_run(before);
        pos_twice.add(multiply(p, f));
        add_square(pos_squares, p, f);
        if (q) {
            neg_twice.add(multiply(q, t));
            add_square(neg_squares, q, t);
            tied.add(multiply(p, q));
            ++shared;
            shared_pos += p;
        }
        const double gained = static_cast<double>(p), lost = static_cast<double>(q);
        const double right = static_cast<double>(options.tp0 + tp0), wrong = static_cast<double>(options.fp0 + before);
        const double found = static_cast<double>(options.tp0 + tp1);
        average.add(gained * (found / (found + static_cast<double>(options.fp0 + fp1))));
        area.add(gained * mean_precision(right, wrong, gained, lost));
        tp0 = tp1;
        fp0 = fp1;
    }
    if (d) add_run(static_cast<uint64_t>(fp[d - 1]));
    fp0 = d ? static_cast<uint64_t>(fp[d - 1]) : 0;
    out.scores = d;
    out.positives = tp0;
    out.negatives = fp0;
    out.shared_scores = shared;
    out.shared_pos = shared_pos;
    out.neg_twice = neg_twice;
    out.neg_squares = neg_squares;
    out.pos_twice = pos_twice;
    out.pos_squares = pos_squares;
    out.tied = tied;
    out.average_precision = average;
    out.interpolated = area;
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
    const size_t found = d ? hull_of(fp, tp, d, vertices.as<int64_t>()) : 0;
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

template <class S, class C, class ScoreAt>
void tally_points(const C* tp, const C* fp, size_t d, const TallyOptions& options, ScoreAt score, Tally& out) {
    add_sums(tp, fp, d, options, out);
    Block row_block(d * sizeof(int64_t)), why_block(d);
    const int64_t* const rows = row_block.as<int64_t>();
    const size_t n = choose_points(tp, fp, d, options, row_block.as<int64_t>(), why_block.as<uint8_t>());
    out.kept = n;
    out.thresholds = Block(n * sizeof(S));
    out.below = Block(n * sizeof(S));
    out.tp = Block(n * sizeof(int64_t));
    out.fp = Block(n * sizeof(int64_t));
    out.why = Block(n);
    std::memcpy(out.why.as<uint8_t>(), why_block.as<uint8_t>(), n);
    if (d) out.first = Block(sizeof(S)), *out.first.as<S>() = score(0);
    for (size_t k = 0; k < n; ++k) {
        const size_t row = static_cast<size_t>(rows[k]);
        out.thresholds.as<S>()[k] = score(row);
        out.below.as<S>()[k] = score(row + 1 < d ? row + 1 : row);
        out.tp.as<int64_t>()[k] = static_cast<int64_t>(options.tp0 + static_cast<uint64_t>(tp[row]));
        out.fp.as<int64_t>()[k] = static_cast<int64_t>(options.fp0 + static_cast<uint64_t>(fp[row]));
    }
}

// Keys of one bucket, which are overwritten, with the counts of the frequent scores that belong to it.
template <class S>
void tally_keys_of(void* raw, size_t m, bool negative, const Frequent* frequent, size_t n_frequent, const TallyOptions& options, Tally& out) {
    using O = Ordinal<S>;
    using Key = typename O::Key;
    Key* const keys = static_cast<Key*>(raw);
    const Key sign = static_cast<Key>(static_cast<Key>(negative) << O::last);
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
    if (plain) heap_sort(keys, m);
    Key* const sorted = plain ? keys : space.sort(keys, m);
    Block tp_block(m * sizeof(int32_t)), fp_block(m * sizeof(int32_t));
    int32_t *const tp = tp_block.as<int32_t>(), *const fp = fp_block.as<int32_t>();
    const size_t d = scan_keys(sorted, m, 0, 0, tp, fp);
    const auto ordinal = [=](size_t k) { return static_cast<Key>((static_cast<Key>(sorted[k] + base) >> 1) | sign); };
    if (!n_frequent) return tally_points<S>(tp, fp, d, options, [=](size_t k) { return O::score(ordinal(k)); }, out);
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
    tally_points<S>(t, f, total, options, [=](size_t row) { return O::score(o[row]); }, out);
}

inline void tally_keys(Type type, void* keys, size_t m, bool negative, const Frequent* frequent, size_t n_frequent, const TallyOptions& options,
                       Tally& out) {
    switch (type) {
        case Type::f32: return tally_keys_of<float>(keys, m, negative, frequent, n_frequent, options, out);
        case Type::f64: return tally_keys_of<double>(keys, m, negative, frequent, n_frequent, options, out);
        case Type::i32: return tally_keys_of<int32_t>(keys, m, negative, frequent, n_frequent, options, out);
        case Type::i64: return tally_keys_of<int64_t>(keys, m, negative, frequent, n_frequent, options, out);
        case Type::u32: return tally_keys_of<uint32_t>(keys, m, negative, frequent, n_frequent, options, out);
        case Type::u64: return tally_keys_of<uint64_t>(keys, m, negative, frequent, n_frequent, options, out);
        default: return;
    }
}

}  // namespace thresher::THRESHER_ISA
