// Sorting by value: a sample says where 512 buckets lie, each bucket is spread over slots of about 20 keys by linear
// interpolation, and a network sorts each slot. Where a slot or a bucket overflows, quicksort takes over.
#pragma once
#include <cstring>

#include "codec.hpp"
#include "quicksort.hpp"

namespace thresher::THRESHER_ISA {

constexpr size_t slices = 8192, sample_size = 8192, most_buckets = 512, block_rows = 256, slotted_keys = 65535, least_spread = 256;

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
    // Bucket numbers of a block.
    void classify(const Key* keys, size_t n, uint16_t* out) const {
        using I = typename std::conditional<sizeof(Key) == 8, int64_t, uint32_t>::type;
        uint32_t index[block_rows];
        const I base = static_cast<I>(low), last = slices - 1;
        const int by = shift;
        for (size_t i = 0; i < n; ++i) {  // 64-bit keys are positive as signed numbers, which compare faster
            const I key = static_cast<I>(keys[i]);
            I x = key > base ? key - base : 0;
            x >>= by;
            index[i] = static_cast<uint32_t>(x < last ? x : last);
        }
        for (size_t i = 0; i < n; ++i) out[i] = table[index[i]];
    }
};

template <class Key>
struct Extent {
    Key least, greatest;
};

template <class Key>
Extent<Key> extent_of(const Key* keys, size_t m) {
    using I = typename std::conditional<sizeof(Key) == 8, int64_t, uint32_t>::type;  // signed numbers compare faster
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
    static constexpr size_t capacity = 64, average = 22, stride = 72;  // padding may run over the end
#else
    static constexpr size_t capacity = 48, average = 12, stride = 48;
#endif
    Block sorted, slots, large, counter_block;
    size_t large_size = 0;
    uint16_t fill[slotted_keys / average + 2];

    explicit Workspace(size_t largest)
        : sorted(room(largest) * sizeof(Key)), slots((room(largest) / average + 2) * stride * sizeof(Key)) {}
    static size_t room(size_t largest) { return (largest < slotted_keys ? largest : slotted_keys) + 1; }

    // Memory that later buckets use again.
    char* counters(size_t bytes) {
        if (bytes > counter_block.room()) counter_block = Block(bytes + bytes / 4);
        return counter_block.template as<char>();
    }

    // Returns the sorted keys, with room for one more; `keys` is overwritten.
    Key* sort(Key* keys, size_t m, const Extent<Key>& extent) {
        Key* const out = sorted.template as<Key>();
        if (m > slotted_keys) return sort_large(keys, m);
        if (m > least_spread && spread(keys, m, extent, out)) return out;
        quicksort(keys, out, m, false, most_depth(m));
        return out;
    }

private:
    // A bucket that came out too large is divided once more, by a sample of its own.
    Key* sort_large(Key* keys, size_t m) {
        if (m > large_size) {
            large = Block((m + 1) * sizeof(Key));
            large_size = m;
        }
        Key* const out = large.template as<Key>();
        Block samples(2 * sample_size * sizeof(Key));
        Key* const sample = samples.template as<Key>();
        const size_t step = m / sample_size;
        uint64_t jitter = m;
        for (size_t i = 0; i < sample_size; ++i) {
            jitter = jitter * 0xD1342543DE82EF95u + 1;
            sample[i] = keys[i * step + static_cast<size_t>((jitter >> 32) % step)];
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
            quicksort(keys, out, m, false, most_depth(m));
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
            if (size > slotted_keys || size <= least_spread) {
                quicksort(here, keys + start[b], size, true, most_depth(size));
            } else {
                const Key* const done = sort(here, size, extent_of(here, size));
                std::memcpy(here, done, size * sizeof(Key));
            }
        }
        return out;
    }

    bool spread(const Key* keys, size_t m, const Extent<Key>& extent, Key* out) {
        const Key low = extent.least;
        const size_t count = m / average;
        const uint64_t range = static_cast<uint64_t>(extent.greatest - low);
        int shift = 0;
        while ((range >> shift) >= (uint64_t{1} << 32)) ++shift;
        const uint64_t scale = (static_cast<uint64_t>(count) << 32) / ((range >> shift) + 1);
        Key* const slot = slots.template as<Key>();
        uint16_t* const used = fill;
        for (size_t s = 0; s < count; ++s) used[s] = 0;
        for (size_t i = 0; i < m; ++i) {
            const Key key = keys[i];
            const size_t s = static_cast<size_t>(((static_cast<uint64_t>(key - low) >> shift) * scale) >> 32);
            const uint16_t at = used[s];
            slot[s * stride + (at < capacity ? at : capacity - 1)] = key;
            used[s] = static_cast<uint16_t>(at + 1);
        }
        size_t most = 0;
        for (size_t s = 0; s < count; ++s) most = used[s] > most ? used[s] : most;
        if (most > capacity) return false;
        Key* to = out;
        for (size_t s = 0; s < count; ++s) {
#if defined(__AVX2__)
            if (used[s]) sort_padded(slot + s * stride, used[s], to);
#else
            insertion_sort(slot + s * stride, used[s], to);
#endif
            to += used[s];
        }
        return true;
    }
};

}  // namespace thresher::THRESHER_ISA
