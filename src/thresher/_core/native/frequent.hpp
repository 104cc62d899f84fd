// Scores that many rows share: counted in a hash table of fixed size, so that they need no memory of their own.
#pragma once
#include "buckets.hpp"
#include "stream.hpp"

namespace thresher::THRESHER_ISA {

template <class Key>
class FrequentTable {
public:
    // From sorted ordinals of a sample: worth it where scores that occur more than once are at least half of it.
    void learn(const Key* sample, size_t count) {
        size_t covered = 0;
        for (size_t i = 0, j; i < count; i = j) {
            for (j = i + 1; j < count && sample[j] == sample[i];) ++j;
            covered += j - i > 1 ? j - i : 0;
        }
        active_ = count >= 64 && 2 * covered >= count;
        if (!active_) return;
        block_ = Block(cells * sizeof(Cell));
        std::memset(block_.as<void>(), 0, cells * sizeof(Cell));
    }
    bool active() const { return active_; }

    // Counts a row if its score is, or can be made, one of the table's.
    bool take(Key ordinal, size_t label) {
        Cell* const table = block_.as<Cell>();
        for (size_t at = start(ordinal);; at = (at + 1) % cells) {
            Cell& cell = table[at];
            if (!(cell.count[0] | cell.count[1])) {
                if (used_ == most) return false;
                ++used_;
                cell.ordinal = ordinal;
            }
            if (cell.ordinal == ordinal) {
                ++cell.count[label];
                return true;
            }
        }
    }
    // Called after each batch: a table that takes few rows only costs time.
    void review(size_t rows, size_t taken) {
        if (rows >= 4096 && taken * 5 < rows * 2) active_ = false;
    }
    size_t list(Key* ordinals) const {
        size_t count = 0;
        const Cell* const table = block_.as<Cell>();
        for (size_t at = 0; table && at < cells; ++at)
            if (table[at].count[0] | table[at].count[1]) ordinals[count++] = table[at].ordinal;
        return count;
    }
    void counts(Key ordinal, uint64_t (&out)[2]) const {
        size_t at = start(ordinal);
        while (block_.as<Cell>()[at].ordinal != ordinal || !(block_.as<Cell>()[at].count[0] | block_.as<Cell>()[at].count[1]))
            at = (at + 1) % cells;
        out[0] = block_.as<Cell>()[at].count[0];
        out[1] = block_.as<Cell>()[at].count[1];
    }

    static constexpr size_t cells = 16384, most = 8192;

private:
    struct Cell {
        Key ordinal;
        uint64_t count[2];  // an empty cell has none
    };
    static size_t start(Key ordinal) { return static_cast<size_t>((static_cast<uint64_t>(ordinal) * 0x9E3779B97F4A7C15u) >> 50); }
    Block block_;
    size_t used_ = 0;
    bool active_ = false;
};

}  // namespace thresher::THRESHER_ISA
