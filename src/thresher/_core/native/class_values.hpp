// Several classes or labels, each against the rest: what every row adds to the area of each of them, from one order of
// the rows by the scores of that class.
#pragma once
#include <cmath>
#include <limits>

#include "order.hpp"
#include "workers.hpp"

namespace thresher::THRESHER_ISA {

// Columns of a matrix, each where its values will be: whole lines of the cache are read, whatever the order of the matrix.
template <class W>
void gather_columns(const ClassMatrix& from, size_t begin, size_t end, size_t classes, double* out) {
    const W* const matrix = static_cast<const W*>(from.scores) + from.first * from.column_step;
    for (size_t k = 0; k < classes; ++k) {
        const W* const column = matrix + k * from.column_step;
        W* const to = reinterpret_cast<W*>(out + k * from.rows);
        const size_t step = from.row_step;
        for (size_t i = begin; i < end; ++i) to[i] = column[i * step];
    }
}

inline void gather_columns(const ClassMatrix& from, size_t classes, int threads, double* out) {
    constexpr size_t at_once = 256;
    parallel_for((from.rows + at_once - 1) / at_once, threads, [&](size_t block) {
        const size_t begin = block * at_once, end = from.rows - begin < at_once ? from.rows : begin + at_once;
        switch (width_of(from.type)) {
            case 8: return gather_columns<uint64_t>(from, begin, end, classes, out);
            case 4: return gather_columns<uint32_t>(from, begin, end, classes, out);
            case 2: return gather_columns<uint16_t>(from, begin, end, classes, out);
            default: return gather_columns<uint8_t>(from, begin, end, classes, out);
        }
    });
}

// The values of a class, whose scores lie in `scores` and may be overwritten; `positive` says whether a row belongs to it.
template <class Positive>
void class_value(const Rows& rows, Positive positive, double* out, ClassRow& found) {
    const size_t n = rows.size;
    int64_t n_pos = 0;
    for (size_t i = 0; i < n; ++i) n_pos += positive(i);
    const int64_t n_neg = static_cast<int64_t>(n) - n_pos;
    NotNumbers nan;
    const int64_t twice_u = place_rows(rows, n_pos, positive, nan, out);
    if (nan.count) throw Changed();
    found.n_pos = n_pos;
    found.n_neg = n_neg;
    found.twice_u = twice_u;
    const double none = std::numeric_limits<double>::quiet_NaN();
    const double m = static_cast<double>(n_pos), r = static_cast<double>(n_neg);
    const double area = n_pos && n_neg ? static_cast<double>(twice_u) / (2.0 * m * r) : none;
    const double scale[2] = {n_neg > 1 ? std::sqrt(r / (r - 1.0)) / r : none, n_pos > 1 ? std::sqrt(m / (m - 1.0)) / m : none};
    const double half[2] = {0.5 / m, 0.5 / r};
    for (size_t i = 0; i < n; ++i) {
        const bool mine = positive(i);
        out[i] = (mine ? scale[1] : scale[0]) * (out[i] * (mine ? half[1] : half[0]) - area);
    }
}

// Those of class `first + k`, whose scores lie in `out`.
inline void class_value(const ClassMatrix& from, size_t k, double* out, ClassRow& found) {
    Rows rows;
    rows.scores = out;
    rows.size = from.rows;
    rows.type = from.type;
    if (const int32_t* const code = from.code) {
        const int32_t mine = static_cast<int32_t>(from.first + k);
        return class_value(rows, [=](size_t row) { return code[row] == mine; }, out, found);
    }
    const uint8_t* const truth = from.truth + (from.first + k) * from.truth_column;
    const size_t step = from.truth_row;
    class_value(rows, [=](size_t row) { return truth[row * step] != 0; }, out, found);
}

inline void class_values(const ClassMatrix& from, size_t classes, int threads, double* out, ClassRow* found) {
    gather_columns(from, classes, threads, out);
    parallel_try(classes, threads, [&](size_t k) { class_value(from, k, out + k * from.rows, found[k]); });
}

}  // namespace thresher::THRESHER_ISA
