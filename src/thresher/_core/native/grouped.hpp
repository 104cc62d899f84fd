// Rows brought into the order of their groups, those of one group as they stood.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels.hpp"
#include "memory.hpp"
#include "threads.hpp"

namespace thresher {

// `Word` is as wide as a score. `codes` number groups from `low` on, `groups` of them; ends[g] is where the rows of
// group g end in what is written. In two rounds, first by ranges of groups: every write of both stays near others.
template <class Word>
void group_rows(const int32_t* codes, int32_t low, const Word* scores, const uint8_t* positive, size_t n, size_t groups, int threads,
                Word* out_scores, uint8_t* out_positive, int64_t* ends) {
    constexpr size_t most_ranges = 256;
    int shift = 0;
    while (((groups - 1) >> shift) >= most_ranges) ++shift;
    const size_t ranges = ((groups - 1) >> shift) + 1, parts = static_cast<size_t>(threads > 1 && n > 65536 ? threads : 1);
    const auto part = [=](size_t p) { return n / parts * p + (n % parts * p) / parts; };
    struct Row {
        Word score;
        uint32_t number;
        uint8_t positive;
    };
    Block row_block(n * sizeof(Row));
    Row* const rows = row_block.as<Row>();
    std::vector<size_t> places(parts * ranges);
    size_t* const place = places.data();
    parallel_for(parts, threads, [=](size_t p) {
        size_t* const mine = place + p * ranges;
        for (size_t i = part(p); i < part(p + 1); ++i) ++mine[static_cast<uint32_t>(codes[i] - low) >> shift];
    });
    std::vector<size_t> starts(ranges + 1);
    size_t at = 0;
    for (size_t r = 0; r < ranges; ++r) {
        starts[r] = at;
        for (size_t p = 0; p < parts; ++p) {
            const size_t here = place[p * ranges + r];
            place[p * ranges + r] = at;
            at += here;
        }
    }
    starts[ranges] = at;
    parallel_for(parts, threads, [=](size_t p) {
        size_t* const next = place + p * ranges;
        for (size_t i = part(p); i < part(p + 1); ++i) {
            const uint32_t number = static_cast<uint32_t>(codes[i] - low);
            rows[next[number >> shift]++] = {scores[i], number, positive[i]};
        }
    });
    const size_t* const start = starts.data();
    parallel_for(ranges, threads, [=](size_t r) {
        const size_t first = r << shift, last = std::min(groups, (r + 1) << shift);
        int64_t* const next = ends + first;  // where each group begins, then where it ends
        std::fill(next, next + (last - first), 0);
        for (size_t i = start[r]; i < start[r + 1]; ++i) ++next[rows[i].number - first];
        int64_t begin = static_cast<int64_t>(start[r]);
        for (size_t g = 0; g < last - first; ++g) {
            const int64_t here = next[g];
            next[g] = begin;
            begin += here;
        }
        for (size_t i = start[r]; i < start[r + 1]; ++i) {
            const Row row = rows[i];
            const size_t to = static_cast<size_t>(next[row.number - first]++);
            out_scores[to] = row.score;
            out_positive[to] = row.positive;
        }
    });
}

}  // namespace thresher
