// The points of a curve as rates, written in passes over the running counts, on threads.
#pragma once
#include <limits>
#include <type_traits>

#include "kernels.hpp"
#include "threads.hpp"

namespace thresher::THRESHER_ISA {

constexpr size_t points_at_once = size_t{1} << 16;

// Starts with (0, 0) at +inf. With `corners`, points in the middle of equal steps are left out. Room for n + 1 each.
template <class C, class S>
size_t points_of(const C* tp, const C* fp, const S* thresholds, size_t n, bool corners, int threads, double* fpr, double* tpr, double* at) {
    using U = typename std::make_unsigned<C>::type;
    const double n_pos = static_cast<double>(tp[n - 1]), n_neg = static_cast<double>(fp[n - 1]);
    fpr[0] = tpr[0] = 0.0;
    at[0] = std::numeric_limits<double>::infinity();
    const auto step = [](const C* values, size_t k) { return static_cast<U>(values[k]) - static_cast<U>(values[k - 1]); };
    const auto straight = [=](size_t k) {
        return k > 0 && k + 1 < n && step(tp, k + 1) == step(tp, k) && step(fp, k + 1) == step(fp, k);
    };
    const size_t parts = (n + points_at_once - 1) / points_at_once;
    Block block((parts + 1) * sizeof(size_t));
    size_t* const from = block.as<size_t>();  // where each part writes
    const auto end_of = [=](size_t p) { return p + 1 < parts ? (p + 1) * points_at_once : n; };
    parallel_for(parts, threads, [=](size_t p) {
        size_t kept = end_of(p) - p * points_at_once;
        if (corners)
            for (size_t k = p * points_at_once; k < end_of(p); ++k) kept -= straight(k);
        from[p + 1] = kept;
    });
    from[0] = 1;
    for (size_t p = 0; p < parts; ++p) from[p + 1] += from[p];
    parallel_for(parts, threads, [=](size_t p) {
        size_t d = from[p];
        const size_t last = from[p + 1];
        if (!corners) {
            for (size_t k = p * points_at_once; k < end_of(p); ++k) {
                fpr[k + 1] = static_cast<double>(fp[k]) / n_neg;
                tpr[k + 1] = static_cast<double>(tp[k]) / n_pos;
                at[k + 1] = static_cast<double>(thresholds[k]);
            }
            return;
        }
        for (size_t k = p * points_at_once; k < end_of(p); ++k) {
            if (d == last) return;  // the rest is left out, and what follows is another part's
            fpr[d] = static_cast<double>(fp[k]) / n_neg;
            tpr[d] = static_cast<double>(tp[k]) / n_pos;
            at[d] = static_cast<double>(thresholds[k]);
            d += !straight(k);
        }
    });
    return from[parts];
}

inline size_t points(const void* tp, const void* fp, bool wide, const void* thresholds, bool single, size_t n, bool corners, int threads,
                     double* fpr, double* tpr, double* at) {
    const auto with = [&](auto* t, auto* f) {
        if (single) return points_of(t, f, static_cast<const float*>(thresholds), n, corners, threads, fpr, tpr, at);
        return points_of(t, f, static_cast<const double*>(thresholds), n, corners, threads, fpr, tpr, at);
    };
    if (wide) return with(static_cast<const int64_t*>(tp), static_cast<const int64_t*>(fp));
    return with(static_cast<const int32_t*>(tp), static_cast<const int32_t*>(fp));
}

// Counts as shares: part / by, or part / (part + by * rest) where there is a rest.
template <class C>
void rates_of(const C* part, const C* rest, size_t n, double by, int threads, double* out) {
    parallel_for((n + points_at_once - 1) / points_at_once, threads, [=](size_t p) {
        const size_t begin = p * points_at_once, end = n - begin < points_at_once ? n : begin + points_at_once;
        if (!rest) {
            for (size_t k = begin; k < end; ++k) out[k] = static_cast<double>(part[k]) / by;
        } else {
            for (size_t k = begin; k < end; ++k) {
                const double here = static_cast<double>(part[k]);
                out[k] = here / (here + by * static_cast<double>(rest[k]));
            }
        }
    });
}

inline void rates(const void* part, const void* rest, bool wide, size_t n, double by, int threads, double* out) {
    if (wide) return rates_of(static_cast<const int64_t*>(part), static_cast<const int64_t*>(rest), n, by, threads, out);
    return rates_of(static_cast<const int32_t*>(part), static_cast<const int32_t*>(rest), n, by, threads, out);
}

}  // namespace thresher::THRESHER_ISA
