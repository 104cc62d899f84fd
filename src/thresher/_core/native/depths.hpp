// Rows in the order of their scores, whatever belongs to each: brought into buckets as counts are, then sorted by keys that
// carry the row's place in its bucket in their lower bits.
#pragma once
#include <algorithm>

#include "count.hpp"

namespace thresher::THRESHER_ISA {

// How far below the highest score, in units of the key; any type.
template <class S>
uint64_t depth_of(const S* score, const Codec& codec) {
    uint64_t v;
    if constexpr (Traits<S>::real) {
        using U = typename Traits<S>::U;
        U b;
        std::memcpy(&b, score, sizeof b);
        constexpr int last = 8 * sizeof(U) - 1;
        const uint64_t m = b & static_cast<U>(~(U{1} << last));
        const uint64_t negative = static_cast<uint64_t>(0) - static_cast<uint64_t>(b >> last);
        const uint64_t cut = m ? m - codec.gap : 0;
        v = (cut ^ negative) - negative;
    } else if constexpr (sizeof(S) == 8 && static_cast<S>(-1) > 0) {
        v = static_cast<uint64_t>(*score) ^ (uint64_t{1} << 63);
    } else {
        v = static_cast<uint64_t>(static_cast<int64_t>(*score));
    }
    return (static_cast<uint64_t>(codec.top) - v) >> codec.shift;
}

inline int bits_of(uint64_t x) {
    int bits = 0;
    for (; x; x >>= 1) ++bits;
    return bits;
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

// False where some scores are NaN.
inline bool depth_coder(const Rows& rows, int threads, DepthCoder& out) {
    bool numbers = false;
    with_type(rows.type, [&](auto kind) {
        using S = decltype(kind);
        const Stats<S> stats = stats_of(static_cast<const S*>(rows.scores), rows.size, threads);
        numbers = !has_nan(stats);
        if (!numbers) return;
        out = {make_codec(stats), static_cast<const char*>(rows.scores), rows.size, sizeof(S),
               [](const void* scores, size_t n, const Codec& by, uint64_t* depth) {
                   const Codec mine = by;
                   for (size_t i = 0; i < n; ++i) depth[i] = depth_of(static_cast<const S*>(scores) + i, mine);
               },
               [](const uint64_t* depth, size_t n, const Codec& by, void* to) { scores_at(depth, n, by, static_cast<S*>(to)); }};
    });
    return numbers;
}

// Which bucket a depth belongs to, and where each begins.
struct DepthBuckets {
    size_t buckets = 1, largest = 0, start[most_buckets + 1] = {};
    Classifier<uint64_t> by;
    int cut = 0;  // of depths, for keys that are compared as signed numbers

    void classify(const uint64_t* depth, size_t m, uint16_t* out) const {
        uint64_t keys[block_rows];
        for (size_t j = 0; j < m; ++j) keys[j] = (depth[j] >> cut) + key_bias<uint64_t>;
        by.classify(keys, m, out);
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

// Rows that have a `depth`, in their buckets, as they stand within each; `make` makes that of a row and a depth, and rows for
// which `keep` is false are left out. Returns how many are kept.
template <class Row, class Keep, class Make>
size_t scatter_depths(const DepthCoder& coder, int threads, DepthBuckets& to, Row* rows, Keep keep, Make make) {
    const size_t n = coder.size;
    if (n < sample_rows<uint64_t>) {
        uint64_t depth[block_rows];
        size_t at = 0;
        for (size_t i = 0; i < n; i += block_rows) {
            const size_t m = n - i < block_rows ? n - i : block_rows;
            coder.encode(i, m, depth);
            for (size_t j = 0; j < m; ++j) {
                rows[at] = make(i + j, depth[j]);
                at += keep(i + j);
            }
        }
        to.largest = to.start[1] = at;
        return at;
    }
    to.learn(coder);
    const size_t parts = static_cast<size_t>(threads > 1 ? threads : 1), buckets = to.buckets, width = buckets + 1;  // the last is left out
    Block bucket_block(n * sizeof(uint16_t)), place_block(parts * width * sizeof(size_t));
    uint16_t* const bucket_of = bucket_block.as<uint16_t>();
    size_t* const place = place_block.as<size_t>();
    parallel_for(parts, threads, [=, &coder, &to](size_t p) {
        size_t* const mine = place + p * width;
        std::memset(mine, 0, width * sizeof(size_t));
        uint64_t depth[block_rows];
        const size_t end = part(n, parts, p + 1);
        for (size_t i = part(n, parts, p); i < end; i += block_rows) {
            const size_t m = end - i < block_rows ? end - i : block_rows;
            uint16_t* const found = bucket_of + i;
            coder.encode(i, m, depth);
            to.classify(depth, m, found);
            for (size_t j = 0; j < m; ++j) found[j] = keep(i + j) ? found[j] : static_cast<uint16_t>(buckets);
            for (size_t j = 0; j < m; ++j) ++mine[found[j]];
        }
    });
    size_t at = 0;
    for (size_t b = 0; b < width; ++b) {
        if (b < buckets) to.start[b] = at;
        else to.start[buckets] = at;
        for (size_t p = 0; p < parts; ++p) {
            const size_t here = place[p * width + b];
            place[p * width + b] = at;
            at += here;
        }
        if (b < buckets) to.largest = std::max(to.largest, at - to.start[b]);
    }
    // The bucket is not looked up again: scores that change meanwhile stay where there is room for them.
    parallel_for(parts, threads, [=, &coder](size_t p) {
        size_t* const next = place + p * width;
        uint64_t depth[block_rows];
        const size_t end = part(n, parts, p + 1);
        for (size_t i = part(n, parts, p); i < end; i += block_rows) {
            const size_t m = end - i < block_rows ? end - i : block_rows;
            coder.encode(i, m, depth);
            for (size_t j = 0; j < m; ++j) rows[next[bucket_of[i + j]]++] = make(i + j, depth[j]);
        }
    });
    return to.start[buckets];
}

// Rows of a bucket by depth, equal ones as they stand: the places are the lower bits of `keys`.
struct SortedPlaces {
    const uint64_t* keys;
    uint64_t mask, ties;  // `ties` is 0 only if no row ties with another
};

// Puts keys right that were cut and are equal.
template <class Row>
void sort_cut(uint64_t* keys, size_t m, uint64_t mask, const Row* rows) {
    for (size_t i = 0, j; i < m; i = j) {
        for (j = i + 1; j < m && (keys[i] ^ keys[j]) <= mask;) ++j;
        if (j - i == 1) continue;
        std::sort(keys + i, keys + j, [=](uint64_t a, uint64_t b) {
            const uint64_t x = rows[a & mask].depth, y = rows[b & mask].depth;
            return x != y ? x < y : a < b;
        });
    }
}

// `keys` has room for m and one more. Depths of a `whole` array lie anyhow, those of a bucket about evenly. Writes the
// depths in their order if some tie, or `always`.
template <class Row>
SortedPlaces sort_places(const Row* rows, size_t m, bool whole, Workspace<uint64_t>& space, uint64_t* keys, bool always, uint64_t* depth) {
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
    if (ties && cut) sort_cut(sorted, m, mask, rows);
    if (!ties && !always) return {sorted, mask, ties};
    if (cut) {
        for (size_t i = 0; i < m; ++i) depth[i] = rows[sorted[i] & mask].depth;
    } else {
        for (size_t i = 0; i < m; ++i) depth[i] = ((sorted[i] - key_bias<uint64_t>) >> bits) + least;
    }
    return {sorted, mask, ties};
}

}  // namespace thresher::THRESHER_ISA
