// The points of a ROC curve as rates, written in one pass over the running counts.
#pragma once
#include <limits>
#include <type_traits>

#include "kernels.hpp"

namespace thresher::THRESHER_ISA {

// Starts with (0, 0) at +inf. With `corners`, points in the middle of equal steps are left out. Room for n + 1 each.
template <class C, class S>
size_t points_of(const C* tp, const C* fp, const S* thresholds, size_t n, bool corners, double* fpr, double* tpr, double* at) {
    using U = typename std::make_unsigned<C>::type;
    const double n_pos = static_cast<double>(tp[n - 1]), n_neg = static_cast<double>(fp[n - 1]);
    fpr[0] = tpr[0] = 0.0;
    at[0] = std::numeric_limits<double>::infinity();
    size_t d = 1;
    const auto step = [](const C* values, size_t k) { return static_cast<U>(values[k]) - static_cast<U>(values[k - 1]); };
    for (size_t k = 0; k < n; ++k) {
        const bool inner = corners && k > 0 && k + 1 < n;
        const bool straight = inner && step(tp, k + 1) == step(tp, k) && step(fp, k + 1) == step(fp, k);
        fpr[d] = static_cast<double>(fp[k]) / n_neg;
        tpr[d] = static_cast<double>(tp[k]) / n_pos;
        at[d] = static_cast<double>(thresholds[k]);
        d += !straight;
    }
    return d;
}

inline size_t points(const void* tp, const void* fp, bool wide, const void* thresholds, bool single, size_t n, bool corners, double* fpr,
                     double* tpr, double* at) {
    const auto with = [&](auto* t, auto* f) {
        if (single) return points_of(t, f, static_cast<const float*>(thresholds), n, corners, fpr, tpr, at);
        return points_of(t, f, static_cast<const double*>(thresholds), n, corners, fpr, tpr, at);
    };
    if (wide) return with(static_cast<const int64_t*>(tp), static_cast<const int64_t*>(fp));
    return with(static_cast<const int32_t*>(tp), static_cast<const int32_t*>(fp));
}

}  // namespace thresher::THRESHER_ISA
