// Unsigned 128-bit integers: only what sums of products and comparisons of products need. Functions here are static,
// because each instruction set compiles its own.
#pragma once
#include <cstdint>

namespace thresher {

struct U128 {
    uint64_t high = 0, low = 0;

    void add(uint64_t value) {
        low += value;
        high += low < value;
    }
    void add(const U128& other) {
        add(other.low);
        high += other.high;
    }
};

// The full product, from four halves: portable, and compilers without a 128-bit type are slow only here.
static inline U128 multiply(uint64_t a, uint64_t b) {
#if defined(__SIZEOF_INT128__)
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return {static_cast<uint64_t>(product >> 64), static_cast<uint64_t>(product)};
#else
    const uint64_t mask = 0xFFFFFFFFu;
    const uint64_t low = (a & mask) * (b & mask);
    const uint64_t left = (a >> 32) * (b & mask) + (low >> 32);
    const uint64_t right = (a & mask) * (b >> 32) + (left & mask);
    return {(a >> 32) * (b >> 32) + (left >> 32) + (right >> 32), (right << 32) | (low & mask)};
#endif
}

// The product, where it fits.
static inline U128 multiply(const U128& a, uint64_t b) {
    U128 product = multiply(a.low, b);
    product.high += a.high * b;
    return product;
}

// a - b, where b is not larger.
static inline U128 subtract(const U128& a, const U128& b) {
    return {a.high - b.high - (a.low < b.low), a.low - b.low};
}

static inline bool less(const U128& a, const U128& b) { return a.high != b.high ? a.high < b.high : a.low < b.low; }

}  // namespace thresher
