// Keys on their way to buckets, written a whole line of the cache at a time and past the caches. Some processors spend
// three times as long where every key goes to its bucket alone: each store fetches a line that will be overwritten.
#pragma once
#include <immintrin.h>

#include "buckets.hpp"

namespace thresher::THRESHER_ISA {

template <class Key>
class Lines {
public:
    // `all` lies at the beginning of a line; bucket b is written from cells[2 * b] on.
    Lines(Key* all, const uint64_t* cells, size_t buckets) : all_(all), buckets_(buckets) {
        for (size_t b = 0; b < buckets; ++b) first_[b] = next_[b] = static_cast<size_t>(cells[2 * b]);
    }
    void put(size_t b, Key key) {
        const size_t at = next_[b]++;
        held_[b][at % width] = key;
        if (at % width == width - 1) write_line(b, at - (width - 1));
    }
    void finish() {
        for (size_t b = 0; b < buckets_; ++b) {
            const size_t line = next_[b] / width * width;
            copy(b, line > first_[b] ? line : first_[b], next_[b]);
        }
        _mm_sfence();
    }

private:
    static constexpr size_t width = 64 / sizeof(Key);

    void write_line(size_t b, size_t line) {
        if (line < first_[b]) return copy(b, first_[b], line + width);  // it begins with another part's keys
        const __m512i keys = _mm512_load_si512(held_[b]);
        _mm512_stream_si512(reinterpret_cast<__m512i*>(all_ + line), keys);
    }
    void copy(size_t b, size_t from, size_t end) {
        for (size_t at = from; at < end; ++at) all_[at] = held_[b][at % width];
    }

    alignas(64) Key held_[most_buckets][width];
    Key* const all_;
    const size_t buckets_;
    size_t first_[most_buckets], next_[most_buckets];
};

}  // namespace thresher::THRESHER_ISA
