// Scores of a stream as keys: no look at all the data is needed, as the codec of whole arrays does.
//
// An ordinal sorts scores from highest to lowest. Its top bit says that the score is negative and is the same in a whole
// bucket, so that a key of as many bits as the score has room for the ordinal's other bits and the label.
#pragma once
#include "codec.hpp"

namespace thresher::THRESHER_ISA {

// The top bit of an ordinal, and all others.
template <class Key> constexpr int last_bit = 8 * sizeof(Key) - 1;
template <class Key> constexpr Key magnitude_bits = static_cast<Key>(~(Key{1} << last_bit<Key>));

template <class S>
struct Ordinal {
    using Key = typename std::conditional<sizeof(S) == 8, uint64_t, uint32_t>::type;
    static constexpr int last = last_bit<Key>;
    static constexpr Key mask = magnitude_bits<Key>;

    static Key of(S score) {
        Key b;
        std::memcpy(&b, &score, sizeof b);
        if constexpr (Traits<S>::real) {
            b = (b & mask) ? b : 0;  // -0.0 is 0.0
            return (b >> last) ? b : mask - b;
        } else if constexpr (static_cast<S>(-1) > 0) {
            return static_cast<Key>(~b);
        } else {
            return mask - b;
        }
    }
    static S score(Key o) {
        Key b;
        if constexpr (Traits<S>::real) b = (o >> last) ? o : mask - o;
        else if constexpr (static_cast<S>(-1) > 0) b = static_cast<Key>(~o);
        else b = mask - o;
        S out;
        std::memcpy(&out, &b, sizeof out);
        return out;
    }
    // Whether any of the scores is not a number; only then is it worth looking which.
    static bool any_nan(const S* scores, size_t n) {
        if constexpr (!Traits<S>::real) {
            (void)scores;
            (void)n;
            return false;
        } else {
            using I = typename std::make_signed<Key>::type;
            I most = 0;
            for (size_t i = 0; i < n; ++i) {
                Key b;
                std::memcpy(&b, scores + i, sizeof b);
                const I m = static_cast<I>(b & mask);
                most = m > most ? m : most;
            }
            return static_cast<Key>(most) > Traits<S>::inf;
        }
    }
    static bool is_nan(S score) {
        if constexpr (!Traits<S>::real) {
            (void)score;
            return false;
        } else {
            Key b;
            std::memcpy(&b, &score, sizeof b);
            return (b & mask) > Traits<S>::inf;
        }
    }
};

// Scores of one type as ordinals of one width; what handles ordinals is compiled for each width and not for each type.
template <class Key>
struct OrdinalReader {
    size_t width;  // bytes of a score
    // Ordinals and labels of n rows, without those that are not numbers; returns how many are left.
    size_t (*rows)(const void* scores, const uint8_t* positive, size_t n, Key* ordinals, uint8_t* labels);
    // Ordinals of about `wanted` of n scores, at equal distances; returns how many of them are numbers.
    size_t (*sample)(const void* scores, size_t n, size_t wanted, Key* ordinals);
};

template <class S, class Key = typename Ordinal<S>::Key>
OrdinalReader<Key> ordinal_reader() {
    using O = Ordinal<S>;
    return {sizeof(S),
            [](const void* scores, const uint8_t* positive, size_t n, Key* ordinals, uint8_t* labels) {
                const S* const from = static_cast<const S*>(scores);
                if (!O::any_nan(from, n)) {
                    for (size_t j = 0; j < n; ++j) ordinals[j] = O::of(from[j]);
                    for (size_t j = 0; j < n; ++j) labels[j] = positive[j] != 0;
                    return n;
                }
                size_t kept = 0;
                for (size_t j = 0; j < n; ++j) {
                    const S score = from[j];
                    if (O::is_nan(score)) continue;
                    ordinals[kept] = O::of(score);
                    labels[kept++] = positive[j] != 0;
                }
                return kept;
            },
            [](const void* scores, size_t n, size_t wanted, Key* ordinals) {
                const S* const from = static_cast<const S*>(scores);
                size_t count = 0;
                for (size_t i = 0; i < wanted; ++i) {
                    const S score = from[i * (n / wanted) + i * (n % wanted) / wanted];
                    ordinals[count] = O::of(score);
                    count += !O::is_nan(score);
                }
                return count;
            }};
}

}  // namespace thresher::THRESHER_ISA
