// Keys to buckets in one pass over the rows. How many go to each is not known before: every part of the rows fills chunks of
// memory, and a bucket is a list of them for each part.
#pragma once
#include "buckets.hpp"
#include "workers.hpp"

#if !defined(THRESHER_CHUNKS_FROM)
#if defined(__AVX512F__)
#define THRESHER_CHUNKS_FROM (size_t{16} << 20)  // bytes of keys; fewer stay in the caches
#else
#define THRESHER_CHUNKS_FROM SIZE_MAX  // without lines written at once a second pass costs no more
#endif
#endif

namespace thresher::THRESHER_ISA {

// From so many rows on; below, and without wide vectors, rows are counted before they move.
template <class Key>
constexpr size_t chunks_from = THRESHER_CHUNKS_FROM == SIZE_MAX ? SIZE_MAX : THRESHER_CHUNKS_FROM / sizeof(Key);

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

template <class Key>
class Chunks {
public:
    Chunks(size_t n, size_t parts, size_t buckets)
        : parts_(parts),
          buckets_(buckets),
          chunk_(chunk_of(n / (parts * buckets))),
          room_((n / parts + 1) / chunk_ + buckets + 1),
          keys_(parts * room_ * chunk_ * sizeof(Key) + line_bytes),
          before_(parts * room_ * sizeof(uint32_t)),
          tails_(parts * buckets * sizeof(Tail)) {
        // Lines of the cache begin where the first key does.
        const uintptr_t at = reinterpret_cast<uintptr_t>(keys_.template as<char>());
        all_ = reinterpret_cast<Key*>((at + line_bytes - 1) / line_bytes * line_bytes);
    }

    // Rows from `begin` to `end` as the keys of part p.
    void fill(size_t p, const Coder<Key>& coder, const Classifier<Key>& by, size_t begin, size_t end) {
        Writer writer(*this, p);
        Key keys[block_rows];
        uint16_t bucket[block_rows];
        for (size_t i = begin; i < end; i += block_rows) {
            const size_t m = end - i < block_rows ? end - i : block_rows;
            coder.encode(i, m, keys);
            by.classify(keys, m, bucket);
            for (size_t j = 0; j < m; ++j) writer.put(bucket[j], keys[j]);
        }
        writer.finish();
    }

    void add_counts(size_t p, size_t b, uint64_t& rows, uint64_t& positives) const {
        rows += tail(p, b).rows;
        positives += tail(p, b).positives;
    }

    // The memory of all keys, when they are no longer needed.
    Block take() { return std::move(keys_); }

    // All keys of a bucket, in no order.
    void gather(size_t b, Key* out) const {
        for (size_t p = 0; p < parts_; ++p) {
            size_t chunk = tail(p, b).next / chunk_, held = tail(p, b).next % chunk_;
            for (;;) {
                std::memcpy(out, all_ + chunk * chunk_, held * sizeof(Key));
                out += held;
                if (chunk == p * room_ + b) break;  // its first
                chunk = before_.template as<uint32_t>()[chunk];
                held = chunk_;
            }
        }
    }

private:
    static constexpr size_t line_bytes = 64, line = line_bytes / sizeof(Key);

    struct Tail {
        size_t next, rows, positives;
    };
    // A quarter of what a bucket gets, so that little is left empty; whole lines.
    static size_t chunk_of(size_t rows_each) {
        size_t keys = 64;
        while (keys < 2048 && 4 * keys < rows_each) keys *= 2;
        return keys;
    }
    Tail& tail(size_t p, size_t b) const { return tails_.template as<Tail>()[p * buckets_ + b]; }

    // Where the next key of each bucket goes. Wide vectors write whole lines past the caches: some processors take three
    // times as long where every key goes to its bucket alone, because each store fetches a line that will be overwritten.
    class Writer {
    public:
        Writer(Chunks& chunks, size_t p) : to_(chunks), p_(p), free_(p * chunks.room_ + chunks.buckets_) {
            for (size_t b = 0; b < chunks.buckets_; ++b) {
                next_[b] = (p * chunks.room_ + b) * chunks.chunk_;
                full_[b] = positives_[b] = 0;
            }
        }
        void put(size_t b, Key key) {
            const size_t at = next_[b]++;
#if defined(__AVX512F__)
            held_[b][at % line] = key;
#else
            to_.all_[at] = key;
#endif
            if (at % line == line - 1) end_line(b, at + 1);
        }
        void finish() {
            for (size_t b = 0; b < to_.buckets_; ++b) {
                const size_t end = next_[b], from = end / line * line;
                for (size_t at = from; at < end; ++at) {
#if defined(__AVX512F__)
                    to_.all_[at] = held_[b][at % line];
#endif
                    positives_[b] += static_cast<size_t>(to_.all_[at] & 1);
                }
                to_.tail(p_, b) = {end, full_[b] * to_.chunk_ + end % to_.chunk_, positives_[b]};
            }
#if defined(__AVX512F__)
            _mm_sfence();
#endif
        }

    private:
        void end_line(size_t b, size_t end) {
#if defined(__AVX512F__)
            const __m512i keys = _mm512_load_si512(held_[b]);
            unsigned ones;
            if constexpr (sizeof(Key) == 8) ones = _mm512_test_epi64_mask(keys, _mm512_set1_epi64(1));
            else ones = _mm512_test_epi32_mask(keys, _mm512_set1_epi32(1));
            positives_[b] += count_bits(static_cast<int>(ones));
            _mm512_stream_si512(reinterpret_cast<__m512i*>(to_.all_ + end - line), keys);
#else
            const Key* const keys = to_.all_ + end - line;
            size_t ones = 0;
            for (size_t j = 0; j < line; ++j) ones += static_cast<size_t>(keys[j] & 1);
            positives_[b] += ones;
#endif
            if (end % to_.chunk_ != 0) return;
            ++full_[b];
            to_.before_.template as<uint32_t>()[free_] = static_cast<uint32_t>(end / to_.chunk_ - 1);
            next_[b] = free_++ * to_.chunk_;
        }

#if defined(__AVX512F__)
        alignas(64) Key held_[most_buckets][line];
#endif
        Chunks& to_;
        const size_t p_;
        size_t free_;  // the next chunk of this part
        size_t next_[most_buckets], full_[most_buckets], positives_[most_buckets];
    };

    const size_t parts_, buckets_, chunk_, room_;  // keys in a chunk, chunks of a part
    Block keys_, before_, tails_;
    Key* all_;
};

}  // namespace thresher::THRESHER_ISA
