// What the kernels offer, whatever the instruction set they were compiled for.
#pragma once
#include <cstddef>
#include <cstdint>

#include "int128.hpp"
#include "memory.hpp"

namespace thresher {

enum class Type : uint8_t { f16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64 };

struct Rows {
    const void* scores = nullptr;
    const uint8_t* positive = nullptr;  // 0 or 1
    size_t size = 0;
    Type type = Type::f64;
};

struct CountOptions {
    bool cumulative = true;   // tp and fp at score >= threshold; otherwise positives and negatives at each score
    bool wide = false;        // counts in 64 bits even where 32 would do
    int threads = 1;
};

struct NotNumbers {
    static constexpr int listed = 6;
    size_t count = 0;
    size_t rows[listed] = {};
};

// Distinct scores, highest first. `counts` holds `size` numbers for the positives and then `size` for the negatives
// starting at `negatives` numbers from the beginning.
struct Table {
    Block thresholds, pos, neg;
    size_t size = 0;
    bool wide = false;
    uint64_t n_pos = 0, n_neg = 0;
    U128 twice_u;  // 2 * (pairs ranked right) + pairs tied
    NotNumbers nan;
};

struct WeightedTable {
    Block thresholds, pos, neg;
    size_t size = 0;
    NotNumbers nan;
};

struct Kernels {
    const char* name;
    void (*count)(const Rows&, const CountOptions&, Table&);
    // Sorts keys of 32 or 64 bits; `scratch` holds as many. For tests.
    void (*sort32)(uint32_t* keys, uint32_t* scratch, size_t n);
    void (*sort64)(uint64_t* keys, uint64_t* scratch, size_t n);
};

const Kernels& kernels();               // the best this processor runs
bool use_kernels(const char* name);     // for tests: "avx2" or "portable"; false where it cannot run

}  // namespace thresher
