// Keys of a device's rows: scores packed with their class into integers, so that one sort gives both classes in order.
//
// KEY is the signed integer that the scores fill. The class takes a bit, so that half of all scores must be left out;
// which ones, a look at some rows or at all of them says. Nobody waits for that: `found` is zeros at first, and says at
// last whether the keys are good.
typedef unsigned char u8;
typedef unsigned long long u64;
typedef long long i64;
typedef unsigned KEY U;

enum { HIGH, LOW, GAP, LEAST, PAST, POSITIVES, OUTSIDE };  // what stands in `found`

__device__ U sign_bit() { return (U)1 << (8 * sizeof(KEY) - 1); }

// The bits of the largest magnitude of a float, infinity: all of its exponent.
__device__ U infinite() { return sign_bit() - ((U)1 << (sizeof(KEY) == 4 ? 23 : 52)); }

// The bits of a float as an integer in its order: the sign times the bits of the magnitude.
__device__ U ordered(U bits) { return bits & sign_bit() ? (U)0 - (bits & ~sign_bit()) : bits; }

template <class T>
__device__ T larger(T a, T b) {
    return a > b ? a : b;
}

// The highest score, and the complement of the lowest, among `count` rows that stand `step` apart.
extern "C" __global__ void look(const KEY* bits, i64 count, i64 step, i64 floats, u64* found) {
    const i64 thread = (i64)blockIdx.x * blockDim.x + threadIdx.x, threads = (i64)gridDim.x * blockDim.x;
    U high = 0, low = 0;
#pragma unroll 4
    for (i64 i = thread; i < count; i += threads) {
        const U row = (U)bits[i * step], key = (floats ? ordered(row) : row) ^ sign_bit();
        high = larger(high, key);
        low = larger(low, (U)~key);
    }
    for (int apart = warpSize / 2; apart > 0; apart /= 2) {
        high = larger(high, (U)__shfl_down_sync(0xFFFFFFFFu, high, apart));
        low = larger(low, (U)__shfl_down_sync(0xFFFFFFFFu, low, apart));
    }
    if (threadIdx.x % warpSize) return;
    atomicMax(found + HIGH, (u64)high);
    atomicMax(found + LOW, (u64)low);
}

// Scores from `least` to one before `past` get keys; floats of both signs lose `gap` numbers on either side of zero,
// where no score should stand.
struct Layout {
    U gap, least, past;
};

// Where only some rows were seen there is room beyond them: a quarter of the range for magnitudes, on either side for
// integers.
__device__ Layout layout(const u64* found, bool floats, bool only_some) {
    const KEY high = (KEY)((U)found[HIGH] ^ sign_bit()), low = (KEY)(~(U)found[LOW] ^ sign_bit());
    const U reach = sign_bit() / 2 - 2;
    if (floats) {
        if (low >= 0) return Layout{0, 0, infinite() + 1};
        U top = larger(high > 0 ? (U)high : (U)0, (U)0 - (U)low);
        if (only_some) top += reach / 4;
        if (top > infinite()) top = infinite();
        return Layout{top > reach ? top - reach : 0, (U)0 - reach, reach + 1};
    }
    const KEY middle = (high >> 1) + (low >> 1), lowest = (KEY)sign_bit(), span = (KEY)reach;
    KEY least = middle < lowest + span ? lowest : middle - span;
    if (least > 2) least = 2;
    return Layout{0, (U)least, (U)least + 2 * reach + 1};
}

struct Tally {
    unsigned positives;
    bool outside;
};

// The key of a score: less `least` for a positive, less `past` for a negative.
template <bool floats>
__device__ KEY packed_key(U bits, bool positive, const Layout& how, Tally& tally) {
    U key = bits;
    if (floats) {
        const U magnitude = bits & ~sign_bit(), away = magnitude > how.gap ? magnitude - how.gap : 0;
        tally.outside |= magnitude - 1 < how.gap;
        key = bits & sign_bit() ? (U)0 - away : away;
    }
    const U room = how.past - how.least;
    key -= how.least;
    tally.outside |= key >= room;
    tally.positives += positive;
    return (KEY)(positive ? key : key - room);
}

template <bool floats>
__device__ Tally pack(const KEY* bits, const u8* positive, KEY* packed, i64 size, const Layout& how) {
    Tally tally = {0, false};
    for (i64 begin = (i64)blockIdx.x * (BLOCK * ROWS); begin < size; begin += (i64)gridDim.x * (BLOCK * ROWS)) {
        const i64 first = begin + threadIdx.x;
        if (begin + BLOCK * ROWS <= size) {  // rows are on their way together
            KEY row[ROWS];
            u8 mark[ROWS];
#pragma unroll
            for (int k = 0; k < ROWS; ++k) {
                row[k] = bits[first + k * BLOCK];
                mark[k] = positive[first + k * BLOCK];
            }
#pragma unroll
            for (int k = 0; k < ROWS; ++k)
                packed[first + k * BLOCK] = packed_key<floats>((U)row[k], mark[k] != 0, how, tally);
        } else
            for (i64 i = first; i < size; i += BLOCK)
                packed[i] = packed_key<floats>((U)bits[i], positive[i] != 0, how, tally);
    }
    return tally;
}

extern "C" __global__ void pack_keys(const KEY* bits, const u8* positive, KEY* packed, i64 size, i64 floats,
                                     i64 only_some, u64* found) {
    const Layout how = layout(found, floats != 0, only_some != 0);
    Tally tally = floats ? pack<true>(bits, positive, packed, size, how) : pack<false>(bits, positive, packed, size, how);
    for (int apart = warpSize / 2; apart > 0; apart /= 2)
        tally.positives += __shfl_down_sync(0xFFFFFFFFu, tally.positives, apart);
    if (threadIdx.x % warpSize == 0) atomicAdd(found + POSITIVES, (u64)tally.positives);
    if (tally.outside) found[OUTSIDE] = 1;
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        found[GAP] = how.gap;
        found[LEAST] = (u64)(i64)(KEY)how.least;
        found[PAST] = (u64)(i64)(KEY)how.past;
    }
}
