// Rows that arrive in pieces: kept as keys in buckets, from the highest score down, then counted bucket by bucket.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "int128.hpp"
#include "memory.hpp"

namespace thresher {

struct Chunk {
    const void* keys;
    size_t rows;
};

struct Range {
    uint64_t low, high;  // of keys without label, both inclusive
};

// A score that so many rows share that they are counted one by one instead of being kept.
struct Frequent {
    uint64_t ordinal;  // sorts scores from highest to lowest
    uint64_t count[2];
    size_t bucket;
};

class Partition {
public:
    virtual ~Partition() = default;
    // Where the buckets lie: by a sample of scores, of keys of one sign, or evenly over a range of keys.
    virtual void learn(const void* scores, size_t n, size_t buckets) = 0;
    virtual void learn_keys(const void* keys, size_t n, bool negative, size_t buckets) = 0;
    virtual void learn_range(const Range& range, bool negative, size_t buckets) = 0;
    // Adds rows as long as there is room; returns how many. Rows that are not numbers are counted and left out.
    virtual size_t add(const void* scores, const uint8_t* positive, size_t n) = 0;
    virtual size_t add_keys(const void* keys, size_t n, bool negative) = 0;

    virtual size_t buckets() const = 0;  // the second half holds negative scores
    virtual size_t key_bytes() const = 0;
    virtual size_t chunks(size_t bucket, Chunk* out) const = 0;  // how many; written to `out` if there is one
    virtual void counts(size_t bucket, uint64_t& rows, uint64_t& positives) const = 0;  // of all keys it ever had
    virtual Range range(size_t bucket) const = 0;
    virtual void clear(size_t bucket) = 0;  // forgets its keys, after they were written elsewhere
    virtual size_t frequent(Frequent* out) const = 0;  // how many, sorted; written to `out` if there is one
    size_t not_numbers = 0;
};

// A sum of doubles without any rounding, whatever their order: units of 2**-128. For 0 and 2**-75 <= x < 2**63.
struct Fixed {
    uint64_t limb[4] = {};

    void add(double x) {
        uint64_t bits;
        std::memcpy(&bits, &x, sizeof bits);
        if (!bits) return;
        const uint64_t mantissa = (bits & 0xFFFFFFFFFFFFFu) | (uint64_t{1} << 52);
        const unsigned shift = static_cast<unsigned>(bits >> 52) - 1075 + 128;
        if (shift >= 192) return;  // no term of a count is so small or so large
        const unsigned at = shift / 64, by = shift % 64;
        const uint64_t low = mantissa << by, high = by ? mantissa >> (64 - by) : 0;
        limb[at] += low;
        uint64_t carry = limb[at] < low;
        // high + carry cannot wrap: high has at most 53 bits.
        for (unsigned k = at + 1; k < 4; ++k) {
            const uint64_t more = (k == at + 1 ? high : 0) + carry;
            limb[k] += more;
            carry = limb[k] < more;
            if (!carry) break;
        }
    }
    // A number in units of 2**-64.
    void add(const U128& value) {
        limb[1] += value.low;
        uint64_t carry = limb[1] < value.low;
        limb[2] += carry;
        carry = limb[2] < carry;
        limb[2] += value.high;
        limb[3] += carry + (limb[2] < value.high);
    }
};

// What a bucket is counted with: the rows before it, the totals, and which points to keep.
struct TallyOptions {
    uint64_t tp0 = 0, fp0 = 0;
    uint64_t pos_step = 1, neg_step = 1;  // a point is kept where tp (fp) passes a multiple
    int log_bits = 0;                     // and where tp + fp passes one of 2**log_bits marks in each octave
    size_t most_points = 0;               // all points are, if there are not more than so many
};

// Sums over the distinct scores of a bucket, with counts relative to its start; and its points.
struct Tally {
    size_t scores = 0, shared_scores = 0;
    uint64_t positives = 0, negatives = 0, shared_pos = 0;
    U128 neg_twice, neg_squares;  // over the negatives: t and t * t, with t = tp before + tp after
    U128 pos_twice, pos_squares;  // over the positives: f and f * f, with f = fp before + fp after
    U128 tied;
    Fixed average_precision, interpolated;
    size_t kept = 0;
    Block first;                            // the bucket's highest score
    Block thresholds, below, tp, fp, why;   // of the kept points; `below` is the next lower score in the bucket
};

}  // namespace thresher
