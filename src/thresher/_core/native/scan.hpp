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

#if defined(__AVX2__)
// Of a mask of labels, how many there are up to each of eight lanes.
struct LabelSums {
    alignas(64) uint8_t of[256][8];
    constexpr LabelSums() : of() {
        for (int mask = 0; mask < 256; ++mask)
            for (int lane = 0, sum = 0; lane < 8; ++lane) of[mask][lane] = static_cast<uint8_t>(sum += (mask >> lane) & 1);
    }
};
inline constexpr LabelSums label_sums{};
#endif

// Leaves the distinct keys at the front of `keys` and writes the counts; returns how many there are. keys[m] is used.
template <class Key, class C>
size_t scan_keys(Key* keys, size_t m, uint64_t tp0, uint64_t fp0, C* tp_out, C* fp_out) {
    if (m == 0) return 0;
    keys[m] = static_cast<Key>(keys[m - 1] ^ 2);  // differs from the last score
    size_t d = 0, i = 0;
    C tp = static_cast<C>(tp0);
    const C rows0 = static_cast<C>(tp0 + fp0 + 1);
#if defined(__AVX2__)
    // A register at a time: the last of every score is kept by a mask, and label sums come from a table. Whole registers are
    // written, behind what is kept too: no further than the keys that were read, which is this bucket's. There is no branch
    // for registers with ties: it would be as good as random for float32 scores.
    const auto sums_of = [](unsigned ones) { return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(label_sums.of[ones & 0xFF])); };
    if constexpr (sizeof(C) == 4) {
        constexpr size_t lanes = Vec<Key>::lanes;
        for (; i + lanes <= m; i += lanes) {
            const int rows = static_cast<int>(rows0 + static_cast<C>(i)), above = static_cast<int>(tp);
            size_t kept_rows, positives;
#if defined(__AVX512F__)
            const __m512i a = _mm512_loadu_si512(keys + i), b = _mm512_loadu_si512(keys + i + 1);
            if constexpr (sizeof(Key) == 8) {
                const __m256i ramp = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
                const __mmask8 kept = _mm512_cmpgt_epu64_mask(_mm512_xor_si512(a, b), _mm512_set1_epi64(1));
                const unsigned ones = _mm512_test_epi64_mask(a, _mm512_set1_epi64(1));
                kept_rows = count_bits(kept);
                positives = count_bits(ones);
                const __m256i t = _mm256_add_epi32(_mm256_set1_epi32(above), _mm256_cvtepu8_epi32(sums_of(ones)));
                const __m256i f = _mm256_sub_epi32(_mm256_add_epi32(_mm256_set1_epi32(rows), ramp), t);
                _mm512_storeu_si512(keys + d, _mm512_maskz_compress_epi64(kept, a));
                _mm256_storeu_si256(reinterpret_cast<__m256i*>(tp_out + d), _mm256_maskz_compress_epi32(kept, t));
                _mm256_storeu_si256(reinterpret_cast<__m256i*>(fp_out + d), _mm256_maskz_compress_epi32(kept, f));
            } else {
                const __m512i ramp = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
                const __mmask16 kept = _mm512_cmpgt_epu32_mask(_mm512_xor_si512(a, b), _mm512_set1_epi32(1));
                const unsigned ones = _mm512_test_epi32_mask(a, _mm512_set1_epi32(1));
                kept_rows = count_bits(kept);
                positives = count_bits(ones);
                const __m128i lower = _mm_set1_epi8(static_cast<char>(label_sums.of[ones & 0xFF][7]));
                const __m128i sum = _mm_unpacklo_epi64(sums_of(ones), _mm_add_epi8(sums_of(ones >> 8), lower));
                const __m512i t = _mm512_add_epi32(_mm512_set1_epi32(above), _mm512_cvtepu8_epi32(sum));
                const __m512i f = _mm512_sub_epi32(_mm512_add_epi32(_mm512_set1_epi32(rows), ramp), t);
                _mm512_storeu_si512(keys + d, _mm512_maskz_compress_epi32(kept, a));
                _mm512_storeu_si512(tp_out + d, _mm512_maskz_compress_epi32(kept, t));
                _mm512_storeu_si512(fp_out + d, _mm512_maskz_compress_epi32(kept, f));
            }
#else
            const __m256i ramp = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
            const __m256i a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(keys + i));
            const __m256i b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(keys + i + 1));
            unsigned last, ones;
            if constexpr (sizeof(Key) == 8) {
                const __m256i same = _mm256_cmpeq_epi64(_mm256_srli_epi64(a, 1), _mm256_srli_epi64(b, 1));
                last = static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(same))) ^ 0xF;
                ones = static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_slli_epi64(a, 63))));
            } else {
                const __m256i same = _mm256_cmpeq_epi32(_mm256_srli_epi32(a, 1), _mm256_srli_epi32(b, 1));
                last = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(same))) ^ 0xFF;
                ones = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_slli_epi32(a, 31))));
            }
            kept_rows = count_bits(last);
            positives = count_bits(ones);
            const __m256i lanes_of = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(permutations.narrow[last])));
            const __m256i t = _mm256_add_epi32(_mm256_set1_epi32(above), _mm256_cvtepu8_epi32(sums_of(ones)));
            const __m256i f = _mm256_sub_epi32(_mm256_add_epi32(_mm256_set1_epi32(rows), ramp), t);
            const __m256i kept_t = _mm256_permutevar8x32_epi32(t, lanes_of), kept_f = _mm256_permutevar8x32_epi32(f, lanes_of);
            if constexpr (sizeof(Key) == 8) {
                Vec<Key>::store(keys + d, Vec<Key>::gather(_mm256_castsi256_pd(a), last));
                _mm_storeu_si128(reinterpret_cast<__m128i*>(tp_out + d), _mm256_castsi256_si128(kept_t));
                _mm_storeu_si128(reinterpret_cast<__m128i*>(fp_out + d), _mm256_castsi256_si128(kept_f));
            } else {
                _mm256_storeu_si256(reinterpret_cast<__m256i*>(keys + d), _mm256_permutevar8x32_epi32(a, lanes_of));
                _mm256_storeu_si256(reinterpret_cast<__m256i*>(tp_out + d), kept_t);
                _mm256_storeu_si256(reinterpret_cast<__m256i*>(fp_out + d), kept_f);
            }
#endif
            tp += static_cast<C>(positives);
            d += kept_rows;
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
