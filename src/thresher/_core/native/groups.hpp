// Few distinct scores: counted by index where their range is small, else in a hash table, without sorting the rows.
#pragma once
#include <atomic>

#include "buckets.hpp"
#include "scan.hpp"
#include "threads.hpp"

namespace thresher::THRESHER_ISA {

constexpr size_t most_dense = 65536, most_groups = 8192, group_cells = 16384, rows_per_table = size_t{1} << 31;

// A table from the counts of distinct keys in order; `pos(k)` and `neg(k)` give those of keys[k].
template <class Key, class C, class Pos, class Neg>
void write_groups(const Key* keys, size_t d, const Coder<Key>& coder, const CountOptions& options, Pos pos, Neg neg, Table& out) {
    out.size = d;
    out.thresholds = Block(d * coder.width);
    out.pos = Block(d * sizeof(C));
    out.neg = Block(d * sizeof(C));
    coder.decode(keys, d, out.thresholds.as<void>());
    uint64_t tp = 0, fp = 0;
    for (size_t k = 0; k < d; ++k) {
        const uint64_t p = pos(k), q = neg(k);
        out.twice_u.add(multiply(q, 2 * tp + p));
        tp += p;
        fp += q;
        out.pos.as<C>()[k] = static_cast<C>(options.cumulative ? tp : p);
        out.neg.as<C>()[k] = static_cast<C>(options.cumulative ? fp : q);
    }
    out.n_pos = tp;
    out.n_neg = fp;
}

// Keys below 65,536 index an array of counts. False where sorting is cheaper.
template <class Key, class C>
bool count_dense(const Coder<Key>& coder, const CountOptions& options, Table& out) {
    if constexpr (sizeof(Key) == 8) {
        return false;
    } else {
        const Codec& codec = coder.codec;
        const size_t n = coder.size, cells = 2 * (static_cast<size_t>(codec.span) + 1);
        if (codec.span >= most_dense || cells > 8 * n + 1024) return false;
        // Neighbouring rows use different tables, so that a frequent score does not wait for itself.
        const size_t copies = cells <= 4096 ? 4 : 1;
        const size_t parts = static_cast<size_t>(options.threads > 1 ? options.threads : 1) + n / rows_per_table;
        Block block(parts * copies * cells * sizeof(uint32_t));
        uint32_t* const tables = block.as<uint32_t>();
        std::atomic<bool> changed{false};
        parallel_for(parts, options.threads, [=, &coder, &changed](size_t p) {
            uint32_t* const mine = tables + p * copies * cells;
            std::memset(mine, 0, copies * cells * sizeof(uint32_t));
            Key keys[block_rows];
            const size_t end = n / parts * (p + 1) + (n % parts * (p + 1)) / parts;
            const size_t second = copies == 4 ? cells : 0;
            for (size_t i = n / parts * p + (n % parts * p) / parts; i < end; i += block_rows) {
                const size_t m = end - i < block_rows ? end - i : block_rows;
                coder.encode(i, m, keys);
                if (!all_within(keys, m, coder.codec)) {  // there is no cell for them
                    changed = true;
                    return;
                }
                size_t j = 0;
                for (; j + 4 <= m; j += 4) {
                    const Key a = keys[j], b = keys[j + 1], c = keys[j + 2], d = keys[j + 3];
                    ++mine[a];
                    ++mine[second + b];
                    ++mine[2 * second + c];
                    ++mine[3 * second + d];
                }
                for (; j < m; ++j) ++mine[keys[j]];
            }
        });
        if (changed) throw Changed();
        Block found(cells / 2 * sizeof(Key)), sums(cells * sizeof(uint64_t));
        Key* const keys = found.as<Key>();
        uint64_t* const sum = sums.as<uint64_t>();
        size_t d = 0;
        for (size_t q = 0; q < cells / 2; ++q) {
            uint64_t neg = 0, pos = 0;
            for (size_t t = 0; t < parts * copies; ++t) {
                neg += tables[t * cells + 2 * q];
                pos += tables[t * cells + 2 * q + 1];
            }
            keys[d] = static_cast<Key>(2 * q);
            sum[2 * d] = neg;
            sum[2 * d + 1] = pos;
            d += neg + pos > 0;
        }
        write_groups<Key, C>(keys, d, coder, options, [=](size_t k) { return sum[2 * k + 1]; }, [=](size_t k) { return sum[2 * k]; }, out);
        return true;
    }
}

// Many rows to a score, and few scores that the (sorted) sample may have missed: those it saw once tell how many.
template <class Key>
bool seems_grouped(const Key* sample, size_t count) {
    size_t distinct = 0, once = 0;
    for (size_t i = 0; i < count;) {
        size_t j = i + 1;
        while (j < count && sample[j] == sample[i]) ++j;
        ++distinct;
        once += j == i + 1;
        i = j;
    }
    return distinct <= most_groups / 2 && once * 16 < count;
}

template <class Key>
struct Cell {
    Key key;  // without label; 0 means empty, so keys are stored plus one
    uint32_t count[2];
};

template <class Key>
size_t cell_of(Key key) {
    const uint64_t h = static_cast<uint64_t>(key) * 0x9E3779B97F4A7C15u;
    return static_cast<size_t>(h >> 50);  // 14 bits: group_cells
}

template <class Key>
Cell<Key>* find_cell(Cell<Key>* table, Key key) {
    size_t at = cell_of(key);
    while (table[at].key != key && table[at].key != 0) at = (at + 1) % group_cells;
    return table + at;
}

// False when there turn out to be too many distinct scores.
template <class Key, class C>
bool count_groups(const Coder<Key>& coder, const CountOptions& options, Table& out) {
    const size_t n = coder.size;
    const size_t parts = static_cast<size_t>(options.threads > 1 ? options.threads : 1) + n / rows_per_table;
    constexpr size_t table_bytes = group_cells * sizeof(Cell<Key>);
    Block block(parts * table_bytes);
    auto* const tables = block.as<Cell<Key>>();
    std::atomic<bool> too_many{false};
    parallel_for(parts, options.threads, [=, &coder, &too_many](size_t p) {
        Cell<Key>* const mine = tables + p * group_cells;
        std::memset(static_cast<void*>(mine), 0, table_bytes);
        Key keys[block_rows];
        size_t used = 0;
        const size_t end = n / parts * (p + 1) + (n % parts * (p + 1)) / parts;
        for (size_t i = n / parts * p + (n % parts * p) / parts; i < end; i += block_rows) {
            const size_t m = end - i < block_rows ? end - i : block_rows;
            coder.encode(i, m, keys);
            for (size_t j = 0; j < m; ++j) {
                const Key row = keys[j], key = static_cast<Key>((row >> 1) + 1);
                Cell<Key>* cell = mine + cell_of(key);
                if (cell->key != key) {
                    cell = find_cell(mine, key);
                    used += cell->key == 0;
                    cell->key = key;
                }
                ++cell->count[row & 1];
            }
            if (used > most_groups || too_many.load(std::memory_order_relaxed)) {
                too_many = true;
                return;
            }
        }
    });
    if (too_many) return false;
    // The union of the tables, sorted; then every table is asked for every key.
    Block found((parts * most_groups + sort_scratch(parts * most_groups)) * sizeof(Key));
    Key* const keys = found.as<Key>();
    size_t total = 0;
    for (size_t c = 0; c < parts * group_cells; ++c)
        if (tables[c].key) keys[total++] = static_cast<Key>((tables[c].key - 1) << 1);
    if (!all_within(keys, total, coder.codec)) throw Changed();
    sort_keys(keys, keys + parts * most_groups, total);
    size_t d = 0;
    for (size_t k = 0; k < total; ++k)
        if (k == 0 || keys[k] != keys[k - 1]) keys[d++] = keys[k];
    const auto sum = [=](size_t k, int label) {
        uint64_t all = 0;
        for (size_t p = 0; p < parts; ++p) all += find_cell(tables + p * group_cells, static_cast<Key>((keys[k] >> 1) + 1))->count[label];
        return all;
    };
    write_groups<Key, C>(keys, d, coder, options, [=](size_t k) { return sum(k, 1); }, [=](size_t k) { return sum(k, 0); }, out);
    return true;
}

}  // namespace thresher::THRESHER_ISA
