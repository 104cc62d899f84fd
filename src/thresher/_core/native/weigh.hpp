// Rows with weights to the table of sums at each distinct score.
#pragma once
#include <atomic>
#include <cmath>

#include "long_sum.hpp"
#include "depths.hpp"
#include "workers.hpp"

namespace thresher::THRESHER_ISA {

// The sums of a row that ties with no other.
inline void weigh_one(double w, size_t at, const WeightedColumns& out) {
    const double square = w * w, right = w > 0 ? w : 0.0, right_square = w > 0 ? square : 0.0;
    out.pos[at] = right;
    out.neg[at] = right - w;
    out.pos_squares[at] = right_square;
    out.neg_squares[at] = square - right_square;
}

// Rows of which some tie; returns how many depths there are.
inline size_t weigh_tied(const WeightedRow* rows, const uint64_t* sorted, uint64_t mask, size_t m, const WeightedColumns& out) {
    size_t d = 0;
    WeightedRow next = rows[sorted[0] & mask];
    for (size_t i = 0; i < m; ++d) {
        const WeightedRow row = next;
        if (++i < m) next = rows[sorted[i] & mask];
        out.depth[d] = row.depth;
        if (i == m || next.depth != row.depth) {
            weigh_one(row.weight, d, out);
            continue;
        }
        LongSum sums[4];
        const auto add = [&](double w) {
            sums[w > 0 ? 0 : 1].add(std::fabs(w));
            sums[w > 0 ? 2 : 3].add(w * w);
        };
        add(row.weight);
        do {
            add(next.weight);
            if (++i == m) break;
            next = rows[sorted[i] & mask];
        } while (next.depth == row.depth);
        out.pos[d] = sums[0].value();
        out.neg[d] = sums[1].value();
        out.pos_squares[d] = sums[2].value();
        out.neg_squares[d] = sums[3].value();
    }
    return d;
}

// The table of a bucket; returns how many depths there are. `keys` has room for m and one more, and `weights` for m.
inline size_t weigh_bucket(const WeightedRow* rows, size_t m, bool whole, Workspace<uint64_t>& space, uint64_t* keys, double* weights,
                           const WeightedColumns& out) {
    if (m == 0) return 0;
    const SortedPlaces sorted = sort_places(rows, m, whole, space, keys, true, out.depth);
    if (sorted.ties) return weigh_tied(rows, sorted.keys, sorted.mask, m, out);
    for (size_t i = 0; i < m; ++i) weights[i] = rows[sorted.keys[i] & sorted.mask].weight;
    const WeightedColumns to = out;  // what is captured aliases with the stores
    for (size_t i = 0; i < m; ++i) weigh_one(weights[i], i, to);
    return m;
}

inline void weigh_rows(const DepthCoder& coder, const double* weight, int threads, WeightedTable& out) {
    const size_t width = coder.width;
    DepthBuckets to;
    Block row_block(coder.size * sizeof(WeightedRow));
    WeightedRow* const rows = row_block.as<WeightedRow>();
    const size_t n = scatter_depths(coder, threads, to, rows, [=](size_t i) { return weight[i] != 0; },
                                    [=](size_t i, uint64_t depth) { return WeightedRow{depth, weight[i]}; });
    out.thresholds = Block(n * width);
    for (Block& column : out.sums) column = Block(n * sizeof(double));
    char* const thresholds = out.thresholds.as<char>();
    double* sums[4];
    for (int k = 0; k < 4; ++k) sums[k] = out.sums[k].as<double>();
    size_t kept[most_buckets], written = 0;
    uint64_t ends[most_buckets][2];  // the first and the last depth of a bucket
    std::atomic<size_t> next{0};
    parallel_try(static_cast<size_t>(threads), threads, [&](size_t) {
        Workspace<uint64_t> space(to.largest);
        Block block((3 * to.largest + 1) * sizeof(uint64_t));
        uint64_t *const depth = block.as<uint64_t>(), *const keys = depth + to.largest;
        double* const weights = reinterpret_cast<double*>(keys + to.largest + 1);
        for (size_t b; (b = next.fetch_add(1)) < to.buckets;) {
            const size_t at = threads == 1 ? written : to.start[b];
            const size_t d = weigh_bucket(rows + to.start[b], to.start[b + 1] - to.start[b], to.buckets == 1, space, keys, weights,
                                          {depth, sums[0] + at, sums[1] + at, sums[2] + at, sums[3] + at});
            coder.decode(depth, d, thresholds + at * width);
            kept[b] = d;
            if (d) ends[b][0] = depth[0], ends[b][1] = depth[d - 1];
            if (threads == 1) written += d;
        }
    });
    size_t d = 0;
    uint64_t last = 0;
    for (size_t b = 0; b < to.buckets; ++b) {
        if (kept[b] && ((d && ends[b][0] <= last) || ends[b][1] > coder.codec.span)) throw Changed();
        if (kept[b]) last = ends[b][1];
        if (threads > 1 && to.start[b] != d) {
            std::memmove(thresholds + d * width, thresholds + to.start[b] * width, kept[b] * width);
            for (double* column : sums) std::memmove(column + d, column + to.start[b], kept[b] * sizeof(double));
        }
        d += kept[b];
    }
    out.size = d;
    out.thresholds.shrink(d * width);
    for (Block& column : out.sums) column.shrink(d * sizeof(double));
}

// `weight` is above 0 for positives, below for negatives and 0 for rows that are left out; nobody else writes to it. NaN
// among the scores are found instead.
inline void weigh(const Rows& rows, const double* weight, int threads, WeightedTable& out) {
    const size_t n = rows.size, most = n < threaded_rows ? 1 : n / rows_per_thread;
    if (n == 0) return;
    const int used = threads > 1 ? (static_cast<size_t>(threads) < most ? threads : static_cast<int>(most)) : 1;
    DepthCoder coder;
    if (depth_coder(rows, used, coder)) weigh_rows(coder, weight, used, out);
    else out.nan = true;
}

// Rows of one bucket of a stream.
inline size_t weigh_some(const WeightedRow* rows, size_t n, const WeightedColumns& out) {
    Workspace<uint64_t> space(n);
    Block block((2 * n + 1) * sizeof(uint64_t));
    uint64_t* const keys = block.as<uint64_t>();
    return weigh_bucket(rows, n, false, space, keys, reinterpret_cast<double*>(keys + n + 1), out);
}

}  // namespace thresher::THRESHER_ISA
