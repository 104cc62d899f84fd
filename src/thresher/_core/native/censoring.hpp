// Inverse probabilities of being seen at a horizon, from Kaplan and Meier's estimate of the time to censoring.
#pragma once
#include "order.hpp"

namespace thresher::THRESHER_ISA {

// 1 / G(min(time, t)-) of the rows that are `kept`, else 0. Events come before censorings of the same time, so a row with an
// event is not at risk of being censored then. False if the last rows before t were censored: nobody stands for them.
inline bool censoring(const double* time, const uint8_t* happened, const uint8_t* kept, size_t n, double t, double* out) {
    Block early_block(n * sizeof(double)), flag_block(n * sizeof(int64_t));
    double* const early = early_block.as<double>();
    int64_t* const flags = flag_block.as<int64_t>();  // of each early row, twice its number plus 1 for an event
    size_t count = 0;
    for (size_t i = 0; i < n; ++i) {
        const double own = time[i];
        early[count] = own;
        flags[count] = static_cast<int64_t>(2 * i + (happened[i] != 0));
        count += own < t;
    }
    Rows rows;
    rows.scores = early;
    rows.size = count;
    Block order_block(count * sizeof(int64_t)), first_block(count + 1);
    int64_t* const order = order_block.as<int64_t>();
    uint8_t* const first = first_block.as<uint8_t>();
    NotNumbers nan;
    order_of(rows, order, first, nan, [=](int64_t row) { return flags[row]; });
    if (nan.count) throw Changed();
    first[count] = 1;
    double inverse = 1.0;
    bool stands = true;
    for (size_t i = 0; i < count;) {
        int64_t censored = 0;
        size_t j = i;
        do {
            out[order[j] >> 1] = inverse;
            censored += !(order[j] & 1);
        } while (!first[++j]);
        if (censored) {
            const double stay = static_cast<double>(n - j), at_risk = stay + static_cast<double>(censored);
            if (stay > 0) inverse *= at_risk / stay;
            stands &= stay > 0;
        }
        i = j;
    }
    for (size_t i = 0; i < n; ++i) {
        const double own = time[i] < t ? out[i] : inverse;
        out[i] = kept[i] ? own : 0.0;
    }
    return stands;
}

}  // namespace thresher::THRESHER_ISA
