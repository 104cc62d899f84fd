// Exact sums of many problems to areas, DeLong's errors and errors of the rank test: the operations of the NumPy code, on all
// threads. Quotients that doubles do not hold exactly are left to others.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels.hpp"
#include "threads.hpp"

namespace thresher {

constexpr size_t problems_at_once = 4096;

template <class F>
void for_problems(size_t problems, int threads, F body) {
    parallel_for((problems + problems_at_once - 1) / problems_at_once, threads, [=](size_t part) {
        const size_t end = problems - part * problems_at_once < problems_at_once ? problems : (part + 1) * problems_at_once;
        for (size_t g = part * problems_at_once; g < end; ++g) body(g);
    });
}

// NaN where a class is missing, errors also where it has one row. `large` says which are left to others.
inline void areas_of_sums(const ManyRow* sums, size_t problems, int threads, double* auc, double* error, uint8_t* large) {
    constexpr double exact = 4503599627370496.0;  // below 2**52 numerators and denominators are exact, and a quotient is rounded once
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    for_problems(problems, threads, [=](size_t g) {
        const ManyRow row = sums[g];
        const double m = static_cast<double>(row.n_pos), n = static_cast<double>(row.n_neg);
        const double pairs = 2.0 * m * n, whole = pairs * pairs * (m - 1.0) * (n - 1.0);
        large[g] = pairs >= exact || whole >= exact;
        auc[g] = error[g] = none;
        if (pairs > 0 && pairs < exact) auc[g] = static_cast<double>(row.twice_u.low) / pairs;
        if (whole > 0 && whole < exact) {
            const uint64_t square = row.twice_u.low * row.twice_u.low;
            const uint64_t apart = (row.n_pos * row.positives.low - square) * (row.n_neg - 1) + (row.n_neg * row.negatives.low - square) * (row.n_pos - 1);
            error[g] = std::sqrt(static_cast<double>(static_cast<int64_t>(apart)) / whole);
        }
    });
}

// The standard deviation of the area over all orders of the labels; NaN where a class is missing.
inline void null_errors(const ManyRow* sums, size_t problems, int threads, double* error) {
    for_problems(problems, threads, [=](size_t g) {
        const ManyRow row = sums[g];
        error[g] = std::numeric_limits<double>::quiet_NaN();
        if (!row.n_pos || !row.n_neg) return;
        const double m = static_cast<double>(row.n_pos), n = static_cast<double>(row.n_neg), rows = static_cast<double>(row.n_pos + row.n_neg);
        const double ties = static_cast<double>(row.ties.high) * 18446744073709551616.0 + static_cast<double>(row.ties.low);
        const double cube = rows < 200000.0 ? rows * rows * rows : std::pow(rows, 3.0);  // the same, and exact, below 2**53
        // All rows tied leave nothing, whatever rounding says; one row apart takes 3 / rows of their ties away.
        const bool tied = ties >= (cube - rows) * (1.0 - 1e-14);
        const double spread = tied ? 0.0 : rows + 1.0 - ties / (rows * (rows - 1.0));
        error[g] = std::sqrt((spread > 0.0 ? spread : 0.0) / (12.0 * m * n));
    });
}

}  // namespace thresher
