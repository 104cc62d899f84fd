// The Brier score of a table and what of it is miscalibration, given the blocks of isotonic regression.
#pragma once
#include <algorithm>

#include "areas.hpp"
#include "threads.hpp"

namespace thresher::THRESHER_ISA {

// Pieces of the table have a fixed size and are put together in order, so that the number of threads does not matter;
// sums of interleaved columns give the vector units work and are the same on every processor.
constexpr size_t brier_piece = size_t{1} << 16, brier_run = 512, brier_lanes = 8;

struct BrierPart {
    Carried pos, neg, off;
};

// What one block of isotonic regression says to its rows.
template <class C>
struct BrierBlock {
    C tp0, fp0;  // before it
    double pos, neg, share, scale;
};

template <class C>
double step_of(C to, C from) {
    // Unsigned where numbers that are no counts would overflow.
    if constexpr (sizeof(C) == 4) return static_cast<double>(static_cast<int32_t>(static_cast<uint32_t>(to) - static_cast<uint32_t>(from)));
    else return static_cast<double>(static_cast<int64_t>(static_cast<uint64_t>(to) - static_cast<uint64_t>(from)));
}

// Row i of a block: the losses of its positives and negatives, and two terms that are never negative, m (q - x)^2 and
// R 2 (x - next x), where R is by how much the hull stands above the points so far: 0 at the last row of the block.
template <class X, class C>
inline void brier_row(const X* x, const C* tp, const C* fp, size_t i, C tp_before, C fp_before, double next, const BrierBlock<C>& block,
                      double w1, double w0, double& a, double& b, double& c) {
    const double at = static_cast<double>(x[i]), rest = 1.0 - at, p = step_of(tp[i], tp_before), q = step_of(fp[i], fp_before);
    const double above = step_of(fp[i], block.fp0) * block.pos - step_of(tp[i], block.tp0) * block.neg, gap = block.share - at;
    a += p * (rest * rest);
    b += q * (at * at);
    c += (w1 * p + w0 * q) * (gap * gap) + (above > 0 ? above : 0.0) * block.scale * (at - next);
}

template <class X, class C>
void brier_rows(const X* x, const C* tp, const C* fp, size_t begin, size_t end, size_t n, const BrierBlock<C>& block, double w1, double w0,
                BrierPart& out) {
    for (size_t first = begin; first < end; first += brier_run) {
        const size_t stop = first + brier_run < end ? first + brier_run : end;
        double a[brier_lanes] = {}, b[brier_lanes] = {}, c[brier_lanes] = {};
        size_t i = first;
        const auto alone = [&](size_t lane) {
            brier_row(x, tp, fp, i, i ? tp[i - 1] : C{0}, i ? fp[i - 1] : C{0}, static_cast<double>(x[i + 1 < n ? i + 1 : i]), block, w1, w0,
                      a[lane], b[lane], c[lane]);
            ++i;
        };
        // The first and the last row of the table have no neighbour on one side.
        if (i == 0) alone(0);
        const size_t inner = stop == n ? n - 1 : stop;
        for (; i + brier_lanes <= inner; i += brier_lanes)
            for (size_t k = 0; k < brier_lanes; ++k)
                brier_row(x, tp, fp, i + k, tp[i + k - 1], fp[i + k - 1], static_cast<double>(x[i + k + 1]), block, w1, w0, a[k], b[k], c[k]);
        for (size_t k = 0; i < stop; ++k) alone(k % brier_lanes);
        double sums[3] = {};
        for (size_t k = 0; k < brier_lanes; ++k) {
            sums[0] += a[k];
            sums[1] += b[k];
            sums[2] += c[k];
        }
        out.pos.add(sums[0]);
        out.neg.add(sums[1]);
        out.off.add(sums[2]);
    }
}

// Losses of positives and negatives, and n (S(x) - S(q)).
template <class X, class C>
void brier_of(const X* x, const C* tp, const C* fp, size_t n, const int64_t* ends, size_t blocks, double w1, double w0, int threads,
              BrierSums& out) {
    const size_t pieces = (n + brier_piece - 1) / brier_piece;
    Block room(pieces * sizeof(BrierPart));
    BrierPart* const parts = room.as<BrierPart>();
    parallel_for(pieces, threads, [=](size_t piece) {
        BrierPart part;
        size_t i = piece * brier_piece;
        const size_t end = i + brier_piece < n ? i + brier_piece : n;
        size_t j = static_cast<size_t>(std::lower_bound(ends, ends + blocks, static_cast<int64_t>(i)) - ends);
        for (; i < end; ++j) {
            const size_t last = static_cast<size_t>(ends[j]), stop = last + 1 < end ? last + 1 : end;
            BrierBlock<C> block{};
            if (j) {
                block.tp0 = tp[ends[j - 1]];
                block.fp0 = fp[ends[j - 1]];
            }
            block.pos = step_of(tp[last], block.tp0);
            block.neg = step_of(fp[last], block.fp0);
            const double size = w1 * block.pos + w0 * block.neg;
            block.share = w1 * block.pos / size;
            block.scale = 2.0 * w1 * w0 / size;
            brier_rows(x, tp, fp, i, stop, n, block, w1, w0, part);
            i = stop;
        }
        parts[piece] = part;
    });
    BrierPart total;
    for (size_t piece = 0; piece < pieces; ++piece) {
        const auto add = [](Carried& sum, const Carried& part) {
            sum.add(part.sum);
            sum.error += part.error;
        };
        add(total.pos, parts[piece].pos);
        add(total.neg, parts[piece].neg);
        add(total.off, parts[piece].off);
    }
    out = {total.pos.value(), total.neg.value(), total.off.value()};
}

inline void brier(const void* x, bool single, const void* tp, const void* fp, bool wide, size_t n, const int64_t* ends, size_t blocks,
                  double w1, double w0, int threads, BrierSums& out) {
    const auto counted = [&](const auto* scores) {
        if (wide) brier_of(scores, static_cast<const int64_t*>(tp), static_cast<const int64_t*>(fp), n, ends, blocks, w1, w0, threads, out);
        else brier_of(scores, static_cast<const int32_t*>(tp), static_cast<const int32_t*>(fp), n, ends, blocks, w1, w0, threads, out);
    };
    if (single) counted(static_cast<const float*>(x));
    else counted(static_cast<const double*>(x));
}

}  // namespace thresher::THRESHER_ISA
