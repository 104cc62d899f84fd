// Sorted keys to the exact sums from which an area, DeLong's error and the rank test follow.
#pragma once
#include "codec.hpp"
#include "network.hpp"
#include "quicksort.hpp"

namespace thresher::THRESHER_ISA {

// Sums over the distinct scores of one problem, highest first, in 64 bits while they fit.
class RankSums {
public:
    RankSums(size_t rows, uint64_t n_neg) : n_neg_(n_neg), wide_(rows > (size_t{1} << 20)) {}

    // So many positives and negatives share the next score.
    void block(uint64_t p, uint64_t q) {
        const uint64_t of_pos = 2 * (n_neg_ - fp_) - q, of_neg = 2 * tp_ + p, tied = p + q;
        tp_ += p;
        fp_ += q;
        if (!wide_) {
            positives_ += p * of_pos * of_pos;
            negatives_ += q * of_neg * of_neg;
            twice_u_ += q * of_neg;
            ties_ += tied * tied * tied - tied;
            return;
        }
        add_square(all_.positives, p, of_pos);
        add_square(all_.negatives, q, of_neg);
        all_.twice_u.add(multiply(q, of_neg));
        if (tied > 1) all_.ties.add(multiply(multiply(tied - 1, tied + 1), tied));
    }

    // The labels of so many rows, at most 64, none of which shares its score; bit 0 is the highest.
    void singles(uint64_t labels, unsigned rows) {
        if (wide_) {
            for (; rows--; labels >>= 1) block(labels & 1, !(labels & 1));
            return;
        }
        uint64_t above = tp_, below = n_neg_ - fp_, of_pos = 0, of_neg = 0, pairs = 0;
        unsigned at = 0;
        for (; labels; labels &= labels - 1, ++above) {  // the negatives before each positive, then the positive
            const unsigned next = zeros_below(labels);
            const uint64_t q = next - at;
            pairs += q * above;
            of_neg += q * above * above;
            below -= q;
            of_pos += below * below;
            at = next + 1;
        }
        const uint64_t q = rows - at;
        twice_u_ += 2 * (pairs + q * above);
        negatives_ += 4 * (of_neg + q * above * above);
        positives_ += 4 * of_pos;
        fp_ += rows - (above - tp_);
        tp_ = above;
    }

    ManyRow row() const {
        ManyRow out = all_;
        out.n_pos = tp_;
        out.n_neg = fp_;
        out.twice_u.add(twice_u_);
        out.positives.add(positives_);
        out.negatives.add(negatives_);
        out.ties.add(ties_);
        return out;
    }

    static unsigned zeros_below(uint64_t bits) {  // the lowest bit that is set; bits is not 0
#if defined(_MSC_VER)
        unsigned long at;
        _BitScanForward64(&at, bits);
        return static_cast<unsigned>(at);
#else
        return static_cast<unsigned>(__builtin_ctzll(bits));
#endif
    }

private:
    static void add_square(U128& total, uint64_t times, uint64_t value) {
        if (times) total.add(multiply(multiply(value, value), times));
    }

    uint64_t n_neg_, tp_ = 0, fp_ = 0, positives_ = 0, negatives_ = 0, twice_u_ = 0, ties_ = 0;
    bool wide_;
    ManyRow all_;
};

// Of 64 keys: which are of positives, and which share their score with the next. keys[64] is read.
template <class Key>
void look_at(const Key* keys, uint64_t& labels, uint64_t& tied) {
    labels = tied = 0;
#if defined(__AVX2__)
    if constexpr (sizeof(Key) == 8) {
        for (int i = 0; i < 64; i += 4) {
            const __m256i a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(keys + i));
            const __m256i b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(keys + i + 1));
            const __m256i same = _mm256_cmpeq_epi64(_mm256_srli_epi64(_mm256_xor_si256(a, b), 1), _mm256_setzero_si256());
            labels |= static_cast<uint64_t>(_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_slli_epi64(a, 63)))) << i;
            tied |= static_cast<uint64_t>(_mm256_movemask_pd(_mm256_castsi256_pd(same))) << i;
        }
    } else {
        for (int i = 0; i < 64; i += 8) {
            const __m256i a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(keys + i));
            const __m256i b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(keys + i + 1));
            const __m256i same = _mm256_cmpeq_epi32(_mm256_srli_epi32(_mm256_xor_si256(a, b), 1), _mm256_setzero_si256());
            labels |= static_cast<uint64_t>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_slli_epi32(a, 31)))) << i;
            tied |= static_cast<uint64_t>(_mm256_movemask_ps(_mm256_castsi256_ps(same))) << i;
        }
    }
#else
    for (int i = 0; i < 64; ++i) {
        labels |= static_cast<uint64_t>(keys[i] & 1) << i;
        tied |= static_cast<uint64_t>((keys[i] ^ keys[i + 1]) <= 1) << i;
    }
#endif
}

inline uint64_t lowest_bits(size_t count) { return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1; }

inline uint64_t bits_in(uint64_t x) {
#if defined(_MSC_VER)
    x -= (x >> 1) & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    return (((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u) >> 56;
#else
    return static_cast<uint64_t>(__builtin_popcountll(x));
#endif
}

// From the highest score to the lowest. 64 keys behind the last are read, whatever they are.
template <class Key>
void add_sorted(const Key* keys, size_t n, RankSums& sums) {
    for (size_t i = 0; i < n;) {
        uint64_t labels, tied;
        look_at(keys + i, labels, tied);
        const size_t count = n - i < 64 ? n - i : 64;
        labels &= lowest_bits(count);
        tied &= lowest_bits(n - 1 - i);
        size_t at = 0;
        while (at < count) {
            const uint64_t left = tied >> at;
            const size_t alone = left ? RankSums::zeros_below(left) : count - at;
            if (alone) sums.singles((labels >> at) & lowest_bits(alone), static_cast<unsigned>(alone));
            at += alone;
            if (!left) break;
            const uint64_t rest = ~(tied >> at);  // the row that ties with nobody behind it ends the run
            const size_t run = 1 + (rest ? RankSums::zeros_below(rest) : 64);
            if (at + run > count) {  // the run goes on behind these keys
                const Key score = keys[i + at] >> 1;
                size_t j = i + at;
                uint64_t p = 0;
                do p += keys[j++] & 1;
                while (j < n && (keys[j] >> 1) == score);
                sums.block(p, j - i - at - p);
                at = j - i;
                break;
            }
            const uint64_t p = bits_in((labels >> at) & lowest_bits(run));
            sums.block(p, run - p);
            at += run;
        }
        i += at;
    }
}

}  // namespace thresher::THRESHER_ISA
