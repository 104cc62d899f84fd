// One bootstrap replicate: how often every row is drawn, from each class separately or from both together, as an exact
// multinomial.
//
// Independent Poisson(1) counts, given their sum, are multinomial. So every row gets one from 16 random bits, and then
// as many single draws are added or taken away as the class (or the whole) is off its size. Probabilities that are no multiple of
// 2**-16 leave a remainder, 5 values in 65,536, which is drawn from the mixture of what is missing, to 64 bits.
#pragma once
#include <cstring>

#include "kernels.hpp"
#include "philox.hpp"

namespace thresher::THRESHER_ISA {

constexpr int poisson_levels = 8;
constexpr int32_t poisson_steps[poisson_levels] = {24109, 48218, 60272, 64290, 65294, 65494, 65527, 65531};
constexpr int remainder_levels = 23;
constexpr uint64_t remainder_steps[remainder_levels] = {
    0x11c4f0bf5fd2255f, 0x2389e17ebfa44abf, 0x4605f3780926f708, 0x5184a42076fd3076, 0x6dfde9e42c0c586b, 0x9ca58734460522f9,
    0xb57d327d5b6a55cc, 0xdd9c01d0f0c1ef58, 0xfc397554fd067c23, 0xffa049473746fd8f, 0xfff75e7909e70a80, 0xffff49207a2422f3,
    0xfffff203c37e8fa7, 0xffffff018e0f5cf0, 0xffffffef1c876b9a, 0xfffffffef2d3b0d8, 0xfffffffff038752c, 0xffffffffff20447d,
    0xfffffffffff441c8, 0xffffffffffff6a0f, 0xfffffffffffff8e0, 0xffffffffffffffad, 0xfffffffffffffffc};

// That of the negatives serves all rows where classes are not kept apart. Each new attempt at a replicate takes the next four.
enum StreamKind : uint32_t { counts_stream = 0, remainder_stream = 1, negatives_stream = 2, positives_stream = 3, stream_kinds = 4 };

// The rows of a table in order of score, highest first, negatives before positives within a score.
struct Items {
    size_t size = 0;
    const uint8_t* positive = nullptr;        // 0xFF for positives; padded to a multiple of 32 with 0
    const uint32_t* places[2] = {};           // where the rows of each class stand
    uint64_t totals[2] = {};                  // how many there are
};

// Writes how often each row is drawn; `counts` is padded like `positive` and zero there.
inline void draw_counts(const Items& items, bool stratified, uint64_t seed, uint64_t replicate, uint32_t attempt, uint8_t* counts) {
    const size_t n = items.size, padded = (n + 31) / 32 * 32;
    Stream stream{{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)},
                  {static_cast<uint32_t>(replicate), static_cast<uint32_t>(replicate >> 32)},
                  stream_kinds * attempt + counts_stream};
    Stream rest = stream;
    rest.kind += remainder_stream;
    uint32_t most = poisson_levels;
    uint64_t sums[2] = {0, 0}, all = 0;
    constexpr size_t together = 2;
    alignas(32) uint64_t lines[8 * together];
    uint64_t word[8];
#if defined(__AVX2__)
    __m256i sum_pos = _mm256_setzero_si256(), sum_all = _mm256_setzero_si256();
#endif
    for (size_t i = 0; i < padded; i += 32) {
        if (i % (32 * together) == 0) stream.lines<together>(i / 32, lines);
        const uint64_t* const line = lines + i / 32 % together * 8;
        bool remainder = false;
#if defined(__AVX2__)
        __m256i c[2];
        for (int h = 0; h < 2; ++h) {
            const __m256i v = _mm256_load_si256(reinterpret_cast<const __m256i*>(line + 4 * h));
            __m256i c16 = _mm256_setzero_si256();
            for (int k = 0; k < poisson_levels; ++k)
                c16 = _mm256_sub_epi16(c16, _mm256_cmpgt_epi16(v, _mm256_set1_epi16(static_cast<int16_t>(poisson_steps[k] - 32769))));
            c[h] = c16;
        }
        const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packus_epi16(c[0], c[1]), 0xD8);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(counts + i), bytes);
        remainder = _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(poisson_levels))) != 0;
#else
        const int16_t* v = reinterpret_cast<const int16_t*>(line);
        for (int j = 0; j < 32; ++j) {
            int16_t value;
            std::memcpy(&value, v + j, sizeof value);
            int c = 0;
            for (int k = 0; k < poisson_levels; ++k) c += value > poisson_steps[k] - 32769;
            counts[i + j] = static_cast<uint8_t>(c);
            remainder |= c == poisson_levels;
        }
#endif
        if (remainder)
            for (size_t j = i; j < i + 32; ++j)
                if (counts[j] == poisson_levels) {
                    rest.line(j, word);
                    uint32_t c = 0;
                    while (c < remainder_levels && word[0] >= remainder_steps[c]) ++c;
                    counts[j] = static_cast<uint8_t>(c);
                    // What stands in the padding is no draw and must not change how the real ones are trimmed.
                    if (j < n && c > most) most = c;
                }
        if (i + 32 > n)
            for (size_t j = n; j < padded; ++j) counts[j] = 0;
#if defined(__AVX2__)
        const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(counts + i));
        const __m256i m = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(items.positive + i));
        sum_all = _mm256_add_epi64(sum_all, _mm256_sad_epu8(v, _mm256_setzero_si256()));
        sum_pos = _mm256_add_epi64(sum_pos, _mm256_sad_epu8(_mm256_and_si256(v, m), _mm256_setzero_si256()));
#else
        for (size_t j = i; j < i + 32; ++j) {
            all += counts[j];
            sums[1] += counts[j] & items.positive[j];
        }
#endif
    }
#if defined(__AVX2__)
    alignas(32) uint64_t lanes[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), sum_all);
    all = lanes[0] + lanes[1] + lanes[2] + lanes[3];
    _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), sum_pos);
    sums[1] = lanes[0] + lanes[1] + lanes[2] + lanes[3];
#endif
    sums[0] = all - sums[1];
    uint32_t mask = 8;  // a power of two, at least the largest count
    while (mask < most) mask *= 2;
    const auto to_size = [&](uint32_t kind, const uint32_t* places, uint64_t sum, uint64_t size) {
        if (size == 0) return;
        Words words{stream};
        words.stream.kind += kind;
        uint32_t low;
        while (sum < size) {
            const uint64_t i = words.below(size, low);
            // A byte cannot run over: 255 draws of one row in one replicate do not happen in the age of the universe.
            ++counts[places ? places[i] : i];
            ++sum;
        }
        while (sum > size) {  // a row drawn c times is c times as likely to lose one
            const uint64_t i = words.below(size, low);
            uint8_t& count = counts[places ? places[i] : i];
            if ((low & (mask - 1)) < count) {
                --count;
                --sum;
            }
        }
    };
    if (!stratified) return to_size(negatives_stream, nullptr, all, n);
    to_size(negatives_stream, items.places[0], sums[0], items.totals[0]);
    to_size(positives_stream, items.places[1], sums[1], items.totals[1]);
}

}  // namespace thresher::THRESHER_ISA
