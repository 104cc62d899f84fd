// Sorting networks on vectors: 16 registers or fewer are sorted down their lanes, then the lanes are merged.
#pragma once
#include <cstddef>
#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace thresher::THRESHER_ISA {

template <class Key> constexpr Key pad_key = 0xFFFFFFFF;
template <> inline constexpr uint64_t pad_key<uint64_t> = 0x7FEFFFFFFFFFFFFF;

template <class Key>
void insertion_sort(const Key* in, size_t n, Key* out) {
    for (size_t i = 0; i < n; ++i) {
        const Key key = in[i];
        size_t j = i;
        for (; j > 0 && out[j - 1] > key; --j) out[j] = out[j - 1];
        out[j] = key;
    }
}

#if defined(__AVX2__)

#if defined(_MSC_VER)
#define THRESHER_INLINE __forceinline
#else
#define THRESHER_INLINE inline __attribute__((always_inline))
#endif

template <class Key> struct Vec;

template <> struct Vec<uint64_t> {
    using Reg = __m256d;
    static constexpr int lanes = 4, log_lanes = 2;
    static THRESHER_INLINE Reg load(const uint64_t* p) { return _mm256_loadu_pd(reinterpret_cast<const double*>(p)); }
    static THRESHER_INLINE void store(uint64_t* p, Reg r) { _mm256_storeu_pd(reinterpret_cast<double*>(p), r); }
    static THRESHER_INLINE Reg fill(uint64_t k) { return _mm256_castsi256_pd(_mm256_set1_epi64x(static_cast<long long>(k))); }
    static THRESHER_INLINE Reg min(Reg a, Reg b) { return _mm256_min_pd(a, b); }
    static THRESHER_INLINE Reg max(Reg a, Reg b) { return _mm256_max_pd(a, b); }
    static THRESHER_INLINE int below(Reg a, Reg pivot) { return _mm256_movemask_pd(_mm256_cmp_pd(a, pivot, _CMP_LT_OQ)); }
    // Lanes in groups of 2**(g+1): reversed, or the two halves of each group exchanged; then the lower half keeps the
    // minimum and the upper half the maximum.
    template <int g> static THRESHER_INLINE Reg reverse(Reg a) {
        if constexpr (g == 0) return _mm256_permute_pd(a, 0x5);
        else return _mm256_permute4x64_pd(a, 0x1B);
    }
    template <int g> static THRESHER_INLINE Reg exchange(Reg a) {
        if constexpr (g == 0) return _mm256_permute_pd(a, 0x5);
        else return _mm256_permute2f128_pd(a, a, 0x01);
    }
    template <int g> static THRESHER_INLINE Reg pick(Reg low, Reg high) {
        if constexpr (g == 0) return _mm256_blend_pd(low, high, 0xA);
        else return _mm256_blend_pd(low, high, 0xC);
    }
    template <int R> static THRESHER_INLINE void write(const Reg* r, uint64_t* out) {  // lane after lane
        for (int b = 0; b < R; b += 4) {
            const Reg t0 = _mm256_unpacklo_pd(r[b], r[b + 1]), t1 = _mm256_unpackhi_pd(r[b], r[b + 1]);
            const Reg t2 = _mm256_unpacklo_pd(r[b + 2], r[b + 3]), t3 = _mm256_unpackhi_pd(r[b + 2], r[b + 3]);
            store(out + b, _mm256_permute2f128_pd(t0, t2, 0x20));
            store(out + R + b, _mm256_permute2f128_pd(t1, t3, 0x20));
            store(out + 2 * R + b, _mm256_permute2f128_pd(t0, t2, 0x31));
            store(out + 3 * R + b, _mm256_permute2f128_pd(t1, t3, 0x31));
        }
    }
    static constexpr int least_rows = 4;
};

template <> struct Vec<uint32_t> {
    using Reg = __m256i;
    static constexpr int lanes = 8, log_lanes = 3;
    static THRESHER_INLINE Reg load(const uint32_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
    static THRESHER_INLINE void store(uint32_t* p, Reg r) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), r); }
    static THRESHER_INLINE Reg fill(uint32_t k) { return _mm256_set1_epi32(static_cast<int>(k)); }
    static THRESHER_INLINE Reg min(Reg a, Reg b) { return _mm256_min_epu32(a, b); }
    static THRESHER_INLINE Reg max(Reg a, Reg b) { return _mm256_max_epu32(a, b); }
    static THRESHER_INLINE int below(Reg a, Reg pivot) {  // a < pivot, for pivot > 0, as a <= pivot - 1
        const Reg p = _mm256_sub_epi32(pivot, _mm256_set1_epi32(1));
        return _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_min_epu32(a, p), a)));
    }
    template <int g> static THRESHER_INLINE Reg reverse(Reg a) {
        if constexpr (g == 0) return _mm256_shuffle_epi32(a, 0xB1);
        else if constexpr (g == 1) return _mm256_shuffle_epi32(a, 0x1B);
        else return _mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0));
    }
    template <int g> static THRESHER_INLINE Reg exchange(Reg a) {
        if constexpr (g == 0) return _mm256_shuffle_epi32(a, 0xB1);
        else if constexpr (g == 1) return _mm256_shuffle_epi32(a, 0x4E);
        else return _mm256_permute2x128_si256(a, a, 0x01);
    }
    template <int g> static THRESHER_INLINE Reg pick(Reg low, Reg high) {
        if constexpr (g == 0) return _mm256_blend_epi32(low, high, 0xAA);
        else if constexpr (g == 1) return _mm256_blend_epi32(low, high, 0xCC);
        else return _mm256_blend_epi32(low, high, 0xF0);
    }
    template <int R> static THRESHER_INLINE void write(const Reg* r, uint32_t* out) {
        if constexpr (R == 4) {  // 4 rows of 8 lanes: pairs of lanes make one vector
            const Reg t0 = _mm256_unpacklo_epi32(r[0], r[1]), t1 = _mm256_unpackhi_epi32(r[0], r[1]);
            const Reg t2 = _mm256_unpacklo_epi32(r[2], r[3]), t3 = _mm256_unpackhi_epi32(r[2], r[3]);
            const Reg u0 = _mm256_unpacklo_epi64(t0, t2), u1 = _mm256_unpackhi_epi64(t0, t2);
            const Reg u2 = _mm256_unpacklo_epi64(t1, t3), u3 = _mm256_unpackhi_epi64(t1, t3);
            store(out, _mm256_permute2x128_si256(u0, u1, 0x20));
            store(out + 8, _mm256_permute2x128_si256(u2, u3, 0x20));
            store(out + 16, _mm256_permute2x128_si256(u0, u1, 0x31));
            store(out + 24, _mm256_permute2x128_si256(u2, u3, 0x31));
        } else {
            for (int b = 0; b < R; b += 8) {
                Reg t[8], u[8];
                for (int i = 0; i < 8; i += 2) {
                    t[i] = _mm256_unpacklo_epi32(r[b + i], r[b + i + 1]);
                    t[i + 1] = _mm256_unpackhi_epi32(r[b + i], r[b + i + 1]);
                }
                for (int i = 0; i < 8; i += 4) {
                    u[i] = _mm256_unpacklo_epi64(t[i], t[i + 2]);
                    u[i + 1] = _mm256_unpackhi_epi64(t[i], t[i + 2]);
                    u[i + 2] = _mm256_unpacklo_epi64(t[i + 1], t[i + 3]);
                    u[i + 3] = _mm256_unpackhi_epi64(t[i + 1], t[i + 3]);
                }
                for (int i = 0; i < 4; ++i) {
                    store(out + i * R + b, _mm256_permute2x128_si256(u[i], u[i + 4], 0x20));
                    store(out + (i + 4) * R + b, _mm256_permute2x128_si256(u[i], u[i + 4], 0x31));
                }
            }
        }
    }
    static constexpr int least_rows = 4;
};

template <class V, class Reg>
THRESHER_INLINE void order(Reg& a, Reg& b) {
    const Reg low = V::min(a, b);
    b = V::max(a, b);
    a = low;
}

// Best known networks for 4, 8 and 16 inputs (5, 19 and 60 comparisons).
template <class V, int R, class Reg>
THRESHER_INLINE void sort_lanes(Reg* r) {
#define O(a, b) order<V>(r[a], r[b])
    if constexpr (R == 4) {
        O(0, 2); O(1, 3); O(0, 1); O(2, 3); O(1, 2);
    } else if constexpr (R == 8) {
        O(0, 2); O(1, 3); O(4, 6); O(5, 7); O(0, 4); O(1, 5); O(2, 6); O(3, 7); O(0, 1); O(2, 3); O(4, 5); O(6, 7);
        O(2, 4); O(3, 5); O(1, 4); O(3, 6); O(1, 2); O(3, 4); O(5, 6);
    } else {
        O(0, 1); O(2, 3); O(4, 5); O(6, 7); O(8, 9); O(10, 11); O(12, 13); O(14, 15);
        O(0, 2); O(4, 6); O(8, 10); O(12, 14); O(1, 3); O(5, 7); O(9, 11); O(13, 15);
        O(0, 4); O(8, 12); O(1, 5); O(9, 13); O(2, 6); O(10, 14); O(3, 7); O(11, 15);
        O(0, 8); O(1, 9); O(2, 10); O(3, 11); O(4, 12); O(5, 13); O(6, 14); O(7, 15);
        O(5, 10); O(6, 9); O(3, 12); O(13, 14); O(4, 8); O(7, 11); O(1, 2);
        O(1, 4); O(7, 13); O(2, 8); O(11, 14);
        O(2, 4); O(5, 6); O(9, 10); O(11, 13); O(3, 8); O(7, 12);
        O(6, 8); O(10, 12); O(3, 5); O(7, 9);
        O(3, 4); O(5, 6); O(7, 8); O(9, 10); O(11, 12);
        O(6, 7); O(8, 9);
    }
#undef O
}

// Half-cleaners among the rows: each lane, bitonic, becomes sorted.
template <class V, int R, class Reg>
THRESHER_INLINE void clean_rows(Reg* r) {
    for (int d = R / 2; d > 0; d /= 2)
        for (int i = 0; i < R; ++i)
            if (!(i & d)) order<V>(r[i], r[i + d]);
}

template <class V, int R, int g, class Reg>
THRESHER_INLINE void clean_lanes(Reg* r) {
    for (int i = 0; i < R; ++i) {
        const Reg t = V::template exchange<g>(r[i]);
        r[i] = V::template pick<g>(V::min(r[i], t), V::max(r[i], t));
    }
    if constexpr (g > 0) clean_lanes<V, R, g - 1>(r);
}

// Merges groups of 2**g lanes, each sorted lane after lane, in pairs.
template <class V, int R, int g, class Reg>
THRESHER_INLINE void merge_lanes(Reg* r) {
    for (int i = 0; i < R / 2; ++i) {
        const Reg a = r[i], b = r[R - 1 - i];
        const Reg ra = V::template reverse<g>(a), rb = V::template reverse<g>(b);
        r[i] = V::template pick<g>(V::min(a, rb), V::max(a, rb));
        r[R - 1 - i] = V::template pick<g>(V::min(b, ra), V::max(b, ra));
    }
    if constexpr (g > 0) clean_lanes<V, R, g - 1>(r);
    clean_rows<V, R>(r);
    if constexpr (g + 1 < V::log_lanes) merge_lanes<V, R, g + 1>(r);
}

// Sorts up to R vectors; reads and writes R whole vectors. in and out may be the same.
template <class Key, int R>
THRESHER_INLINE void sort_rows(const Key* in, Key* out) {
    using V = Vec<Key>;
    typename V::Reg r[R];
    for (int i = 0; i < R; ++i) r[i] = V::load(in + i * V::lanes);
    sort_lanes<V, R>(r);
    merge_lanes<V, R, 0>(r);
    V::template write<R>(r, out);
}

template <class Key> constexpr size_t leaf_keys = 16 * Vec<Key>::lanes;

// Sorts at most leaf_keys keys. `in` must be writable up to the next whole network: it is padded there; `out` likewise.
template <class Key>
void sort_padded(Key* in, size_t n, Key* out) {
    using V = Vec<Key>;
    constexpr size_t lanes = V::lanes;
    const size_t rows = n <= 4 * lanes ? 4 : n <= 8 * lanes ? 8 : 16;
    const typename V::Reg pad = V::fill(pad_key<Key>);
    for (size_t i = n; i < rows * lanes; i += lanes) V::store(in + i, pad);
    if (rows == 4) sort_rows<Key, 4>(in, out);
    else if (rows == 8) sort_rows<Key, 8>(in, out);
    else sort_rows<Key, 16>(in, out);
}

// The same where neither may be touched beyond n.
template <class Key>
void sort_leaf(const Key* in, size_t n, Key* out) {
    if (n <= 4) return insertion_sort(in, n, out);
    alignas(64) Key buffer[leaf_keys<Key> + Vec<Key>::lanes];
    for (size_t i = 0; i < n; ++i) buffer[i] = in[i];
    sort_padded(buffer, n, buffer);
    for (size_t i = 0; i < n; ++i) out[i] = buffer[i];
}

#else

template <class Key> constexpr size_t leaf_keys = 24;
template <class Key>
void sort_leaf(const Key* in, size_t n, Key* out) {
    if (in != out) return insertion_sort(in, n, out);
    Key buffer[leaf_keys<Key>];
    insertion_sort(in, n, buffer);
    for (size_t i = 0; i < n; ++i) out[i] = buffer[i];
}

#endif

}  // namespace thresher::THRESHER_ISA
