// Where the groups end whose rows lie together, in ascending order of their keys.
#pragma once
#include <cstddef>
#include <cstdint>

#include "kernels.hpp"
#include "threads.hpp"

namespace thresher {

// Whether no key is below the one before, of n keys, at least one; then `out` gets where each run of equal keys ends.
template <class G>
bool run_ends(const G* keys, size_t n, int threads, Block& out, size_t& found) {
    const size_t parts = threads > 1 && n > 65536 ? static_cast<size_t>(threads) : 1;
    const auto begin = [=](size_t p) { return n / parts * p + n % parts * p / parts; };
    struct Part {
        size_t ends;
        bool falls;
    };
    const auto stop = [=](size_t to) { return to < n ? to : n - 1; };  // row n - 1 has none behind it
    const auto look = [=](size_t from, size_t to) {
        size_t ends = 0;
        bool falls = false;
        for (size_t i = from; i < stop(to); ++i) {
            const G here = keys[i], next = keys[i + 1];
            ends += here != next;
            falls |= next < here;
        }
        return Part{ends, falls};
    };
    if (look(0, n < 10000 ? n : 10000).falls) return false;  // keys in no order are mostly seen at once
    Block block(parts * sizeof(Part));
    Part* const each = block.as<Part>();
    parallel_for(parts, threads, [=](size_t p) { each[p] = look(begin(p), begin(p + 1)); });
    found = 1;
    for (size_t p = 0; p < parts; ++p) {
        if (each[p].falls) return false;
        found += each[p].ends;
    }
    out = Block(found * sizeof(int64_t));
    int64_t* const ends = out.as<int64_t>();
    parallel_for(parts, threads, [=](size_t p) {
        size_t at = 0;
        for (size_t q = 0; q < p; ++q) at += each[q].ends;
        const size_t room = at + each[p].ends, last = stop(begin(p + 1));
        for (size_t i = begin(p); i < last; ++i) {
            if (keys[i] == keys[i + 1]) continue;
            if (at == room) break;  // they changed since they were counted
            ends[at++] = static_cast<int64_t>(i) + 1;
        }
        each[p].falls = at != room;
    });
    for (size_t p = 0; p < parts; ++p)
        if (each[p].falls) throw Changed();
    ends[found - 1] = static_cast<int64_t>(n);
    return true;
}

}  // namespace thresher
