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
#define THRESHER_UNROLL
#else
#define THRESHER_INLINE inline __attribute__((always_inline))
#if defined(__clang__)
#define THRESHER_UNROLL _Pragma("unroll")
#else
#define THRESHER_UNROLL _Pragma("GCC unroll 16")  // or registers of a network go through memory
#endif
#endif

// Masks are counted before anything is stored: GCC 12 reads four bytes of one that it has saved as one byte.
THRESHER_INLINE size_t count_bits(unsigned mask) {
#if defined(_MSC_VER)
    return static_cast<size_t>(__popcnt(mask));
#else
    return static_cast<size_t>(__builtin_popcount(mask));
#endif
}

// What a network and a partition ask of a register of keys:
//   reverse<g>, exchange<g>  lanes in groups of 2**(g+1): reversed, or the two halves of each group exchanged
//   minmax<g>                the lower half of each group keeps the minimum, the upper half the maximum
//   write<R>                 R registers, lane after lane
//   split                    writes keys below the pivot to `left` and the others to `right`, each as a whole register;
//                            returns how many are below
template <class Key> struct Vec;

#if defined(__AVX512F__)

template <> struct Vec<uint64_t> {
    using Reg = __m512i;
    using Mask = __mmask8;
    static constexpr int lanes = 8, log_lanes = 3;
    static THRESHER_INLINE Reg load(const uint64_t* p) { return _mm512_loadu_si512(p); }
    static THRESHER_INLINE Reg load_masked(const uint64_t* p, Mask mask, Reg other) { return _mm512_mask_loadu_epi64(other, mask, p); }
    static THRESHER_INLINE void store(uint64_t* p, Reg r) { _mm512_storeu_si512(p, r); }
    static THRESHER_INLINE Reg fill(uint64_t k) { return _mm512_set1_epi64(static_cast<long long>(k)); }
    // Compared as doubles: some processors have twice as many ports for them.
    static THRESHER_INLINE Reg min(Reg a, Reg b) { return _mm512_castpd_si512(_mm512_min_pd(_mm512_castsi512_pd(a), _mm512_castsi512_pd(b))); }
    static THRESHER_INLINE Reg max(Reg a, Reg b) { return _mm512_castpd_si512(_mm512_max_pd(_mm512_castsi512_pd(a), _mm512_castsi512_pd(b))); }
    template <int g> static THRESHER_INLINE Reg reverse(Reg a) {
        if constexpr (g == 0) return _mm512_permutex_epi64(a, 0xB1);
        else if constexpr (g == 1) return _mm512_permutex_epi64(a, 0x1B);
        else return _mm512_permutexvar_epi64(_mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0), a);
    }
    template <int g> static THRESHER_INLINE Reg exchange(Reg a) {
        if constexpr (g == 0) return _mm512_permutex_epi64(a, 0xB1);
        else if constexpr (g == 1) return _mm512_permutex_epi64(a, 0x4E);
        else return _mm512_shuffle_i64x2(a, a, 0x4E);
    }
    template <int g> static THRESHER_INLINE Reg minmax(Reg a, Reg b) {
        constexpr Mask upper = g == 0 ? 0xAA : g == 1 ? 0xCC : 0xF0;
        const __m512d x = _mm512_castsi512_pd(a), y = _mm512_castsi512_pd(b);
        return _mm512_castpd_si512(_mm512_mask_max_pd(_mm512_min_pd(x, y), upper, x, y));
    }
    template <int R> static THRESHER_INLINE void write(const Reg* r, uint64_t* out) {
        Reg t[R];  // two rows of every second lane
        THRESHER_UNROLL for (int i = 0; i < R; i += 2) {
            t[i] = _mm512_unpacklo_epi64(r[i], r[i + 1]);
            t[i + 1] = _mm512_unpackhi_epi64(r[i], r[i + 1]);
        }
        if constexpr (R == 4) {
            const Reg first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), last = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
            const Reg a = _mm512_permutex2var_epi64(t[0], first, t[2]), b = _mm512_permutex2var_epi64(t[1], first, t[3]);
            const Reg c = _mm512_permutex2var_epi64(t[0], last, t[2]), d = _mm512_permutex2var_epi64(t[1], last, t[3]);
            store(out, _mm512_shuffle_i64x2(a, b, 0x44));
            store(out + 8, _mm512_shuffle_i64x2(a, b, 0xEE));
            store(out + 16, _mm512_shuffle_i64x2(c, d, 0x44));
            store(out + 24, _mm512_shuffle_i64x2(c, d, 0xEE));
        } else {
            THRESHER_UNROLL for (int b = 0; b < R; b += 8) {
                THRESHER_UNROLL for (int odd = 0; odd < 2; ++odd) {
                    const Reg* const q = t + b + odd;
                    const Reg u0 = _mm512_shuffle_i64x2(q[0], q[2], 0x88), u1 = _mm512_shuffle_i64x2(q[4], q[6], 0x88);
                    const Reg u2 = _mm512_shuffle_i64x2(q[0], q[2], 0xDD), u3 = _mm512_shuffle_i64x2(q[4], q[6], 0xDD);
                    store(out + odd * R + b, _mm512_shuffle_i64x2(u0, u1, 0x88));
                    store(out + (2 + odd) * R + b, _mm512_shuffle_i64x2(u2, u3, 0x88));
                    store(out + (4 + odd) * R + b, _mm512_shuffle_i64x2(u0, u1, 0xDD));
                    store(out + (6 + odd) * R + b, _mm512_shuffle_i64x2(u2, u3, 0xDD));
                }
            }
        }
    }
    static THRESHER_INLINE size_t split(Reg a, Reg pivot, uint64_t* left, uint64_t* right) {
        const Mask below = _mm512_cmplt_epu64_mask(a, pivot);
        const size_t count = count_bits(below);
        store(left, _mm512_maskz_compress_epi64(below, a));
        store(right, _mm512_maskz_compress_epi64(static_cast<Mask>(~below), a));
        return count;
    }
};

template <> struct Vec<uint32_t> {
    using Reg = __m512i;
    using Mask = __mmask16;
    static constexpr int lanes = 16, log_lanes = 4;
    static THRESHER_INLINE Reg load(const uint32_t* p) { return _mm512_loadu_si512(p); }
    static THRESHER_INLINE Reg load_masked(const uint32_t* p, Mask mask, Reg other) { return _mm512_mask_loadu_epi32(other, mask, p); }
    static THRESHER_INLINE void store(uint32_t* p, Reg r) { _mm512_storeu_si512(p, r); }
    static THRESHER_INLINE Reg fill(uint32_t k) { return _mm512_set1_epi32(static_cast<int>(k)); }
    static THRESHER_INLINE Reg min(Reg a, Reg b) { return _mm512_min_epu32(a, b); }
    static THRESHER_INLINE Reg max(Reg a, Reg b) { return _mm512_max_epu32(a, b); }
    template <int g> static THRESHER_INLINE Reg reverse(Reg a) {
        if constexpr (g == 0) return _mm512_shuffle_epi32(a, static_cast<_MM_PERM_ENUM>(0xB1));
        else if constexpr (g == 1) return _mm512_shuffle_epi32(a, static_cast<_MM_PERM_ENUM>(0x1B));
        else if constexpr (g == 2) return _mm512_permutexvar_epi32(_mm512_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8), a);
        else return _mm512_permutexvar_epi32(_mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), a);
    }
    template <int g> static THRESHER_INLINE Reg exchange(Reg a) {
        if constexpr (g == 0) return _mm512_shuffle_epi32(a, static_cast<_MM_PERM_ENUM>(0xB1));
        else if constexpr (g == 1) return _mm512_shuffle_epi32(a, static_cast<_MM_PERM_ENUM>(0x4E));
        else if constexpr (g == 2) return _mm512_shuffle_i64x2(a, a, 0xB1);
        else return _mm512_shuffle_i64x2(a, a, 0x4E);
    }
    template <int g> static THRESHER_INLINE Reg minmax(Reg a, Reg b) {
        constexpr Mask upper = g == 0 ? 0xAAAA : g == 1 ? 0xCCCC : g == 2 ? 0xF0F0 : 0xFF00;
        return _mm512_mask_max_epu32(min(a, b), upper, a, b);
    }
    template <int R> static THRESHER_INLINE void write(const Reg* r, uint32_t* out) {
        Reg q[R];  // of four rows each: q[4 b + k] has rows 4 b to 4 b + 3 of lanes k, 4 + k, 8 + k and 12 + k
        THRESHER_UNROLL for (int b = 0; b < R; b += 4) {
            const Reg t0 = _mm512_unpacklo_epi32(r[b], r[b + 1]), t1 = _mm512_unpackhi_epi32(r[b], r[b + 1]);
            const Reg t2 = _mm512_unpacklo_epi32(r[b + 2], r[b + 3]), t3 = _mm512_unpackhi_epi32(r[b + 2], r[b + 3]);
            q[b] = _mm512_unpacklo_epi64(t0, t2);
            q[b + 1] = _mm512_unpackhi_epi64(t0, t2);
            q[b + 2] = _mm512_unpacklo_epi64(t1, t3);
            q[b + 3] = _mm512_unpackhi_epi64(t1, t3);
        }
        // Four registers of four blocks each; the first blocks of all four go to `to`, the second ones `apart` behind it...
        const auto write_blocks = [](Reg w, Reg x, Reg y, Reg z, uint32_t* to, int apart) {
            const Reg a = _mm512_shuffle_i64x2(w, x, 0x44), b = _mm512_shuffle_i64x2(y, z, 0x44);
            const Reg c = _mm512_shuffle_i64x2(w, x, 0xEE), d = _mm512_shuffle_i64x2(y, z, 0xEE);
            store(to, _mm512_shuffle_i64x2(a, b, 0x88));
            store(to + apart, _mm512_shuffle_i64x2(a, b, 0xDD));
            store(to + 2 * apart, _mm512_shuffle_i64x2(c, d, 0x88));
            store(to + 3 * apart, _mm512_shuffle_i64x2(c, d, 0xDD));
        };
        if constexpr (R == 4) {
            write_blocks(q[0], q[1], q[2], q[3], out, 16);
        } else if constexpr (R == 8) {
            write_blocks(q[0], q[4], q[1], q[5], out, 32);
            write_blocks(q[2], q[6], q[3], q[7], out + 16, 32);
        } else {
            THRESHER_UNROLL for (int k = 0; k < 4; ++k) write_blocks(q[k], q[4 + k], q[8 + k], q[12 + k], out + 16 * k, 64);
        }
    }
    static THRESHER_INLINE size_t split(Reg a, Reg pivot, uint32_t* left, uint32_t* right) {
        const Mask below = _mm512_cmplt_epu32_mask(a, pivot);
        const size_t count = count_bits(below);
        store(left, _mm512_maskz_compress_epi32(below, a));
        store(right, _mm512_maskz_compress_epi32(static_cast<Mask>(~below), a));
        return count;
    }
};

#else

// For every mask, the lanes that it names and then the others.
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

template <> struct Vec<uint64_t> {
    using Reg = __m256d;
    static constexpr int lanes = 4, log_lanes = 2;
    static THRESHER_INLINE Reg load(const uint64_t* p) { return _mm256_loadu_pd(reinterpret_cast<const double*>(p)); }
    static THRESHER_INLINE void store(uint64_t* p, Reg r) { _mm256_storeu_pd(reinterpret_cast<double*>(p), r); }
    static THRESHER_INLINE Reg fill(uint64_t k) { return _mm256_castsi256_pd(_mm256_set1_epi64x(static_cast<long long>(k))); }
    static THRESHER_INLINE Reg min(Reg a, Reg b) { return _mm256_min_pd(a, b); }
    static THRESHER_INLINE Reg max(Reg a, Reg b) { return _mm256_max_pd(a, b); }
    template <int g> static THRESHER_INLINE Reg reverse(Reg a) {
        if constexpr (g == 0) return _mm256_permute_pd(a, 0x5);
        else return _mm256_permute4x64_pd(a, 0x1B);
    }
    template <int g> static THRESHER_INLINE Reg exchange(Reg a) {
        if constexpr (g == 0) return _mm256_permute_pd(a, 0x5);
        else return _mm256_permute2f128_pd(a, a, 0x01);
    }
    template <int g> static THRESHER_INLINE Reg minmax(Reg a, Reg b) { return _mm256_blend_pd(min(a, b), max(a, b), g == 0 ? 0xA : 0xC); }
    template <int R> static THRESHER_INLINE void write(const Reg* r, uint64_t* out) {  // lane after lane
        THRESHER_UNROLL for (int b = 0; b < R; b += 4) {
            const Reg t0 = _mm256_unpacklo_pd(r[b], r[b + 1]), t1 = _mm256_unpackhi_pd(r[b], r[b + 1]);
            const Reg t2 = _mm256_unpacklo_pd(r[b + 2], r[b + 3]), t3 = _mm256_unpackhi_pd(r[b + 2], r[b + 3]);
            store(out + b, _mm256_permute2f128_pd(t0, t2, 0x20));
            store(out + R + b, _mm256_permute2f128_pd(t1, t3, 0x20));
            store(out + 2 * R + b, _mm256_permute2f128_pd(t0, t2, 0x31));
            store(out + 3 * R + b, _mm256_permute2f128_pd(t1, t3, 0x31));
        }
    }
    static THRESHER_INLINE Reg gather(Reg a, unsigned mask) {
        const __m256i lanes_of = _mm256_load_si256(reinterpret_cast<const __m256i*>(permutations.wide[mask]));
        return _mm256_castsi256_pd(_mm256_permutevar8x32_epi32(_mm256_castpd_si256(a), lanes_of));
    }
    static THRESHER_INLINE size_t split(Reg a, Reg pivot, uint64_t* left, uint64_t* right) {
        const unsigned below = static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(a, pivot, _CMP_LT_OQ)));
        store(left, gather(a, below));
        store(right, gather(a, below ^ 0xF));
        return count_bits(below);
    }
};

template <> struct Vec<uint32_t> {
    using Reg = __m256i;
    static constexpr int lanes = 8, log_lanes = 3;
    static THRESHER_INLINE Reg load(const uint32_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
    static THRESHER_INLINE void store(uint32_t* p, Reg r) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), r); }
    static THRESHER_INLINE Reg fill(uint32_t k) { return _mm256_set1_epi32(static_cast<int>(k)); }
    static THRESHER_INLINE Reg min(Reg a, Reg b) { return _mm256_min_epu32(a, b); }
    static THRESHER_INLINE Reg max(Reg a, Reg b) { return _mm256_max_epu32(a, b); }
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
    template <int g> static THRESHER_INLINE Reg minmax(Reg a, Reg b) {
        return _mm256_blend_epi32(min(a, b), max(a, b), g == 0 ? 0xAA : g == 1 ? 0xCC : 0xF0);
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
            THRESHER_UNROLL for (int b = 0; b < R; b += 8) {
                Reg t[8], u[8];
                THRESHER_UNROLL for (int i = 0; i < 8; i += 2) {
                    t[i] = _mm256_unpacklo_epi32(r[b + i], r[b + i + 1]);
                    t[i + 1] = _mm256_unpackhi_epi32(r[b + i], r[b + i + 1]);
                }
                THRESHER_UNROLL for (int i = 0; i < 8; i += 4) {
                    u[i] = _mm256_unpacklo_epi64(t[i], t[i + 2]);
                    u[i + 1] = _mm256_unpackhi_epi64(t[i], t[i + 2]);
                    u[i + 2] = _mm256_unpacklo_epi64(t[i + 1], t[i + 3]);
                    u[i + 3] = _mm256_unpackhi_epi64(t[i + 1], t[i + 3]);
                }
                THRESHER_UNROLL for (int i = 0; i < 4; ++i) {
                    store(out + i * R + b, _mm256_permute2x128_si256(u[i], u[i + 4], 0x20));
                    store(out + (i + 4) * R + b, _mm256_permute2x128_si256(u[i], u[i + 4], 0x31));
                }
            }
        }
    }
    static THRESHER_INLINE Reg gather(Reg a, unsigned mask) {
        const __m128i lanes_of = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(permutations.narrow[mask]));
        return _mm256_permutevar8x32_epi32(a, _mm256_cvtepu8_epi32(lanes_of));
    }
    static THRESHER_INLINE size_t split(Reg a, Reg pivot, uint32_t* left, uint32_t* right) {  // below a pivot above 0: at most pivot - 1
        const Reg most = _mm256_sub_epi32(pivot, _mm256_set1_epi32(1));
        const unsigned below = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_min_epu32(a, most), a))));
        store(left, gather(a, below));
        store(right, gather(a, below ^ 0xFF));
        return count_bits(below);
    }
};

#endif

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
    THRESHER_UNROLL for (int d = R / 2; d > 0; d /= 2)
        THRESHER_UNROLL for (int i = 0; i < R; ++i)
            if (!(i & d)) order<V>(r[i], r[i + d]);
}

template <class V, int R, int g, class Reg>
THRESHER_INLINE void clean_lanes(Reg* r) {
    THRESHER_UNROLL for (int i = 0; i < R; ++i) r[i] = V::template minmax<g>(r[i], V::template exchange<g>(r[i]));
    if constexpr (g > 0) clean_lanes<V, R, g - 1>(r);
}

// Merges groups of 2**g lanes, each sorted lane after lane, in pairs.
template <class V, int R, int g, class Reg>
THRESHER_INLINE void merge_lanes(Reg* r) {
    THRESHER_UNROLL for (int i = 0; i < R / 2; ++i) {
        const Reg a = r[i], b = r[R - 1 - i];
        r[i] = V::template minmax<g>(a, V::template reverse<g>(b));
        r[R - 1 - i] = V::template minmax<g>(b, V::template reverse<g>(a));
    }
    if constexpr (g > 0) clean_lanes<V, R, g - 1>(r);
    clean_rows<V, R>(r);
    if constexpr (g + 1 < V::log_lanes) merge_lanes<V, R, g + 1>(r);
}

// Sorts n keys, more than fit half of R registers unless R is 4; writes R whole registers. in and out may be the same.
template <class Key, int R>
void sort_rows(Key* in, size_t n, Key* out) {
    using V = Vec<Key>;
    constexpr size_t lanes = V::lanes;
    const typename V::Reg pad = V::fill(pad_key<Key>);
    typename V::Reg r[R];
#if defined(__AVX512F__)
    THRESHER_UNROLL for (int i = 0; i < R; ++i) {
        const size_t begin = static_cast<size_t>(i) * lanes, left = n > begin ? n - begin : 0;
        const bool full = R > 4 && i < R / 2;
        r[i] = full ? V::load(in + begin) : V::load_masked(in + begin, static_cast<typename V::Mask>(left < lanes ? (1u << left) - 1 : ~0u), pad);
    }
#else
    for (size_t i = n; i < R * lanes; i += lanes) V::store(in + i, pad);
    THRESHER_UNROLL for (int i = 0; i < R; ++i) r[i] = V::load(in + static_cast<size_t>(i) * lanes);
#endif
    sort_lanes<V, R>(r);
    merge_lanes<V, R, 0>(r);
    V::template write<R>(r, out);
}

template <class Key> constexpr size_t leaf_keys = 16 * Vec<Key>::lanes;

// Sorts at most leaf_keys keys. `in` must be writable up to the next whole network: it may be padded there; `out` likewise.
template <class Key>
void sort_padded(Key* in, size_t n, Key* out) {
    constexpr size_t lanes = Vec<Key>::lanes;
    if (n <= 4 * lanes) sort_rows<Key, 4>(in, n, out);
    else if (n <= 8 * lanes) sort_rows<Key, 8>(in, n, out);
    else sort_rows<Key, 16>(in, n, out);
}

#else

template <class Key> constexpr size_t leaf_keys = 24;
template <class Key>
void sort_padded(Key* in, size_t n, Key* out) {
    if (in != out) return insertion_sort(in, n, out);
    Key buffer[leaf_keys<Key>];
    insertion_sort(in, n, buffer);
    for (size_t i = 0; i < n; ++i) out[i] = buffer[i];
}

#endif

}  // namespace thresher::THRESHER_ISA
