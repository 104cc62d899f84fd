// Philox 4x32 with ten rounds (Salmon, Moraes, Dror and Shaw 2011, doi:10.1145/2063384.2063405): random numbers as a
// function of (seed, replicate, stream, index), so that nobody has to have drawn the ones before.
//
// A stream is read in lines of 64 bytes, four counters each: first words 0 and 1 of the four, then words 2 and 3.
#pragma once
#include <cstddef>
#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace thresher::THRESHER_ISA {

struct Stream {
    uint32_t key[2];
    uint32_t replicate[2];
    uint32_t kind;  // below 2**24; the upper counter word holds the upper index bits beside it

#if defined(__AVX2__)
    void line(uint64_t index, uint64_t* out) const { lines<1>(index, out); }

    // L lines that follow each other, worked on together: one alone leaves the multiplier waiting.
    template <int L>
    void lines(uint64_t index, uint64_t* out) const {
        // One counter in each 64-bit lane; the upper halves hold rubbish, which multiplication ignores.
        const auto all = [](uint32_t x) { return _mm256_set1_epi64x(static_cast<long long>(x)); };
        const __m256i mul0 = all(0xD2511F53), mul1 = all(0xCD9E8D57), step0 = all(0x9E3779B9), step1 = all(0xBB67AE85);
        __m256i k0 = all(key[0]), k1 = all(key[1]);
        __m256i c0[L], c1[L], c2[L], c3[L];
        for (int i = 0; i < L; ++i) {
            const uint64_t first = (index + static_cast<uint64_t>(i)) * 4;
            c0[i] = _mm256_add_epi64(all(static_cast<uint32_t>(first)), _mm256_setr_epi64x(0, 1, 2, 3));
            c1[i] = all((kind << 8) | static_cast<uint32_t>(first >> 32));
            c2[i] = all(replicate[0]);
            c3[i] = all(replicate[1]);
        }
        for (int round = 0; round < 10; ++round) {
            for (int i = 0; i < L; ++i) {
                const __m256i p0 = _mm256_mul_epu32(c0[i], mul0), p1 = _mm256_mul_epu32(c2[i], mul1);
                c0[i] = _mm256_xor_si256(_mm256_srli_epi64(p1, 32), _mm256_xor_si256(c1[i], k0));
                c2[i] = _mm256_xor_si256(_mm256_srli_epi64(p0, 32), _mm256_xor_si256(c3[i], k1));
                c1[i] = p1;
                c3[i] = p0;
            }
            k0 = _mm256_add_epi32(k0, step0);
            k1 = _mm256_add_epi32(k1, step1);
        }
        for (int i = 0; i < L; ++i) {
            const __m256i a = _mm256_blend_epi32(c0[i], _mm256_slli_epi64(c1[i], 32), 0xAA);
            const __m256i b = _mm256_blend_epi32(c2[i], _mm256_slli_epi64(c3[i], 32), 0xAA);
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + 8 * i), a);
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + 8 * i + 4), b);
        }
    }
#else
    template <int L>
    void lines(uint64_t index, uint64_t* out) const {
        for (int i = 0; i < L; ++i) line(index + static_cast<uint64_t>(i), out + 8 * i);
    }

    void line(uint64_t index, uint64_t* out) const {
        const uint64_t first = index * 4;
        const uint32_t upper = (kind << 8) | static_cast<uint32_t>(first >> 32);
        constexpr uint32_t m0 = 0xD2511F53, m1 = 0xCD9E8D57, w0 = 0x9E3779B9, w1 = 0xBB67AE85;
        uint32_t k0 = key[0], k1 = key[1];
        uint32_t c0[4], c1[4], c2[4], c3[4];
        for (uint32_t i = 0; i < 4; ++i) {
            c0[i] = static_cast<uint32_t>(first) + i;
            c1[i] = upper;
            c2[i] = replicate[0];
            c3[i] = replicate[1];
        }
        for (int round = 0; round < 10; ++round) {
            for (int i = 0; i < 4; ++i) {
                const uint64_t p0 = static_cast<uint64_t>(c0[i]) * m0, p1 = static_cast<uint64_t>(c2[i]) * m1;
                c0[i] = static_cast<uint32_t>(p1 >> 32) ^ c1[i] ^ k0;
                c2[i] = static_cast<uint32_t>(p0 >> 32) ^ c3[i] ^ k1;
                c1[i] = static_cast<uint32_t>(p1);
                c3[i] = static_cast<uint32_t>(p0);
            }
            k0 += w0;
            k1 += w1;
        }
        for (int i = 0; i < 4; ++i) {
            out[i] = c0[i] | static_cast<uint64_t>(c1[i]) << 32;
            out[i + 4] = c2[i] | static_cast<uint64_t>(c3[i]) << 32;
        }
    }
#endif
};

// A stream read one 64-bit word after another.
struct Words {
    Stream stream;
    uint64_t next = 0;
    uint64_t buffer[8] = {};

    uint64_t word() {
        if (next % 8 == 0) stream.line(next / 8, buffer);
        return buffer[next++ % 8];
    }
    // A number below `bound` < 2**32, each equally likely, from the upper half of a word; the rest of it in `low`.
    uint64_t below(uint64_t bound, uint32_t& low) {
        const uint32_t least = static_cast<uint32_t>((uint64_t{1} << 32) % bound);
        for (;;) {
            const uint64_t w = word();
            const uint64_t product = (w >> 32) * bound;
            low = static_cast<uint32_t>(w);
            if (static_cast<uint32_t>(product) >= least) return product >> 32;
        }
    }
};

}  // namespace thresher::THRESHER_ISA
