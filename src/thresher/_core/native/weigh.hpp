// Rows with weights to the table of sums at each distinct score: brought into buckets as counts are, then sorted by keys
// that carry the row's place in its bucket in their lower bits.
#pragma once
#include <algorithm>
#include <atomic>
#include <cmath>

#include "long_sum.hpp"
#include "order.hpp"
#include "workers.hpp"

namespace thresher::THRESHER_ISA {

// Puts rows of a bucket right whose keys were cut and are equal.
inline void sort_cut(uint64_t* keys, size_t m, int bits, const WeightedRow* rows) {
    const uint64_t mask = (uint64_t{1} << bits) - 1;
    for (size_t i = 0, j; i < m; i = j) {
        for (j = i + 1; j < m && (keys[i] ^ keys[j]) <= mask;) ++j;
        if (j - i == 1) continue;
        std::sort(keys + i, keys + j, [=](uint64_t a, uint64_t b) {
            const uint64_t x = rows[a & mask].depth, y = rows[b & mask].depth;
            return x != y ? x < y : a < b;
        });
    }
}

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

// The table of a bucket; returns how many depths there are. `keys` has room for m and one more, and `weights` for m. Depths
// of a `whole` array lie anyhow, those of a bucket about evenly.
inline size_t weigh_bucket(const WeightedRow* rows, size_t m, bool whole, Workspace<uint64_t>& space, uint64_t* keys, double* weights,
                           const WeightedColumns& out) {
    if (m == 0) return 0;
    uint64_t least = rows[0].depth, greatest = least;
    for (size_t i = 1; i < m; ++i) {
        least = rows[i].depth < least ? rows[i].depth : least;
        greatest = rows[i].depth > greatest ? rows[i].depth : greatest;
    }
    const int bits = bits_of(m - 1), excess = bits_of(greatest - least) + bits - 61, cut = excess > 0 ? excess : 0;
    const uint64_t mask = (uint64_t{1} << bits) - 1;
    for (size_t i = 0; i < m; ++i) keys[i] = ((((rows[i].depth - least) >> cut) << bits) | i) + key_bias<uint64_t>;
    const Extent<uint64_t> extent{key_bias<uint64_t>, ((((greatest - least) >> cut) << bits) | mask) + key_bias<uint64_t>};
    uint64_t* const sorted = whole ? space.sort_as_they_are(keys, m) : space.sort(keys, m, extent);
    uint64_t ties = 0;  // with the bias, keys that tie still differ in the places alone
    for (size_t i = 1; i < m; ++i) ties += (sorted[i] ^ sorted[i - 1]) <= mask;
    if (ties && cut) sort_cut(sorted, m, bits, rows);
    if (ties) return weigh_tied(rows, sorted, mask, m, out);
    for (size_t i = 0; i < m; ++i) weights[i] = rows[sorted[i] & mask].weight;
    const WeightedColumns to = out;  // what is captured aliases with the stores
    for (size_t i = 0; i < m; ++i) weigh_one(weights[i], i, to);
    if (cut) {
        for (size_t i = 0; i < m; ++i) out.depth[i] = rows[sorted[i] & mask].depth;
    } else {
        for (size_t i = 0; i < m; ++i) out.depth[i] = ((sorted[i] - key_bias<uint64_t>) >> bits) + least;
    }
    return m;
}

// The score of a depth; -0.0 has become 0.0.
template <class S>
void scores_at(const uint64_t* depth, size_t n, const Codec& codec, S* out) {
    const uint64_t top = static_cast<uint64_t>(codec.top), gap = codec.gap;
    const int shift = codec.shift;
    for (size_t i = 0; i < n; ++i) {
        const uint64_t v = top - (depth[i] << shift);
        if constexpr (Traits<S>::real) {
            using U = typename Traits<S>::U;
            const uint64_t negative = static_cast<uint64_t>(0) - (v >> 63), m = (v ^ negative) - negative;
            const U b = static_cast<U>((m ? m + gap : 0) | ((negative & 1) << (8 * sizeof(U) - 1)));
            std::memcpy(out + i, &b, sizeof b);
        } else if constexpr (sizeof(S) == 8 && static_cast<S>(-1) > 0) {
            out[i] = static_cast<S>(v ^ (uint64_t{1} << 63));
        } else {
            out[i] = static_cast<S>(v);
        }
    }
}

// Scores of one type as depths below the highest.
struct DepthCoder {
    Codec codec;
    const char* scores;
    size_t size, width;
    void (*encoder)(const void*, size_t, const Codec&, uint64_t*);
    void (*decoder)(const uint64_t*, size_t, const Codec&, void*);
    void encode(size_t from, size_t n, uint64_t* depth) const { encoder(scores + from * width, n, codec, depth); }
    void decode(const uint64_t* depth, size_t n, void* out) const { decoder(depth, n, codec, out); }
};

template <class S>
DepthCoder depth_coder(const Rows& rows, const Codec& codec) {
    return {codec, static_cast<const char*>(rows.scores), rows.size, sizeof(S),
            [](const void* scores, size_t n, const Codec& by, uint64_t* depth) {
                const Codec mine = by;
                for (size_t i = 0; i < n; ++i) depth[i] = depth_of(static_cast<const S*>(scores) + i, mine);
            },
            [](const uint64_t* depth, size_t n, const Codec& by, void* out) { scores_at(depth, n, by, static_cast<S*>(out)); }};
}

// Rows in their buckets; `start` of each, and behind the last.
struct WeighedBuckets {
    size_t buckets = 1, largest = 0, start[most_buckets + 1] = {};
    Classifier<uint64_t> by;
    int cut = 0;  // of depths, for keys that are compared as signed numbers

    void classify(uint64_t* depth, size_t m, uint16_t* out) const {
        for (size_t j = 0; j < m; ++j) depth[j] = (depth[j] >> cut) + key_bias<uint64_t>;
        by.classify(depth, m, out);
    }
    void learn(const DepthCoder& coder) {
        Block block((sample_size + sort_scratch(sample_size)) * sizeof(uint64_t));
        uint64_t* const sample = block.as<uint64_t>();
        const size_t stride = coder.size / sample_size;
        uint64_t jitter = coder.size;
        for (size_t i = 0; i < sample_size; ++i) {
            jitter = jitter * 0xD1342543DE82EF95u + 1;
            coder.encode(i * stride + scaled(jitter, stride), 1, sample + i);
        }
        const int excess = bits_of(coder.codec.span) - 61;
        cut = excess > 0 ? excess : 0;
        for (size_t i = 0; i < sample_size; ++i) {
            if (sample[i] > coder.codec.span) throw Changed();
            sample[i] = (sample[i] >> cut) + key_bias<uint64_t>;
        }
        sort_keys(sample, sample + sample_size, sample_size);
        buckets = 16;
        while (buckets < most_buckets && buckets * 2048 < coder.size) buckets *= 2;
        by.learn(sample, sample_size, buckets);
    }
};

inline void scatter_weights(const DepthCoder& coder, const double* weight, int threads, WeighedBuckets& to, WeightedRow* rows) {
    const size_t n = coder.size, parts = static_cast<size_t>(threads), buckets = to.buckets;
    Block bucket_block(n * sizeof(uint16_t)), place_block(parts * most_buckets * sizeof(size_t));
    uint16_t* const bucket_of = bucket_block.as<uint16_t>();
    size_t* const place = place_block.as<size_t>();
    parallel_for(parts, threads, [=, &coder, &to](size_t p) {
        size_t* const mine = place + p * most_buckets;
        std::memset(mine, 0, most_buckets * sizeof(size_t));
        uint64_t depth[block_rows];
        const size_t end = part(n, parts, p + 1);
        for (size_t i = part(n, parts, p); i < end; i += block_rows) {
            const size_t m = end - i < block_rows ? end - i : block_rows;
            coder.encode(i, m, depth);
            to.classify(depth, m, bucket_of + i);
            for (size_t j = 0; j < m; ++j) ++mine[bucket_of[i + j]];
        }
    });
    size_t at = 0;
    for (size_t b = 0; b < buckets; ++b) {
        to.start[b] = at;
        for (size_t p = 0; p < parts; ++p) {
            const size_t here = place[p * most_buckets + b];
            place[p * most_buckets + b] = at;
            at += here;
        }
        to.largest = std::max(to.largest, at - to.start[b]);
    }
    to.start[buckets] = at;
    // The bucket is not looked up again: scores that change meanwhile stay where there is room for them.
    parallel_for(parts, threads, [=, &coder](size_t p) {
        size_t* const next = place + p * most_buckets;
        uint64_t depth[block_rows];
        const size_t end = part(n, parts, p + 1);
        for (size_t i = part(n, parts, p); i < end; i += block_rows) {
            const size_t m = end - i < block_rows ? end - i : block_rows;
            coder.encode(i, m, depth);
            for (size_t j = 0; j < m; ++j) rows[next[bucket_of[i + j]]++] = {depth[j], weight[i + j]};
        }
    });
}

inline void weigh_rows(const DepthCoder& coder, const double* weight, int threads, WeightedTable& out) {
    const size_t n = coder.size, width = coder.width;
    WeighedBuckets to;
    Block row_block(n * sizeof(WeightedRow));
    WeightedRow* const rows = row_block.as<WeightedRow>();
    if (n < sample_rows<uint64_t>) {
        uint64_t depth[block_rows];
        for (size_t i = 0; i < n; i += block_rows) {
            const size_t m = n - i < block_rows ? n - i : block_rows;
            coder.encode(i, m, depth);
            for (size_t j = 0; j < m; ++j) rows[i + j] = {depth[j], weight[i + j]};
        }
        to.largest = to.start[1] = n;
    } else {
        to.learn(coder);
        scatter_weights(coder, weight, threads, to, rows);
    }
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

// `weight` is above 0 for positives and below for negatives; nobody else writes to it. NaN among the scores are found instead.
inline void weigh(const Rows& rows, const double* weight, int threads, WeightedTable& out) {
    const size_t n = rows.size, most = n < threaded_rows ? 1 : n / rows_per_thread;
    if (n == 0) return;
    const int used = threads > 1 ? (static_cast<size_t>(threads) < most ? threads : static_cast<int>(most)) : 1;
    with_type(rows.type, [&](auto kind) {
        using S = decltype(kind);
        const Stats<S> stats = stats_of(static_cast<const S*>(rows.scores), n, used);
        if (has_nan(stats)) out.nan = true;
        else weigh_rows(depth_coder<S>(rows, make_codec(stats)), weight, used, out);
    });
}

// Rows of one bucket of a stream.
inline size_t weigh_some(const WeightedRow* rows, size_t n, const WeightedColumns& out) {
    Workspace<uint64_t> space(n);
    Block block((2 * n + 1) * sizeof(uint64_t));
    uint64_t* const keys = block.as<uint64_t>();
    return weigh_bucket(rows, n, false, space, keys, reinterpret_cast<double*>(keys + n + 1), out);
}

}  // namespace thresher::THRESHER_ISA
