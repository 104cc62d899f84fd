// The keys of one bucket to distinct keys with running counts: counted in a table with a place for every key where they
// lie close together, as float32 scores do by the hundred million; sorted otherwise.
#pragma once
#include "buckets.hpp"
#include "scan.hpp"
#include "stages.hpp"

namespace thresher::THRESHER_ISA {

constexpr size_t places_per_key = 3, most_places = size_t{1} << 22, keys_per_byte = 16;

// A counter for each key from `least`, which is even, on; the label is the lowest bit, so a score's two are neighbours.
// Returns 0, with the keys as they were, if a counter ran over.
template <class Counter, class Key, class C>
size_t count_in_table(Workspace<Key>& space, Key* keys, size_t m, Key least, size_t scores, uint64_t tp0, uint64_t fp0, C* tp_out, C* fp_out) {
    Counter* const counts = reinterpret_cast<Counter*>(space.counters(2 * scores * sizeof(Counter)));
    std::memset(counts, 0, 2 * scores * sizeof(Counter));
    for (size_t i = 0; i < m; ++i) ++counts[keys[i] - least];
    if constexpr (sizeof(Counter) == 1) {
        size_t sum = 0;
        for (size_t i = 0; i < 2 * scores; ++i) sum += counts[i];
        if (sum != m) return 0;
    }
    size_t d = 0;
    C tp = static_cast<C>(tp0), fp = static_cast<C>(fp0);
    for (size_t s = 0; s < scores; ++s) {  // the last score has rows, so that nothing is written behind it
        const Counter neg = counts[2 * s], pos = counts[2 * s + 1];
        tp += static_cast<C>(pos);
        fp += static_cast<C>(neg);
        keys[d] = static_cast<Key>(least + 2 * s);
        tp_out[d] = tp;
        fp_out[d] = fp;
        d += (pos | neg) != 0;
    }
    return d;
}

// Whether so many keys within so many scores are counted in a table.
inline bool lie_close(size_t m, uint64_t scores) {
    return m > least_spread && m <= UINT32_MAX && scores <= places_per_key * m && scores <= most_places;
}

// Returns how many there are and lets `found` point to them, in ascending order, in `keys` or in the workspace. `extent`
// is that of the keys.
template <class Key, class C>
size_t distinct_keys(Workspace<Key>& space, Key* keys, size_t m, const Extent<Key>& extent, uint64_t tp0, uint64_t fp0, C* tp_out, C* fp_out,
                     Key*& found) {
    found = keys;
    if (m == 0) return 0;
    const Key low = extent.least & static_cast<Key>(~Key{1});
    const uint64_t scores = (static_cast<uint64_t>(extent.greatest - low) >> 1) + 1;
    if (lie_close(m, scores)) {
        const size_t places = static_cast<size_t>(scores);
        // Counters of a byte stay in the caches.
        const size_t d = m <= keys_per_byte * places ? count_in_table<uint8_t>(space, keys, m, low, places, tp0, fp0, tp_out, fp_out) : 0;
        return d ? d : count_in_table<uint32_t>(space, keys, m, low, places, tp0, fp0, tp_out, fp_out);
    }
    Stopwatch watch;
    found = space.sort(keys, m, extent);
    watch.lap(Stage::sort);
    return scan_keys(found, m, tp0, fp0, tp_out, fp_out);
}

}  // namespace thresher::THRESHER_ISA
