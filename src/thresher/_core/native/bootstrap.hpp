// Areas, operating points and curves of bootstrap replicates of a table of counts. Nothing is ever sorted again.
#pragma once
#include <atomic>
#include <cmath>
#include <limits>
#if defined(_MSC_VER)
#include <intrin.h>
#endif

#include "areas.hpp"
#include "network.hpp"
#include "resample.hpp"
#include "workers.hpp"

namespace thresher::THRESHER_ISA {

// The rows of a table, laid out once for all replicates.
struct Plan {
    Block bytes, place_block, end_block, tied_block;
    Items items;
    const uint8_t* marks = nullptr;    // where a group with positives ends (1), where one with both classes begins (2)
    const size_t* ends = nullptr;      // of each group, exclusive
    const size_t* tied = nullptr;      // groups with both classes
    size_t groups = 0, n_tied = 0, padded = 0;
    bool simple = true;                // every positive has a score of its own

    explicit Plan(const Resampling& job) : groups(job.groups) {
        uint64_t totals[2] = {0, 0};
        for (size_t g = 0; g < groups; ++g) {
            totals[0] += static_cast<uint64_t>(job.neg[g]);
            totals[1] += static_cast<uint64_t>(job.pos[g]);
            n_tied += job.pos[g] > 0 && job.neg[g] > 0;
            simple &= job.pos[g] + (job.pos[g] > 0 ? job.neg[g] : 0) <= 1;
        }
        const size_t n = static_cast<size_t>(totals[0] + totals[1]);
        padded = (n + 31) / 32 * 32;
        bytes = Block(2 * padded);
        place_block = Block(n * sizeof(uint32_t));
        end_block = Block(groups * sizeof(size_t));
        tied_block = Block(n_tied * sizeof(size_t));
        uint8_t* const positive = bytes.as<uint8_t>();
        uint8_t* const mark = positive + padded;
        std::memset(positive, 0, 2 * padded);
        uint32_t* next[2] = {place_block.as<uint32_t>(), place_block.as<uint32_t>() + totals[0]};
        items.size = n;
        items.positive = positive;
        for (int c = 0; c < 2; ++c) {
            items.places[c] = next[c];
            items.totals[c] = totals[c];
        }
        size_t at = 0, t = 0;
        for (size_t g = 0; g < groups; ++g) {
            if (job.pos[g] > 0 && job.neg[g] > 0) {
                tied_block.as<size_t>()[t++] = g;
                mark[at] |= 2;
            }
            for (int64_t i = 0; i < job.neg[g]; ++i) *next[0]++ = static_cast<uint32_t>(at++);
            for (int64_t i = 0; i < job.pos[g]; ++i) {
                positive[at] = 0xFF;
                *next[1]++ = static_cast<uint32_t>(at++);
            }
            if (job.pos[g] > 0) mark[at - 1] |= 1;
            end_block.as<size_t>()[g] = at;
        }
        marks = mark;
        ends = end_block.as<size_t>();
        tied = tied_block.as<size_t>();
    }
};

struct Totals {
    uint64_t tp, fp;
};

#if defined(__AVX2__)
// Running sums of 32 bytes, each including itself; they fit while the total does.
THRESHER_INLINE __m256i running_bytes(__m256i v) {
    v = _mm256_add_epi8(v, _mm256_slli_si256(v, 1));
    v = _mm256_add_epi8(v, _mm256_slli_si256(v, 2));
    v = _mm256_add_epi8(v, _mm256_slli_si256(v, 4));
    v = _mm256_add_epi8(v, _mm256_slli_si256(v, 8));
    const __m256i low = _mm256_permute2x128_si256(v, v, 0x08);  // the lower half, moved up; zero below
    return _mm256_add_epi8(v, _mm256_shuffle_epi8(low, _mm256_set1_epi8(15)));
}
THRESHER_INLINE uint64_t sum_bytes(__m256i v) {
    const __m256i s = _mm256_sad_epu8(v, _mm256_setzero_si256());
    const __m128i t = _mm_add_epi64(_mm256_castsi256_si128(s), _mm256_extracti128_si256(s, 1));
    return static_cast<uint64_t>(_mm_cvtsi128_si64(t)) + static_cast<uint64_t>(_mm_extract_epi64(t, 1));
}
#endif

// A replicate, with totals before each block of 32 rows.
struct Replicate {
    const Plan& plan;
    Block count_block, index_block;
    uint8_t* counts;
    uint32_t* before;  // tp and fp in turn
    explicit Replicate(const Plan& p)
        : plan(p), count_block(p.padded), index_block((p.padded / 32 + 1) * 2 * sizeof(uint32_t)),
          counts(count_block.as<uint8_t>()), before(index_block.as<uint32_t>()) {}

    void draw(const Resampling& job, uint64_t i, uint32_t attempt) {
        draw_counts(plan.items, job.stratified, job.seed, job.first + i, attempt, counts);
    }
    // After `index`: all that were drawn.
    Totals totals() const { return {before[plan.padded / 32 * 2], before[plan.padded / 32 * 2 + 1]}; }

    // Fills the index and returns how many pairs are ranked right, those of one group not counted.
    U128 index() {
        uint64_t tp = 0, fp = 0, right = 0;
        U128 total;
        const size_t blocks = plan.padded / 32;
        for (size_t b = 0; b < blocks; ++b) {
            before[2 * b] = static_cast<uint32_t>(tp);
            before[2 * b + 1] = static_cast<uint32_t>(fp);
            const uint8_t* const c = counts + 32 * b;
            const uint8_t* const m = plan.items.positive + 32 * b;
            uint64_t p_sum = 0, q_sum = 0, inside = 0;
#if defined(__AVX2__)
            const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(c));
            const __m256i mask = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(m));
            const __m256i p = _mm256_and_si256(v, mask), q = _mm256_andnot_si256(mask, v);
            p_sum = sum_bytes(p);
            q_sum = sum_bytes(q);
            if (p_sum < 256 && q_sum < 128) {
                const __m256i pairs = _mm256_maddubs_epi16(running_bytes(p), q);
                const __m256i wide = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
                const __m128i h = _mm_add_epi32(_mm256_castsi256_si128(wide), _mm256_extracti128_si256(wide, 1));
                const __m128i k = _mm_add_epi32(h, _mm_shuffle_epi32(h, 0x4E));
                inside = static_cast<uint32_t>(_mm_cvtsi128_si32(_mm_add_epi32(k, _mm_shuffle_epi32(k, 0xB1))));
            } else
#endif
            {
                p_sum = q_sum = 0;
                for (int i = 0; i < 32; ++i) {
                    const uint32_t p_i = c[i] & m[i], q_i = c[i] - p_i;
                    p_sum += p_i;
                    q_sum += q_i;
                    inside += q_i * p_sum;
                }
            }
            const uint64_t added = inside + q_sum * tp;
            right += added;
            if (right >= (uint64_t{1} << 62)) {
                total.add(right);
                right = 0;
            }
            tp += p_sum;
            fp += q_sum;
        }
        before[2 * blocks] = static_cast<uint32_t>(tp);
        before[2 * blocks + 1] = static_cast<uint32_t>(fp);
        total.add(right);
        return total;
    }

    // Totals over the rows before `end`.
    Totals at(size_t end) const {
        const size_t b = end / 32;
        Totals t{before[2 * b], before[2 * b + 1]};
        for (size_t i = 32 * b; i < end; ++i) {
            const uint32_t p = counts[i] & plan.items.positive[i];
            t.tp += p;
            t.fp += counts[i] - p;
        }
        return t;
    }
    Totals after(size_t group) const { return at(plan.ends[group]); }
    Totals ahead_of(size_t group) const { return group ? at(plan.ends[group - 1]) : Totals{0, 0}; }

    // The first group for which `enough` holds; it never stops holding. groups if there is none.
    template <class F>
    size_t first_group(F enough) const {
        size_t low = 0, high = plan.groups;
        while (low < high) {
            const size_t middle = (low + high) / 2;
            if (enough(after(middle))) high = middle;
            else low = middle + 1;
        }
        return low;
    }
};

static inline double to_double(const U128& x) {
    return static_cast<double>(x.high) * 18446744073709551616.0 + static_cast<double>(x.low);
}

// Pairs ranked right, twice, plus ties; `right` is what `index` found.
inline U128 twice_u(const Replicate& r, const U128& right) {
    U128 total = right;
    total.add(right);
    for (size_t t = 0; t < r.plan.n_tied; ++t) {
        const size_t g = r.plan.tied[t];
        const Totals a = r.ahead_of(g), b = r.after(g);
        total.add(multiply(b.tp - a.tp, b.fp - a.fp));
    }
    return total;
}

// DeLong's variance of the area. Sums of squares stay whole until the end, so equal placements give exactly 0.
inline double delong_variance(const Replicate& r) {
    const Totals all = r.totals();
    if (all.tp < 2 || all.fp < 2) return std::numeric_limits<double>::quiet_NaN();
    U128 of_pos, of_neg;
    uint64_t tp = 0, fp = 0, lost = 0;  // fewer than 2**32 rows: twice the pairs fit
    size_t i = 0;
    const auto add = [](U128& total, uint64_t times, uint64_t twice) { total.add(multiply(multiply(twice, twice), times)); };
    for (size_t g = 0; g < r.plan.groups; ++g) {
        uint64_t p = 0, q = 0;
        for (; i < r.plan.ends[g]; ++i) {
            const uint32_t positive = r.counts[i] & r.plan.items.positive[i];
            p += positive;
            q += r.counts[i] - positive;
        }
        if (p) {
            add(of_pos, p, 2 * fp + q);
            lost += p * (2 * fp + q);
        }
        if (q) add(of_neg, q, 2 * tp + p);
        tp += p;
        fp += q;
    }
    const uint64_t won = 2 * tp * fp - lost;
    const double spread_pos = to_double(subtract(multiply(of_pos, tp), multiply(lost, lost))) / static_cast<double>(tp - 1);
    const double spread_neg = to_double(subtract(multiply(of_neg, fp), multiply(won, won))) / static_cast<double>(fp - 1);
    const double pairs = 2.0 * static_cast<double>(tp) * static_cast<double>(fp);
    return (spread_pos + spread_neg) / (pairs * pairs);
}

// Average precision and the interpolated area, in units of true positives.
inline void pr_areas(const Replicate& r, double scale, bool wants_interpolated, bool positives_first, double* average, double* interpolated) {
    double ap = 0, area = 0;
    Totals last{0, 0};
    uint64_t start_fp = 0;
    bool mixed = false;
    const Plan& plan = r.plan;
    for (size_t b = 0; b < plan.padded / 32; ++b) {
        const uint8_t* const mark = plan.marks + 32 * b;
        const uint8_t* const c = r.counts + 32 * b;
        const uint8_t* const m = plan.items.positive + 32 * b;
        const Totals t{r.before[2 * b], r.before[2 * b + 1]};
        if (plan.simple && r.before[2 * b + 2] == t.tp) continue;  // no positive drawn
        uint32_t p_run[32], q_run[32], bits;  // counts including the row itself
#if defined(__AVX2__)
        const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(c));
        const __m256i mask = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(m));
        const __m256i p32 = _mm256_and_si256(v, mask), q32 = _mm256_andnot_si256(mask, v);
        const __m256i chosen = plan.simple ? p32 : _mm256_loadu_si256(reinterpret_cast<const __m256i*>(mark));
        bits = ~static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(chosen, _mm256_setzero_si256())));
        alignas(32) uint8_t p_bytes[32], q_bytes[32];
        const bool narrow = r.before[2 * b + 2] - t.tp < 256 && r.before[2 * b + 3] - t.fp < 256;
        if (narrow) {
            _mm256_store_si256(reinterpret_cast<__m256i*>(p_bytes), running_bytes(p32));
            _mm256_store_si256(reinterpret_cast<__m256i*>(q_bytes), running_bytes(q32));
        } else
#else
        constexpr bool narrow = false;
        const uint8_t p_bytes[1] = {0}, q_bytes[1] = {0};
        bits = 0;
        for (int i = 0; i < 32; ++i) bits |= static_cast<uint32_t>(mark[i] != 0) << i;
#endif
        {
            uint32_t p_sum = static_cast<uint32_t>(t.tp), q_sum = static_cast<uint32_t>(t.fp);
            for (int i = 0; i < 32; ++i) {
                const uint32_t p = c[i] & m[i];
                p_run[i] = p_sum += p;
                q_run[i] = q_sum += c[i] - p;
            }
        }
        while (bits) {
#if defined(_MSC_VER)
            unsigned long i;
            _BitScanForward(&i, bits);
#else
            const int i = __builtin_ctz(bits);
#endif
            bits &= bits - 1;
            const Totals now = narrow ? Totals{t.tp + p_bytes[i], t.fp + q_bytes[i]} : Totals{p_run[i], q_run[i]};
            if (mark[i] & 2) {  // a negative: they come first
                mixed = true;
                start_fp = now.fp - c[i];
            }
            if (!(mark[i] & 1)) continue;
            if (now.tp > last.tp) {
                const double p = static_cast<double>(now.tp - last.tp);
                const double fp = static_cast<double>(now.fp) * scale;
                ap += p * (static_cast<double>(now.tp) / (static_cast<double>(now.tp) + fp));
                if (wants_interpolated) {
                    const double fp0 = mixed ? static_cast<double>(start_fp) * scale : fp;
                    area += p * mean_precision(static_cast<double>(last.tp), fp0, p, positives_first ? 0.0 : fp - fp0);
                }
            }
            mixed = false;
            last = now;
        }
    }
    *average = ap;
    *interpolated = area;
}

// fraction * total, or the whole number that it means: 0.29 * 100 misses 29 by a rounding.
static inline double portion(double fraction, double total) {
    const double product = fraction * total, nearest = std::nearbyint(product);
    const double least = nearest > 1.0 ? nearest : 1.0;
    const double step = std::nextafter(least, std::numeric_limits<double>::infinity()) - least;
    return nearest > 0 && std::fabs(product - nearest) <= 8 * step ? nearest : product;
}

// Twice the area between an axis and the curve up to `end` false positives (along_tp: true positives), in units of tp * fp.
template <bool along_tp>
inline double twice_area_to(const Replicate& r, double end) {
    const auto along = [](const Totals& t) { return along_tp ? t.tp : t.fp; };
    const auto across = [](const Totals& t) { return along_tp ? t.fp : t.tp; };
    const size_t g = r.first_group([&](const Totals& t) { return static_cast<double>(along(t)) > end; });
    // Whole pieces: from the pairs, group by group, up to the one that crosses.
    double total = 0;
    Totals last{0, 0};
    for (size_t k = 0; k < g; ++k) {
        Totals now = last;
        for (size_t i = k ? r.plan.ends[k - 1] : 0; i < r.plan.ends[k]; ++i) {
            const uint32_t p = r.counts[i] & r.plan.items.positive[i];
            now.tp += p;
            now.fp += r.counts[i] - p;
        }
        total += static_cast<double>((along(now) - along(last)) * (across(now) + across(last)));
        last = now;
    }
    if (g < r.plan.groups) {
        const Totals next = r.after(g);
        const double width = end - static_cast<double>(along(last)), full = static_cast<double>(along(next) - along(last));
        const double height = static_cast<double>(across(last)), rise = static_cast<double>(across(next) - across(last)) * (width / full);
        total += width * (height + height + rise);
    }
    return total;
}

// The area of sensitivity over a range of FPR, or of specificity over one of TPR.
inline double partial_area(const Replicate& r, const Resampling& job, const double* span, double n_pos, double n_neg) {
    const double pairs = 2.0 * n_pos * n_neg;
    if (!job.along_tp)
        return (twice_area_to<false>(r, portion(span[1], n_neg)) - twice_area_to<false>(r, portion(span[0], n_neg))) / pairs;
    const double missed = twice_area_to<true>(r, portion(span[1], n_pos)) - twice_area_to<true>(r, portion(span[0], n_pos));
    return (span[1] - span[0]) - missed / pairs;
}

// Writes what is asked of a replicate that has an index; `right` is what `index` found.
inline void measure(const Resampling& job, const Replicate& r, const U128& right, size_t i) {
    const Totals drawn = r.totals();
    const double n_pos = static_cast<double>(drawn.tp), n_neg = static_cast<double>(drawn.fp);
    const double scale = job.odds > 0 ? job.odds * n_pos / n_neg : 1.0;
    if (job.roc_auc) job.roc_auc[i] = to_double(twice_u(r, right)) / (2.0 * n_pos * n_neg);
    if (job.delong) job.delong[i] = delong_variance(r);
    if (job.average_precision || job.interpolated) {
        double ap, area;
        pr_areas(r, scale, job.interpolated != nullptr, job.positives_first, &ap, &area);
        if (job.average_precision) job.average_precision[i] = ap / n_pos;
        if (job.interpolated) job.interpolated[i] = area / n_pos;
    }
    for (size_t s = 0; s < job.n_spans; ++s) job.partial[i * job.n_spans + s] = partial_area(r, job, job.spans + 2 * s, n_pos, n_neg);
    for (size_t k = 0; k < job.n_points; ++k) {
        const Totals t = r.after(static_cast<size_t>(job.points[k]));
        int64_t* const out = job.point_counts + (i * job.n_points + k) * 2;
        out[0] = static_cast<int64_t>(t.tp);
        out[1] = static_cast<int64_t>(t.fp);
    }
    for (size_t k = 0; k < job.n_fprs; ++k) {  // the highest point at that many false positives, or on the way past it
        const double fp = portion(job.fprs[k], n_neg);
        const size_t g = r.first_group([fp](const Totals& t) { return static_cast<double>(t.fp) > fp; });
        double tp = n_pos;
        if (g < r.plan.groups) {
            const Totals a = r.ahead_of(g), b = r.after(g);
            const double along = (fp - static_cast<double>(a.fp)) / static_cast<double>(b.fp - a.fp);
            tp = static_cast<double>(a.tp) + along * static_cast<double>(b.tp - a.tp);
        }
        job.tpr_at[i * job.n_fprs + k] = tp / n_pos;
    }
    for (size_t k = 0; k < job.n_recalls; ++k) {  // the first point with that many true positives, or on the way to it
        const double tp = portion(job.recalls[k], n_pos);
        const size_t g = r.first_group([tp](const Totals& t) { return static_cast<double>(t.tp) >= tp; });
        const Totals a = r.ahead_of(g), b = r.after(g);
        const double along = (tp - static_cast<double>(a.tp)) / static_cast<double>(b.tp - a.tp);
        const double fp = static_cast<double>(a.fp) + along * static_cast<double>(b.fp - a.fp);
        job.precision_at[i * job.n_recalls + k] = tp / (tp + fp * scale);
    }
}

inline void evaluate(const Resampling& job, Replicate& r, size_t i) {
    U128 right;
    Totals drawn{0, 0};
    for (uint32_t attempt = 0; attempt == 0 || !drawn.tp || !drawn.fp; ++attempt) {
        // A sample without one of the classes has no curve: the law is that of samples with both.
        r.draw(job, i, attempt);
        right = r.index();
        drawn = r.totals();
    }
    measure(job, r, right, i);
}

// Runs `work(replicate, i)` for every replicate of the job, each thread with a Replicate of its own.
template <class F>
void for_replicates(const Resampling& job, const F& work) {
    const Plan plan(job);
    std::atomic<size_t> next{0};
    const bool small = (plan.padded + 64) * job.replicates < (size_t{1} << 18);  // less work than waking a thread
    const int wanted = small || job.threads < 1 ? 1 : job.threads;
    const int threads = static_cast<size_t>(wanted) > job.replicates ? static_cast<int>(job.replicates) : wanted;
    parallel_try(static_cast<size_t>(threads), threads, [&](size_t) {
        Replicate r(plan);
        for (size_t i; (i = next.fetch_add(1)) < job.replicates;) work(r, i);
    });
}

inline void bootstrap(const Resampling& job) {
    for_replicates(job, [&](Replicate& r, size_t i) { evaluate(job, r, i); });
}

inline void resample(const Resampling& job, uint32_t attempt, double* pos, double* neg) {
    for_replicates(job, [&](Replicate& r, size_t i) {
        r.draw(job, i, attempt);
        size_t k = 0;
        for (size_t g = 0; g < job.groups; ++g) {
            uint64_t p = 0, q = 0;
            for (; k < r.plan.ends[g]; ++k) {
                const uint32_t positive = r.counts[k] & r.plan.items.positive[k];
                p += positive;
                q += r.counts[k] - positive;
            }
            pos[i * job.groups + g] = static_cast<double>(p);
            neg[i * job.groups + g] = static_cast<double>(q);
        }
    });
}

}  // namespace thresher::THRESHER_ISA
