// Quicksort between two buffers. A vector is split by one permutation and stored at both ends of the gap; the gap is a
// multiple of the vector, so neither store can touch what the other kept.
#pragma once
#include "network.hpp"

namespace thresher::THRESHER_ISA {

#if defined(__AVX2__)

struct Permutations {
    alignas(64) uint32_t wide[16][8];  // for 4 lanes of 64 bits
    alignas(64) uint8_t narrow[256][8];
    constexpr Permutations() : wide(), narrow() {
        for (int mask = 0; mask < 16; ++mask) {
            int at = 0;
            for (int side = 1; side >= 0; --side)
                for (int lane = 0; lane < 4; ++lane)
                    if (((mask >> lane) & 1) == side) {
                        wide[mask][2 * at] = static_cast<uint32_t>(2 * lane);
                        wide[mask][2 * at + 1] = static_cast<uint32_t>(2 * lane + 1);
                        ++at;
                    }
        }
        for (int mask = 0; mask < 256; ++mask) {
            int at = 0;
            for (int side = 1; side >= 0; --side)
                for (int lane = 0; lane < 8; ++lane)
                    if (((mask >> lane) & 1) == side) narrow[mask][at++] = static_cast<uint8_t>(lane);
        }
    }
};
inline constexpr Permutations permutations{};

THRESHER_INLINE __m256d gather_below(__m256d v, int mask) {
    const __m256i p = _mm256_load_si256(reinterpret_cast<const __m256i*>(permutations.wide[mask]));
    return _mm256_castsi256_pd(_mm256_permutevar8x32_epi32(_mm256_castpd_si256(v), p));
}
THRESHER_INLINE __m256i gather_below(__m256i v, int mask) {
    const __m128i p = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(permutations.narrow[mask]));
    return _mm256_permutevar8x32_epi32(v, _mm256_cvtepu8_epi32(p));
}
THRESHER_INLINE size_t count_bits(int mask) {
#if defined(_MSC_VER)
    return static_cast<size_t>(__popcnt(static_cast<unsigned>(mask)));
#else
    return static_cast<size_t>(__builtin_popcount(static_cast<unsigned>(mask)));
#endif
}

#endif

// Copies keys below the pivot to the front of `out`, the others to its back; returns how many are below.
template <class Key>
size_t partition(const Key* in, size_t n, Key pivot, Key* out) {
    Key* left = out;
    Key* right = out + n;
    size_t i = 0;
#if defined(__AVX2__)
    using V = Vec<Key>;
    constexpr size_t lanes = V::lanes;
    const size_t tail = n % lanes;
#else
    const size_t tail = n;
#endif
    for (; i < tail; ++i) {
        const Key key = in[i];
        const bool below = key < pivot;
        *left = key;
        *(right - 1) = key;
        left += below;
        right -= !below;
    }
#if defined(__AVX2__)
    const typename V::Reg p = V::fill(pivot);
    const auto step = [&](const Key* from) {
        const typename V::Reg v = V::load(from);
        const int mask = V::below(v, p);
        const typename V::Reg sorted = gather_below(v, mask);
        const size_t below = count_bits(mask);
        V::store(left, sorted);
        V::store(right - lanes, sorted);
        left += below;
        right -= lanes - below;
    };
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
        step(in + i);
        step(in + i + lanes);
        step(in + i + 2 * lanes);
        step(in + i + 3 * lanes);
    }
    for (; i < n; i += lanes) step(in + i);
#endif
    return static_cast<size_t>(left - out);
}

template <class Key>
void heap_sort(Key* keys, size_t n) {
    const auto sift = [keys](size_t root, size_t end) {
        const Key key = keys[root];
        for (size_t child; (child = 2 * root + 1) < end; root = child) {
            child += child + 1 < end && keys[child] < keys[child + 1];
            if (!(key < keys[child])) break;
            keys[root] = keys[child];
        }
        keys[root] = key;
    };
    for (size_t i = n / 2; i-- > 0;) sift(i, n);
    for (size_t end = n; end-- > 1;) {
        const Key key = keys[0];
        keys[0] = keys[end];
        keys[end] = key;
        sift(0, end);
    }
}

template <class Key>
Key choose_pivot(const Key* keys, size_t n) {
    constexpr size_t most = 16;
    Key sample[most];
    const size_t count = n < 256 ? 9 : most;
    const size_t stride = n / count;
    uint64_t jitter = n * 0x9E3779B97F4A7C15u;
    for (size_t i = 0; i < count; ++i) {
        jitter = jitter * 0xD1342543DE82EF95u + 1;
        sample[i] = keys[i * stride + static_cast<size_t>((jitter >> 40) % stride)];
    }
    sort_leaf(sample, count, sample);
    return sample[count / 2];
}

// Sorts `keys`, leaving the result there or in `other`; both are overwritten.
template <class Key>
void quicksort(Key* keys, Key* other, size_t n, bool stay, int depth) {
    for (;;) {
        if (n <= leaf_keys<Key>) return sort_leaf(keys, n, stay ? keys : other);
        if (depth-- == 0) {
            heap_sort(keys, n);
            if (!stay)
                for (size_t i = 0; i < n; ++i) other[i] = keys[i];
            return;
        }
        const Key pivot = choose_pivot(keys, n);
        size_t below = pivot ? partition(keys, n, pivot, other) : 0;
        if (below == 0) {  // the pivot is the least key: set all its copies aside
            below = partition(keys, n, static_cast<Key>(pivot + 1), other);
            Key* const done = stay ? keys : other;
            for (size_t i = 0; i < below; ++i) done[i] = pivot;
        } else {
            quicksort(other, keys, below, !stay, depth);
        }
        Key* const rest = other + below;
        other = keys + below;
        keys = rest;
        n -= below;
        stay = !stay;
    }
}

// Beyond this depth the pivots were unlucky, or chosen by an adversary.
static inline int most_depth(size_t n) {
    int depth = 12;
    for (; n > 1; n /= 2) depth += 2;
    return depth;
}

template <class Key>
void sort_keys(Key* keys, Key* scratch, size_t n) {
    quicksort(keys, scratch, n, true, most_depth(n));
}

}  // namespace thresher::THRESHER_ISA
