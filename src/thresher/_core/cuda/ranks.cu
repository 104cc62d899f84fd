// Ranks of two classes on a device: sums over their sorted keys, which keys.cu packs.
//
// KEY is the integer that the scores fill. The few are looked up in the many as if both were merged: each block goes
// through a stretch of the merged order, TILE keys at a time in shared memory, and leaves its part of a sum behind.
typedef unsigned long long u64;
typedef long long i64;

// How many keys are below `wanted`, or up to it.
template <bool up_to, class Size>
__device__ Size count_below(const KEY* keys, Size size, KEY wanted) {
    Size first = 0;
    while (size > 0) {
        const Size half = size / 2;
        const bool under = up_to ? keys[first + half] <= wanted : keys[first + half] < wanted;
        first = under ? first + half + 1 : first;
        size = under ? size - half - 1 : half;
    }
    return first;
}

// The first place from `place` on whose key is above `wanted`: in doubling steps, then halving ones.
template <class Size>
__device__ Size after(const KEY* keys, Size size, KEY wanted, Size place) {
    Size step = 1;
    bool on = true;
    while (step > 0) {
        const bool under = step <= size - place && keys[place + step - 1] <= wanted;
        on = on && under;
        if (under) place += step;
        step = on ? step * 2 : step / 2;
    }
    return place;
}

// How many of the few are among the first `ahead` keys of both; where they tie the many are before the few.
template <class Size>
__device__ Size few_among(Size ahead, const KEY* few, Size n, const KEY* many, Size size, i64 shift) {
    Size low = ahead > size ? ahead - size : 0, high = ahead < n ? ahead : n;
    while (low < high) {
        const Size half = low + (high - low) / 2;
        if ((KEY)(few[half] - shift) < many[ahead - 1 - half])
            low = half + 1;
        else
            high = half;
    }
    return low;
}

// Keys in shared memory, those of the few less `shift`: some that follow each other in either class.
struct Tile {
    const KEY *few, *many;
    int few_size, many_size;
    i64 few_first, many_first;  // where they stand among all
};

// A run of equal keys among the few, that starts within a tile, and what it meets among the many.
struct Run {
    const KEY *all_few, *all_many;
    i64 n, shift;
    const Tile& tile;
    int place;
    KEY wanted;

    __device__ i64 first() const { return tile.few_first + place; }

    __device__ i64 next() const {
        const int found = after(tile.few, tile.few_size, wanted, place);
        const i64 at = tile.few_first + found;
        return found < tile.few_size ? at : after(all_few, n, (KEY)(wanted + shift), at);
    }

    // Of the many; these are the first ones of the tile, or before it where ties go on there.
    template <bool up_to>
    __device__ i64 among_many(KEY key) const {
        const int inside = count_below<up_to>(tile.many, tile.many_size, key);
        if (inside > 0 || tile.many_first == 0) return tile.many_first + inside;
        const KEY last = all_many[tile.many_first - 1];
        return last < key || (up_to && last == key) ? tile.many_first
                                                    : count_below<up_to>(all_many, tile.many_first, key);
    }

    __device__ i64 under() const { return among_many<false>(wanted); }

    __device__ i64 up_to(i64 under) const {
        const i64 inside = under - tile.many_first;
        if (inside < 0) return among_many<true>(wanted);
        return tile.many_first + after(tile.many, tile.many_size, wanted, (int)inside);
    }

    // Up to the run before this one.
    __device__ i64 up_to_last() const {
        return first() == 0 ? 0 : among_many<true>((KEY)(all_few[first() - 1] - shift));
    }
};

template <class Visit>
__device__ void over_runs(const KEY* few, i64 n, const KEY* many, i64 size, i64 shift, Visit visit) {
    __shared__ KEY near_few[TILE], near_many[TILE];
    const i64 rows = n + size, share = (rows + gridDim.x - 1) / gridDim.x;
    i64 done = share * blockIdx.x;
    const i64 end = done + share < rows ? done + share : rows;
    if (done >= end) return;
    i64 a = few_among(done, few, n, many, size, shift);
    while (done < end) {
        const i64 b = done - a, left_few = n - a, left_many = size - b;
        const int width = end - done < TILE ? (int)(end - done) : TILE;
        const int fews = left_few < width ? (int)left_few : width, manys = left_many < width ? (int)left_many : width;
#pragma unroll 4
        for (int k = threadIdx.x; k < fews; k += blockDim.x) near_few[k] = (KEY)(few[a + k] - shift);
#pragma unroll 4
        for (int k = threadIdx.x; k < manys; k += blockDim.x) near_many[k] = many[b + k];
        __syncthreads();
        const int taken = few_among(width, near_few, fews, near_many, manys, (i64)0);
        const Tile tile = {near_few, near_many, fews, width - taken, a, b};
        for (int k = threadIdx.x; k < taken; k += blockDim.x) {
            const KEY wanted = near_few[k];
            if (k > 0 ? near_few[k - 1] == wanted : a > 0 && (KEY)(few[a - 1] - shift) == wanted) continue;
            visit(Run{few, many, n, shift, tile, k, wanted});
        }
        __syncthreads();
        a += taken;
        done += width;
    }
}

// The sum of what the threads of a block have, for its first one.
template <class T>
__device__ T block_sum(T value) {
    __shared__ T parts[32];
    for (int apart = warpSize / 2; apart > 0; apart /= 2) value += __shfl_down_sync(0xFFFFFFFFu, value, apart);
    if (threadIdx.x % warpSize == 0) parts[threadIdx.x / warpSize] = value;
    __syncthreads();
    T sum = 0;
    if (threadIdx.x == 0)
        for (int k = 0; k < blockDim.x / warpSize; ++k) sum += parts[k];
    __syncthreads();
    return sum;
}

// How many of the many are below each of the few, less `shift`, plus how many are not above it.
extern "C" __global__ void twice_beaten(const KEY* few, i64 n, const KEY* many, i64 size, i64 shift, i64* sums) {
    u64 sum = 0;
    over_runs(few, n, many, size, shift, [&](const Run& run) {
        const i64 under = run.under();
        sum += (u64)(run.next() - run.first()) * (u64)(under + run.up_to(under));
    });
    sum = block_sum(sum);
    if (threadIdx.x == 0) sums[blockIdx.x] = (i64)sum;
}

// Sums what `area` says of each run of positives: whole parts of 2**-30 of each block, and then what is left of each.
template <class Area>
__device__ void sum_areas(const KEY* pos, i64 n, const KEY* neg, i64 size, i64 shift, i64* sums, Area area) {
    i64 whole = 0;
    double left = 0;
    over_runs(pos, n, neg, size, shift, [&](const Run& run) {
        const double term = area(run) * 1073741824.0, parts = floor(term);
        whole += (i64)parts;
        left += term - parts;
    });
    whole = block_sum(whole);
    left = block_sum(left);
    if (threadIdx.x) return;
    sums[blockIdx.x] = whole;
    ((double*)sums)[gridDim.x + blockIdx.x] = left;
}

// The positives times the precision at the score of each.
extern "C" __global__ void average_precision(const KEY* pos, i64 n, const KEY* neg, i64 size, i64 shift, i64* sums) {
    sum_areas(pos, n, neg, size, shift, sums, [=](const Run& run) -> double {
        const double tp = (double)(n - run.first()), fp = (double)(size - run.under());
        return (double)(run.next() - run.first()) * (tp / (tp + fp));
    });
}

// The positives times the interpolated area. Pieces by which the calls grow too much for a short series, a few at the
// start of the curve, are left to the processor: after the sums, how many they are, then four numbers each.
extern "C" __global__ void interpolated(const KEY* pos, i64 n, const KEY* neg, i64 size, i64 shift, i64* sums,
                                        i64 most) {
    u64* const count = (u64*)sums + 2 * gridDim.x;
    double* const pieces = (double*)(count + 1);
    sum_areas(pos, n, neg, size, shift, sums, [=](const Run& run) -> double {
        const i64 next = run.next(), under = run.under(), up_to = run.up_to(under);
        const double p = (double)(next - run.first()), q = (double)(up_to - under);
        const double tp = (double)(n - next), fp = (double)(size - up_to), ahead = tp + fp, added = p + q;
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
    u64 found[7] = {0, 0, 0, 0, 0, 0, 0};
    over_runs(pos, n, neg, size, shift, [&](const Run& run) {
        const i64 under = run.under(), up_to = run.up_to(under), tp = n - run.first();
        const i64 times = run.next() - run.first();
        found[0] += (u64)times * (u64)(under + up_to);
        add_square(times, under + up_to, found + 1);
        add_square(under - run.up_to_last(), 2 * tp, found + 4);  // negatives between the two runs
        add_square(up_to - under, 2 * tp - times, found + 4);
    });
#pragma unroll
    for (int k = 0; k < 7; ++k) {
        const u64 sum = block_sum(found[k]);
        if (threadIdx.x == 0) sums[k * gridDim.x + blockIdx.x] = (i64)sum;
    }
}
