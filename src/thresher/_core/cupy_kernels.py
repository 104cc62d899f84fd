"""Two steps of counting on CuPy arrays, each one pass over the data where plain array operations take several."""

from __future__ import annotations

from functools import cache
from typing import Any

__all__ = ["packed", "twice_beaten"]

_MEETING = r"""
// Moves on while keys are below `wanted`, or up to it: in doubling steps, then halving ones.
template <bool up_to>
__device__ long long past(const KEY* many, long long size, KEY wanted, long long place) {
    long long step = 1;
    bool on = true;
    while (step > 0) {
        const long long next = place + step;
        const bool under = next <= size && (many[next - 1] < wanted || (up_to && many[next - 1] == wanted));
        on = on && under;
        if (under) place = next;
        step = on ? step * 2 : step / 2;
    }
    return place;
}

extern "C" __global__ void twice_beaten(const KEY* few, long long n, const KEY* many, long long size, KEY shift,
                                        unsigned long long* total) {
    unsigned long long sum = 0;
    // Queries that stand together are answered one after the other, each from where the last one ended.
    const long long begin = (blockIdx.x * (long long)blockDim.x + threadIdx.x) * RUN;
    const long long end = begin + RUN < n ? begin + RUN : n;
    long long first = 0;
    if (begin < n) {
        long long rest = size;
        const KEY wanted = few[begin] - shift;
        while (rest > 0) {
            const long long half = rest / 2;
            const bool under = many[first + half] < wanted;
            first = under ? first + half + 1 : first;
            rest = under ? rest - half - 1 : half;
        }
    }
    for (long long i = begin; i < end; ++i) {
        const KEY wanted = few[i] - shift;
        first = past<false>(many, size, wanted, first);
        sum += first + past<true>(many, size, wanted, first);
    }
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}
"""
_THREADS = 256
_RUN = 8


@cache
def _packing() -> Any:
    import cupy

    return cupy.ElementwiseKernel(
        "T bits, bool positive, T flip, T gap, T least, T past",
        "T packed",
        """
        T key = bits < 0 ? (T)(bits ^ flip) : bits;
        key = key > gap ? key - gap : key < -gap - 1 ? key + gap + 1 : 0;
        packed = key - (positive ? least : past);
        """,
        "thresher_packed",
    )


@cache
def _meeting(size: int) -> Any:
    import cupy

    key = {1: "signed char", 2: "short", 4: "int", 8: "long long"}[size]
    return cupy.RawKernel(_MEETING.replace("KEY", key).replace("RUN", str(_RUN)), "twice_beaten")


def packed(bits: Any, positive: Any, *, flip: int, gap: int, least: int, past: int) -> Any:
    """Return the bits of floats as ordered integers without the gap around zero, less `least` or, negatives, `past`."""
    kind = bits.dtype.type
    return _packing()(bits, positive, kind(flip), kind(gap), kind(least), kind(past))


def twice_beaten(many: Any, few: Any, shift: int) -> int:
    """Return how many of `many` are below `few - shift`, plus how many are below or equal, summed over `few`.

    Both are signed integers, sorted and contiguous.
    """
    import cupy

    total = cupy.zeros(1, dtype=cupy.uint64)
    blocks = -(-few.size // (_THREADS * _RUN))
    if blocks:
        size, count = cupy.int64(many.size), cupy.int64(few.size)
        _meeting(few.itemsize)((blocks,), (_THREADS,), (few, count, many, size, few.dtype.type(shift), total))
    return int(total[0])
