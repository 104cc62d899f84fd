// Sums of floats as if in twice the precision.
#pragma once

namespace thresher::THRESHER_ISA {

inline double two_sum(double& sum, double x) {
    const double total = sum + x, kept = total - sum;
    const double error = (sum - (total - kept)) + (x - kept);
    sum = total;
    return error;
}

// A sum with its rounding errors and theirs: what is left out is the cube of one rounding.
struct LongSum {
    double high = 0, middle = 0, low = 0;
    void add(double x) {
        const double error = two_sum(high, x);
        low += two_sum(middle, error);
    }
    void add(const LongSum& other) {
        add(other.high);
        add(other.middle);
        low += other.low;
    }
    double value() const { return high + (middle + low); }
};

}  // namespace thresher::THRESHER_ISA
