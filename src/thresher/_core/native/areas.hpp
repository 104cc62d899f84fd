// Sums over a table of running counts: areas under the PR curve and what DeLong's variance needs.
#pragma once
#include <cmath>

#include "int128.hpp"
#include "kernels.hpp"

namespace thresher::THRESHER_ISA {

// The mean precision over a piece that adds p true and q false positives to tp and fp, with q in proportion to p.
// With z = (p + q) / (tp + fp) and w = 1 - log1p(z) / z it is the mean of tp / (tp + fp) and p / (p + q), weighted
// 1 - w and w; w has a series in y = z / (2 + z) that does not cancel. The same operations as in `_core/hyperbola.py`.
//
// `longest` is the last term of the series: enough up to z = 1/64 if it is 9, up to z = 2 if it is 53.
template <int longest>
inline double mean_precision_by_series(double tp, double fp, double p, double q) {
    const double ahead = tp + fp, added = p + q, z = added / ahead;
    const double y = z / (2.0 + z), square = y * y;
    double tail = 0;
    for (int k = longest; k > 1; k -= 2) tail = (tail + 1.0 / k) * square;
    const double inner = y - (1.0 - y) * tail;
    return (1.0 - inner) * (tp / ahead) + inner * (p / added);
}

static inline double mean_precision(double tp, double fp, double p, double q) {
    const double ahead = tp + fp, added = p + q;
    if (ahead <= 0) return p / added;
    const double z = added / ahead;
    if (z < 1.0 / 64) return mean_precision_by_series<9>(tp, fp, p, q);
    if (z < 2.0) return mean_precision_by_series<53>(tp, fp, p, q);
    const double outer = std::log1p(z) / z;
    return outer * (tp / ahead) + (1.0 - outer) * (p / added);
}

// A sum that carries its rounding errors along (Neumaier).
struct Carried {
    double sum = 0, error = 0;
    void add(double x) {
        const double t = sum + x;
        error += std::fabs(sum) >= std::fabs(x) ? (sum - t) + x : (x - t) + sum;
        sum = t;
    }
    double value() const { return sum + error; }
};

template <class C>
void pr_sums_of(const C* tp, const C* fp, size_t n, double scale, PrSums& out) {
    Carried average, area;
    C tp0 = 0, fp0 = 0;
    for (size_t k = 0; k < n; ++k) {
        if (tp[k] != tp0) {
            const double p = static_cast<double>(tp[k] - tp0);
            const double q0 = static_cast<double>(fp0) * scale, q1 = static_cast<double>(fp[k]) * scale;
            average.add(p * (static_cast<double>(tp[k]) / (static_cast<double>(tp[k]) + q1)));
            area.add(p * mean_precision(static_cast<double>(tp0), q0, p, static_cast<double>(fp[k] - fp0) * scale));
        }
        tp0 = tp[k];
        fp0 = fp[k];
    }
    out.average_precision = average.value();
    out.interpolated = area.value();
}

// Twice the number of negatives below a positive (ties halved), squared and summed over the positives; and the like
// for the negatives. Exact.
template <class C>
void delong_sums_of(const C* tp, const C* fp, size_t n, DelongSums& out) {
    if (n == 0) return;
    const uint64_t n_neg = static_cast<uint64_t>(fp[n - 1]);
    uint64_t tp0 = 0, fp0 = 0;
    for (size_t k = 0; k < n; ++k) {
        const uint64_t tp1 = static_cast<uint64_t>(tp[k]), fp1 = static_cast<uint64_t>(fp[k]);
        const auto add = [](U128& total, uint64_t times, uint64_t twice) {
            if (!times) return;
            const U128 square = multiply(twice, twice);
            total.add(multiply(square.low, times));
            total.high += square.high * times;
        };
        add(out.positives, tp1 - tp0, 2 * n_neg - fp0 - fp1);
        add(out.negatives, fp1 - fp0, tp0 + tp1);
        out.twice_u.add(multiply(fp1 - fp0, tp0 + tp1));
        tp0 = tp1;
        fp0 = fp1;
    }
}

inline void pr_sums(const void* tp, const void* fp, bool wide, size_t n, double scale, PrSums& out) {
    if (wide) pr_sums_of(static_cast<const int64_t*>(tp), static_cast<const int64_t*>(fp), n, scale, out);
    else pr_sums_of(static_cast<const int32_t*>(tp), static_cast<const int32_t*>(fp), n, scale, out);
}

inline void delong_sums(const void* tp, const void* fp, bool wide, size_t n, DelongSums& out) {
    if (wide) delong_sums_of(static_cast<const int64_t*>(tp), static_cast<const int64_t*>(fp), n, out);
    else delong_sums_of(static_cast<const int32_t*>(tp), static_cast<const int32_t*>(fp), n, out);
}

}  // namespace thresher::THRESHER_ISA
