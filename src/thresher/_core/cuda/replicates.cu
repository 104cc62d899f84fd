// Bootstrap replicates of rows on a device: how often each row is drawn, and the areas that follow.
//
// Rows stand in order of score, highest first, negatives before positives within a score. Random numbers and counts are
// those of native/philox.hpp and native/resample.hpp, bit for bit: replicate i is the same there and here. Every
// argument is a pointer and no thread waits for another, so that this file compiles as plain C++ too, for the tests.
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

struct Job {
    i64 rows, totals[2], seed, first, attempt, stratified;
    i64 lines;     // of 32 rows
    i64 lanes;     // threads that share a replicate when counts are drawn
    i64 chunk;     // lines that one thread goes through when pairs are counted
    i64 chunks;
    i64 crossing;  // groups of tied scores that do not lie within one chunk
};

struct Four {
    u32 word[4];
};

__device__ Four philox(u64 counter, u32 kind, u64 replicate, u64 seed) {
    u32 c0 = (u32)counter, c1 = kind << 8 | (u32)(counter >> 32), c2 = (u32)replicate, c3 = (u32)(replicate >> 32);
    u32 k0 = (u32)seed, k1 = (u32)(seed >> 32);
    for (int round = 0; round < 10; ++round) {
        const u64 p0 = (u64)c0 * 0xD2511F53u, p1 = (u64)c2 * 0xCD9E8D57u;
        c0 = (u32)(p1 >> 32) ^ c1 ^ k0;
        c2 = (u32)(p0 >> 32) ^ c3 ^ k1;
        c1 = (u32)p1;
        c3 = (u32)p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return Four{{c0, c1, c2, c3}};
}

__device__ u32 level(u32 bits) {
    u32 count = (bits >= 24109) + (bits >= 48218) + (bits >= 60272) + (bits >= 64290);
    if (bits >= 65294) count = 5 + (bits >= 65494) + (bits >= 65527) + (bits >= 65531);
    return count;
}

// Four counts, a byte each, from 64 random bits.
__device__ u32 four_levels(u32 a, u32 b) {
    a ^= 0x80008000u;
    b ^= 0x80008000u;
    return level(a & 0xFFFF) | level(a >> 16) << 8 | level(b & 0xFFFF) << 16 | level(b >> 16) << 24;
}

__device__ bool has_remainder(u32 counts) { return (counts & 0x08080808u) != 0; }

__device__ u32 remainder_count(u64 row, u32 kind, u64 replicate, u64 seed) {
    const u64 steps[23] = {0x11c4f0bf5fd2255full, 0x2389e17ebfa44abfull, 0x4605f3780926f708ull, 0x5184a42076fd3076ull,
                           0x6dfde9e42c0c586bull, 0x9ca58734460522f9ull, 0xb57d327d5b6a55ccull, 0xdd9c01d0f0c1ef58ull,
                           0xfc397554fd067c23ull, 0xffa049473746fd8full, 0xfff75e7909e70a80ull, 0xffff49207a2422f3ull,
                           0xfffff203c37e8fa7ull, 0xffffff018e0f5cf0ull, 0xffffffef1c876b9aull, 0xfffffffef2d3b0d8ull,
                           0xfffffffff038752cull, 0xffffffffff20447dull, 0xfffffffffff441c8ull, 0xffffffffffff6a0full,
                           0xfffffffffffff8e0ull, 0xffffffffffffffadull, 0xfffffffffffffffcull};
    const Four found = philox(row * 4, kind, replicate, seed);
    const u64 word = found.word[0] | (u64)found.word[1] << 32;
    u32 count = 0;
    while (count < 23 && word >= steps[count]) ++count;
    return count;
}

__device__ u32 sum_bytes(u32 word) { return word * 0x01010101u >> 24; }

// 0xFF for each of four bits that is set.
__device__ u32 byte_mask(u32 bits) { return ((bits & 15) * 0x00204081u & 0x01010101u) * 255u; }

// Independent Poisson counts of all rows; sums of all, of the positives, and the largest that took more random bits.
extern "C" __global__ void draw_counts(const Job* job, const u32* positive, uint4* counts, i64* sums) {
    const i64 lane = (i64)blockIdx.x * blockDim.x + threadIdx.x, replicate = blockIdx.y;
    if (lane >= job->lanes) return;
    const u64 seed = (u64)job->seed, number = (u64)(job->first + replicate);
    const u32 kind = 4 * (u32)job->attempt;
    u32 all = 0, of_positives = 0, most = 8;
    for (i64 line = lane; line < job->lines; line += job->lanes) {
        u32 word[8];
        for (int i = 0; i < 4; ++i) {
            const Four found = philox((u64)line * 4 + i, kind, number, seed);
            word[i] = four_levels(found.word[0], found.word[1]);
            word[i + 4] = four_levels(found.word[2], found.word[3]);
        }
        const i64 left = job->rows - 32 * line;
        const u32 marks = positive[line];
        for (int k = 0; k < 8; ++k) {
            if (has_remainder(word[k]))
                for (int j = 0; j < 4; ++j)
                    if ((word[k] >> 8 * j & 255) == 8 && 4 * k + j < left) {
                        const u32 count = remainder_count((u64)(32 * line + 4 * k + j), kind + 1, number, seed);
                        word[k] = (word[k] & ~(255u << 8 * j)) | count << 8 * j;
                        if (count > most) most = count;
                    }
            if (left < 4 * k + 4) word[k] = left <= 4 * k ? 0 : word[k] & ((1u << 8 * (left - 4 * k)) - 1);
            all += sum_bytes(word[k]);
            of_positives += sum_bytes(word[k] & byte_mask(marks >> 4 * k));
        }
        uint4* const out = counts + 2 * (replicate * job->lines + line);
        out[0] = uint4{word[0], word[1], word[2], word[3]};
        out[1] = uint4{word[4], word[5], word[6], word[7]};
    }
    i64* const found = sums + 3 * (replicate * job->lanes + lane);
    found[0] = all;
    found[1] = of_positives;
    found[2] = most;
}

// Adds or takes away single draws until a class, or the whole, has its size; `sums` are those of `draw_counts`, added.
extern "C" __global__ void correct_sizes(const Job* job, const u32* negatives, const u32* positives, const i64* sums,
                                         u8* counts) {
    const i64 thread = (i64)blockIdx.x * blockDim.x + threadIdx.x, replicate = blockIdx.y;
    if (thread >= (job->stratified ? 2 : 1)) return;
    const i64* const found = sums + 3 * replicate;
    const u32* const places = thread ? positives : negatives;
    const u64 size = (u64)(job->stratified ? job->totals[thread] : job->rows);
    i64 missing = (i64)size - (!job->stratified ? found[0] : thread ? found[1] : found[0] - found[1]);
    if (size == 0 || missing == 0) return;
    u32 mask = 8;
    while (mask < (u32)found[2]) mask *= 2;
    u8* const row = counts + 32 * replicate * job->lines;
    const u64 seed = (u64)job->seed, number = (u64)(job->first + replicate);
    const u32 kind = 4 * (u32)job->attempt + 2 + (u32)thread, least = (u32)(((u64)1 << 32) % size);
    for (u64 line = 0;; ++line) {
        u32 low[8], at[8];
        bool fair[8];
        u8 seen[8];
        for (int i = 0; i < 4; ++i) {
            const Four word = philox(line * 4 + i, kind, number, seed);
            for (int h = 0; h < 2; ++h) {
                const u64 product = word.word[2 * h + 1] * size;
                low[i + 4 * h] = word.word[2 * h];
                fair[i + 4 * h] = (u32)product >= least;
                at[i + 4 * h] = (u32)(product >> 32);
            }
        }
        if (job->stratified)
            for (int i = 0; i < 8; ++i) at[i] = places[at[i]];
        if (missing > 0) {
            for (int i = 0; i < 8; ++i)
                if (fair[i]) {
                    ++row[at[i]];
                    if (--missing == 0) return;
                }
            continue;
        }
        // A row drawn c times is c times as likely to lose one. Counts only fall here: most words are settled at once.
        for (int i = 0; i < 8; ++i) seen[i] = row[at[i]];
        for (int i = 0; i < 8; ++i)
            if (fair[i] && (low[i] & (mask - 1)) < seen[i] && (low[i] & (mask - 1)) < row[at[i]]) {
                --row[at[i]];
                if (++missing == 0) return;
            }
    }
}

// Positives, negatives, and twice the pairs ranked right plus the tied ones, within each chunk.
extern "C" __global__ void count_pairs(const Job* job, const u32* positive, const u32* begins, const u32* ends,
                                       const uint4* counts, i64* drawn, i64* pairs) {
    const i64 chunk = (i64)blockIdx.x * blockDim.x + threadIdx.x, replicate = blockIdx.y;
    if (chunk >= job->chunks) return;
    const i64 stop = (chunk + 1) * job->chunk < job->lines ? (chunk + 1) * job->chunk : job->lines;
    u32 p = 0, q = 0, p0 = 0, q0 = 0;
    u64 right = 0, tied = 0;
    bool open = false;
    for (i64 line = chunk * job->chunk; line < stop; ++line) {
        const uint4* const in = counts + 2 * (replicate * job->lines + line);
        const uint4 a = in[0], b = in[1];
        const u32 word[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
        const u32 marks = positive[line], first = begins[line], last = ends[line];
        for (int k = 0; k < 8; ++k) {
            const u32 mask = byte_mask(marks >> 4 * k), up = word[k] & mask, down = word[k] & ~mask;
            const u32 running = up * 0x01010101u, below = down * 0x01010101u;  // up to each byte
            if ((first | last) >> 4 * k & 15)
                for (int j = 0; j < 4; ++j) {
                    const int bit = 4 * k + j;
                    if (first >> bit & 1) {
                        open = true;
                        p0 = p + (running - up >> 8 * j & 255);
                        q0 = q + (below - down >> 8 * j & 255);
                    }
                    if (open && last >> bit & 1) {
                        open = false;
                        tied += (u64)(p + (running >> 8 * j & 255) - p0) * (q + (below >> 8 * j & 255) - q0);
                    }
                }
            u32 inside = 0;
            for (int j = 0; j < 32; j += 8) inside += (down >> j & 255) * (running >> j & 255);
            right += (u64)(below >> 24) * p + inside;
            p += running >> 24;
            q += below >> 24;
        }
    }
    const i64 at = replicate * job->chunks + chunk;
    drawn[2 * at] = p;
    drawn[2 * at + 1] = q;
    pairs[at] = (i64)(2 * right + tied);
}

// Positives or negatives among the rows of a chunk before one of them.
__device__ void add_until(const Job* job, const u32* positive, const u32* counts, i64 chunk, i64 row, i64* p, i64* q) {
    for (i64 at = 8 * chunk * job->chunk; 4 * at < row; ++at) {
        u32 word = counts[at];
        if (row - 4 * at < 4) word &= (1u << 8 * (row - 4 * at)) - 1;
        const u32 up = sum_bytes(word & byte_mask(positive[at / 8] >> 4 * (at % 8)));
        *p += up;
        *q += sum_bytes(word) - up;
    }
}

// Tied pairs of groups that lie in several chunks: `spans` are first rows and ends, `before` what the chunks before hold.
extern "C" __global__ void count_crossing(const Job* job, const u32* positive, const u32* counts, const i64* before,
                                          const i64* spans, i64* pairs) {
    const i64 group = (i64)blockIdx.x * blockDim.x + threadIdx.x, replicate = blockIdx.y;
    if (group >= job->crossing) return;
    i64 found[2][2];
    for (int end = 0; end < 2; ++end) {
        const i64 row = spans[2 * group + end], chunk = row / (32 * job->chunk);
        const i64 at = replicate * (job->chunks + 1) + chunk;
        found[end][0] = before[2 * at];
        found[end][1] = before[2 * at + 1];
        add_until(job, positive, counts + 8 * replicate * job->lines, chunk, row, &found[end][0], &found[end][1]);
    }
    pairs[replicate * job->crossing + group] = (found[1][0] - found[0][0]) * (found[1][1] - found[0][1]);
}

// Average precision of each replicate, by one thread: the sum has the processor's bits only in its order. `ends` has the
// last rows of positives that tie.
extern "C" __global__ void average_precisions(const Job* job, i64 replicates, const u32* positive, const u32* ends,
                                              const uint4* counts, double* areas, i64* positives) {
    const i64 replicate = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    if (replicate >= replicates) return;
    const uint4* const in = counts + 2 * replicate * job->lines;
    u64 tp = 0, fp = 0, last = 0;
    double sum = 0;
    uint4 a = in[0], b = in[1];
    for (i64 line = 0; line < job->lines; ++line) {
        const u32 word[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
        const u32 marks = positive[line], done = ends[line];
        if (line + 1 < job->lines) {  // on its way while this one is worked on
            a = in[2 * line + 2];
            b = in[2 * line + 3];
        }
        for (int k = 0; k < 8; ++k) {
            const u32 mask = byte_mask(marks >> 4 * k), running = (word[k] & mask) * 0x01010101u;
            const u32 below = (word[k] & ~mask) * 0x01010101u;
            for (u32 left = done >> 4 * k & 15, j = 0; left; left >>= 1, j += 8) {
                const u64 found = tp + (running >> j & 255);
                if (!(left & 1) || found == last) continue;
                const double precision = (double)found / ((double)found + (double)(fp + (below >> j & 255)));
                sum += (double)(found - last) * precision;
                last = found;
            }
            tp += running >> 24;
            fp += below >> 24;
        }
    }
    areas[replicate] = sum / (double)tp;
    positives[replicate] = (i64)tp;
}
