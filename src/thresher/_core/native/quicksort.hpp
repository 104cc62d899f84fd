// Quicksort: keys below a pivot go to another buffer and the others stay, both from the left by whole registers. The lower
// part is sorted first, so that the result, which has a place of its own, is written from left to right.
#pragma once
#include <cstring>

#include "kernels.hpp"
#include "network.hpp"

namespace thresher::THRESHER_ISA {

// Copies keys below the pivot to `below` and the others to `others`, which may be `in`; returns how many are below.
template <class Key>
size_t partition(const Key* in, size_t n, Key pivot, Key* below, Key* others) {
    Key* left = below;
    Key* right = others;
    size_t i = 0;
#if defined(__AVX2__)
    using V = Vec<Key>;
    constexpr size_t lanes = V::lanes;
    const typename V::Reg p = V::fill(pivot);
    for (; i + lanes <= n; i += lanes) {
        const size_t count = V::split(V::load(in + i), p, left, right);
        left += count;
        right += lanes - count;
    }
#endif
    for (; i < n; ++i) {
        const Key key = in[i];
        const bool lower = key < pivot;
        *left = key;
        *right = key;
        left += lower;
        right += !lower;
    }
    return static_cast<size_t>(left - below);
}

template <class Key>
void heap_sort(Key* keys, size_t n) {
    const auto sift = [keys](size_t root, size_t end) {
        const Key key = keys[root];
        for (size_t child; (child = 2 * root + 1) < end; root = child) {
            child += child + 1 < end && keys[child] < keys[child + 1];
            if (!(key < keys[child])) break;
            keys[root] = keys[child];
        }
        keys[root] = key;
    };
    for (size_t i = n / 2; i-- > 0;) sift(i, n);
    for (size_t end = n; end-- > 1;) {
        const Key key = keys[0];
        keys[0] = keys[end];
        keys[end] = key;
        sift(0, end);
    }
}

// A random word as a number below n, which fits 32 bits.
inline size_t scaled(uint64_t random, size_t n) { return static_cast<size_t>(((random >> 32) * n) >> 32); }

// The median of three medians of three keys from here and there.
template <class Key>
Key choose_pivot(const Key* keys, size_t n) {
    const size_t stride = n / 9;
    uint64_t jitter = n * 0x9E3779B97F4A7C15u;
    const auto median = [](Key a, Key b, Key c) {
        const Key low = a < b ? a : b, high = a < b ? b : a, rest = c < high ? c : high;
        return rest > low ? rest : low;
    };
    Key each[3];
    for (size_t i = 0; i < 3; ++i) {
        Key taken[3];
        for (size_t j = 0; j < 3; ++j) {
            jitter = jitter * 0xD1342543DE82EF95u + 1;
            taken[j] = keys[(3 * i + j) * stride + scaled(jitter, stride)];
        }
        each[i] = median(taken[0], taken[1], taken[2]);
    }
    return median(each[0], each[1], each[2]);
}

// Sorts at most leaf_keys keys, which have slack behind them, and writes no more than n.
template <class Key>
void sort_leaf(Key* in, size_t n, Key* out, size_t room) {
#if defined(__AVX2__)
    if (room < leaf_keys<Key>) {  // the last keys: a whole network would run over the end
        alignas(64) Key buffer[leaf_keys<Key>];
        sort_padded(in, n, buffer);
        std::memcpy(out, buffer, n * sizeof(Key));
        return;
    }
#else
    (void)room;
#endif
    sort_padded(in, n, out);
}

// Sorts `keys` to `out`, which has room for `room` keys; `keys` and `other` are overwritten.
template <class Key>
void quicksort(Key* keys, Key* other, size_t n, Key* out, size_t room, int depth) {
    while (n > leaf_keys<Key>) {
        if (depth-- == 0) {
            heap_sort(keys, n);
            std::memcpy(out, keys, n * sizeof(Key));
            return;
        }
        const Key pivot = choose_pivot(keys, n);
        size_t below = pivot ? partition(keys, n, pivot, other, keys) : 0;
        if (below == 0) {  // the pivot is the least key: set all its copies aside
            below = partition(keys, n, static_cast<Key>(pivot + 1), other, keys);
            for (size_t i = 0; i < below; ++i) out[i] = pivot;
        } else {
            quicksort(other, keys + (n - below), below, out, room, depth);
        }
        other += below;
        n -= below;
        out += below;
        room -= below;
    }
    if (n) sort_leaf(keys, n, out, room);
}

// Beyond this depth the pivots were unlucky, or chosen by an adversary.
static inline int most_depth(size_t n) {
    int depth = 12;
    for (; n > 1; n /= 2) depth += 2;
    return depth;
}

// Sorts `keys` to `out`, which may be the same; nothing is written behind either.
template <class Key>
void sort_to(const Key* keys, size_t n, Key* scratch, Key* out) {
    Key* const other = scratch + n + sort_slack;
    std::memcpy(scratch, keys, n * sizeof(Key));
    quicksort(scratch, other, n, out, n, most_depth(n));
}

template <class Key>
void sort_keys(Key* keys, Key* scratch, size_t n) {
    sort_to(keys, n, scratch, keys);
}

}  // namespace thresher::THRESHER_ISA
