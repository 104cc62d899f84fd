// Groups by the million, their rows in any order: rows are brought together by ranges of groups that fit into the caches,
// and each range is put in order, group by group, and measured there. Nothing of it is written back.
#pragma once
#include "chunks.hpp"
#include "count.hpp"
#include "rank_sums.hpp"
#include "workers.hpp"

namespace thresher::THRESHER_ISA {

constexpr size_t most_ranges = most_lists, rows_per_range = 32768;

// A row on its way: its key, and its group as the distance from the least one.
template <class Key, class Number>
struct KeyedRow {
    Key key;
    Number number;
};

// What the rows say of their groups before any of them moves.
struct Ranges {
    uint64_t low = 0, span = 0;   // the least group, as a word of 64 bits, and how far it is to the greatest
    bool dense = false;           // numbers index arrays; otherwise they are hashed
    size_t count = 1;
    int shift = 0;                // of dense numbers, to their range

    // Groups that came after the others were looked at go anywhere, and are found out later. A group is a word, signed or
    // not: its distance from the least one is the same.
    template <class Word>
    void classify(const Word* groups, size_t m, uint16_t* out) const {
        const uint64_t most = span, width = count;
        const Word from = static_cast<Word>(low);
        const int by = shift;
        if (dense) {
            for (size_t j = 0; j < m; ++j) {
                const uint64_t number = static_cast<Word>(groups[j] - from);
                out[j] = static_cast<uint16_t>((number <= most ? number : 0) >> by);
            }
        } else {
            for (size_t j = 0; j < m; ++j) out[j] = static_cast<uint16_t>(((mixed(static_cast<Word>(groups[j] - from)) >> 32) * width) >> 32);
        }
    }
    static uint64_t mixed(uint64_t x) {
        x *= 0x9E3779B97F4A7C15u;
        return x ^ (x >> 32);
    }
};

template <class G>
Ranges find_ranges(const G* groups, size_t n, int threads) {
    const size_t parts = static_cast<size_t>(threads > 1 ? threads : 1);
    Block block(2 * parts * sizeof(G));
    G* const ends = block.as<G>();
    parallel_for(parts, threads, [=](size_t p) {
        G low = groups[0], high = low;
        for (size_t i = part(n, parts, p); i < part(n, parts, p + 1); ++i) {
            const G group = groups[i];
            low = group < low ? group : low;
            high = group > high ? group : high;
        }
        ends[2 * p] = low;
        ends[2 * p + 1] = high;
    });
    G low = ends[0], high = ends[1];
    for (size_t p = 1; p < parts; ++p) {
        low = ends[2 * p] < low ? ends[2 * p] : low;
        high = ends[2 * p + 1] > high ? ends[2 * p + 1] : high;
    }
    Ranges out;
    out.low = static_cast<uint64_t>(low);
    out.span = static_cast<uint64_t>(high) - out.low;
    out.dense = out.span < UINT32_MAX && out.span / 4 <= n + 256;
    while (out.count < most_ranges && out.count * rows_per_range < n) out.count *= 2;
    if (out.dense) {
        while ((out.span >> out.shift) >= out.count) ++out.shift;
        out.count = static_cast<size_t>(out.span >> out.shift) + 1;
    }
    return out;
}

// Local numbers of the groups of one range, by what they are hashed to: linear probing in a table that grows.
template <class Number>
class LocalNumbers {
public:
    explicit LocalNumbers(Room& room) : room_(room) { clear(1024); }

    uint32_t of(Number number) {
        size_t at = static_cast<size_t>(Ranges::mixed(number)) & mask_;
        while (cells_[at].local && cells_[at].number != number) at = (at + 1) & mask_;
        if (!cells_[at].local) {
            cells_[at] = {number, ++used_};
            const uint32_t local = used_;
            if (2 * static_cast<size_t>(used_) > mask_) grow();
            return local - 1;
        }
        return cells_[at].local - 1;
    }
    size_t size() const { return used_; }
    void write(Number* names) const {
        for (size_t c = 0; c <= mask_; ++c)
            if (cells_[c].local) names[cells_[c].local - 1] = cells_[c].number;
    }

private:
    struct Cell {
        Number number;
        uint32_t local;  // plus one; 0 is empty
    };
    void clear(size_t cells) {
        mask_ = cells - 1;
        cells_ = reinterpret_cast<Cell*>(room_.bytes(cells * sizeof(Cell)));
        std::memset(static_cast<void*>(cells_), 0, cells * sizeof(Cell));
    }
    void grow() {
        const size_t before = mask_ + 1;
        Block held(before * sizeof(Cell));
        std::memcpy(held.as<void>(), cells_, before * sizeof(Cell));
        clear(4 * before);
        for (size_t c = 0; c < before; ++c) {
            const Cell cell = held.as<Cell>()[c];
            if (!cell.local) continue;
            size_t at = static_cast<size_t>(Ranges::mixed(cell.number)) & mask_;
            while (cells_[at].local) at = (at + 1) & mask_;
            cells_[at] = cell;
        }
    }

    Room& room_;
    Cell* cells_ = nullptr;
    size_t mask_ = 0;
    uint32_t used_ = 0;
};

// Memory that a group of so many keys is sorted in.
template <class Key>
size_t slot_of(size_t keys) {
#if defined(__AVX2__)
    constexpr size_t lanes = Vec<Key>::lanes;
    if (keys <= 4) return keys;
    if (keys <= leaf_keys<Key>) return lanes + (keys <= 4 * lanes ? 4 * lanes : keys <= 8 * lanes ? 8 * lanes : 16 * lanes);  // padding may run over
#endif
    return keys;
}

template <class Key>
void sort_slot(Key* keys, size_t n, Room& scratch) {
#if defined(__AVX2__)
    if (n > 4 && n <= leaf_keys<Key>) return sort_padded(keys, n, keys);
#endif
    if (n < 2) return;
    Key* const other = reinterpret_cast<Key*>(scratch.bytes(sort_scratch(n) * sizeof(Key)));
    sort_keys(keys, other, n);
}

struct RangeRoom {
    Room cells, names, places, keys, scratch;
};

// What is found in one range: as many names and rows.
struct RangeTable {
    uint64_t* names = nullptr;
    ManyRow* rows = nullptr;
    size_t size = 0;
};

// Measures the groups of one range, whose rows `blocks` gives to what it is called with; they are overwritten.
template <class Key, class Number, class Blocks>
void measure_range(Blocks&& blocks, size_t range, const Ranges& ranges, const Codec& codec, RangeRoom& room, RangeTable& out) {
    using Row = KeyedRow<Key, Number>;
    const Number first = ranges.dense ? static_cast<Number>(static_cast<uint64_t>(range) << ranges.shift) : 0;
    size_t groups = size_t{1} << (ranges.dense ? ranges.shift : 0);
    const Number* names = nullptr;
    if (!ranges.dense) {
        LocalNumbers<Number> local(room.cells);
        blocks([&](Row* rows, size_t m) {
            for (size_t i = 0; i < m; ++i) rows[i].number = local.of(rows[i].number);
        });
        groups = local.size();
        Number* const own = reinterpret_cast<Number*>(room.names.bytes(groups * sizeof(Number)));
        local.write(own);
        names = own;
    }
    // Rows of each class in each group, then where the next key of each group goes.
    uint32_t* const each = reinterpret_cast<uint32_t*>(room.places.bytes(groups * (2 * sizeof(uint32_t) + sizeof(size_t))));
    size_t* const next = reinterpret_cast<size_t*>(each + 2 * groups);
    std::memset(each, 0, 2 * groups * sizeof(uint32_t));
    blocks([=](const Row* rows, size_t m) {
        for (size_t i = 0; i < m; ++i) {
            const size_t local = static_cast<size_t>(static_cast<Number>(rows[i].number - first));
            if (local >= groups) throw Changed();
            ++each[2 * local + (rows[i].key & 1)];
        }
    });
    size_t room_needed = 0, present = 0;
    for (size_t g = 0; g < groups; ++g) {
        const size_t size = size_t{each[2 * g]} + each[2 * g + 1];
        next[g] = room_needed;
        room_needed += slot_of<Key>(size);
        present += size > 0;
    }
    Key* const keys = reinterpret_cast<Key*>(room.keys.bytes((room_needed + 128) * sizeof(Key)));
    blocks([=](const Row* rows, size_t m) {
        for (size_t i = 0; i < m; ++i) keys[next[rows[i].number - first]++] = rows[i].key;
    });
    Block name_block(present * sizeof(uint64_t)), row_block(present * sizeof(ManyRow));
    uint64_t* const own_names = name_block.as<uint64_t>();
    ManyRow* const own_rows = row_block.as<ManyRow>();
    size_t done = 0;
    for (size_t g = 0; g < groups; ++g) {
        const size_t n_neg = each[2 * g], size = n_neg + each[2 * g + 1];
        if (!size) continue;
        Key* const mine = keys + (next[g] - size);
        if (!all_within(mine, size, codec)) throw Changed();
        sort_slot(mine, size, room.scratch);
        RankSums sums(size, n_neg);
        add_sorted(mine, size, sums);
        own_names[done] = ranges.low + (names ? names[g] : static_cast<Number>(first + static_cast<Number>(g)));
        own_rows[done++] = sums.row();
    }
    out.names = static_cast<uint64_t*>(name_block.take());
    out.rows = static_cast<ManyRow*>(row_block.take());
    out.size = present;
}

// The tables of all ranges, one behind the other.
class RangeTables {
public:
    explicit RangeTables(size_t count) : count_(count), block_(count * sizeof(RangeTable)) {
        for (size_t r = 0; r < count; ++r) new (&each(r)) RangeTable();
    }
    RangeTables(const RangeTables&) = delete;
    RangeTables& operator=(const RangeTables&) = delete;
    ~RangeTables() {
        for (size_t r = 0; r < count_; ++r) {
            Block::release(each(r).names);
            Block::release(each(r).rows);
        }
    }
    RangeTable& each(size_t r) { return block_.as<RangeTable>()[r]; }
    void join(int threads, KeyedTable& out) {
        Block starts((count_ + 1) * sizeof(size_t));
        size_t* const start = starts.as<size_t>();
        start[0] = 0;
        for (size_t r = 0; r < count_; ++r) start[r + 1] = start[r] + each(r).size;
        out.size = start[count_];
        out.names = Block(out.size * sizeof(uint64_t));
        out.rows = Block(out.size * sizeof(ManyRow));
        parallel_for(count_, threads, [&](size_t r) {
            const RangeTable& mine = each(r);
            if (!mine.size) return;
            std::memcpy(out.names.as<uint64_t>() + start[r], mine.names, mine.size * sizeof(uint64_t));
            std::memcpy(static_cast<void*>(out.rows.as<ManyRow>() + start[r]), mine.rows, mine.size * sizeof(ManyRow));
        });
    }

private:
    size_t count_;
    Block block_;
};

// Measures all ranges on threads. `blocks_of` gives the rows of a range, as measure_range takes them.
template <class Key, class Number, class BlocksOf>
void measure_ranges(const Coder<Key>& coder, const Ranges& ranges, size_t parts, int threads, BlocksOf&& blocks_of, RangeTables& tables) {
    std::atomic<size_t> next{0};
    parallel_try(parts, threads, [&](size_t) {
        RangeRoom room;
        for (size_t r; (r = next.fetch_add(1)) < ranges.count;)
            measure_range<Key, Number>(blocks_of(r), r, ranges, coder.codec, room, tables.each(r));
    });
}

// Brings rows together by ranges of groups, in one pass, and measures them.
template <class Number, class Word, class Key>
void measure_chunks(const Word* groups, const Coder<Key>& coder, const Ranges& ranges, size_t parts, int threads, RangeTables& tables) {
    using Row = KeyedRow<Key, Number>;
    const size_t n = coder.size;
    Chunks<Row> chunks(n, parts, ranges.count);
    parallel_try(parts, threads, [&](size_t p) {
        typename Chunks<Row>::Writer writer(chunks, p);
        const Ranges by = ranges;
        const Word low = static_cast<Word>(by.low);
        const size_t end = part(n, parts, p + 1);
        Key keys[block_rows];
        uint16_t range[block_rows];
        for (size_t i = part(n, parts, p); i < end; i += block_rows) {
            const size_t m = end - i < block_rows ? end - i : block_rows;
            const Word* const here = groups + i;
            fetch_lines(here + block_rows + 2048 / sizeof(Word), block_rows * sizeof(Word));
            coder.fetch(i + block_rows);
            coder.encode(i, m, keys);
            by.classify(here, m, range);
            writer.put(m, [&](size_t j) { return range[j]; },
                       [&](size_t j) { return Row{keys[j], static_cast<Number>(static_cast<Word>(here[j] - low))}; });
        }
        writer.finish();
    });
    measure_ranges<Key, Number>(coder, ranges, parts, threads,
                                [&](size_t r) { return [&chunks, r](auto&& f) { chunks.each_block(r, f); }; }, tables);
}

// The same in two passes: the first says how many rows go to each range.
template <class Number, class Word, class Key>
void measure_places(const Word* groups, const Coder<Key>& coder, const Ranges& ranges, size_t parts, int threads, RangeTables& tables) {
    using Row = KeyedRow<Key, Number>;
    const size_t n = coder.size, count = ranges.count;
    const Word low = static_cast<Word>(ranges.low);
    // Ranges are kept, so that each gets as many rows as it has room for, even if the groups change meanwhile.
    Block range_block(n * sizeof(uint16_t)), place_block(parts * most_ranges * sizeof(size_t)), start_block((count + 1) * sizeof(size_t));
    uint16_t* const range_of = range_block.as<uint16_t>();
    size_t *const places = place_block.as<size_t>(), *const start = start_block.as<size_t>();
    const Ranges by = ranges;
    parallel_for(parts, threads, [=](size_t p) {
        size_t* const mine = places + p * most_ranges;
        std::memset(mine, 0, most_ranges * sizeof(size_t));
        uint16_t found[block_rows];
        const size_t end = part(n, parts, p + 1);
        for (size_t i = part(n, parts, p); i < end; i += block_rows) {
            const size_t m = end - i < block_rows ? end - i : block_rows;
            by.classify(groups + i, m, found);
            for (size_t j = 0; j < m; ++j) ++mine[found[j]];
            std::memcpy(range_of + i, found, m * sizeof(uint16_t));
        }
    });
    size_t at = 0;
    for (size_t r = 0; r < count; ++r) {
        start[r] = at;
        for (size_t p = 0; p < parts; ++p) {
            const size_t here = places[p * most_ranges + r];
            places[p * most_ranges + r] = at;
            at += here;
        }
    }
    start[count] = at;
    Block row_block(n * sizeof(Row));
    Row* const rows = row_block.as<Row>();
    parallel_for(parts, threads, [=, &coder](size_t p) {
        size_t* const next = places + p * most_ranges;
        Key keys[block_rows];
        const size_t end = part(n, parts, p + 1);
        for (size_t i = part(n, parts, p); i < end; i += block_rows) {
            const size_t m = end - i < block_rows ? end - i : block_rows;
            coder.encode(i, m, keys);
            for (size_t j = 0; j < m; ++j)
                rows[next[range_of[i + j]]++] = {keys[j], static_cast<Number>(static_cast<Word>(groups[i + j] - low))};
        }
    });
    range_block = Block();
    measure_ranges<Key, Number>(coder, ranges, parts, threads,
                                [=](size_t r) { return [=](auto&& f) { f(rows + start[r], start[r + 1] - start[r]); }; }, tables);
}

template <class Number, class Word, class Key>
void measure_keyed(const Word* groups, const Coder<Key>& coder, const Ranges& ranges, int threads, KeyedTable& out) {
    const size_t n = coder.size, parts = static_cast<size_t>(threads > 1 && n > 65536 ? threads : 1);
    RangeTables tables(ranges.count);
    constexpr size_t from = chunks_from<KeyedRow<Key, Number>>;
    if constexpr (from != SIZE_MAX) {
        if (n >= from) measure_chunks<Number>(groups, coder, ranges, parts, threads, tables);
        else measure_places<Number>(groups, coder, ranges, parts, threads, tables);
    } else {
        measure_places<Number>(groups, coder, ranges, parts, threads, tables);
    }
    tables.join(threads, out);
    out.sorted = ranges.dense;
}

template <class Word, class Key>
void keyed_words(const Word* groups, const Coder<Key>& coder, const Ranges& ranges, int threads, KeyedTable& out) {
    if (ranges.span < UINT32_MAX) measure_keyed<uint32_t>(groups, coder, ranges, threads, out);
    else measure_keyed<uint64_t>(groups, coder, ranges, threads, out);
}

template <class Key>
void keyed_of(const void* groups, bool wide, const Coder<Key>& coder, const Ranges& ranges, int threads, KeyedTable& out) {
    if (wide) keyed_words(static_cast<const uint64_t*>(groups), coder, ranges, threads, out);
    else keyed_words(static_cast<const uint32_t*>(groups), coder, ranges, threads, out);
}

inline Ranges ranges_of(const void* groups, Type type, size_t n, int threads) {
    switch (type) {
        case Type::i32: return find_ranges(static_cast<const int32_t*>(groups), n, threads);
        case Type::u32: return find_ranges(static_cast<const uint32_t*>(groups), n, threads);
        case Type::i64: return find_ranges(static_cast<const int64_t*>(groups), n, threads);
        default: return find_ranges(static_cast<const uint64_t*>(groups), n, threads);
    }
}

// Groups are of 32 or 64 bits. False where some scores are NaN, or span too much for keys: then the rows have to be
// brought into order first.
inline bool many_keyed(const Rows& rows, const void* groups, Type type, int threads, KeyedTable& out) {
    const bool wide = type == Type::i64 || type == Type::u64;
    bool done = false;
    with_type(rows.type, [&](auto kind) {
        using S = decltype(kind);
        const Stats<S> stats = stats_of(static_cast<const S*>(rows.scores), rows.size, threads);
        if (has_nan(stats)) return;
        const Codec codec = make_codec(stats);
        if (codec.span > most_span<uint64_t>) return;
        const Ranges ranges = ranges_of(groups, type, rows.size, threads);
        if (codec.span <= most_span<uint32_t>) keyed_of(groups, wide, coder_of<S, uint32_t>(rows, codec), ranges, threads, out);
        else if constexpr (sizeof(S) >= 4) keyed_of(groups, wide, coder_of<S, uint64_t>(rows, codec), ranges, threads, out);
        done = true;
    });
    return done;
}

}  // namespace thresher::THRESHER_ISA
