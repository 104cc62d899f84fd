// Areas under the PR curve, by every estimator, and how much each varies: passes over running counts, in blocks whose
// results are put together in order, so that the number of threads does not matter.
#pragma once

#include "areas.hpp"
#include "threads.hpp"

namespace thresher::THRESHER_ISA {

constexpr size_t pr_block = size_t{1} << 16;
constexpr double most_unit_steps = 256, unit_steps_ahead = 128;

// What a score adds to the curve: from (t0, f0) to (t1, f1); false positives are scaled already.
struct Piece {
    double t0, f0, t1, f1;
    double p, q;  // t1 - t0 and f1 - f0
};

// Exact for whatever is passed.
template <class C>
double difference_of(C a, C b) {
    return static_cast<double>(static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b)));
}

// Calls body(piece, positives, negatives) for the scores of one block, first to last or last to first.
template <bool backwards, class C, class F>
void over_pieces(const C* tp, const C* fp, size_t begin, size_t end, double scale, F&& body) {
    for (size_t i = begin; i < end; ++i) {
        const size_t k = backwards ? end - 1 - (i - begin) : i;
        const C t0 = k ? tp[k - 1] : C{0}, f0 = k ? fp[k - 1] : C{0};
        const double p = difference_of(tp[k], t0), n = difference_of(fp[k], f0);
        body(Piece{static_cast<double>(t0), static_cast<double>(f0) * scale, static_cast<double>(tp[k]), static_cast<double>(fp[k]) * scale, p, n * scale},
             p, n);
    }
}

static inline double precision_or(double t, double f, double otherwise) { return t + f > 0 ? t / (t + f) : otherwise; }

static inline double trapezoid_of(const Piece& c) {
    return c.p * ((precision_or(c.t0, c.f0, 1.0) + precision_or(c.t1, c.f1, 1.0)) / 2.0);
}

// What the trapezoid rule with steps of 1 has beyond the integral of the precision (Euler and Maclaurin), for a piece
// with enough before it. Precision is a constant plus bend / (v + ahead), v true positives into the piece.
static inline double unit_step_excess(const Piece& c) {
    const double share = c.p / (c.p + c.q), ahead = (c.t0 + c.f0) * share, last = ahead + c.p;
    const double bend = (c.t0 * (c.q / c.p) - c.f0) * share * share;
    const double a = 1.0 / (ahead * ahead), b = 1.0 / (last * last);
    return bend * ((a - b) / 12.0 - (a * a - b * b) / 120.0 + (a * a * a - b * b * b) / 252.0);
}

// Trapezoids at every whole true positive; before the first call the precision is that of the piece. Of a long piece the
// first steps are taken one by one and the others by their sum.
static inline void add_unit_steps(const Piece& whole, Carried& sum) {
    Piece c = whole;
    if (!(c.p <= most_unit_steps)) {
        c.p = unit_steps_ahead;
        c.q = whole.q * (c.p / whole.p);
        c.t1 = c.t0 + c.p;
        c.f1 = c.f0 + c.q;
        const Piece rest{c.t1, c.f1, whole.t1, whole.f1, whole.p - c.p, whole.q - c.q};
        sum.add(rest.p * mean_precision(rest.t0, rest.f0, rest.p, rest.q));
        sum.add(unit_step_excess(rest));
    }
    const double inner = c.p / (c.p + c.q);
    double before = precision_or(c.t0, c.f0, inner);
    for (double v = 1.0; v <= c.p; v += 1.0) {
        const double found = c.t0 + v, after = found / (found + (c.f0 + c.q * (v / c.p)));
        sum.add((before + after) / 2.0);
        before = after;
    }
}

// The sum over one block of scores.
template <class C>
Carried pr_area_part(const C* tp, const C* fp, size_t begin, size_t end, PrKind kind, double scale) {
    Carried sum;
    const auto each = [&](auto&& area) {
        over_pieces<false>(tp, fp, begin, end, scale, [&](const Piece& c, double, double) {
            if (c.p > 0) area(c);
        });
    };
    switch (kind) {
        case PrKind::interpolated: each([&](const Piece& c) { sum.add(c.p * mean_precision(c.t0, c.f0, c.p, c.q)); }); break;
        case PrKind::average_precision: each([&](const Piece& c) { sum.add(c.p * (c.t1 / (c.t1 + c.f1))); }); break;
        case PrKind::unit_steps: each([&](const Piece& c) { add_unit_steps(c, sum); }); break;
        case PrKind::trapezoid: each([&](const Piece& c) { sum.add(trapezoid_of(c)); }); break;
        case PrKind::functional: each([&](const Piece& c) { sum.add(c.p * mean_precision(c.t0, c.f0, c.p, 0.0)); }); break;
        case PrKind::ties_lost: each([&](const Piece& c) { sum.add(c.p * mean_precision(c.t0, c.f1, c.p, 0.0)); }); break;
    }
    return sum;
}

template <class C>
double pr_area_of(const C* tp, const C* fp, size_t n, PrKind kind, double scale, int threads) {
    if (n <= pr_block) return pr_area_part(tp, fp, 0, n, kind, scale).value();
    const size_t blocks = (n + pr_block - 1) / pr_block;
    Block room(blocks * sizeof(Carried));
    Carried* const sums = room.as<Carried>();
    parallel_for(blocks, threads, [=](size_t b) {
        const size_t begin = b * pr_block, end = begin + pr_block < n ? begin + pr_block : n;
        sums[b] = pr_area_part(tp, fp, begin, end, kind, scale);
    });
    Carried total;
    for (size_t b = 0; b < blocks; ++b) {
        total.add(sums[b].sum);
        total.error += sums[b].error;
    }
    return total.value();
}

// How the area of a piece answers to its ends: derivatives by true and false positives at its start and at its end.
struct Slopes {
    double start_tp = 0, start_fp = 0, end_tp = 0, end_fp = 0;
};

struct Rule {
    double most;  // the growth up to which it is right to 13 digits
    int points;
    double node[6], weight[6];  // of Gauss and Legendre on [0, 1]: the lower half, the upper one mirrors it
};

// Integrals of w(u) u / (u + f(u))^2 over a piece, for w rising from 0 to 1 and for w falling to 0. The falling one
// diverges for a piece from the origin; it belongs to a point that cannot move and is set to 0.
static inline void weighted_integrals(const Piece& c, double& rising, double& falling) {
    static constexpr Rule rules[3] = {
        {1e-3, 3,
         {0.11270166537925831, 0.5},
         {0.2777777777777778, 0.4444444444444444}},
        {0.05, 6,
         {0.03376524289842399, 0.16939530676686773, 0.38069040695840156},
         {0.08566224618958518, 0.1803807865240693, 0.23395696728634552}},
        {2.0, 12,
         {0.009219682876640375, 0.04794137181476257, 0.11504866290284765, 0.2063410228566913, 0.3160842505009099, 0.43738329574426554},
         {0.023587668193255914, 0.05346966299765921, 0.08003916427167311, 0.10158371336153296, 0.1167462682691774, 0.12457352290670139}},
    };
    const double called = c.t0 + c.f0, added = c.p + c.q;
    rising = falling = 0.0;
    if (called <= 0) {
        rising = c.p / added * (c.p / added);
        return;
    }
    for (const Rule& rule : rules) {
        if (added > rule.most * called) continue;
        double up = 0, down = 0;
        for (int i = 0; i < rule.points; ++i) {
            const bool upper = 2 * i >= rule.points + rule.points % 2;
            const int j = upper ? rule.points - 1 - i : i;
            const double node = upper ? 1.0 - rule.node[j] : rule.node[j], at = called + node * added;
            const double height = rule.weight[j] * (c.t0 + node * c.p) / (at * at);
            up += node * height;
            down += (1.0 - node) * height;
        }
        rising = up * c.p;
        falling = down * c.p;
        return;
    }
    const double share = c.p / added, extra = c.t0 - share * called, log = std::log1p(added / called);
    const double whole = share * log / added + extra / (called * (called + added));
    const double up = (share + (extra - share * called) * log / added - extra / (called + added)) / added;
    rising = up * c.p;
    falling = (whole - up) * c.p;
}

static inline Slopes slopes_of(const Piece& c, PrKind kind) {
    const double end = c.t1 + c.f1, last = c.t1 / end;
    if (kind == PrKind::average_precision) return {-last, 0.0, last + c.p * c.f1 / (end * end), -c.p * c.t1 / (end * end)};
    if (kind == PrKind::trapezoid) {
        const double start = c.t0 + c.f0, half = c.p / 2.0;
        const bool nothing = start <= 0;
        const double first = nothing ? 1.0 : c.t0 / start, turn = (last - first) / 2.0;
        return {(nothing ? 0.0 : half * c.f0 / (start * start)) - turn - first, nothing ? 0.0 : -half * c.t0 / (start * start),
                half * c.f1 / (end * end) - turn + last, -half * c.t1 / (end * end)};
    }
    Piece own = c;
    if (kind == PrKind::functional) {
        own.q = 0.0;
        own.f1 = own.f0;
    }
    double rising, falling;
    weighted_integrals(own, rising, falling);
    const double slope = own.q / own.p, inner = own.p / (own.p + own.q);
    Slopes found{slope * falling - precision_or(own.t0, own.f0, inner), -falling, slope * rising + precision_or(own.t1, own.f1, inner), -rising};
    if (kind == PrKind::functional) {
        found.start_fp += found.end_fp;
        found.end_fp = 0.0;
    }
    return found;
}

// The mean of numbers with weights and the weighted sum of squares around it, gathered around the first of them.
struct Spread {
    double weight = 0, mean = 0, squares = 0;

    // Chan's way to put two parts together.
    void join(const Spread& other, double offset) {
        if (other.weight == 0) return;
        const double total = weight + other.weight, apart = other.mean + offset - mean;
        squares += other.squares + apart * apart * (weight * (other.weight / total));
        mean += apart * (other.weight / total);
        weight = total;
    }
};

class Gatherer {
public:
    void add(double x, double weight) {
        if (weight == 0) return;
        if (!any_) first_ = x;
        any_ = true;
        const double apart = x - first_;
        weight_ += weight;
        sum_ += weight * apart;
        squares_ += weight * apart * apart;
    }
    Spread value() const {
        if (!any_) return {};
        return {weight_, first_ + sum_ / weight_, squares_ - sum_ * (sum_ / weight_)};
    }

private:
    bool any_ = false;
    double first_ = 0, weight_ = 0, sum_ = 0, squares_ = 0;
};

// What one block of scores has of the spreads of both classes, and adds to the derivatives of those before it.
struct SpreadPart {
    Spread pos, neg;
    double by_tp = 0, by_fp = 0;
};

// One more case at a score moves all points from there on, so derivatives add up from the last score backwards.
template <class C>
SpreadPart pr_spread_part(const C* tp, const C* fp, size_t begin, size_t end, PrKind kind, double scale) {
    Gatherer pos, neg;
    double by_tp = 0, by_fp = 0;
    over_pieces<true>(tp, fp, begin, end, scale, [&](const Piece& c, double p, double q) {
        if (p == 0) return neg.add(by_fp, q);
        const Slopes s = slopes_of(c, kind);
        pos.add(by_tp + s.end_tp, p);
        neg.add(by_fp + s.end_fp, q);
        by_tp += s.end_tp + s.start_tp;
        by_fp += s.end_fp + s.start_fp;
    });
    return {pos.value(), neg.value(), by_tp, by_fp};
}

template <class C>
void pr_spread_of(const C* tp, const C* fp, size_t n, PrKind kind, double scale, int threads, PrSpread& out) {
    if (n <= pr_block) {
        const SpreadPart all = pr_spread_part(tp, fp, 0, n, kind, scale);
        out = {all.pos.mean, all.pos.squares, all.neg.mean, all.neg.squares};
        return;
    }
    const size_t blocks = (n + pr_block - 1) / pr_block;
    Block room(blocks * sizeof(SpreadPart));
    SpreadPart* const parts = room.as<SpreadPart>();
    parallel_for(blocks, threads, [=](size_t b) {
        const size_t begin = b * pr_block, end = begin + pr_block < n ? begin + pr_block : n;
        parts[b] = pr_spread_part(tp, fp, begin, end, kind, scale);
    });
    Spread pos, neg;
    double by_tp = 0, by_fp = 0;
    for (size_t b = blocks; b-- > 0;) {
        pos.join(parts[b].pos, by_tp);
        neg.join(parts[b].neg, by_fp);
        by_tp += parts[b].by_tp;
        by_fp += parts[b].by_fp;
    }
    out = {pos.mean, pos.squares, neg.mean, neg.squares};
}

// How many positives share their score with negatives, and how many pairs tie.
template <class C>
void ties_of(const C* tp, const C* fp, size_t n, Ties& out) {
    uint64_t tp0 = 0, fp0 = 0;
    for (size_t k = 0; k < n; ++k) {
        const uint64_t tp1 = static_cast<uint64_t>(tp[k]), fp1 = static_cast<uint64_t>(fp[k]);
        const uint64_t p = tp1 - tp0, q = fp1 - fp0;
        if (p && q) {
            out.positives += p;
            ++out.scores;
            out.pairs.add(multiply(p, q));
        }
        tp0 = tp1;
        fp0 = fp1;
    }
}

inline double pr_area(const void* tp, const void* fp, bool wide, size_t n, PrKind kind, double scale, int threads) {
    if (wide) return pr_area_of(static_cast<const int64_t*>(tp), static_cast<const int64_t*>(fp), n, kind, scale, threads);
    return pr_area_of(static_cast<const int32_t*>(tp), static_cast<const int32_t*>(fp), n, kind, scale, threads);
}

inline void pr_spread(const void* tp, const void* fp, bool wide, size_t n, PrKind kind, double scale, int threads, PrSpread& out) {
    if (wide) pr_spread_of(static_cast<const int64_t*>(tp), static_cast<const int64_t*>(fp), n, kind, scale, threads, out);
    else pr_spread_of(static_cast<const int32_t*>(tp), static_cast<const int32_t*>(fp), n, kind, scale, threads, out);
}

inline void ties(const void* tp, const void* fp, bool wide, size_t n, Ties& out) {
    if (wide) ties_of(static_cast<const int64_t*>(tp), static_cast<const int64_t*>(fp), n, out);
    else ties_of(static_cast<const int32_t*>(tp), static_cast<const int32_t*>(fp), n, out);
}

}  // namespace thresher::THRESHER_ISA
