// Labels that are 0 and 1, or -1 and 1, of any type of number.
#pragma once
#include <atomic>
#include <cstdint>

#include "arrays.hpp"
#include "threads.hpp"

namespace thresher {

constexpr size_t labels_at_once = size_t{1} << 16;

// Writes which labels are 1; whether all others are `low`.
template <class L>
inline bool ones_of(const L* labels, size_t n, L low, uint8_t* positive) {
    unsigned others = 0;
    for (size_t i = 0; i < n; ++i) {
        const L label = labels[i];
        const unsigned one = label == L{1};
        others |= (one ^ 1u) & static_cast<unsigned>(label != low);
        positive[i] = static_cast<uint8_t>(one);
    }
    return !others;
}

template <class L>
inline bool ones_of(const void* labels, size_t n, L low, int threads, uint8_t* positive) {
    const L* const from = static_cast<const L*>(labels);
    std::atomic<bool> plain{true};
    parallel_for((n + labels_at_once - 1) / labels_at_once, threads, [&, from, positive, n](size_t part) {
        const size_t begin = part * labels_at_once, rest = n - begin;
        if (plain.load(std::memory_order_relaxed) && !ones_of(from + begin, rest < labels_at_once ? rest : labels_at_once, low, positive + begin))
            plain.store(false, std::memory_order_relaxed);
    });
    return plain;
}

// Whether labels are 0 and 1, or -1 and 1.
template <class L>
inline bool plain_labels(const void* labels, size_t n, int threads, uint8_t* positive) {
    if (ones_of(labels, n, L{0}, threads, positive)) return true;
    if constexpr (L(-1) < L(0)) return ones_of(labels, n, L(-1), threads, positive);
    return false;
}

inline bool plain_labels(const Buffer& labels, Type type, int threads, uint8_t* positive) {
    const void* const from = labels.data();
    const size_t n = labels.size();
    switch (type) {
        case Type::i8: return plain_labels<int8_t>(from, n, threads, positive);
        case Type::i16: return plain_labels<int16_t>(from, n, threads, positive);
        case Type::i32: return plain_labels<int32_t>(from, n, threads, positive);
        case Type::i64: return plain_labels<int64_t>(from, n, threads, positive);
        case Type::u8: return plain_labels<uint8_t>(from, n, threads, positive);
        case Type::u16: return plain_labels<uint16_t>(from, n, threads, positive);
        case Type::u32: return plain_labels<uint32_t>(from, n, threads, positive);
        case Type::u64: return plain_labels<uint64_t>(from, n, threads, positive);
        case Type::f32: return plain_labels<float>(from, n, threads, positive);
        case Type::f64: return plain_labels<double>(from, n, threads, positive);
        default: return false;
    }
}

}  // namespace thresher
