// Keys, or other items, to buckets in one pass over the rows. How many go to each is not known before: every part of the
// rows fills chunks of memory, and a bucket is a list of them for each part.
#pragma once
#include "buckets.hpp"
#include "workers.hpp"

#if !defined(THRESHER_CHUNKS_FROM)
#if defined(__AVX512F__)
#define THRESHER_CHUNKS_FROM (size_t{16} << 20)  // bytes; fewer stay in the caches
#else
#define THRESHER_CHUNKS_FROM SIZE_MAX  // without lines written at once a second pass costs no more
#endif
#endif

namespace thresher::THRESHER_ISA {

// From so many rows on; below, and without wide vectors, rows are counted before they move.
template <class Item>
constexpr size_t chunks_from = THRESHER_CHUNKS_FROM == SIZE_MAX ? SIZE_MAX : THRESHER_CHUNKS_FROM / sizeof(Item);

// How many of some items are positives, if they are keys.
template <class Item>
size_t positives_of(const Item* items, size_t count) {
    if constexpr (std::is_integral<Item>::value) {
        Item ones = 0;
        for (size_t j = 0; j < count; ++j) ones = static_cast<Item>(ones + (items[j] & 1));
        return static_cast<size_t>(ones);
    }
    (void)items, (void)count;
    return 0;
}

constexpr size_t most_lists = 1024;

template <class Item>
class Chunks {
public:
    class Writer;

    Chunks(size_t n, size_t parts, size_t buckets)
        : parts_(parts),
          buckets_(buckets),
          chunk_(chunk_of(n / (parts * buckets))),
          room_((n / parts + 1) / chunk_ + buckets + 1),
          items_(parts * room_ * chunk_ * sizeof(Item) + line_bytes),
          before_(parts * room_ * sizeof(uint32_t)),
          tails_(parts * buckets * sizeof(Tail)) {
        // Lines of the cache begin where the first item does.
        const uintptr_t at = reinterpret_cast<uintptr_t>(items_.template as<char>());
        all_ = reinterpret_cast<Item*>((at + line_bytes - 1) / line_bytes * line_bytes);
    }

    void add_counts(size_t p, size_t b, uint64_t& rows, uint64_t& positives) const {
        rows += tail(p, b).rows;
        positives += tail(p, b).positives;
    }

    // Calls f with all items of a bucket, at most block_rows at a time and in no order, and how many they are.
    template <class F>
    void each_block(size_t b, F&& f) const {
        for (size_t p = 0; p < parts_; ++p) {
            size_t chunk = tail(p, b).next / chunk_, held = tail(p, b).next % chunk_;
            for (;;) {
                const bool last = chunk == p * room_ + b;  // which was filled first
                const size_t before = last ? chunk : before_.template as<uint32_t>()[chunk];
                Item *const items = all_ + chunk * chunk_, *const then = all_ + before * chunk_;
                for (size_t i = 0; i < held; i += block_rows) {
                    const size_t ahead = i + 2 * block_rows;
                    fetch_lines(ahead < held ? items + ahead : then + (ahead - held), block_rows * sizeof(Item));
                    f(items + i, held - i < block_rows ? held - i : block_rows);
                }
                if (last) break;
                chunk = before;
                held = chunk_;
            }
        }
    }

private:
    static constexpr size_t line_bytes = 64, line = line_bytes / sizeof(Item);

    struct Tail {
        size_t next, rows, positives;
    };
    // A quarter of what a bucket gets, so that little is left empty; whole lines, and a power of two of them.
    static size_t chunk_of(size_t rows_each) {
        size_t items = 64;
        while (items < 2048 && 4 * items < rows_each) items *= 2;
        return items;
    }
    Tail& tail(size_t p, size_t b) const { return tails_.template as<Tail>()[p * buckets_ + b]; }

    const size_t parts_, buckets_, chunk_, room_;  // items in a chunk, chunks of a part
    Block items_, before_, tails_;
    Item* all_;
};

// Where the next item of each bucket goes. Items wait until a line of the cache is full, because a store to every bucket in
// turn fetches a line that will be overwritten. Lines are written when some more items wait: whether the next one fills
// its line cannot be predicted, and a branch for every item would go wrong at every line.
template <class Item>
class Chunks<Item>::Writer {
public:
    Writer(Chunks& chunks, size_t p) : to_(chunks), p_(p), free_(p * chunks.room_ + chunks.buckets_), held_(chunks.buckets_ * room * sizeof(Item)) {
        for (size_t b = 0; b < chunks.buckets_; ++b) {
            next_[b] = (p * chunks.room_ + b) * chunks.chunk_;
            full_[b] = positives_[b] = 0;
            waiting_[b] = 0;
        }
    }
    // The items of a block of rows, each with its bucket.
    template <class Bucket, class Make>
    void put(size_t m, Bucket&& bucket_of, Make&& item_of) {
        for (size_t j = 0; j < m; j += most) put_some(j, m - j < most ? m : j + most, bucket_of, item_of);
    }
    void finish() {
        for (size_t b = 0; b < to_.buckets_; ++b) {
            const Item* const items = held_.template as<Item>() + b * room;
            const size_t left = waiting_[b], end = next_[b] + left;
            for (size_t i = 0; i < left; ++i) to_.all_[next_[b] + i] = items[i];
            positives_[b] += positives_of(items, left);
            to_.tail(p_, b) = {end, full_[b] * to_.chunk_ + end % to_.chunk_, positives_[b]};
        }
#if defined(__AVX512F__)
        _mm_sfence();
#endif
    }

private:
    static constexpr size_t most = 512 / sizeof(Item);  // items before full lines are written
    static constexpr size_t room = most + line;         // of a bucket: all of these may be its own
    static_assert(room <= UINT8_MAX, "waiting items are counted in a byte");

    template <class Bucket, class Make>
    void put_some(size_t from, size_t end, Bucket& bucket_of, Make& item_of) {
        Item* const held = held_.template as<Item>();
        uint16_t reached[most + 1];
        size_t lines = 0;
        for (size_t j = from; j < end; ++j) {
            const size_t b = bucket_of(j), at = waiting_[b];
            held[b * room + at] = item_of(j);
            waiting_[b] = static_cast<uint8_t>(at + 1);
            reached[lines] = static_cast<uint16_t>(b);
            lines += at == line - 1;
        }
        for (size_t k = 0; k < lines; ++k) write_lines(reached[k], held + reached[k] * room);
    }
    void write_lines(size_t b, Item* items) {
        size_t left = waiting_[b];
        const Item* from = items;
        for (; left >= line; left -= line, from += line) {
            positives_[b] += write_line(from, to_.all_ + next_[b]);
            next_[b] += line;
            if (!(next_[b] & (to_.chunk_ - 1))) renew(b);
        }
        copy_line(from, items);  // what is left
        waiting_[b] = static_cast<uint8_t>(left);
    }
    void renew(size_t b) {
        ++full_[b];
        to_.before_.template as<uint32_t>()[free_] = static_cast<uint32_t>(next_[b] / to_.chunk_ - 1);
        next_[b] = free_++ * to_.chunk_;
    }
    static void copy_line(const Item* items, Item* to) { std::memcpy(static_cast<void*>(to), items, line_bytes); }
    // Past the caches where there are wide vectors; returns how many are positives.
    static size_t write_line(const Item* items, Item* to) {
#if defined(__AVX512F__)
        const __m512i all = _mm512_load_si512(items);
        size_t ones = 0;
        if constexpr (std::is_same<Item, uint64_t>::value) ones = count_bits(_mm512_test_epi64_mask(all, _mm512_set1_epi64(1)));
        if constexpr (std::is_same<Item, uint32_t>::value) ones = count_bits(_mm512_test_epi32_mask(all, _mm512_set1_epi32(1)));
        _mm512_stream_si512(reinterpret_cast<__m512i*>(to), all);
        return ones;
#else
        copy_line(items, to);
        return positives_of(items, line);
#endif
    }

    Chunks& to_;
    const size_t p_;
    size_t free_;  // the next chunk of this part
    Block held_;
    size_t next_[most_lists], full_[most_lists], positives_[most_lists];
    uint8_t waiting_[most_lists];
};

}  // namespace thresher::THRESHER_ISA
