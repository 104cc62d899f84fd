// What the kernels offer, whatever the instruction set they were compiled for.
#pragma once
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "int128.hpp"
#include "memory.hpp"
#include "stream.hpp"

namespace thresher {

enum class Type : uint8_t { f16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64 };

struct Rows {
    const void* scores = nullptr;
    const uint8_t* positive = nullptr;  // 0, or not 0
    size_t size = 0;
    Type type = Type::f64;
};

// Rows belong to somebody else, who may write to them while they are read, from another thread or process. Kernels read
// what they index by once, keep it to themselves, and throw this where two readings do not fit together.
class Changed : public std::runtime_error {
public:
    Changed();  // not inline: no instruction set may compile it for the others
    ~Changed() override;
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
    bool stratified = true;         // classes keep their sizes; otherwise rows are drawn from both together
    double odds = 0;                // negatives for each positive where precision is asked for; 0 for those there are
    bool positives_first = false;   // whether positives win ties in the interpolated area
    bool along_tp = false;          // spans are of true positive rates
    int threads = 1;

    double* roc_auc = nullptr;              // (replicates,)
    double* average_precision = nullptr;    // (replicates,)
    double* interpolated = nullptr;         // (replicates,)
    double* delong = nullptr;               // (replicates,) DeLong's variance; NaN where a class has one row
    const double* spans = nullptr;          // (n_spans, 2) rates from, to
    double* partial = nullptr;              // (replicates, n_spans)
    size_t n_spans = 0;
    const int64_t* points = nullptr;        // groups whose tp and fp are wanted
    int64_t* point_counts = nullptr;        // (replicates, n_points, 2)
    size_t n_points = 0;
    const double* fprs = nullptr;
    double* tpr_at = nullptr;               // (replicates, n_fprs)
    size_t n_fprs = 0;
    const double* recalls = nullptr;        // above 0
    double* precision_at = nullptr;         // (replicates, n_recalls)
    size_t n_recalls = 0;
};

// Tables of the same rows that are resampled together. Row i of table m, as a table lays its rows out (by score, highest
// first, negatives before positives), belongs to unit unit_of[m][i].
struct PairedResampling {
    const uint8_t* stratum = nullptr;   // of each unit: 0 or not 0; as many are drawn from a stratum as it has
    size_t units = 0;
    bool exchange = false;              // each unit is dealt place 2u or 2u + 1 instead, and rows belong to places
    uint64_t seed = 0, first = 0;
    size_t replicates = 0, models = 0;
    int threads = 1;
    const Resampling* tables = nullptr;         // what to compute from each table; their seeds are not read
    const uint32_t* const* unit_of = nullptr;
    const double* const* weight_of = nullptr;   // of each row; null for rows that weigh 1
    double* const* pos_out = nullptr;           // (replicates, groups)
    double* const* neg_out = nullptr;
};

struct PrSums {
    double average_precision = 0, interpolated = 0;  // in units of true positives
};

// How an area under the PR curve is computed; `ties_lost` lets every negative come before the positives it ties with.
enum class PrKind : uint8_t { interpolated, average_precision, unit_steps, trapezoid, functional, ties_lost };

// Derivatives of an area by one more case of a class: their mean and the sum of squares around it, over the cases.
struct PrSpread {
    double positive_mean = 0, positive_squares = 0, negative_mean = 0, negative_squares = 0;
};

struct Ties {
    uint64_t positives = 0, scores = 0;  // those that share a score with the other class, and such scores
    U128 pairs;
};

struct Trapezoids {
    double twice_area = 0;
    bool falls = false, not_falling = false;  // whether some step is below 0, and whether some is not at most 0
};

// Losses of the classes, and n times the miscalibration.
struct BrierSums {
    double positives = 0, negatives = 0, miscalibration = 0;
};

struct DelongSums {
    U128 positives, negatives, twice_u;
};

// What is measured of each of many small problems.
struct BatchRow {
    double nan = 0, n_pos = 0, n_neg = 0, twice_u = 0, average_precision = 0, interpolated = 0;
};

// Exact sums of each of many problems: a plain row of eleven 64-bit numbers, wide ones with their upper half first.
struct ManyRow {
    uint64_t nan = 0, n_pos = 0, n_neg = 0;
    U128 twice_u, positives, negatives;  // as in DelongSums
    U128 ties;                           // t**3 - t over the scores, t the rows that share one
};

// Problems with their names, words of 64 bits that hold integers of whichever kind the groups are.
struct KeyedTable {
    Block names, rows;  // uint64_t and ManyRow
    size_t size = 0;
    bool sorted = false;  // by the groups, ascending; otherwise in any order
};

// An area under the PR curve in units of true positives, and its spread: a plain row of five numbers.
struct ManyPr {
    double area = 0;
    PrSpread spread;
};

// Keys that the buffers of a sort have room for behind theirs: registers are written, and networks padded, as a whole.
constexpr size_t sort_slack = 128;
constexpr size_t sort_scratch(size_t n) { return 2 * (n + sort_slack); }

// Rows with a score for each of several classes, and the class of each row or a matrix of labels. Rows of a matrix are
// `row_step` numbers apart, its columns `column_step`; class `first + k` of the matrix is the k-th.
struct ClassMatrix {
    const void* scores = nullptr;
    Type type = Type::f64;
    size_t rows = 0, row_step = 1, column_step = 1, first = 0;
    const int32_t* code = nullptr;
    const uint8_t* truth = nullptr;  // in place of `code`
    size_t truth_row = 1, truth_column = 1;
};

// Of one class against the rest: its rows, the others, and twice U.
struct ClassRow {
    int64_t n_pos = 0, n_neg = 0, twice_u = 0;
};

// A row with a weight: how deep its score lies below some other, and the weight with the sign of its class, above 0 for
// positives, below for negatives.
struct WeightedRow {
    uint64_t depth;
    double weight;
};

// Sums of weights at each depth, the least first: of positives and negatives, and of their squares.
struct WeightedColumns {
    uint64_t* depth;
    double *pos, *neg, *pos_squares, *neg_squares;
};

// Those of whole arrays by distinct score, highest first; nothing where some scores are NaN.
struct WeightedTable {
    Block thresholds, sums[4];
    size_t size = 0;
    bool nan = false;
};

struct Kernels {
    const char* name;
    void (*count)(const Rows&, const CountOptions&, Table&);
    void (*bootstrap)(const Resampling&);
    // How often the rows of each group are drawn, replicate by replicate. A try that leaves no usable sample is followed
    // by one with the next number.
    void (*resample)(const Resampling&, uint32_t attempt, double* pos, double* neg);
    void (*paired)(const PairedResampling&);
    void (*paired_tables)(const PairedResampling&);
    size_t (*hull)(const void* x, const void* y, bool wide, size_t n, int threads, int64_t* out);
    size_t (*merge)(const PlainTable&, const PlainTable&, Type, bool whole, void* thresholds, void* pos, void* neg);
    void (*delong_sums)(const void* tp, const void* fp, bool wide, size_t n, DelongSums&);
    void (*order)(const Rows&, int64_t* out, NotNumbers&);
    void (*place)(const Rows&, int64_t* out, NotNumbers&);
    void (*batch)(const Rows&, const int64_t* ends, size_t problems, int threads, BatchRow* out);
    void (*many_groups)(const Rows&, const int64_t* ends, size_t problems, int threads, ManyRow* out);
    // Groups in any order, of 32 or 64 bits. False where scores are NaN or span too much; then nothing was done.
    bool (*many_keyed)(const Rows&, const void* groups, Type, int threads, KeyedTable& out);
    // Matrices: rows are `row_step` numbers apart, columns `column_step`. The type of `labels` is that of the scores.
    void (*many_columns)(const Rows& labels, const void* matrix, size_t columns, size_t row_step, size_t column_step, int threads,
                         ManyRow* out);
    void (*many_labels)(const Rows&, const uint8_t* matrix, size_t columns, size_t row_step, size_t column_step, int threads,
                        ManyRow* out, NotNumbers&);
    void (*many_sparse)(const Rows& labels, const void* data, const void* indices, bool wide_indices, const int64_t* ends,
                        size_t columns, int threads, ManyRow* out);
    // Tables of counts one after another, rows ends[g - 1] to ends[g] those of problem g.
    void (*many_tables)(const int64_t* pos, const int64_t* neg, const int64_t* ends, size_t problems, int threads, ManyRow* out);
    // What every row adds to the area of each class: `classes` columns of values, one after the other.
    void (*class_values)(const ClassMatrix&, size_t classes, int threads, double* out, ClassRow* found);
    void (*many_pr)(const int64_t* pos, const int64_t* neg, const int64_t* ends, size_t problems, PrKind, const double* scale, int threads,
                    ManyPr* out);
    size_t (*points)(const void* tp, const void* fp, bool wide, const void* thresholds, bool single, size_t n, bool corners, int threads,
                     double* fpr, double* tpr, double* at);
    // part / by at each point, or part / (part + by * rest) unless `rest` is null.
    void (*rates)(const void* part, const void* rest, bool wide, size_t n, double by, int threads, double* out);
    double (*pr_area)(const void* tp, const void* fp, bool wide, size_t n, PrKind, double scale, int threads);
    void (*pr_spread)(const void* tp, const void* fp, bool wide, size_t n, PrKind, double scale, int threads, PrSpread&);
    void (*ties)(const void* tp, const void* fp, bool wide, size_t n, Ties&);
    void (*trapezoid)(const double* x, const double* y, size_t n, int threads, Trapezoids&);
    // `ends` are the last rows of the blocks of isotonic regression; the last one is n - 1.
    void (*brier)(const void* x, bool single, const void* tp, const void* fp, bool wide, size_t n, const int64_t* ends, size_t blocks,
                  double w1, double w0, int threads, BrierSums&);
    // Matrices of `rows` by `width`; `best` is the gain of the best order, `tied` says whether a row has tied scores.
    void (*gains)(const double* relevance, const double* scores, size_t rows, size_t width, const double* discounts, int threads,
                  double* gain, double* best, uint8_t* tied);
    // Streams: an empty partition (none for types of 16 bits or less), and a bucket of its keys, which is overwritten and
    // has room for 128 more, counted.
    Partition* (*partition)(Type, size_t chunk_bytes, size_t most_chunks);
    void (*tally)(Type, void* keys, size_t n, bool negative, const Frequent*, size_t n_frequent, const TallyOptions&, Tally&);
    // The table of every problem, written from where its rows begin: sizes[g] scores, highest first, and their counts.
    void (*group_tables)(const Rows&, const int64_t* ends, size_t problems, int threads, void* thresholds, int64_t* pos, int64_t* neg,
                         int64_t* sizes);
    // `weight` as in WeightedRow, of rows that nobody else writes to; rows of one bucket of a stream, and how many depths
    // there are.
    void (*weigh)(const Rows&, const double* weight, int threads, WeightedTable&);
    size_t (*weigh_some)(const WeightedRow*, size_t n, const WeightedColumns&);
    // What rows that are `kept` stand for at a horizon; false if nobody stands for some that were censored before.
    bool (*censoring)(const double* time, const uint8_t* happened, const uint8_t* kept, size_t n, double t, double* out);
    // Sorts keys of 32 or 64 bits; `scratch` holds sort_scratch(n). For tests.
    void (*sort32)(uint32_t* keys, uint32_t* scratch, size_t n);
    void (*sort64)(uint64_t* keys, uint64_t* scratch, size_t n);
};

const Kernels& kernels();               // the best this processor runs
bool use_kernels(const char* name);     // for tests: "avx512", "avx2" or "portable"; false where it cannot run

}  // namespace thresher
