// Keys of a stream in buckets of chunks. A bucket holds scores of one sign, all above the next bucket's.
#pragma once
#include "frequent.hpp"
#include "ordinal.hpp"

namespace thresher::THRESHER_ISA {

// Where the buckets of one sign lie.
template <class Key>
struct Side {
    Classifier<Key> by;
    Side() {
        by.low = 0;
        by.shift = 1;
        by.buckets = 1;
        std::memset(by.table, 0, sizeof by.table);
    }
    // Evenly: this narrows any range, however the scores lie in it.
    void divide(Key low, Key high, size_t buckets) {
        by.low = low;
        by.shift = 0;
        while (((high - low) >> by.shift) >= slices) ++by.shift;
        const size_t used = static_cast<size_t>((high - low) >> by.shift) + 1;
        by.buckets = buckets < used ? buckets : used;
        for (size_t s = 0; s < slices; ++s) by.table[s] = static_cast<uint16_t>((s < used ? s : used - 1) * by.buckets / used);
    }
    Range range(size_t bucket, uint64_t most) const {
        size_t first = 0, end = slices;
        while (first < slices && by.table[first] < bucket) ++first;
        while (end > first && by.table[end - 1] > bucket) --end;
        const uint64_t low = by.low;
        return {first == 0 ? 0 : low + (static_cast<uint64_t>(first) << by.shift),
                end == slices ? most : low + (static_cast<uint64_t>(end) << by.shift) - 1};
    }
};

template <class Key>
class Buckets final : public Partition {
    static constexpr size_t most_sampled = 2 * sample_size, most_slabs = 1024;

public:
    Buckets(const OrdinalReader<Key>& reader, size_t chunk_bytes, size_t most_chunks)
        : reader_(reader), chunk_rows_(chunk_bytes / sizeof(Key)), most_chunks_(most_chunks), links_(most_chunks * sizeof(Link)), free_(most_chunks * sizeof(uint32_t)) {
        const size_t slab = (size_t{4} << 20) / chunk_bytes, least = most_chunks / (most_slabs - 1) + 1;
        slab_chunks_ = slab > least ? slab : least;
    }

    void learn(const void* scores, size_t n, size_t buckets) override {
        Block block(most_sampled * sizeof(Key));
        Key* const sample = block.as<Key>();
        learn_ordinals(sample, reader_.sample(scores, n, n < most_sampled ? n : most_sampled, sample), buckets);
    }

    void learn_keys(const void* keys, size_t n, bool negative, size_t buckets) override {
        const Key* const from = static_cast<const Key*>(keys);
        Block block(most_sampled * sizeof(Key));
        Key* const sample = block.as<Key>();
        const size_t wanted = n < most_sampled ? n : most_sampled;
        for (size_t i = 0; i < wanted; ++i) sample[i] = ordinal(from[i * (n / wanted) + i * (n % wanted) / wanted], negative);
        learn_ordinals(sample, wanted, buckets);
    }

    void learn_range(const Range& range, bool negative, size_t buckets) override {
        side_[negative].divide(static_cast<Key>(range.low), static_cast<Key>(range.high), buckets);
        set_half();
    }

    size_t add(const void* scores, const uint8_t* positive, size_t n) override {
        const char* const from = static_cast<const char*>(scores);
        Key ordinals[block_rows];
        uint8_t labels[block_rows];
        size_t i = 0, taken = 0;
        while (i < n && room()) {
            const size_t m = n - i < block_rows ? n - i : block_rows;
            const size_t kept = reader_.rows(from + i * reader_.width, positive + i, m, ordinals, labels);
            not_numbers += m - kept;
            taken += place(ordinals, labels, kept);
            i += m;
        }
        frequent_.review(i, taken);
        return i;
    }

    size_t add_keys(const void* keys, size_t n, bool negative) override {
        const Key* const from = static_cast<const Key*>(keys);
        Key ordinals[block_rows];
        uint8_t labels[block_rows];
        size_t i = 0, taken = 0;
        while (i < n && room()) {
            const size_t m = n - i < block_rows ? n - i : block_rows;
            for (size_t j = 0; j < m; ++j) {
                ordinals[j] = ordinal(from[i + j], negative);
                labels[j] = static_cast<uint8_t>(from[i + j] & 1);
            }
            taken += place(ordinals, labels, m);
            i += m;
        }
        frequent_.review(i, taken);
        return i;
    }

    size_t buckets() const override { return 2 * half_; }
    size_t key_bytes() const override { return sizeof(Key); }

    size_t chunks(size_t bucket, Chunk* out) const override {
        size_t count = 0;
        const Tail& tail = tails_[bucket];
        for (uint32_t c = tail.chunk; c; c = links_.as<Link>()[c - 1].before, ++count) {
            const Key* const keys = links_.as<Link>()[c - 1].keys;
            if (out) out[count] = {keys, c == tail.chunk ? static_cast<size_t>(tail.next - keys) : chunk_rows_};
        }
        return count;
    }

    void counts(size_t bucket, uint64_t& rows, uint64_t& positives) const override {
        rows = totals_[bucket][0];
        positives = totals_[bucket][1];
        for (uint32_t c = tails_[bucket].chunk; c; c = links_.as<Link>()[c - 1].before) {
            const Key* const keys = links_.as<Link>()[c - 1].keys;
            const size_t m = c == tails_[bucket].chunk ? static_cast<size_t>(tails_[bucket].next - keys) : chunk_rows_;
            uint64_t sum = 0;
            for (size_t i = 0; i < m; ++i) sum += keys[i] & 1;
            rows += m;
            positives += sum;
        }
    }

    Range range(size_t bucket) const override { return side_[bucket >= half_].range(bucket % half_, magnitude_bits<Key>); }

    void clear(size_t bucket) override {
        counts(bucket, totals_[bucket][0], totals_[bucket][1]);
        for (uint32_t c = tails_[bucket].chunk; c; c = links_.as<Link>()[c - 1].before) free_.as<uint32_t>()[free_count_++] = c;
        tails_[bucket] = {};
    }

    size_t frequent(Frequent* out) const override {
        Block block(FrequentTable<Key>::most * sizeof(Key));
        Key* const ordinals = block.as<Key>();
        const size_t count = frequent_.list(ordinals);
        if (!out) return count;
        heap_sort(ordinals, count);
        for (size_t i = 0; i < count; ++i) {
            uint16_t bucket;
            classify(ordinals + i, 1, &bucket);
            out[i].ordinal = ordinals[i];
            out[i].bucket = bucket;
            frequent_.counts(ordinals[i], out[i].count);
        }
        return count;
    }

private:
    struct Link {
        Key* keys;
        uint32_t before;  // the chunk that was filled before this one, numbered from 1; 0 for none
    };
    struct Tail {
        Key* next = nullptr;
        Key* end = nullptr;
        uint32_t chunk = 0;
    };

    const OrdinalReader<Key> reader_;
    const size_t chunk_rows_, most_chunks_;
    size_t slab_chunks_ = 1, made_ = 0, slabs_made_ = 0, free_count_ = 0, half_ = 1;
    Block links_, free_;
    Block slabs_[most_slabs];
    Side<Key> side_[2];
    FrequentTable<Key> frequent_;
    Tail tails_[2 * most_buckets];
    uint64_t totals_[2 * most_buckets][2] = {};

    static Key ordinal(Key key, bool negative) { return static_cast<Key>((key >> 1) | (static_cast<Key>(negative) << last_bit<Key>)); }

    void learn_ordinals(Key* sample, size_t count, size_t buckets) {
        heap_sort(sample, count);
        frequent_.learn(sample, count);
        size_t split = 0;
        while (split < count && !(sample[split] >> last_bit<Key>)) ++split;
        for (size_t i = split; i < count; ++i) sample[i] &= magnitude_bits<Key>;
        const size_t size[2] = {split, count - split};
        for (int s = 0; s < 2; ++s) {
            if (!size[s]) continue;
            const size_t wanted = buckets * size[s] / count;
            side_[s].by.learn(sample + (s ? split : 0), size[s], wanted ? wanted : 1);
        }
        set_half();
    }

    void set_half() {
        const size_t a = side_[0].by.buckets, b = side_[1].by.buckets;
        half_ = a > b ? a : b;
    }

    // Whether any block of rows can be placed: at worst it starts a chunk in every bucket, or fills many of one.
    bool room() const {
        const size_t starts = 2 * half_ < block_rows ? 2 * half_ : block_rows;
        return most_chunks_ - made_ + free_count_ >= starts + block_rows / chunk_rows_ + 1;
    }

    void renew(size_t bucket) {
        if (!free_count_) {
            const size_t left = most_chunks_ - made_, slab = slab_chunks_ < left ? slab_chunks_ : left;
            slabs_[slabs_made_] = Block(slab * chunk_rows_ * sizeof(Key));
            for (size_t c = slab; c-- > 0;) {
                links_.as<Link>()[made_ + c].keys = slabs_[slabs_made_].template as<Key>() + c * chunk_rows_;
                free_.as<uint32_t>()[free_count_++] = static_cast<uint32_t>(made_ + c + 1);
            }
            made_ += slab;
            ++slabs_made_;
        }
        const uint32_t chunk = free_.as<uint32_t>()[--free_count_];
        Link& link = links_.as<Link>()[chunk - 1];
        link.before = tails_[bucket].chunk;
        tails_[bucket] = {link.keys, link.keys + chunk_rows_, chunk};
    }

    // Counts the frequent scores in a block of rows and puts the others into their buckets; returns how many it counted.
    size_t place(Key* ordinals, uint8_t* labels, size_t m) {
        size_t taken = 0;
        if (frequent_.active()) {
            size_t left = 0;
            for (size_t j = 0; j < m; ++j) {
                const Key o = ordinals[j];
                const uint8_t label = labels[j];
                ordinals[left] = o;
                labels[left] = label;
                left += !frequent_.take(o, label);
            }
            taken = m - left;
            m = left;
        }
        uint16_t bucket[block_rows];
        classify(ordinals, m, bucket);
        for (size_t j = 0; j < m; ++j) {
            Tail& tail = tails_[bucket[j]];
            if (tail.next == tail.end) renew(bucket[j]);
            *tail.next++ = static_cast<Key>((ordinals[j] << 1) | labels[j]);
        }
        return taken;
    }

    void classify(const Key* ordinals, size_t m, uint16_t* bucket) const {
        Key any = 0, all = static_cast<Key>(~Key{0});
        Key magnitude[block_rows];
        for (size_t j = 0; j < m; ++j) {
            any |= ordinals[j];
            all &= ordinals[j];
            magnitude[j] = ordinals[j] & magnitude_bits<Key>;
        }
        const uint16_t half = static_cast<uint16_t>(half_);
        if (!(any >> last_bit<Key>)) return side_[0].by.classify(magnitude, m, bucket);
        side_[1].by.classify(magnitude, m, bucket);
        if (all >> last_bit<Key>) {
            for (size_t j = 0; j < m; ++j) bucket[j] = static_cast<uint16_t>(bucket[j] + half);
            return;
        }
        uint16_t other[block_rows];
        side_[0].by.classify(magnitude, m, other);
        for (size_t j = 0; j < m; ++j)
            bucket[j] = ordinals[j] >> last_bit<Key> ? static_cast<uint16_t>(bucket[j] + half) : other[j];
    }
};

// None for types of 16 bits and less, whose scores are counted without keys.
inline Partition* make_partition(Type type, size_t chunk_bytes, size_t most_chunks) {
    Partition* made = nullptr;
    with_type(type, [&](auto kind) {
        using S = decltype(kind);
        if constexpr (sizeof(S) >= 4) made = new Buckets<typename Ordinal<S>::Key>(ordinal_reader<S>(), chunk_bytes, most_chunks);
    });
    return made;
}

}  // namespace thresher::THRESHER_ISA
