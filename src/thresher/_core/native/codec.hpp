// Scores as unsigned keys that sort them from highest to lowest, with the label in the lowest bit.
//
// A float becomes its sign and magnitude. Magnitudes between zero and the smallest one present are cut out (`gap`), so
// that mixed signs still leave a bit for the label; trailing zero bits common to all are shifted away, which brings
// float64 that came from float32, or integers in floats, down to 32-bit keys.
#pragma once
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels.hpp"
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#if defined(_MSC_VER)
#define THRESHER_APART __declspec(noinline)
#else
#define THRESHER_APART __attribute__((noinline))  // compiled once, however many types of scores come to it
#endif

namespace thresher::THRESHER_ISA {

struct Half { uint16_t bits; };

template <class S> struct Traits;
template <> struct Traits<Half> { using U = uint16_t; using I = int16_t; static constexpr bool real = true; static constexpr U inf = 0x7C00; };
template <> struct Traits<float> { using U = uint32_t; using I = int32_t; static constexpr bool real = true; static constexpr U inf = 0x7F800000; };
template <> struct Traits<double> { using U = uint64_t; using I = int64_t; static constexpr bool real = true; static constexpr U inf = 0x7FF0000000000000; };
template <class T> struct Whole { using U = T; using I = T; static constexpr bool real = false; static constexpr U inf = 0; };
template <> struct Traits<int8_t> : Whole<int8_t> {};
template <> struct Traits<int16_t> : Whole<int16_t> {};
template <> struct Traits<int32_t> : Whole<int32_t> {};
template <> struct Traits<int64_t> : Whole<int64_t> {};
template <> struct Traits<uint8_t> : Whole<uint8_t> {};
template <> struct Traits<uint16_t> : Whole<uint16_t> {};
template <> struct Traits<uint32_t> : Whole<uint32_t> {};
template <> struct Traits<uint64_t> : Whole<uint64_t> {};

// Calls body with a number of the type.
template <class F>
void with_type(Type type, F&& body) {
    switch (type) {
        case Type::f16: return body(Half{});
        case Type::f32: return body(float{});
        case Type::f64: return body(double{});
        case Type::i8: return body(int8_t{});
        case Type::i16: return body(int16_t{});
        case Type::i32: return body(int32_t{});
        case Type::i64: return body(int64_t{});
        case Type::u8: return body(uint8_t{});
        case Type::u16: return body(uint16_t{});
        case Type::u32: return body(uint32_t{});
        case Type::u64: return body(uint64_t{});
    }
}

// 64-bit keys are positive normal doubles when seen as such, because AVX2 compares those but not integers.
template <class Key> constexpr Key key_bias = 0;
template <> inline constexpr uint64_t key_bias<uint64_t> = uint64_t{1} << 52;
template <class Key> constexpr uint64_t most_span = 0;  // of keys before the label is added
template <> inline constexpr uint64_t most_span<uint32_t> = 0x7FFFFFFE;
template <> inline constexpr uint64_t most_span<uint64_t> = (0x7FE0000000000000 - (uint64_t{1} << 52)) / 2 - 2;

struct Codec {
    int64_t top = 0;      // the ordinal of the highest score
    uint64_t gap = 0;     // subtracted from the magnitude of every non-zero float
    uint64_t span = 0;    // top minus the lowest ordinal, shifted
    int shift = 0;
};

// What one pass over the scores finds out.
template <class S> struct Stats {
    using T = Traits<S>;
    using U = typename T::U;
    // Reals: signed maximum of the bits (highest positive), unsigned maximum (most negative), smallest non-zero
    // magnitude minus one, all magnitudes or-ed. Integers: minimum, maximum, all differences to the first or-ed.
    int64_t smax = INT64_MIN, smin = INT64_MAX;
    uint64_t umax = 0, least = UINT64_MAX, bits = 0;

    void merge(const Stats& o) {
        smax = o.smax > smax ? o.smax : smax;
        smin = o.smin < smin ? o.smin : smin;
        umax = o.umax > umax ? o.umax : umax;
        least = o.least < least ? o.least : least;
        bits |= o.bits;
    }
};

template <class S>
Stats<S> gather_stats(const S* scores, size_t n, S first) {
    Stats<S> out;
    if constexpr (Traits<S>::real) {
        using U = typename Traits<S>::U;
        using I = typename Traits<S>::I;
        constexpr U sign = U{1} << (8 * sizeof(U) - 1);
        constexpr U mask = static_cast<U>(~sign);
        // All comparisons signed: unsigned ones are not in AVX2.
        I smax = static_cast<I>(sign), umax = static_cast<I>(sign), least = static_cast<I>(mask);
        U bits = 0;
        const U* raw = reinterpret_cast<const U*>(scores);
        const auto look = [&](size_t from, size_t to) {
            for (size_t i = from; i < to; ++i) {
                U b;
                std::memcpy(&b, raw + i, sizeof b);
                const I s = static_cast<I>(b);
                const I u = static_cast<I>(b ^ sign);
                const U m = b & mask;
                const I l = static_cast<I>(static_cast<U>(m - 1) & mask);  // zero becomes the largest
                smax = s > smax ? s : smax;
                umax = u > umax ? u : umax;
                least = l < least ? l : least;
                bits |= m;
            }
        };
        // Wide registers read twice as fast where a line of the cache begins.
        const size_t lead = (64 - reinterpret_cast<uintptr_t>(scores) % 64) % 64 / sizeof(U), first_line = lead < n ? lead : n;
        look(0, first_line);
        look(first_line, n);
        out.smax = smax;
        out.umax = static_cast<U>(static_cast<U>(umax) ^ sign);
        out.least = static_cast<U>(least);
        out.bits = bits;
        (void)first;
    } else {
        S low = first, high = first, bits = 0;
        for (size_t i = 0; i < n; ++i) {
            const S x = scores[i];
            low = x < low ? x : low;
            high = x > high ? x : high;
            bits = static_cast<S>(bits | (x ^ first));
        }
        const auto ordinal = [](S x) {
            return sizeof(S) == 8 && static_cast<S>(-1) > 0 ? static_cast<int64_t>(static_cast<uint64_t>(x) ^ (uint64_t{1} << 63))
                                                            : static_cast<int64_t>(x);
        };
        out.smin = ordinal(low);
        out.smax = ordinal(high);
        out.bits = static_cast<uint64_t>(bits);
    }
    return out;
}

template <class S>
bool has_nan(const Stats<S>& s) {
    if constexpr (!Traits<S>::real) return false;
    using U = typename Traits<S>::U;
    constexpr U mask = static_cast<U>(~(U{1} << (8 * sizeof(U) - 1)));
    const bool positive = s.smax >= 0 && static_cast<uint64_t>(s.smax) > Traits<S>::inf;
    return positive || (s.umax > mask && (s.umax & mask) > Traits<S>::inf);
}

inline int trailing_zeros(uint64_t x) {
    int count = 0;
    while (count < 63 && !((x >> count) & 1)) ++count;
    return count;
}

template <class S>
Codec make_codec(const Stats<S>& s) {
    Codec c;
    int64_t low;
    c.shift = s.bits ? trailing_zeros(s.bits) : 0;
    if constexpr (Traits<S>::real) {
        using U = typename Traits<S>::U;
        constexpr U sign = U{1} << (8 * sizeof(U) - 1);
        const uint64_t highest = s.smax > 0 ? static_cast<uint64_t>(s.smax) : 0;
        const uint64_t lowest = s.umax > sign ? s.umax & static_cast<U>(~sign) : 0;
        // With `least` the smallest magnitude minus one, the smallest non-zero ordinal is one unit of 2**shift.
        c.gap = s.bits ? s.least + 1 - (uint64_t{1} << c.shift) : 0;
        c.top = highest ? static_cast<int64_t>(highest - c.gap) : 0;
        low = lowest ? -static_cast<int64_t>(lowest - c.gap) : 0;
    } else {
        c.top = s.smax;
        low = s.smin;
    }
    c.span = (static_cast<uint64_t>(c.top) - static_cast<uint64_t>(low)) >> c.shift;
    return c;
}

// How far below the highest score a 64-bit score lies, in units of the key.
template <class S>
uint64_t ordinal_below_top(S score, const Codec& codec) {
    uint64_t v;
    std::memcpy(&v, &score, sizeof v);
    if constexpr (Traits<S>::real) {
        const uint64_t m = v & ~(uint64_t{1} << 63);
        const uint64_t negative = static_cast<uint64_t>(0) - (v >> 63);
        const uint64_t cut = m ? m - codec.gap : 0;
        v = (cut ^ negative) - negative;
    } else if constexpr (static_cast<S>(-1) > 0) {
        v ^= uint64_t{1} << 63;
    }
    return (static_cast<uint64_t>(codec.top) - v) >> codec.shift;
}

// Keys of a block of rows. Constants are copied to locals, or they alias with the stores.
template <class S, class Key>
void encode(const S* scores, const uint8_t* positive, size_t n, const Codec& codec, Key* __restrict keys) {
    // 32-bit sources with 32-bit keys stay in 32 bits; all arithmetic wraps, so the width does not matter.
    using W = typename std::conditional<sizeof(S) <= 4 && sizeof(Key) == 4, uint32_t, uint64_t>::type;
    const W top = static_cast<W>(codec.top), gap = static_cast<W>(codec.gap);
    const int shift = codec.shift;
    for (size_t i = 0; i < n; ++i) {
        W v;
        if constexpr (Traits<S>::real) {
            using U = typename Traits<S>::U;
            U b;
            std::memcpy(&b, scores + i, sizeof b);
            constexpr int last = 8 * sizeof(U) - 1;
            const W m = b & static_cast<U>(~(U{1} << last));
            const W negative = static_cast<W>(0) - static_cast<W>(b >> last);
            const W cut = m ? m - gap : 0;
            v = (cut ^ negative) - negative;
        } else if constexpr (sizeof(S) == 8 && static_cast<S>(-1) > 0) {
            v = static_cast<W>(scores[i]) ^ (W{1} << 63);
        } else {
            v = static_cast<W>(static_cast<int64_t>(scores[i]));
        }
        const Key key = static_cast<Key>(static_cast<W>(top - v) >> shift);
        keys[i] = static_cast<Key>(((key << 1) | (positive[i] != 0)) + key_bias<Key>);
    }
}

// Whether all keys are of scores between the lowest and the highest that the codec was made for.
template <class Key>
bool all_within(const Key* keys, size_t n, const Codec& codec) {
    const Key most = static_cast<Key>(2 * codec.span + 1);
    if constexpr (sizeof(Key) == 4) {
        Key greatest = 0;
        for (size_t i = 0; i < n; ++i) greatest = keys[i] > greatest ? keys[i] : greatest;
        return greatest <= most;
    } else {  // a key outside sets the sign bit of a difference; AVX2 has no maximum of 64-bit integers
        Key signs = 0;
        for (size_t i = 0; i < n; ++i) signs |= (most + key_bias<Key> - keys[i]) | (keys[i] - key_bias<Key>);
        return !(signs >> 63);
    }
}

template <class S, class Key>
void decode(const Key* keys, size_t n, const Codec& codec, S* scores) {
    using W = typename std::conditional<sizeof(S) <= 4 && sizeof(Key) == 4, uint32_t, uint64_t>::type;
    using I = typename std::make_signed<W>::type;
    const int shift = codec.shift;
    const W top = static_cast<W>(codec.top), gap = static_cast<W>(codec.gap);
    for (size_t i = 0; i < n; ++i) {
        const W q = static_cast<W>(static_cast<Key>(keys[i] - key_bias<Key>) >> 1) << shift;
        const W v = top - q;
        if constexpr (Traits<S>::real) {
            using U = typename Traits<S>::U;
            const W negative = static_cast<W>(static_cast<I>(v) >> (8 * sizeof(W) - 1));
            const W cut = (v ^ negative) - negative;
            const U b = static_cast<U>((cut ? cut + gap : 0) | (negative << (8 * sizeof(U) - 1)));
            std::memcpy(scores + i, &b, sizeof b);
        } else if constexpr (sizeof(S) == 8 && static_cast<S>(-1) > 0) {
            scores[i] = static_cast<S>(v ^ (W{1} << 63));
        } else {
            scores[i] = static_cast<S>(v);
        }
    }
}

// Asks for memory that will be read soon; it need not exist.
inline void fetch_lines(const void* at, size_t bytes) {
#if defined(__AVX2__)
    for (size_t i = 0; i < bytes; i += 64) _mm_prefetch(static_cast<const char*>(at) + i, _MM_HINT_T0);
#else
    (void)at, (void)bytes;
#endif
}

// Rows of one type of scores as keys of one width. What counts keys is compiled for each width and not for each type,
// because it asks for keys by the block and the call costs nothing beside the block.
template <class Key>
struct Coder {
    Codec codec;
    const char* scores;
    const uint8_t* positive;
    size_t size, width;  // rows, and bytes of a score
    void (*encoder)(const void*, const uint8_t*, size_t, const Codec&, Key*);
    void (*picker)(const void*, const size_t*, size_t, const Codec&, Key*);
    void (*decoder)(const Key*, size_t, const Codec&, void*);

    // How many scores after the beginning of a line of the cache a row is.
    size_t past_line(size_t from) const { return reinterpret_cast<uintptr_t>(scores + from * width) % 64 / width; }
    // Asks for the scores of a few hundred rows some way behind a row: processors that read one line after another do not
    // look as far ahead.
    void fetch(size_t from) const { fetch_lines(scores + from * width + 2048, 256 * width); }
    // The keys of n rows from a row on.
    void encode(size_t from, size_t n, Key* keys) const { encoder(scores + from * width, positive + from, n, codec, keys); }
    // The keys of n rows here and there, as those of negatives.
    void pick(const size_t* rows, size_t n, Key* keys) const { picker(scores, rows, n, codec, keys); }
    void decode(const Key* keys, size_t n, void* out) const { decoder(keys, n, codec, out); }
};

template <class S, class Key>
Coder<Key> coder_of(const Rows& rows, const Codec& codec) {
    return {codec, static_cast<const char*>(rows.scores), rows.positive, rows.size, sizeof(S),
            [](const void* scores, const uint8_t* positive, size_t n, const Codec& by, Key* keys) {
                encode(static_cast<const S*>(scores), positive, n, by, keys);
            },
            [](const void* scores, const size_t* at, size_t n, const Codec& by, Key* keys) {
                const uint8_t negative = 0;
                for (size_t i = 0; i < n; ++i) encode(static_cast<const S*>(scores) + at[i], &negative, 1, by, keys + i);
            },
            [](const Key* keys, size_t n, const Codec& by, void* out) { decode(keys, n, by, static_cast<S*>(out)); }};
}

}  // namespace thresher::THRESHER_ISA
