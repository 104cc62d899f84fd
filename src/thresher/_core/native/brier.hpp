// The Brier score of a table and what of it is miscalibration, given the blocks of isotonic regression.
#pragma once
#include "areas.hpp"

namespace thresher::THRESHER_ISA {

// Losses of positives and negatives, and n (S(x) - S(q)) as a sum of terms none of which is negative: within a block
// m (q - x)^2 for each score, and R 2 (x - next x), where R is by how much the hull stands above the points so far.
template <class C>
void brier_of(const double* x, const C* tp, const C* fp, const int64_t* ends, size_t blocks, double w1, double w0, BrierSums& out) {
    constexpr size_t run = 512;
    Carried pos, neg, off;
    size_t i = 0;
    C tp0 = 0, fp0 = 0;
    for (size_t j = 0; j < blocks; ++j) {
        const size_t last = static_cast<size_t>(ends[j]);
        const C tp_before = tp0, fp_before = fp0;
        const double block_pos = static_cast<double>(tp[last] - tp0), block_neg = static_cast<double>(fp[last] - fp0);
        const double size = w1 * block_pos + w0 * block_neg, share = w1 * block_pos / size, scale = 2.0 * w1 * w0 / size;
        while (i <= last) {
            const size_t end = i + run < last + 1 ? i + run : last + 1;
            double a = 0, b = 0, c = 0;
            for (; i < end; ++i) {
                const double p = static_cast<double>(tp[i] - tp0), q = static_cast<double>(fp[i] - fp0), rest = 1.0 - x[i];
                tp0 = tp[i];
                fp0 = fp[i];
                a += p * (rest * rest);
                b += q * (x[i] * x[i]);
                c += (w1 * p + w0 * q) * ((share - x[i]) * (share - x[i]));
                if (i < last) {
                    const double above =
                        static_cast<double>(fp0 - fp_before) * block_pos - static_cast<double>(tp0 - tp_before) * block_neg;
                    if (above > 0) c += above * scale * (x[i] - x[i + 1]);
                }
            }
            pos.add(a);
            neg.add(b);
            off.add(c);
        }
    }
    out = {pos.value(), neg.value(), off.value()};
}

inline void brier(const double* x, const void* tp, const void* fp, bool wide, const int64_t* ends, size_t blocks, double w1,
                  double w0, BrierSums& out) {
    if (wide) brier_of(x, static_cast<const int64_t*>(tp), static_cast<const int64_t*>(fp), ends, blocks, w1, w0, out);
    else brier_of(x, static_cast<const int32_t*>(tp), static_cast<const int32_t*>(fp), ends, blocks, w1, w0, out);
}

}  // namespace thresher::THRESHER_ISA
