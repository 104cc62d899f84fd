// The sum of two tables: distinct scores, highest first, counts added where a score is in both.
#pragma once
#include "codec.hpp"

namespace thresher::THRESHER_ISA {

// Orders scores as numbers; -0.0 and NaN do not occur in tables.
template <class S>
int64_t rank_of(S score) {
    if constexpr (Traits<S>::real) {
        using U = typename Traits<S>::U;
        U b;
        std::memcpy(&b, &score, sizeof b);
        constexpr int last = 8 * sizeof(U) - 1;
        const int64_t m = static_cast<int64_t>(b & static_cast<U>(~(U{1} << last)));
        return (b >> last) ? -m : m;
    } else if constexpr (sizeof(S) == 8 && static_cast<S>(-1) > 0) {
        return static_cast<int64_t>(static_cast<uint64_t>(score) ^ (uint64_t{1} << 63));
    } else {
        return static_cast<int64_t>(score);
    }
}

template <class S, class C>
size_t merge_as(const PlainTable& a, const PlainTable& b, void* thresholds, void* pos, void* neg) {
    const S *sa = static_cast<const S*>(a.thresholds), *sb = static_cast<const S*>(b.thresholds);
    const C *pa = static_cast<const C*>(a.pos), *pb = static_cast<const C*>(b.pos);
    const C *na = static_cast<const C*>(a.neg), *nb = static_cast<const C*>(b.neg);
    S* const s = static_cast<S*>(thresholds);
    C* const p = static_cast<C*>(pos);
    C* const n = static_cast<C*>(neg);
    size_t i = 0, j = 0, d = 0;
    // Without branches on the data: which side comes next is a coin toss to the predictor.
    while (i < a.size && j < b.size) {
        const int64_t ra = rank_of(sa[i]), rb = rank_of(sb[j]);
        const bool from_a = ra >= rb, from_b = rb >= ra;
        s[d] = from_a ? sa[i] : sb[j];
        p[d] = (from_a ? pa[i] : C{0}) + (from_b ? pb[j] : C{0});
        n[d] = (from_a ? na[i] : C{0}) + (from_b ? nb[j] : C{0});
        i += from_a;
        j += from_b;
        ++d;
    }
    for (; i < a.size; ++i, ++d) {
        s[d] = sa[i];
        p[d] = pa[i];
        n[d] = na[i];
    }
    for (; j < b.size; ++j, ++d) {
        s[d] = sb[j];
        p[d] = pb[j];
        n[d] = nb[j];
    }
    return d;
}

template <class S>
size_t merge_scores(const PlainTable& a, const PlainTable& b, bool whole, void* thresholds, void* pos, void* neg) {
    return whole ? merge_as<S, int64_t>(a, b, thresholds, pos, neg) : merge_as<S, double>(a, b, thresholds, pos, neg);
}

inline size_t merge(const PlainTable& a, const PlainTable& b, Type type, bool whole, void* thresholds, void* pos, void* neg) {
    switch (type) {
        case Type::f16: return merge_scores<Half>(a, b, whole, thresholds, pos, neg);
        case Type::f32: return merge_scores<float>(a, b, whole, thresholds, pos, neg);
        case Type::f64: return merge_scores<double>(a, b, whole, thresholds, pos, neg);
        case Type::i8: return merge_scores<int8_t>(a, b, whole, thresholds, pos, neg);
        case Type::i16: return merge_scores<int16_t>(a, b, whole, thresholds, pos, neg);
        case Type::i32: return merge_scores<int32_t>(a, b, whole, thresholds, pos, neg);
        case Type::i64: return merge_scores<int64_t>(a, b, whole, thresholds, pos, neg);
        case Type::u8: return merge_scores<uint8_t>(a, b, whole, thresholds, pos, neg);
        case Type::u16: return merge_scores<uint16_t>(a, b, whole, thresholds, pos, neg);
        case Type::u32: return merge_scores<uint32_t>(a, b, whole, thresholds, pos, neg);
        default: return merge_scores<uint64_t>(a, b, whole, thresholds, pos, neg);
    }
}

}  // namespace thresher::THRESHER_ISA
