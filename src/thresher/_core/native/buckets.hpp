// Sorting by value: a sample says where 512 buckets lie, each bucket is spread over slots of 22 to 90 keys by linear
// interpolation, and a network sorts each slot. Where a slot or a bucket overflows, quicksort takes over.
#pragma once
#include <cstring>

#include "codec.hpp"
#include "quicksort.hpp"

namespace thresher::THRESHER_ISA {

constexpr size_t slices = 8192, sample_size = 8192, most_buckets = 512, block_rows = 256, slotted_keys = 65535, least_spread = 256;

// How keys compare everywhere: those of 64 bits as signed numbers, which is faster. They are positive, unless their rows
// changed after the first look; such keys must not be larger in one place and smaller in another.
template <class Key>
using Compared = typename std::conditional<sizeof(Key) == 8, int64_t, uint32_t>::type;

template <class Key>
struct Classifier {
    Key low = 0;
    int shift = 1;  // at least one: the two labels of a score share a slice
    size_t buckets = 1;
    uint16_t table[slices];

    // From a sorted sample of keys.
    void learn(const Key* sample, size_t count, size_t wanted) {
        // Outliers go to the first and the last slice: they must not stretch the others.
        const Key left = sample[count / 64], right = sample[count - 1 - count / 64], half = (right - left) / 2;
        const Key first = sample[0], last = sample[count - 1];
        low = (left - first > half ? left - half : first) & static_cast<Key>(~Key{1});
        const Key range = (last - right > half ? right + half : last) - low;
        shift = 1;
        while ((range >> shift) >= slices) ++shift;
        buckets = wanted;
        size_t at = 0;
        uint32_t inside[slices] = {};
        for (; at < count; ++at) ++inside[slice(sample[at])];
        size_t before = 0;
        for (size_t s = 0; s < slices; ++s) {
            table[s] = static_cast<uint16_t>(before * wanted / (count + 1));
            before += inside[s];
        }
    }
    size_t slice(Key key) const {
        const Key x = key > low ? (key - low) >> shift : 0;
        return x < slices ? static_cast<size_t>(x) : slices - 1;
    }
    size_t bucket(Key key) const { return table[slice(key)]; }
    // The least key of a slice.
    Key least_of(size_t slice) const { return static_cast<Key>(low + (static_cast<Key>(slice) << shift)); }
    // Slices of a block.
    void classify(const Key* keys, size_t n, uint32_t* slice_of) const {
        using I = Compared<Key>;
        const I base = static_cast<I>(low), last = slices - 1;
        const int by = shift;
        for (size_t i = 0; i < n; ++i) {
            const I key = static_cast<I>(keys[i]);
            I x = key > base ? key - base : 0;
            x >>= by;
            slice_of[i] = static_cast<uint32_t>(x < last ? x : last);
        }
    }
    // Bucket numbers of a block.
    void classify(const Key* keys, size_t n, uint16_t* out) const {
        uint32_t slice_of[block_rows];
        classify(keys, n, slice_of);
        for (size_t i = 0; i < n; ++i) out[i] = table[slice_of[i]];
    }
};

template <class Key>
struct Extent {
    Key least = 0, greatest = 0;

    void merge(const Extent& o, bool first) {
        using I = Compared<Key>;
        least = first || static_cast<I>(o.least) < static_cast<I>(least) ? o.least : least;
        greatest = first || static_cast<I>(o.greatest) > static_cast<I>(greatest) ? o.greatest : greatest;
    }
};

template <class Key>
Extent<Key> extent_of(const Key* keys, size_t m) {
    using I = Compared<Key>;
    I least = m ? static_cast<I>(keys[0]) : I{0}, greatest = least;
    for (size_t i = 0; i < m; ++i) {
        const I key = static_cast<I>(keys[i]);
        least = key < least ? key : least;
        greatest = key > greatest ? key : greatest;
    }
    return {static_cast<Key>(least), static_cast<Key>(greatest)};
}

// Scratch of one worker.
template <class Key>
struct Workspace {
#if defined(__AVX2__)
    // On average a slot fills 70 % of a network of eight registers; padding may run over the end of one of sixteen.
    static constexpr size_t lanes = Vec<Key>::lanes, capacity = 16 * lanes, average = 45 * lanes / 8, stride = capacity + 8;
#else
    static constexpr size_t capacity = 48, average = 12, stride = 48;
#endif
    Block sorted, slots, large, counter_block;
    size_t large_size = 0;
    Key* next[slotted_keys / average + 2];  // of each slot, where its next key goes

    explicit Workspace(size_t largest)
        : sorted((room(largest) + sort_slack) * sizeof(Key)), slots(slot_keys(room(largest)) * sizeof(Key)) {}
    static size_t room(size_t largest) { return (largest < slotted_keys ? largest : slotted_keys) + 1; }
    static size_t slot_keys(size_t keys) {  // which are scratch memory for quicksort, too
        const size_t slotted = (keys / average + 2) * stride + keys;  // all may go to the last one
        return slotted > sort_scratch(keys) ? slotted : sort_scratch(keys);
    }

    // Memory that later buckets use again.
    char* counters(size_t bytes) {
        if (bytes > counter_block.room()) counter_block = Block(bytes + bytes / 4);
        return counter_block.template as<char>();
    }

    // Returns the sorted keys, with room for one more; `keys` is overwritten.
    Key* sort(Key* keys, size_t m, const Extent<Key>& extent) {
        Key* const out = sorted.template as<Key>();
        if (m > slotted_keys) return sort_large(keys, m);
        const auto blocks = [=](auto&& f) {
            for (size_t i = 0; i < m; i += block_rows) f(keys + i, m - i < block_rows ? m - i : block_rows);
        };
        return m > least_spread && spread(blocks, m, extent) ? out : sort_as_they_are(keys, m);
    }
    // Of at most slotted_keys keys, which may lie anyhow.
    Key* sort_as_they_are(const Key* keys, size_t m) {
        Key* const out = sorted.template as<Key>();
        sort_to(keys, m, slots.template as<Key>(), out);
        return out;
    }

    // Sorts m keys between `extent`, which `blocks` gives to what it is called with, at most block_rows at a time, and
    // leaves them in `sorted`. False if a slot would run over, which then has written over others.
    template <class Blocks>
    bool spread(Blocks&& blocks, size_t m, const Extent<Key>& extent) {
        const Key low = extent.least;
        const size_t count = m / average;
        const uint64_t range = static_cast<uint64_t>(extent.greatest - low);
        int shift = 0;
        while ((range >> shift) >= (uint64_t{1} << 32)) ++shift;
        const uint64_t scale = (static_cast<uint64_t>(count) << 32) / ((range >> shift) + 1);
        Key* const slot = slots.template as<Key>();
        for (size_t s = 0; s < count; ++s) next[s] = slot + s * stride;
        blocks([=](const Key* keys, size_t n) {
            uint32_t to[block_rows];
            for (size_t j = 0; j < n; ++j) to[j] = static_cast<uint32_t>(((static_cast<uint64_t>(keys[j] - low) >> shift) * scale) >> 32);
            for (size_t j = 0; j < n; ++j) *next[to[j]]++ = keys[j];
        });
        bool fits = true;
        for (size_t s = 0; s < count; ++s) fits &= next[s] <= slot + s * stride + capacity;
        if (!fits) return false;
        Key* out = sorted.template as<Key>();
        for (size_t s = 0; s < count; ++s) {
            Key* const from = slot + s * stride;
            const size_t used = static_cast<size_t>(next[s] - from);
            if (used) sort_padded(from, used, out);
            out += used;
        }
        return true;
    }

private:
    // A bucket that came out too large is divided once more, by a sample of its own.
    Key* sort_large(Key* keys, size_t m) {
        if (m > large_size) {
            large = Block((m + 1) * sizeof(Key));
            large_size = m;
        }
        Key* const out = large.template as<Key>();
        Block samples((sample_size + sort_scratch(sample_size)) * sizeof(Key));
        Key* const sample = samples.template as<Key>();
        const size_t step = m / sample_size;
        uint64_t jitter = m;
        for (size_t i = 0; i < sample_size; ++i) {
            jitter = jitter * 0xD1342543DE82EF95u + 1;
            sample[i] = keys[i * step + scaled(jitter, step)];
        }
        sort_keys(sample, sample + sample_size, sample_size);
        Classifier<Key> by;
        by.learn(sample, sample_size, most_buckets);
        size_t widest = 0, run = 0;
        for (size_t i = 0; i < sample_size; ++i) {
            run = i > 0 && by.slice(sample[i]) == by.slice(sample[i - 1]) ? run + 1 : 1;
            widest = run > widest ? run : widest;
        }
        if (2 * widest > sample_size) {  // dividing would not help: one score, mostly
            sort_all(keys, m, out);
            return out;
        }
        size_t start[most_buckets + 1] = {}, next[most_buckets];
        uint16_t bucket[block_rows];
        for (size_t i = 0; i < m; i += block_rows) {
            const size_t count = m - i < block_rows ? m - i : block_rows;
            by.classify(keys + i, count, bucket);
            for (size_t j = 0; j < count; ++j) ++start[bucket[j] + 1];
        }
        for (size_t b = 0; b < most_buckets; ++b) {
            start[b + 1] += start[b];
            next[b] = start[b];
        }
        for (size_t i = 0; i < m; i += block_rows) {
            const size_t count = m - i < block_rows ? m - i : block_rows;
            by.classify(keys + i, count, bucket);
            for (size_t j = 0; j < count; ++j) out[next[bucket[j]]++] = keys[i + j];
        }
        for (size_t b = 0; b < most_buckets; ++b) {
            Key* const here = out + start[b];
            const size_t size = start[b + 1] - start[b];
            if (size > slotted_keys) {
                sort_all(here, size, here);
            } else {
                const Key* const done = sort(here, size, extent_of(here, size));
                std::memcpy(here, done, size * sizeof(Key));
            }
        }
        return out;
    }

    static void sort_all(const Key* keys, size_t m, Key* out) {
        Block scratch(sort_scratch(m) * sizeof(Key));
        sort_to(keys, m, scratch.template as<Key>(), out);
    }
};

}  // namespace thresher::THRESHER_ISA
