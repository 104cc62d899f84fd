// The upper convex hull of a curve of counts, in integers: products are compared in 128 bits.
#pragma once
#include "int128.hpp"
#include "kernels.hpp"

namespace thresher::THRESHER_ISA {

// Whether b stands above the chord from a to c. x and y never decrease.
template <class C>
bool above(const C* x, const C* y, size_t a, size_t b, size_t c) {
    const uint64_t dx1 = static_cast<uint64_t>(x[b]) - static_cast<uint64_t>(x[a]), dy1 = static_cast<uint64_t>(y[b]) - static_cast<uint64_t>(y[a]);
    const uint64_t dx2 = static_cast<uint64_t>(x[c]) - static_cast<uint64_t>(x[a]), dy2 = static_cast<uint64_t>(y[c]) - static_cast<uint64_t>(y[a]);
    if ((dx2 | dy2) >> 32) return less(multiply(dy2, dx1), multiply(dy1, dx2));
    return dy2 * dx1 < dy1 * dx2;
}

// Indices of the strict vertices, both ends kept; returns how many. `out` has room for n.
template <class C>
size_t hull_of(const C* x, const C* y, size_t n, int64_t* out) {
    size_t top = 0;
    // Only a point that is reached upwards and left to the right can be a vertex: the corners of the staircase.
    const auto corner = [=](size_t i) { return i == 0 || i == n - 1 || (y[i] > y[i - 1] && x[i + 1] > x[i]); };
    for (size_t i = 0; i < n; ++i) {
        if (!corner(i)) continue;
        while (top > 1 && !above(x, y, static_cast<size_t>(out[top - 2]), static_cast<size_t>(out[top - 1]), i)) --top;
        out[top++] = static_cast<int64_t>(i);
    }
    return top;
}

inline size_t hull(const void* x, const void* y, bool wide, size_t n, int64_t* out) {
    if (wide) return hull_of(static_cast<const int64_t*>(x), static_cast<const int64_t*>(y), n, out);
    return hull_of(static_cast<const int32_t*>(x), static_cast<const int32_t*>(y), n, out);
}

}  // namespace thresher::THRESHER_ISA
