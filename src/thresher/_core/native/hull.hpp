// The upper convex hull of a curve of counts, in integers: products are compared in 128 bits.
#pragma once
#include <algorithm>
#include <cstring>

#include "int128.hpp"
#include "kernels.hpp"
#include "memory.hpp"
#include "threads.hpp"

namespace thresher::THRESHER_ISA {

// Whether b stands above the chord from a to c. x and y never decrease.
template <class C>
bool above(const C* x, const C* y, size_t a, size_t b, size_t c) {
    const uint64_t dx1 = static_cast<uint64_t>(x[b]) - static_cast<uint64_t>(x[a]), dy1 = static_cast<uint64_t>(y[b]) - static_cast<uint64_t>(y[a]);
    const uint64_t dx2 = static_cast<uint64_t>(x[c]) - static_cast<uint64_t>(x[a]), dy2 = static_cast<uint64_t>(y[c]) - static_cast<uint64_t>(y[a]);
    if ((dx2 | dy2) >> 32) return less(multiply(dy2, dx1), multiply(dy1, dx2));
    return dy2 * dx1 < dy1 * dx2;
}

// Whether one of the points from `begin` to `end` stands above the chord from a to c.
template <class C>
bool any_above(const C* x, const C* y, size_t a, size_t c, size_t begin, size_t end) {
    if constexpr (sizeof(C) == 4) {
        // Unsigned where numbers that are no counts would overflow.
        const uint32_t xa = static_cast<uint32_t>(x[a]), ya = static_cast<uint32_t>(y[a]);
        const auto apart = [](C to, uint32_t from) { return static_cast<int64_t>(static_cast<int32_t>(static_cast<uint32_t>(to) - from)); };
        const int64_t dx = apart(x[c], xa), dy = apart(y[c], ya);
        uint64_t signs = 0;
        for (size_t i = begin; i < end; ++i)
            signs |= static_cast<uint64_t>(apart(x[i], xa) * dy) - static_cast<uint64_t>(apart(y[i], ya) * dx);
        return signs >> 63;
    } else {
        for (size_t i = begin; i < end; ++i)
            if (above(x, y, a, i, c)) return true;
        return false;
    }
}

// Indices of the strict vertices, both ends kept; returns how many. `out` has room for n.
template <class C>
size_t hull_of(const C* x, const C* y, size_t n, int threads, int64_t* out) {
    size_t top = 0;
    const auto add = [&](size_t i) {
        while (top > 1 && !above(x, y, static_cast<size_t>(out[top - 2]), static_cast<size_t>(out[top - 1]), i)) --top;
        out[top++] = static_cast<int64_t>(i);
    };
    // Only a point that is reached upwards and left to the right can be a vertex: the corners of the staircase.
    const auto corner = [=](size_t i) { return i == 0 || i == n - 1 || (y[i] > y[i - 1] && x[i + 1] > x[i]); };
    constexpr size_t stride = 64;
    if (n < 16 * stride) {
        for (size_t i = 0; i < n; ++i)
            if (corner(i)) add(i);
        return top;
    }
    // The hull of every 64th point first: other vertices can only stand above it, which few points do.
    for (size_t i = 0; i < n; i += stride) add(i);
    if (static_cast<size_t>(out[top - 1]) != n - 1) add(n - 1);
    const size_t edges = top - 1, gaps = (n - 2) / stride + 1;
    Block block((edges + 1) * sizeof(int64_t)), marks(gaps);
    int64_t* const coarse = block.as<int64_t>();
    uint8_t* const marked = marks.as<uint8_t>();
    std::memcpy(coarse, out, top * sizeof(int64_t));
    // Gap g is what lies between two of those points, 64 g and the next.
    constexpr size_t together = 1024;
    parallel_for((gaps + together - 1) / together, threads, [=](size_t part) {
        size_t g = part * together;
        const size_t end = g + together < gaps ? g + together : gaps;
        size_t e = static_cast<size_t>(std::upper_bound(coarse, coarse + edges, static_cast<int64_t>(g * stride)) - coarse) - 1;
        for (; g < end; ++g) {
            while (static_cast<size_t>(coarse[e + 1]) <= g * stride) ++e;
            const size_t from = g * stride + 1, to = from + stride - 1 < n - 1 ? from + stride - 1 : n - 1;
            marked[g] = any_above(x, y, static_cast<size_t>(coarse[e]), static_cast<size_t>(coarse[e + 1]), from, to);
        }
    });
    top = 0;
    add(0);
    for (size_t e = 0; e < edges; ++e) {
        const size_t a = static_cast<size_t>(coarse[e]), c = static_cast<size_t>(coarse[e + 1]);
        for (size_t g = a / stride; g * stride < c; ++g) {
            if (!marked[g]) continue;
            for (size_t i = g * stride + 1; i < c && i < (g + 1) * stride; ++i)
                if (corner(i)) add(i);
        }
        add(c);
    }
    return top;
}

inline size_t hull(const void* x, const void* y, bool wide, size_t n, int threads, int64_t* out) {
    if (wide) return hull_of(static_cast<const int64_t*>(x), static_cast<const int64_t*>(y), n, threads, out);
    return hull_of(static_cast<const int32_t*>(x), static_cast<const int32_t*>(y), n, threads, out);
}

}  // namespace thresher::THRESHER_ISA
