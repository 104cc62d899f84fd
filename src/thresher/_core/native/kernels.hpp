// What the kernels offer, whatever the instruction set they were compiled for.
#pragma once
#include <cstddef>
#include <cstdint>

#include "int128.hpp"
#include "memory.hpp"
#include "stream.hpp"

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

// Distinct scores, highest first, with counts of 32 or (wide) 64 bits.
struct Table {
    Block thresholds, pos, neg;
    size_t size = 0;
    bool wide = false;
    uint64_t n_pos = 0, n_neg = 0;
    U128 twice_u;  // 2 * (pairs ranked right) + pairs tied
    NotNumbers nan;
};

// A table that somebody else owns; the counts are int64 or double.
struct PlainTable {
    const void* thresholds;
    const void* pos;
    const void* neg;
    size_t size;
};

// A table of counts to resample, and what to compute from every replicate. Null outputs are left out.
struct Resampling {
    const int64_t* pos = nullptr;   // at each distinct score, highest first
    const int64_t* neg = nullptr;
    size_t groups = 0;
    uint64_t seed = 0, first = 0;   // replicates first .. first + replicates - 1
    size_t replicates = 0;
    double neg_scale = 1.0;         // false positives are multiplied by it wherever precision is asked for
    int threads = 1;

    double* roc_auc = nullptr;              // (replicates,)
    double* average_precision = nullptr;    // (replicates,)
    double* interpolated = nullptr;         // (replicates,)
    const double* spans = nullptr;          // (spans, 2) false positives from, to
    double* partial = nullptr;              // (replicates, n_spans) areas in units of tp * fp
    size_t n_spans = 0;
    const int64_t* points = nullptr;        // groups whose tp and fp are wanted
    int64_t* point_counts = nullptr;        // (replicates, n_points, 2)
    size_t n_points = 0;
    const double* fp_grid = nullptr;        // false positives
    double* tp_at = nullptr;                // (replicates, n_fp)
    size_t n_fp = 0;
    const double* tp_grid = nullptr;        // true positives, above 0
    double* precision_at = nullptr;         // (replicates, n_tp)
    size_t n_tp = 0;
};

struct PrSums {
    double average_precision = 0, interpolated = 0;  // in units of true positives
};

struct DelongSums {
    U128 positives, negatives, twice_u;
};

// What is measured of each of many small problems.
struct BatchRow {
    double nan = 0, n_pos = 0, n_neg = 0, twice_u = 0, average_precision = 0, interpolated = 0;
};

struct Kernels {
    const char* name;
    void (*count)(const Rows&, const CountOptions&, Table&);
    void (*bootstrap)(const Resampling&);
    // How often each row is drawn in one replicate, summed by group. For tests.
    void (*resample)(const Resampling&, int64_t* pos, int64_t* neg);
    size_t (*hull)(const void* x, const void* y, bool wide, size_t n, int64_t* out);
    size_t (*merge)(const PlainTable&, const PlainTable&, Type, bool whole, void* thresholds, void* pos, void* neg);
    void (*pr_sums)(const void* tp, const void* fp, bool wide, size_t n, double scale, PrSums&);
    void (*delong_sums)(const void* tp, const void* fp, bool wide, size_t n, DelongSums&);
    void (*order)(const Rows&, int64_t* out, NotNumbers&);
    void (*place)(const Rows&, int64_t* out, NotNumbers&);
    void (*batch)(const Rows&, const int64_t* ends, size_t problems, int threads, BatchRow* out);
    size_t (*points)(const void* tp, const void* fp, bool wide, const void* thresholds, bool single, size_t n, bool corners,
                     double* fpr, double* tpr, double* at);
    // Streams: an empty partition (none for types of 16 bits or less), and a bucket of its keys, which is overwritten and
    // has room for 128 more, counted.
    Partition* (*partition)(Type, size_t chunk_bytes, size_t most_chunks);
    void (*tally)(Type, void* keys, size_t n, bool negative, const Frequent*, size_t n_frequent, const TallyOptions&, Tally&);
    // Sorts keys of 32 or 64 bits; `scratch` holds as many. For tests.
    void (*sort32)(uint32_t* keys, uint32_t* scratch, size_t n);
    void (*sort64)(uint64_t* keys, uint64_t* scratch, size_t n);
};

const Kernels& kernels();               // the best this processor runs
bool use_kernels(const char* name);     // for tests: "avx2" or "portable"; false where it cannot run

}  // namespace thresher
