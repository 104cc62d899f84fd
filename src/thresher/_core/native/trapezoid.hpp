// The area under points joined by straight lines, and whether their abscissas ever fall or ever fail to.
#pragma once
#include "areas.hpp"
#include "threads.hpp"

namespace thresher::THRESHER_ISA {

// Sums of eight interleaved columns, so that the vector units have work; the same on every processor.
constexpr size_t lanes = 8, trapezoid_run = 1024, trapezoid_block = size_t{1} << 16;

inline void trapezoid(const double* x, const double* y, size_t n, int threads, Trapezoids& out) {
    const size_t steps = n ? n - 1 : 0, blocks = (steps + trapezoid_block - 1) / trapezoid_block;
    struct Part {
        Carried sum;
        bool falls, not_falling;
    };
    Block room(blocks * sizeof(Part));
    Part* const parts = room.as<Part>();
    parallel_for(blocks, threads, [=](size_t b) {
        Part part{Carried{}, false, false};
        const size_t last = (b + 1) * trapezoid_block < steps ? (b + 1) * trapezoid_block : steps;
        for (size_t begin = b * trapezoid_block; begin < last; begin += trapezoid_run) {
            const size_t end = begin + trapezoid_run < last ? begin + trapezoid_run : last;
            double sum[lanes] = {};
            int64_t below[lanes] = {}, above[lanes] = {};
            size_t i = begin;
            for (; i + lanes <= end; i += lanes)
                for (size_t j = 0; j < lanes; ++j) {
                    const double step = x[i + j + 1] - x[i + j];
                    sum[j] += step * (y[i + j + 1] + y[i + j]);
                    below[j] |= step < 0;
                    above[j] |= !(step <= 0);
                }
            for (size_t j = 0; i < end; ++i, ++j) {
                const double step = x[i + 1] - x[i];
                sum[j] += step * (y[i + 1] + y[i]);
                below[j] |= step < 0;
                above[j] |= !(step <= 0);
            }
            double whole = 0;
            for (size_t j = 0; j < lanes; ++j) {
                whole += sum[j];
                part.falls |= below[j] != 0;
                part.not_falling |= above[j] != 0;
            }
            part.sum.add(whole);
        }
        parts[b] = part;
    });
    Carried total;
    for (size_t b = 0; b < blocks; ++b) {
        total.add(parts[b].sum.sum);
        total.error += parts[b].sum.error;
        out.falls |= parts[b].falls;
        out.not_falling |= parts[b].not_falling;
    }
    // Infinities leave no error to carry.
    out.twice_area = std::isfinite(total.sum) ? total.value() : total.sum;
}

}  // namespace thresher::THRESHER_ISA
