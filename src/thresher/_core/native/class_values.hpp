// Several classes or labels, each against the rest: what every row adds to the area of each of them, from one order of
// the rows by the scores of that class.
#pragma once
#include <cmath>
#include <limits>

#include "order.hpp"
#include "workers.hpp"

namespace thresher::THRESHER_ISA {

template <class W>
void gather_column(const void* matrix, size_t at, size_t step, size_t n, void* to) {
    const W* const from = static_cast<const W*>(matrix) + at;
    W* const out = static_cast<W*>(to);
    for (size_t i = 0; i < n; ++i) out[i] = from[i * step];
}

inline void class_value(const ClassMatrix& from, size_t k, double* out, ClassRow& found) {
    const size_t n = from.rows, width = width_of(from.type);
    Block column_block(n * width), order_block(n * sizeof(int64_t)), first_block(n + 1), label_block(n);
    void* const column = column_block.as<char>();
    const size_t at = (from.first + k) * from.column_step;
    switch (width) {
        case 8: gather_column<uint64_t>(from.scores, at, from.row_step, n, column); break;
        case 4: gather_column<uint32_t>(from.scores, at, from.row_step, n, column); break;
        case 2: gather_column<uint16_t>(from.scores, at, from.row_step, n, column); break;
        default: gather_column<uint8_t>(from.scores, at, from.row_step, n, column);
    }
    // A copy of the labels: counts that change meanwhile are none.
    uint8_t* const positive = label_block.as<uint8_t>();
    int64_t n_pos = 0;
    if (from.code) {
        const int32_t mine = static_cast<int32_t>(from.first + k);
        for (size_t i = 0; i < n; ++i) n_pos += positive[i] = from.code[i] == mine;
    } else {
        for (size_t i = 0; i < n; ++i) n_pos += positive[i] = from.truth[i * from.truth_row + (from.first + k) * from.truth_column] != 0;
    }
    const int64_t n_neg = static_cast<int64_t>(n) - n_pos;
    Rows rows;
    rows.scores = column;
    rows.size = n;
    rows.type = from.type;
    int64_t* const order = order_block.as<int64_t>();
    uint8_t* const first = first_block.as<uint8_t>();
    NotNumbers nan;
    order_of(rows, order, first, nan);
    if (nan.count) throw Changed();
    first[n] = 1;
    // Twice U: twice the negatives below each positive, and those it ties with.
    int64_t twice_u = 0, neg = 0;
    for (size_t i = 0; i < n;) {
        int64_t p = positive[order[i]];
        size_t j = i + 1;
        while (!first[j]) p += positive[order[j++]];
        const int64_t q = static_cast<int64_t>(j - i) - p;
        twice_u += p * (2 * neg + q);
        neg += q;
        i = j;
    }
    found.n_pos = n_pos;
    found.n_neg = n_neg;
    found.twice_u = twice_u;
    const double none = std::numeric_limits<double>::quiet_NaN();
    const double m = static_cast<double>(n_pos), r = static_cast<double>(n_neg);
    const double area = n_pos && n_neg ? static_cast<double>(twice_u) / (2.0 * m * r) : none;
    const double scale[2] = {n_neg > 1 ? std::sqrt(r / (r - 1.0)) / r : none, n_pos > 1 ? std::sqrt(m / (m - 1.0)) / m : none};
    const double half[2] = {0.5 / m, 0.5 / r};
    int64_t below_pos = 0, below_neg = 0;
    for (size_t i = 0; i < n;) {
        int64_t p = positive[order[i]];
        size_t j = i + 1;
        while (!first[j]) p += positive[order[j++]];
        const int64_t q = static_cast<int64_t>(j - i) - p;
        const double value[2] = {
            scale[0] * (static_cast<double>(2 * (n_pos - below_pos - p) + p) * half[0] - area),
            scale[1] * (static_cast<double>(2 * below_neg + q) * half[1] - area),
        };
        for (size_t row = i; row < j; ++row) out[order[row]] = value[positive[order[row]]];
        below_pos += p;
        below_neg += q;
        i = j;
    }
}

inline void class_values(const ClassMatrix& from, size_t classes, int threads, double* out, ClassRow* found) {
    parallel_try(classes, threads, [&](size_t k) { class_value(from, k, out + k * from.rows, found[k]); });
}

}  // namespace thresher::THRESHER_ISA
