// Scores of a stream as keys: no look at all the data is needed, as the codec of whole arrays does.
//
// An ordinal sorts scores from highest to lowest. Its top bit says that the score is negative and is the same in a whole
// bucket, so that a key of as many bits as the score has room for the ordinal's other bits and the label.
#pragma once
#include "codec.hpp"

namespace thresher::THRESHER_ISA {

template <class S>
struct Ordinal {
    using Key = typename std::conditional<sizeof(S) == 8, uint64_t, uint32_t>::type;
    static constexpr int last = 8 * sizeof(Key) - 1;
    static constexpr Key mask = static_cast<Key>(~(Key{1} << last));

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

}  // namespace thresher::THRESHER_ISA
