// Several tables of the same rows, resampled together: units (rows, or clusters of rows) are drawn once, and every table
// reads how often each of its rows is there. Or each row is dealt one of two places, and every table reads its own.
#pragma once
#include <memory>
#include <new>

#include "bootstrap.hpp"

namespace thresher::THRESHER_ISA {

// What is drawn: each unit as often as a multinomial says, within two strata or from all; or a fair coin for each unit,
// whose two sides are the units 2u and 2u + 1.
struct Drawn {
    const PairedResampling& job;
    Block positive_block, place_block;
    Items items;
    size_t slots;  // of counts

    explicit Drawn(const PairedResampling& paired)
        : job(paired), positive_block((paired.units + 31) / 32 * 32), place_block(paired.units * sizeof(uint32_t)),
          slots((paired.exchange ? 2 * paired.units : paired.units) + 64) {
        const size_t n = job.units;
        uint8_t* const positive = positive_block.as<uint8_t>();
        std::memset(positive, 0, (n + 31) / 32 * 32);
        size_t first = 0;
        for (size_t u = 0; u < n; ++u) first += job.stratum[u] != 0;
        uint32_t* next[2] = {place_block.as<uint32_t>(), place_block.as<uint32_t>() + (n - first)};
        items.size = n;
        items.positive = positive;
        items.totals[0] = n - first;
        items.totals[1] = first;
        items.places[0] = next[0];
        items.places[1] = next[1];
        for (size_t u = 0; u < n; ++u) {
            const bool own = job.stratum[u] != 0;
            if (own) positive[u] = 0xFF;
            *next[own]++ = static_cast<uint32_t>(u);
        }
    }

    void draw(uint64_t replicate, uint32_t attempt, uint8_t* counts) const {
        if (!job.exchange) return draw_counts(items, true, job.seed, replicate, attempt, counts);
        const Stream stream{{static_cast<uint32_t>(job.seed), static_cast<uint32_t>(job.seed >> 32)},
                            {static_cast<uint32_t>(replicate), static_cast<uint32_t>(replicate >> 32)},
                            stream_kinds * attempt + counts_stream};
        uint64_t line[8];
        for (size_t u = 0; u < job.units; u += 512) {
            stream.line(u / 512, line);
            const size_t end = job.units - u < 512 ? job.units - u : 512;
            for (size_t i = 0; i < end; ++i) {
                const uint8_t side = static_cast<uint8_t>(line[i / 64] >> (i % 64) & 1);
                counts[2 * (u + i)] = side ^ 1;
                counts[2 * (u + i) + 1] = side;
            }
        }
    }
};

// How often each row of a table is there. `out` has room for whole blocks of 32 and is zero behind the rows.
inline void take_counts(const uint8_t* counts, const uint32_t* units, size_t rows, size_t padded, uint8_t* out) {
    for (size_t i = 0; i < rows; ++i) out[i] = counts[units[i]];
    for (size_t i = rows; i < padded; ++i) out[i] = 0;
}

// Objects that can neither be copied nor moved, one for each model.
template <class T>
class Several {
public:
    template <class F>
    Several(size_t n, const F& make) : room_(n * sizeof(T)) {
        for (; made_ < n; ++made_) make(room_.template as<T>() + made_, made_);
    }
    Several(const Several&) = delete;
    Several& operator=(const Several&) = delete;
    ~Several() {
        while (made_) room_.template as<T>()[--made_].~T();
    }
    T& operator[](size_t i) const { return room_.template as<T>()[i]; }

private:
    Block room_;
    size_t made_ = 0;
};

// Calls work(i, take) for every replicate i; take(attempt) draws its units, and returns how often each is there.
template <class F>
void for_paired(const PairedResampling& job, size_t rows, const F& work) {
    const Drawn drawn(job);
    std::atomic<size_t> next{0};
    const bool small = (rows + 64) * job.replicates < (size_t{1} << 18);  // less work than waking a thread
    const int wanted = small || job.threads < 1 ? 1 : job.threads;
    const int threads = static_cast<size_t>(wanted) > job.replicates ? static_cast<int>(job.replicates) : wanted;
    parallel_try(static_cast<size_t>(threads), threads, [&](size_t) {
        const Block room(drawn.slots);
        uint8_t* const counts = room.as<uint8_t>();
        const auto worker = work();
        for (size_t i; (i = next.fetch_add(1)) < job.replicates;)
            worker(i, [&](uint32_t attempt) {
                drawn.draw(job.first + i, attempt, counts);
                return static_cast<const uint8_t*>(counts);
            });
    });
}

// Sums of weights of the classes, and whether any row of them is there.
struct Weighed {
    double sums[2] = {0, 0};
    bool some[2] = {false, false};
};

// Calls body(negatives, positives) with the weights of every group, from the highest score down; rows of a group are
// added from left to right.
template <class F>
inline void for_weights(const Resampling& table, const uint32_t* unit, const double* weight, const uint8_t* counts, F&& body) {
    size_t at = 0;
    for (size_t g = 0; g < table.groups; ++g) {
        double sums[2];
        uint32_t whole[2];
        for (int side = 0; side < 2; ++side) {
            const size_t end = at + static_cast<size_t>(side ? table.pos[g] : table.neg[g]);
            double sum = 0;
            uint32_t any = 0;
            for (; at < end; ++at) {
                const uint32_t c = counts[unit[at]];
                any |= c;
                sum += static_cast<double>(c) * weight[at];
            }
            sums[side] = sum;
            whole[side] = any;
        }
        body(sums[0], sums[1], whole[0], whole[1]);
    }
}

// Areas of a table of weights; false if a class is not there.
inline bool measure_weights(const Resampling& table, const uint32_t* unit, const double* weight, const uint8_t* counts, size_t i) {
    Weighed all;
    double scale = 1;
    const auto add = [&](double q, double p, uint32_t any_neg, uint32_t any_pos) {
        all.sums[0] += q;
        all.sums[1] += p;
        all.some[0] |= any_neg != 0;
        all.some[1] |= any_pos != 0;
    };
    if (table.odds > 0) {
        for_weights(table, unit, weight, counts, add);
        scale = table.odds * all.sums[1] / all.sums[0];
        all = Weighed();
    }
    const bool average = table.average_precision != nullptr, interpolated = table.interpolated != nullptr;
    double twice_lost = 0, ap = 0, area = 0;
    for_weights(table, unit, weight, counts, [&](double q, double p, uint32_t any_neg, uint32_t any_pos) {
        const double tp = all.sums[1], fp = all.sums[0];
        if (p > 0) {
            twice_lost += p * (fp + fp + q);
            if (average) ap += p * ((tp + p) / ((tp + p) + (fp + q) * scale));
            if (interpolated) area += p * mean_precision(tp, fp * scale, p, table.positives_first ? 0.0 : q * scale);
        }
        add(q, p, any_neg, any_pos);
    });
    const double n_pos = all.sums[1], pairs = 2.0 * n_pos * all.sums[0];
    if (table.roc_auc) table.roc_auc[i] = (pairs - twice_lost) / pairs;
    if (average) table.average_precision[i] = ap / n_pos;
    if (interpolated) table.interpolated[i] = area / n_pos;
    return all.some[0] && all.some[1];
}

// Measures the tables.
inline void paired(const PairedResampling& job) {
    const size_t n = job.models;
    const Several<Plan> plans(n, [&](Plan* at, size_t m) { new (at) Plan(job.tables[m]); });
    size_t rows = 0;
    for (size_t m = 0; m < n; ++m) rows += plans[m].items.size;
    for_paired(job, rows, [&] {
        auto replicates = std::make_unique<Several<Replicate>>(n, [&](Replicate* at, size_t m) { new (at) Replicate(plans[m]); });
        return [&, held = std::move(replicates)](size_t i, const auto& draw) {
            for (uint32_t attempt = 0;; ++attempt) {
                const uint8_t* const counts = draw(attempt);
                bool usable = true;
                for (size_t m = 0; m < n && usable; ++m) {
                    if (job.weight_of[m]) {
                        usable = measure_weights(job.tables[m], job.unit_of[m], job.weight_of[m], counts, i);
                        continue;
                    }
                    Replicate& r = (*held)[m];
                    take_counts(counts, job.unit_of[m], plans[m].items.size, plans[m].padded, r.counts);
                    const U128 right = r.index();
                    const Totals all = r.totals();
                    // A sample without one of the classes has no curve: the law is that of samples with both.
                    usable = all.tp && all.fp;
                    if (usable) measure(job.tables[m], r, right, i);
                }
                if (usable) return;
            }
        };
    });
}

// Writes the tables: of counts, or of sums of weights, which are added from left to right.
inline void paired_tables(const PairedResampling& job) {
    const size_t n = job.models;
    size_t rows = 0, own[2] = {0, 0};
    for (size_t g = 0; g < job.tables[0].groups; ++g) {
        own[0] += static_cast<size_t>(job.tables[0].neg[g]);
        own[1] += static_cast<size_t>(job.tables[0].pos[g]);
    }
    for (size_t m = 0; m < n; ++m) rows += own[0] + own[1];
    for_paired(job, rows, [&] {
        return [&](size_t i, const auto& draw) {
            for (uint32_t attempt = 0;; ++attempt) {
                const uint8_t* const counts = draw(attempt);
                bool usable = true;
                for (size_t m = 0; m < n && usable; ++m) {
                    const Resampling& table = job.tables[m];
                    const double* const weight = job.weight_of[m];
                    double* const out[2] = {job.neg_out[m] + i * table.groups, job.pos_out[m] + i * table.groups};
                    bool some[2] = {own[0] == 0, own[1] == 0};
                    size_t at = 0;
                    for (size_t g = 0; g < table.groups; ++g)
                        for (int side = 0; side < 2; ++side) {
                            const size_t end = at + static_cast<size_t>(side ? table.pos[g] : table.neg[g]);
                            uint64_t whole = 0;
                            double sum = 0;
                            if (weight)
                                for (; at < end; ++at) {
                                    const uint8_t c = counts[job.unit_of[m][at]];
                                    whole |= c;
                                    sum += static_cast<double>(c) * weight[at];
                                }
                            else
                                for (; at < end; ++at) whole += counts[job.unit_of[m][at]];
                            out[side][g] = weight ? sum : static_cast<double>(whole);
                            some[side] |= whole != 0;
                        }
                    usable = some[0] && some[1];
                }
                if (usable) return;
            }
        };
    });
}

}  // namespace thresher::THRESHER_ISA
