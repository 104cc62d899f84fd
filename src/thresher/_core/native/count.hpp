// Rows to the table of distinct scores: looks at the scores once, then takes the cheapest of three ways.
#pragma once
#include <algorithm>
#include <atomic>

#include "distinct.hpp"
#include "groups.hpp"
#include "stages.hpp"
#include "threads.hpp"
#include "workers.hpp"

namespace thresher::THRESHER_ISA {

constexpr size_t threaded_rows = 100000, rows_per_thread = 25000;

// Fewer rows than this are sorted as they are: a look at a sample costs more than it saves, and then buckets do.
#if defined(__AVX2__)
template <class Key> constexpr size_t sample_rows = sizeof(Key) == 4 ? 40000 : 30000;
template <class Key> constexpr size_t bucket_rows = sizeof(Key) == 4 ? 100000 : 50000;
#else
template <class Key> constexpr size_t sample_rows = 20000;
template <class Key> constexpr size_t bucket_rows = 20000;
#endif

template <class S>
void find_nan(const S* scores, size_t n, NotNumbers& out) {
    if constexpr (Traits<S>::real) {
        using U = typename Traits<S>::U;
        for (size_t i = 0; i < n; ++i) {
            U b;
            std::memcpy(&b, scores + i, sizeof b);
            if ((b & static_cast<U>(~(U{1} << (8 * sizeof(U) - 1)))) > Traits<S>::inf) {
                if (out.count < NotNumbers::listed) out.rows[out.count] = i;
                ++out.count;
            }
        }
    }
    if (!out.count) throw Changed();  // one was seen before
}

inline size_t part(size_t n, size_t parts, size_t i) { return n / parts * i + (n % parts * i) / parts; }

template <class S>
Stats<S> stats_of(const S* scores, size_t n, int threads) {
    const size_t parts = threads > 1 ? static_cast<size_t>(threads) : 1;
    const S first = scores[0];
    if (parts == 1) return gather_stats(scores, n, first);
    Block block(parts * sizeof(Stats<S>));
    auto* each = block.as<Stats<S>>();
    parallel_for(parts, threads, [=](size_t p) {
        const size_t begin = part(n, parts, p);
        each[p] = gather_stats(scores + begin, part(n, parts, p + 1) - begin, first);
    });
    Stats<S> all = each[0];
    for (size_t p = 1; p < parts; ++p) all.merge(each[p]);
    return all;
}

// The finished table from keys sorted in one piece.
template <class Key, class C>
void finish(Key* keys, const Coder<Key>& coder, const CountOptions& options, Table& out) {
    const size_t n = coder.size;
    out.pos = Block(n * sizeof(C));
    out.neg = Block(n * sizeof(C));
    C* tp = out.pos.as<C>();
    C* fp = out.neg.as<C>();
    const size_t d = scan_keys(keys, n, 0, 0, tp, fp);
    add_area(tp, fp, d, 0, 0, out.twice_u);
    out.n_pos = static_cast<uint64_t>(tp[d - 1]);
    out.n_neg = static_cast<uint64_t>(fp[d - 1]);
    if (!options.cumulative) {
        difference(tp, d, 0);
        difference(fp, d, 0);
    }
    out.thresholds = Block(d * coder.width);
    coder.decode(keys, d, out.thresholds.as<void>());
    out.size = d;
}

template <class Key, class C>
void count_small(const Coder<Key>& coder, const CountOptions& options, Table& out) {
    const size_t n = coder.size;
    Block keys((n + sort_slack + sort_scratch(n)) * sizeof(Key));
    Key* const a = keys.as<Key>();
    coder.encode(0, n, a);
    if (!all_within(a, n, coder.codec)) throw Changed();
    sort_keys(a, a + n + sort_slack, n);
    finish<Key, C>(a, coder, options, out);
}

// Copies what will not be looked at soon: wide vectors write it past the caches, without fetching what they overwrite.
inline void write_past(void* to, const void* from, size_t bytes) {
    char* out = static_cast<char*>(to);
    const char* in = static_cast<const char*>(from);
#if defined(__AVX512F__)
    const size_t before = (64 - reinterpret_cast<uintptr_t>(out) % 64) % 64;
    if (bytes >= before + 64) {
        std::memcpy(out, in, before);
        out += before;
        in += before;
        bytes -= before;
        for (; bytes >= 64; bytes -= 64, out += 64, in += 64) _mm512_stream_si512(reinterpret_cast<__m512i*>(out), _mm512_loadu_si512(in));
        _mm_sfence();
    }
#endif
    std::memcpy(out, in, bytes);
}

// Moves the tables of buckets, which begin where their keys did, behind each other: that of bucket b from start[b] to to[b].
// An entry takes `width` bytes. `spare` is memory that is not needed any more, and becomes what this leaves over: new
// memory would have to be cleared first.
inline void close_gaps(Block& block, Block& spare, size_t width, const size_t* start, const size_t* to, size_t buckets, int threads) {
    char* const values = block.as<char>();
    const size_t size = to[buckets], room = start[buckets];
    if (size < room - room / 4) {  // much is not needed: a block that fits
#if defined(__linux__)  // elsewhere what is left over could not be given back without a copy
        Block fitting = spare.room() >= size * width ? std::move(spare) : Block(size * width);
#else
        Block fitting(size * width);
#endif
        char* const out = fitting.as<char>();
        parallel_for(buckets, threads, [=](size_t b) { write_past(out + to[b] * width, values + start[b] * width, (to[b + 1] - to[b]) * width); });
        fitting.shrink(size * width);
        spare = std::move(block);
        block = std::move(fitting);
        return;
    }
    // Each part moves some buckets. What the part behind it will overwrite, it saves before anybody moves.
    const size_t parts = static_cast<size_t>(threads);
    const auto bounds = [=](size_t p) { return part(buckets, parts, p); };
    const auto saved = [=](size_t p) {
        const size_t held = to[bounds(p + 1)] - to[bounds(p)], shift = start[bounds(p + 1)] - to[bounds(p + 1)];
        return held < shift ? held : shift;
    };
    size_t total = 0;
    for (size_t p = 0; p < parts; ++p) total += saved(p);
    Block tails(total * width);
    const auto tail_of = [&, saved](size_t p) {
        size_t before = 0;
        for (size_t q = 0; q < p; ++q) before += saved(q);
        return tails.as<char>() + before * width;
    };
    parallel_for(parts, threads, [&](size_t p) {
        char* const tail = tail_of(p);
        const size_t end = to[bounds(p + 1)], from = end - saved(p);
        for (size_t b = bounds(p); b < bounds(p + 1); ++b) {
            const size_t first = to[b] > from ? to[b] : from;
            if (first < to[b + 1])
                std::memcpy(tail + (first - from) * width, values + (start[b] + (first - to[b])) * width, (to[b + 1] - first) * width);
        }
    });
    parallel_for(parts, threads, [&](size_t p) {
        const size_t end = to[bounds(p + 1)] - saved(p);
        for (size_t b = bounds(p); b < bounds(p + 1) && to[b] < end; ++b) {
            const size_t last = to[b + 1] < end ? to[b + 1] : end;
            if (to[b] != start[b]) std::memmove(values + to[b] * width, values + start[b] * width, (last - to[b]) * width);
        }
        std::memcpy(values + end * width, tail_of(p), saved(p) * width);
    });
}

// Where the keys of each bucket are among those of all buckets, and the positives above it.
struct Places {
    size_t buckets = 0, largest = 0;
    size_t start[most_buckets + 1];
    uint64_t tp0[most_buckets + 1];

    void begin(size_t bucket, size_t rows, uint64_t positives) {
        start[bucket] = rows;
        tp0[bucket] = positives;
        if (bucket && rows - start[bucket - 1] > largest) largest = rows - start[bucket - 1];
    }
};

// Tables of all buckets, one behind the other. Keys lie in the order of buckets in `all`; scores are written to `scores`, which
// may be the memory of the keys.
template <class Key, class C>
void tabulate(const Coder<Key>& coder, const CountOptions& options, const Classifier<Key>& by, const Places& places, Key* all, Block scores,
              Table& out) {
    const size_t n = coder.size, buckets = places.buckets, width = coder.width;
    const Codec& codec = coder.codec;
    const int threads = options.threads;
    const size_t parts = static_cast<size_t>(threads > 1 ? threads : 1);
    const size_t* const start = places.start;
    const uint64_t* const tp0 = places.tp0;

    // One thread writes the tables of buckets one behind the other; several write each where its keys would begin, and
    // move them afterwards.
    Stopwatch watch;
    char* const thresholds = scores.as<char>();
    out.neg = Block(n * sizeof(C));
    C* const tp = out.pos.as<C>();
    C* const fp = out.neg.as<C>();
    size_t kept[most_buckets];
    U128 areas[most_buckets];
    size_t written = 0;
    std::atomic<size_t> next{0};
    watch.lap(Stage::allocate);
    parallel_try(parts, threads, [&](size_t) {
        Stopwatch own;
        Workspace<Key> space(places.largest);
        own.lap(Stage::allocate);
        for (size_t b; (b = next.fetch_add(1)) < buckets;) {
            const size_t from = start[b], m = start[b + 1] - from;
            const uint64_t fp0 = from - tp0[b];
            const size_t at = parts == 1 ? written : from;
            Key *const keys = all + from, *sorted = nullptr;
            // Keys that belong to no score, to another bucket or to another class than when they were counted.
            const Extent<Key> extent = extent_of(keys, m);
            if (m && (!all_within(&extent.least, 1, codec) || !all_within(&extent.greatest, 1, codec) || by.bucket(extent.least) != b ||
                      by.bucket(extent.greatest) != b))
                throw Changed();
            const size_t d = distinct_keys(space, keys, m, extent, tp0[b], fp0, tp + at, fp + at, sorted);
            if (d && tp[at + d - 1] != static_cast<C>(tp0[b + 1])) throw Changed();
            own.lap(Stage::scan);
            add_area(tp + at, fp + at, d, tp0[b], fp0, areas[b]);
            own.lap(Stage::area);
            if (!options.cumulative) {
                difference(tp + at, d, tp0[b]);
                difference(fp + at, d, fp0);
            }
            coder.decode(sorted, d, thresholds + at * width);
            kept[b] = d;
            if (parts == 1) written += d;
            own.lap(Stage::decode);
        }
    });
    watch.lap(Stage::buckets);
    size_t to[most_buckets + 1] = {};
    for (size_t b = 0; b < buckets; ++b) {
        to[b + 1] = to[b] + kept[b];
        out.twice_u.add(areas[b]);
    }
    out.size = to[buckets];
    out.n_pos = tp0[buckets];
    out.n_neg = n - tp0[buckets];
    out.thresholds = std::move(scores);
    if (parts == 1) {
        out.thresholds.shrink(out.size * width);
        out.pos.shrink(out.size * sizeof(C));
        out.neg.shrink(out.size * sizeof(C));
    } else if (out.size != n) {
        Block spare;
        close_gaps(out.thresholds, spare, width, start, to, buckets, threads);
        close_gaps(out.pos, spare, sizeof(C), start, to, buckets, threads);
        close_gaps(out.neg, spare, sizeof(C), start, to, buckets, threads);
    }
    watch.lap(Stage::close);
}

// Keys to their buckets in two passes: the first says how many go to each. Keys and scores of the same size share their
// memory: a bucket's scores overwrite its keys.
template <class Key, class C>
void count_buckets(const Coder<Key>& coder, const CountOptions& options, const Classifier<Key>& by, Table& out) {
    const size_t n = coder.size, buckets = by.buckets;
    const int threads = options.threads;
    const size_t parts = static_cast<size_t>(threads > 1 ? threads : 1);

    Stopwatch watch;
    // How many rows of each class every part has in every bucket, then where each part writes. The buckets are kept, so
    // that each gets as many keys as it has room for, even if the rows change before their keys are written. They lie where
    // counts will be, of which none is written before all keys are: the most memory is that of the keys and the counts.
    static_assert(sizeof(C) >= sizeof(uint16_t), "buckets lie where counts will be");
    out.pos = Block(n * sizeof(C));
    uint16_t* const bucket_of = out.pos.as<uint16_t>();
    Block counts(parts * 2 * most_buckets * sizeof(uint64_t));
    auto* const each = counts.as<uint64_t>();
    watch.lap(Stage::allocate);
    parallel_for(parts, threads, [&, each](size_t p) {
        uint64_t* const mine = each + p * 2 * most_buckets;
        std::memset(mine, 0, 2 * most_buckets * sizeof(uint64_t));
        Key keys[block_rows];
        const size_t end = part(n, parts, p + 1);
        for (size_t i = part(n, parts, p); i < end; i += block_rows) {
            const size_t m = end - i < block_rows ? end - i : block_rows;
            uint16_t* const bucket = bucket_of + i;
            coder.encode(i, m, keys);
            by.classify(keys, m, bucket);
            for (size_t j = 0; j < m; ++j) ++mine[2 * size_t{bucket[j]} + (keys[j] & 1)];
        }
    });
    Places places;
    places.buckets = buckets;
    size_t at = 0;
    uint64_t positives = 0;
    for (size_t b = 0; b < buckets; ++b) {
        places.begin(b, at, positives);
        for (size_t p = 0; p < parts; ++p) {
            uint64_t* const cell = each + p * 2 * most_buckets + 2 * b;
            const uint64_t here = cell[0] + cell[1];
            positives += cell[1];
            cell[0] = at;
            at += here;
        }
    }
    places.begin(buckets, at, positives);
    watch.lap(Stage::classify);

    Block keys_block(n * sizeof(Key));
    Key* const all = keys_block.as<Key>();
    watch.lap(Stage::allocate);
    parallel_for(parts, threads, [&, each](size_t p) {
        size_t next[most_buckets];
        for (size_t b = 0; b < buckets; ++b) next[b] = static_cast<size_t>(each[p * 2 * most_buckets + 2 * b]);
        Key keys[block_rows];
        Key* const to = all;
        const size_t end = part(n, parts, p + 1);
        for (size_t i = part(n, parts, p); i < end; i += block_rows) {
            const size_t m = end - i < block_rows ? end - i : block_rows;
            const uint16_t* const bucket = bucket_of + i;
            coder.encode(i, m, keys);
            for (size_t j = 0; j < m; ++j) to[next[bucket[j]]++] = keys[j];
        }
    });
    watch.lap(Stage::scatter);
    const bool shared = coder.width == sizeof(Key);
    tabulate<Key, C>(coder, options, by, places, all, shared ? std::move(keys_block) : Block(n * coder.width), out);
}

template <class Key, class C>
void count_keys(const Coder<Key>& coder, const CountOptions& options, Table& out) {
    const size_t n = coder.size;
    if (count_dense<Key, C>(coder, options, out)) return;
    if (n < sample_rows<Key>) return count_small<Key, C>(coder, options, out);
    Block block((sample_size + sort_scratch(sample_size)) * sizeof(Key));
    Key* const sample = block.as<Key>();
    const size_t stride = n / sample_size;
    uint64_t jitter = n;
    for (size_t i = 0; i < sample_size; i += block_rows) {
        size_t at[block_rows];
        for (size_t j = 0; j < block_rows; ++j) {
            jitter = jitter * 0xD1342543DE82EF95u + 1;
            at[j] = (i + j) * stride + scaled(jitter, stride);
        }
        coder.pick(at, block_rows, sample + i);
    }
    if (!all_within(sample, sample_size, coder.codec)) throw Changed();
    sort_keys(sample, sample + sample_size, sample_size);
    if (seems_grouped(sample, sample_size) && count_groups<Key, C>(coder, options, out)) return;
    if (n < bucket_rows<Key>) return count_small<Key, C>(coder, options, out);
    Classifier<Key> by;
    size_t wanted = 16;
    while (wanted < most_buckets && wanted * 2048 < n) wanted *= 2;
    by.learn(sample, sample_size, wanted);
    count_buckets<Key, C>(coder, options, by, out);
}

template <class S>
void count_rows(const Rows& rows, const CountOptions& options, Table& out);

// Scores whose bits span too much for a key with a label are counted in two halves, higher scores first.
template <class S, class C>
void count_halves(const Rows& rows, const Codec& codec, const CountOptions& options, Table& out) {
    const size_t n = rows.size;
    const S* const scores = static_cast<const S*>(rows.scores);
    const uint64_t middle = codec.span / 2;
    Block score_block(n * sizeof(S)), label_block(n);
    S* const parted = score_block.as<S>();
    uint8_t* const labels = label_block.as<uint8_t>();
    size_t low = 0, high = n;
    const Codec plain = codec;
    for (size_t i = 0; i < n; ++i) {
        const S score = scores[i];
        const uint64_t q = ordinal_below_top(score, plain);
        // Written at both ends, kept at one: no branch to mispredict.
        parted[low] = parted[high - 1] = score;
        labels[low] = labels[high - 1] = rows.positive[i];
        const bool upper = q <= middle;
        low += upper;
        high -= !upper;
    }
    Table halves[2];
    const Rows upper{parted, labels, low, rows.type}, lower{parted + low, labels + low, n - low, rows.type};
    CountOptions each = options;
    each.wide = sizeof(C) == 8;
    count_rows<S>(upper, each, halves[0]);
    count_rows<S>(lower, each, halves[1]);
    if (halves[0].nan.count || halves[1].nan.count) throw Changed();
    const size_t d0 = halves[0].size, d1 = halves[1].size;
    if (d0 && d1 && !(halves[0].thresholds.template as<S>()[d0 - 1] > halves[1].thresholds.template as<S>()[0])) throw Changed();
    out.size = d0 + d1;
    out.thresholds = Block(out.size * sizeof(S));
    out.pos = Block(out.size * sizeof(C));
    out.neg = Block(out.size * sizeof(C));
    for (int h = 0; h < 2; ++h) {
        const size_t at = h ? d0 : 0, d = halves[h].size;
        std::memcpy(out.thresholds.as<S>() + at, halves[h].thresholds.template as<S>(), d * sizeof(S));
        const C more_pos = static_cast<C>(h && options.cumulative ? halves[0].n_pos : 0);
        const C more_neg = static_cast<C>(h && options.cumulative ? halves[0].n_neg : 0);
        for (size_t k = 0; k < d; ++k) {
            out.pos.as<C>()[at + k] = halves[h].pos.template as<C>()[k] + more_pos;
            out.neg.as<C>()[at + k] = halves[h].neg.template as<C>()[k] + more_neg;
        }
        out.n_pos += halves[h].n_pos;
        out.n_neg += halves[h].n_neg;
        out.twice_u.add(halves[h].twice_u);
    }
    const U128 across = multiply(halves[0].n_pos, halves[1].n_neg);
    out.twice_u.add(across);
    out.twice_u.add(across);
}

template <class S, class C>
void count_as(const Rows& rows, Codec codec, const CountOptions& options, Table& out) {
    out.wide = sizeof(C) == 8;
    if (codec.span <= most_span<uint32_t>) return count_keys<uint32_t, C>(coder_of<S, uint32_t>(rows, codec), options, out);
    if constexpr (sizeof(S) >= 4) {
        if (codec.span <= most_span<uint64_t>) return count_keys<uint64_t, C>(coder_of<S, uint64_t>(rows, codec), options, out);
        if constexpr (sizeof(S) == 8) count_halves<S, C>(rows, codec, options, out);
    }
}

template <class S>
void count_rows(const Rows& rows, const CountOptions& options, Table& out) {
    const S* const scores = static_cast<const S*>(rows.scores);
    const size_t n = rows.size;
    CountOptions used = options;
    // More threads than this would wait for each other.
    const size_t most = n < threaded_rows ? 1 : n / rows_per_thread;
    if (used.threads > 1 && static_cast<size_t>(used.threads) > most) used.threads = static_cast<int>(most);
    out.wide = options.wide || n >= (size_t{1} << 31);
    if (n == 0) {
        out.thresholds = Block(0);
        out.pos = Block(0);
        out.neg = Block(0);
        return;
    }
    Stopwatch watch;
    const Stats<S> stats = stats_of(scores, n, used.threads);
    watch.lap(Stage::look);
    if (has_nan(stats)) return find_nan(scores, n, out.nan);
    const Codec codec = make_codec(stats);
    if (out.wide) count_as<S, int64_t>(rows, codec, used, out);
    else count_as<S, int32_t>(rows, codec, used, out);
}

inline void count(const Rows& rows, const CountOptions& options, Table& out) {
    with_type(rows.type, [&](auto kind) { count_rows<decltype(kind)>(rows, options, out); });
}

}  // namespace thresher::THRESHER_ISA
