// Ranks of two classes on a device: sums over their sorted keys, which keys.cu packs.
//
// KEY is the integer that the scores fill. Each step is one pass over the data where array operations take several.
// No thread waits for another: each leaves its part of a sum behind.
typedef unsigned long long u64;
typedef long long i64;

// Moves on while keys are below `wanted`, or up to it: in doubling steps, then halving ones.
template <bool up_to>
__device__ i64 move(const KEY* many, i64 size, KEY wanted, i64 place) {
    i64 step = 1;
    bool on = true;
    while (step > 0) {
        const i64 next = place + step;
        const bool under = next <= size && (many[next - 1] < wanted || (up_to && many[next - 1] == wanted));
        on = on && under;
        if (under) place = next;
        step = on ? step * 2 : step / 2;
    }
    return place;
}

__device__ i64 first_not_below(const KEY* many, i64 size, KEY wanted) {
    i64 first = 0;
    while (size > 0) {
        const i64 half = size / 2;
        const bool under = many[first + half] < wanted;
        first = under ? first + half + 1 : first;
        size = under ? size - half - 1 : half;
    }
    return first;
}

// How many of `many` are below each of `few`, less `shift`, plus how many are not above it.
extern "C" __global__ void twice_beaten(const KEY* few, i64 n, const KEY* many, i64 size, i64 shift, i64* sums) {
    const i64 thread = (i64)blockIdx.x * blockDim.x + threadIdx.x, threads = (i64)gridDim.x * blockDim.x;
    u64 sum = 0;
    // Queries that stand together are answered one after the other, each from where the last one ended.
    for (i64 begin = thread * RUN; begin < n; begin += threads * RUN) {
        const i64 end = begin + RUN < n ? begin + RUN : n;
        i64 place = first_not_below(many, size, (KEY)(few[begin] - shift));
        for (i64 i = begin; i < end; ++i) {
            const KEY wanted = (KEY)(few[i] - shift);
            place = move<false>(many, size, wanted, place);
            sum += (u64)(place + move<true>(many, size, wanted, place));
        }
    }
    sums[thread] = (i64)sum;
}

// Sums what `area` says of each run of equal positives, in parts of 2**-30 and what is left. It is given the first of the
// run, the first one after it, the key of a negative with its score and the negatives below that. A run belongs to the
// thread that has its first one.
template <class Area>
__device__ void sum_over_runs(const KEY* pos, i64 n, const KEY* neg, i64 size, i64 shift, i64* whole, double* rest,
                              Area area) {
    const i64 thread = (i64)blockIdx.x * blockDim.x + threadIdx.x, threads = (i64)gridDim.x * blockDim.x;
    i64 parts = 0;
    double left = 0;
    for (i64 begin = thread * RUN; begin < n; begin += threads * RUN) {
        const i64 end = begin + RUN < n ? begin + RUN : n;
        i64 place = -1;
        for (i64 i = begin; i < end; ++i) {
            if (i > 0 && pos[i - 1] == pos[i]) continue;
            const KEY wanted = (KEY)(pos[i] - shift);
            place = place < 0 ? first_not_below(neg, size, wanted) : move<false>(neg, size, wanted, place);
            const double term = area(i, move<true>(pos, n, pos[i], i), wanted, place) * 1073741824.0;
            const double floor_of = floor(term);
            parts += (i64)floor_of;
            left += term - floor_of;
        }
    }
    whole[thread] = parts;
    rest[thread] = left;
}

// The positives times the precision at the score of each.
extern "C" __global__ void average_precision(const KEY* pos, i64 n, const KEY* neg, i64 size, i64 shift, i64* whole,
                                             double* rest) {
    sum_over_runs(pos, n, neg, size, shift, whole, rest, [=](i64 i, i64 next, KEY, i64 place) -> double {
        const double tp = (double)(n - i), fp = (double)(size - place);
        return (double)(next - i) * (tp / (tp + fp));
    });
}

// The positives times the interpolated area. Pieces by which the calls grow too much for a short series, a few at the
// start of the curve, are left to the processor: `count` of them, four numbers each.
extern "C" __global__ void interpolated(const KEY* pos, i64 n, const KEY* neg, i64 size, i64 shift, i64* whole,
                                        double* rest, u64* count, double* pieces, i64 most) {
    sum_over_runs(pos, n, neg, size, shift, whole, rest, [=](i64 i, i64 next, KEY wanted, i64 place) -> double {
        const i64 above = move<true>(neg, size, wanted, place);
        const double p = (double)(next - i), q = (double)(above - place);
        const double tp = (double)(n - next), fp = (double)(size - above), ahead = tp + fp, added = p + q;
        if (added >= ahead / 64.0) {
            const u64 at = atomicAdd(count, (u64)1);
            if ((i64)at < most) {
                pieces[4 * at] = tp;
                pieces[4 * at + 1] = fp;
                pieces[4 * at + 2] = p;
                pieces[4 * at + 3] = q;
            }
            return 0.0;
        }
        const double z = added / ahead, y = z / (2.0 + z), square = y * y;
        const double tail = ((((1.0 / 9.0) * square + 1.0 / 7.0) * square + 1.0 / 5.0) * square + 1.0 / 3.0) * square;
        const double inner = y - (1.0 - y) * tail;
        return p * ((1.0 - inner) * (tp / ahead) + inner * (p / added));
    });
}

__device__ void add_square(i64 times, i64 value, u64* sums) {
    const u64 high = (u64)value >> 16, low = (u64)value & 65535;
    sums[0] += (u64)times * high * high;
    sums[1] += (u64)times * high * low;
    sums[2] += (u64)times * low * low;
}

// Twice U, and squares of twice the placements of positives and of negatives, each in three sums of digits.
extern "C" __global__ void placement_sums(const KEY* pos, i64 n, const KEY* neg, i64 size, i64 shift, i64* sums) {
    const i64 thread = (i64)blockIdx.x * blockDim.x + threadIdx.x, threads = (i64)gridDim.x * blockDim.x;
    u64 found[7] = {0, 0, 0, 0, 0, 0, 0};
    for (i64 begin = thread * RUN; begin < n; begin += threads * RUN) {
        const i64 end = begin + RUN < n ? begin + RUN : n;
        i64 below = -1;  // negatives up to the run before
        for (i64 i = begin; i < end; ++i) {
            if (i > 0 && pos[i - 1] == pos[i]) continue;
            if (i == 0) below = 0;
            else if (below < 0) {
                const KEY last = (KEY)(pos[i - 1] - shift);
                below = move<true>(neg, size, last, first_not_below(neg, size, last));
            }
            const KEY wanted = (KEY)(pos[i] - shift);
            const i64 under = move<false>(neg, size, wanted, below), up_to = move<true>(neg, size, wanted, under);
            const i64 times = move<true>(pos, n, pos[i], i) - i, tp = n - i;
            found[0] += (u64)times * (u64)(under + up_to);
            add_square(times, under + up_to, found + 1);
            add_square(under - below, 2 * tp, found + 4);  // negatives between the two runs
            add_square(up_to - under, 2 * tp - times, found + 4);
            below = up_to;
        }
    }
    for (int k = 0; k < 7; ++k) sums[k * threads + thread] = (i64)found[k];
}
