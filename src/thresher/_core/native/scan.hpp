// Sorted keys to distinct keys with running counts of positives and negatives.
#pragma once
#include "codec.hpp"
#include "network.hpp"

namespace thresher::THRESHER_ISA {

// Twice the area under the steps (in counts) between `fp0, tp0` and the last of the d points; exact.
template <class C>
void add_area(const C* tp, const C* fp, size_t d, uint64_t tp0, uint64_t fp0, U128& total) {
    using U = typename std::conditional<sizeof(C) == 4, uint32_t, uint64_t>::type;
    if (d == 0) return;
    total.add(multiply(static_cast<uint64_t>(fp[0]) - fp0, static_cast<uint64_t>(tp[0]) + tp0));
    constexpr size_t block = 4096;
    for (size_t begin = 1; begin < d; begin += block) {
        const size_t end = begin + block < d ? begin + block : d;
        if constexpr (sizeof(C) == 4) {
            uint64_t sum = 0;  // below 2**63: the whole sum is at most twice the number of pairs
            for (size_t k = begin; k < end; ++k) {
                const U width = static_cast<U>(fp[k]) - static_cast<U>(fp[k - 1]);
                const U height = static_cast<U>(tp[k]) + static_cast<U>(tp[k - 1]);
                sum += static_cast<uint64_t>(width) * height;
            }
            total.add(sum);
        } else {
            for (size_t k = begin; k < end; ++k)
                total.add(multiply(static_cast<U>(fp[k]) - static_cast<U>(fp[k - 1]), static_cast<U>(tp[k]) + static_cast<U>(tp[k - 1])));
        }
    }
}

#if defined(__AVX512F__)
THRESHER_INLINE int count_lanes(__mmask8 mask) {
#if defined(_MSC_VER)
    return static_cast<int>(__popcnt(mask));
#else
    return __builtin_popcount(mask);
#endif
}
THRESHER_INLINE __mmask8 lanes_below(unsigned n) { return static_cast<__mmask8>((1u << n) - 1); }
#endif

// Leaves the distinct keys at the front of `keys` and writes the counts; returns how many there are. keys[m] is used.
template <class Key, class C>
size_t scan_keys(Key* keys, size_t m, uint64_t tp0, uint64_t fp0, C* tp_out, C* fp_out) {
    if (m == 0) return 0;
    keys[m] = static_cast<Key>(keys[m - 1] ^ 2);  // differs from the last score
    size_t d = 0, i = 0;
    C tp = static_cast<C>(tp0);
    const C rows0 = static_cast<C>(tp0 + fp0 + 1);
#if defined(__AVX512F__)
    // Eight keys at a time: the last of every score is kept by a mask; label sums come from a table of 256.
    struct Sums {
        alignas(64) uint8_t of[256][8];
        constexpr Sums() : of() {
            for (int mask = 0; mask < 256; ++mask)
                for (int lane = 0, sum = 0; lane < 8; ++lane) of[mask][lane] = static_cast<uint8_t>(sum += (mask >> lane) & 1);
        }
    };
    static constexpr Sums sums{};
    if constexpr (sizeof(C) == 4) {
        const __m256i ramp = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        for (; i + 8 <= m; i += 8) {
            __mmask8 last, ones;
            unsigned kept;
            if constexpr (sizeof(Key) == 8) {
                const __m512i a = _mm512_loadu_si512(keys + i), b = _mm512_loadu_si512(keys + i + 1);
                last = _mm512_cmpgt_epu64_mask(_mm512_xor_si512(a, b), _mm512_set1_epi64(1));
                ones = _mm512_test_epi64_mask(a, _mm512_set1_epi64(1));
                kept = static_cast<unsigned>(count_lanes(last));
                _mm512_mask_storeu_epi64(keys + d, lanes_below(kept), _mm512_maskz_compress_epi64(last, a));
            } else {
                const __m256i a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(keys + i));
                const __m256i b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(keys + i + 1));
                last = _mm256_cmpgt_epu32_mask(_mm256_xor_si256(a, b), _mm256_set1_epi32(1));
                ones = _mm256_test_epi32_mask(a, _mm256_set1_epi32(1));
                kept = static_cast<unsigned>(count_lanes(last));
                _mm256_mask_storeu_epi32(keys + d, lanes_below(kept), _mm256_maskz_compress_epi32(last, a));
            }
            const __m256i sum = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(sums.of[ones])));
            const __m256i t = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(tp)), sum);
            const __m256i rows = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(rows0 + static_cast<C>(i))), ramp);
            const __m256i f = _mm256_sub_epi32(rows, t);
            if (kept == 8) {
                _mm256_storeu_si256(reinterpret_cast<__m256i*>(tp_out + d), t);
                _mm256_storeu_si256(reinterpret_cast<__m256i*>(fp_out + d), f);
            } else {  // nothing may be written behind what is kept: it is another bucket's
                _mm256_mask_storeu_epi32(tp_out + d, lanes_below(kept), _mm256_maskz_compress_epi32(last, t));
                _mm256_mask_storeu_epi32(fp_out + d, lanes_below(kept), _mm256_maskz_compress_epi32(last, f));
            }
            tp += static_cast<C>(sums.of[ones][7]);
            d += kept;
        }
    }
#elif defined(__AVX2__)
    // Vectors without a tie, which is most of them, are copied whole; label sums come from a table of 16.
    struct Sums {
        alignas(32) int32_t of[16][4];
        constexpr Sums() : of() {
            for (int mask = 0; mask < 16; ++mask)
                for (int lane = 0, sum = 0; lane < 4; ++lane) of[mask][lane] = sum += (mask >> lane) & 1;
        }
    };
    static constexpr Sums sums{};
    if constexpr (sizeof(C) == 4) {
        const __m128i ramp = _mm_setr_epi32(0, 1, 2, 3);
        while (i + 4 < m) {
            bool tied;
            int mask;
            if constexpr (sizeof(Key) == 8) {
                const __m256i a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(keys + i));
                const __m256i b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(keys + i + 1));
                const __m256i same = _mm256_cmpeq_epi64(_mm256_srli_epi64(a, 1), _mm256_srli_epi64(b, 1));
                tied = !_mm256_testz_si256(same, same);
                mask = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_slli_epi64(a, 63)));
                if (!tied) _mm256_storeu_si256(reinterpret_cast<__m256i*>(keys + d), a);
            } else {
                const __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(keys + i));
                const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(keys + i + 1));
                const __m128i same = _mm_cmpeq_epi32(_mm_srli_epi32(a, 1), _mm_srli_epi32(b, 1));
                tied = !_mm_testz_si128(same, same);
                mask = _mm_movemask_ps(_mm_castsi128_ps(_mm_slli_epi32(a, 31)));
                if (!tied) _mm_storeu_si128(reinterpret_cast<__m128i*>(keys + d), a);
            }
            if (!tied) {
                const __m128i sum = _mm_load_si128(reinterpret_cast<const __m128i*>(sums.of[mask]));
                const __m128i t = _mm_add_epi32(_mm_set1_epi32(static_cast<int>(tp)), sum);
                const __m128i rows = _mm_add_epi32(_mm_set1_epi32(static_cast<int>(rows0 + static_cast<C>(i))), ramp);
                _mm_storeu_si128(reinterpret_cast<__m128i*>(tp_out + d), t);
                _mm_storeu_si128(reinterpret_cast<__m128i*>(fp_out + d), _mm_sub_epi32(rows, t));
                tp += static_cast<C>(sums.of[mask][3]);
                d += 4;
                i += 4;
                continue;
            }
            const size_t end = i + 16 < m ? i + 16 : m;
            for (; i < end; ++i) {
                const Key key = keys[i];
                keys[d] = key;
                tp += static_cast<C>(key & 1);
                tp_out[d] = tp;
                fp_out[d] = rows0 + static_cast<C>(i) - tp;
                d += (key >> 1) != (keys[i + 1] >> 1);
            }
        }
    }
#endif
    for (; i < m; ++i) {
        const Key key = keys[i];
        keys[d] = key;
        tp += static_cast<C>(key & 1);
        tp_out[d] = tp;
        fp_out[d] = rows0 + static_cast<C>(i) - tp;
        d += (key >> 1) != (keys[i + 1] >> 1);
    }
    return d;
}

// Running counts to counts, in place.
template <class C>
void difference(C* values, size_t d, uint64_t before) {
    for (size_t k = d; k-- > 1;) values[k] -= values[k - 1];
    if (d) values[0] -= static_cast<C>(before);
}

}  // namespace thresher::THRESHER_ISA
