// Calls every threaded kernel with several thread counts and callers at once, and streams beside them, and compares the
// results. For sanitizers.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "kernels.hpp"

using namespace thresher;

namespace {

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "failed: %s\n", what);
    std::exit(1);
}

void count_all(const std::vector<double>& scores, const std::vector<uint8_t>& labels, const char* name) {
    Table one;
    for (int threads : {1, 2, 5}) {
        Table table;
        CountOptions options;
        options.threads = threads;
        kernels().count({scores.data(), labels.data(), scores.size(), Type::f64}, options, table);
        if (threads == 1) {
            one = std::move(table);
            continue;
        }
        require(table.size == one.size, name);
        require(!std::memcmp(table.thresholds.as<void>(), one.thresholds.as<void>(), table.size * 8), name);
        require(!std::memcmp(table.pos.as<void>(), one.pos.as<void>(), table.size * 4), name);
        require(table.twice_u.low == one.twice_u.low && table.twice_u.high == one.twice_u.high, name);
    }
}

// The same bits from one thread and from several.
template <class T, class F>
void same_bits(const char* name, F&& compute) {
    const T one = compute(1);
    for (int threads : {2, 5}) {
        const T other = compute(threads);
        require(!std::memcmp(&one, &other, sizeof one), name);
    }
}

void passes_over_counts(std::mt19937_64& random) {
    const size_t n = 200000;
    std::vector<int32_t> tp(n), fp(n);
    int32_t t = 0, f = 0;
    for (size_t k = 0; k < n; ++k) {
        tp[k] = t += static_cast<int32_t>(random() % 3);
        fp[k] = f += static_cast<int32_t>(random() % 5);
    }
    for (int kind = 0; kind <= static_cast<int>(PrKind::ties_lost); ++kind) {
        const PrKind chosen = static_cast<PrKind>(kind);
        same_bits<double>("pr_area", [&](int threads) { return kernels().pr_area(tp.data(), fp.data(), false, n, chosen, 0.5, threads); });
        same_bits<PrSpread>("pr_spread", [&](int threads) {
            PrSpread spread;
            kernels().pr_spread(tp.data(), fp.data(), false, n, chosen, 0.5, threads, spread);
            return spread;
        });
    }
    DelongSums delong;
    kernels().delong_sums(tp.data(), fp.data(), false, n, delong);
    Ties ties;
    kernels().ties(tp.data(), fp.data(), false, n, ties);
    require(ties.positives <= static_cast<uint64_t>(t) && ties.scores <= n, "ties");
    std::vector<int64_t> vertices(n), again(n);
    const size_t corners = kernels().hull(fp.data(), tp.data(), false, n, 1, vertices.data());
    require(corners >= 2, "hull");
    for (int threads : {2, 5}) {
        require(kernels().hull(fp.data(), tp.data(), false, n, threads, again.data()) == corners, "hull");
        require(!std::memcmp(vertices.data(), again.data(), corners * sizeof(int64_t)), "hull");
    }
    std::vector<float> score(n);
    for (size_t k = 0; k < n; ++k) score[k] = 1.0f - static_cast<float>(k) / static_cast<float>(n);
    same_bits<BrierSums>("brier", [&](int threads) {
        BrierSums sums;
        kernels().brier(score.data(), true, tp.data(), fp.data(), false, n, vertices.data() + 1, corners - 1, 0.5, 2.0, threads, sums);
        return sums;
    });
    std::vector<double> at(n), x(n + 1), y(n + 1), z(n + 1);
    for (size_t k = 0; k < n; ++k) at[k] = -static_cast<double>(k);
    std::vector<double> first;
    for (int threads : {1, 2, 5}) {
        const size_t found = kernels().points(tp.data(), fp.data(), false, at.data(), false, n, true, threads, x.data(), y.data(), z.data());
        require(found <= n + 1, "points");
        std::vector<double> all(x.begin(), x.begin() + static_cast<ptrdiff_t>(found));
        kernels().rates(tp.data(), fp.data(), false, n, 0.5, threads, y.data());
        all.insert(all.end(), y.begin(), y.begin() + static_cast<ptrdiff_t>(n));
        kernels().rates(tp.data(), nullptr, false, n, t, threads, y.data());
        all.insert(all.end(), y.begin(), y.begin() + static_cast<ptrdiff_t>(n));
        if (threads == 1) first = all;
        else require(first == all, "points and rates");
    }
    struct Signed {
        double area, falls, not_falling;
    };
    same_bits<Signed>("trapezoid", [&](int threads) {
        Trapezoids found;
        kernels().trapezoid(x.data(), y.data(), n, threads, found);
        return Signed{found.twice_area, found.falls ? 1.0 : 0.0, found.not_falling ? 1.0 : 0.0};
    });
}

void passes_over_rows(std::mt19937_64& random) {
    const size_t n = 60000;
    std::vector<double> scores(n);
    std::vector<uint8_t> labels(n);
    for (size_t i = 0; i < n; ++i) {
        scores[i] = static_cast<double>(random() % 5000);
        labels[i] = random() % 3 == 0;
    }
    const Rows rows{scores.data(), labels.data(), n, Type::f64};
    std::vector<int64_t> order(n), placed(n), ends;
    NotNumbers nan;
    kernels().order(rows, order.data(), nan);
    kernels().place(rows, placed.data(), nan);
    for (size_t i = 1; i < n; ++i) require(scores[order[i - 1]] <= scores[order[i]], "order");
    for (size_t end = 0; end < n; end += random() % 700) ends.push_back(static_cast<int64_t>(end));
    std::vector<BatchRow> first(ends.size());
    for (int threads : {1, 4}) {
        std::vector<BatchRow> found(ends.size());
        kernels().batch(rows, ends.data(), ends.size(), threads, found.data());
        if (threads == 1) first = found;
        else require(!std::memcmp(first.data(), found.data(), found.size() * sizeof(BatchRow)), "batch");
        std::vector<double> distinct(n);
        std::vector<int64_t> pos(n), neg(n), sizes(ends.size());
        kernels().group_tables(rows, ends.data(), ends.size(), threads, distinct.data(), pos.data(), neg.data(), sizes.data());
        for (size_t g = 0; g < ends.size(); ++g) {
            int64_t counted = 0;
            const size_t begin = g ? static_cast<size_t>(ends[g - 1]) : 0;
            for (size_t i = begin; i < begin + static_cast<size_t>(sizes[g]); ++i) counted += pos[i] + neg[i];
            require(counted == ends[g] - static_cast<int64_t>(begin), "group tables");
        }
    }
    // Groups near each other and far apart, in any order: as many rows as there are, and the same on several threads.
    for (int64_t apart : {int64_t{1}, int64_t{1} << 40}) {
        std::vector<int64_t> groups(n);
        for (int64_t& group : groups) group = (static_cast<int64_t>(random() % 3000) - 1500) * apart;
        KeyedTable one;
        for (int threads : {1, 4}) {
            KeyedTable found;
            require(kernels().many_keyed(rows, groups.data(), Type::i64, threads, found), "keyed");
            uint64_t counted = 0;
            for (size_t g = 0; g < found.size; ++g) counted += found.rows.as<ManyRow>()[g].n_pos + found.rows.as<ManyRow>()[g].n_neg;
            require(counted == n, "rows of keyed groups");
            if (threads == 1) one = std::move(found);
            else require(one.size == found.size && !std::memcmp(one.rows.as<char>(), found.rows.as<char>(), one.size * sizeof(ManyRow)), "keyed");
        }
    }
    for (size_t width : {size_t{1}, size_t{6}, size_t{50}}) {
        const size_t count = n / width;
        const std::vector<double> discounts(width, 0.5);
        std::vector<double> gain(count), best(count), one;
        std::vector<uint8_t> tied(count);
        for (int threads : {1, 3}) {
            kernels().gains(scores.data(), scores.data(), count, width, discounts.data(), threads, gain.data(), best.data(), tied.data());
            if (threads == 1) one = gain;
            else require(one == gain, "gains");
        }
    }
}

// The same rows as a stream: in buckets, each counted by itself.
void stream_all(const std::vector<double>& scores, const std::vector<uint8_t>& labels, const char* name) {
    Table table;
    kernels().count({scores.data(), labels.data(), scores.size(), Type::f64}, CountOptions(), table);
    for (size_t buckets : {1, 30, 512}) {
        std::unique_ptr<Partition> stream(kernels().partition(Type::f64, 4096, 4096));
        stream->learn(scores.data(), scores.size() / 3, buckets);
        require(stream->add(scores.data(), labels.data(), scores.size()) == scores.size(), name);
        std::vector<Frequent> frequent(stream->frequent(nullptr));
        if (!frequent.empty()) stream->frequent(frequent.data());
        size_t distinct = 0, e = 0;
        TallyOptions options;
        options.pos_step = options.neg_step = 100;
        U128 twice_u;
        for (size_t b = 0; b < stream->buckets(); ++b) {
            std::vector<Chunk> chunks(stream->chunks(b, nullptr));
            stream->chunks(b, chunks.data());
            std::vector<uint64_t> keys;
            for (const Chunk& chunk : chunks)
                keys.insert(keys.end(), static_cast<const uint64_t*>(chunk.keys), static_cast<const uint64_t*>(chunk.keys) + chunk.rows);
            const size_t rows = keys.size(), first = e;
            keys.resize(rows + 128);
            while (e < frequent.size() && frequent[e].bucket == b) ++e;
            Tally tally;
            kernels().tally(Type::f64, keys.data(), rows, b >= stream->buckets() / 2, frequent.data() + first, e - first, options, tally);
            distinct += tally.scores;
            twice_u.add(multiply(2 * options.tp0, tally.negatives));
            twice_u.add(tally.neg_twice);
            options.tp0 += tally.positives;
            options.fp0 += tally.negatives;
        }
        require(distinct == table.size && e == frequent.size(), name);
        require(options.tp0 == table.n_pos && options.fp0 == table.n_neg, name);
        require(twice_u.low == table.twice_u.low && twice_u.high == table.twice_u.high, name);
        for (size_t b = 0; b < stream->buckets(); ++b) stream->clear(b);
    }
}

void run() {
    std::mt19937_64 random(1);
    const size_t n = 150000;
    std::vector<uint8_t> labels(n);
    std::vector<double> normal(n), rounded(n), spread(n), mostly_zero(n), outliers(n);
    std::normal_distribution<double> gauss;
    for (size_t i = 0; i < n; ++i) {
        labels[i] = random() % 3 == 0;
        normal[i] = gauss(random);
        rounded[i] = std::round(normal[i] * 100) / 100;
        spread[i] = std::ldexp(normal[i], static_cast<int>(random() % 2000) - 1000);
        mostly_zero[i] = random() % 10 ? 0.0 : normal[i];
        outliers[i] = random() % 5 ? 1 + normal[i] * 1e-9 : normal[i] * 1e200;
    }
    count_all(normal, labels, "normal");
    count_all(rounded, labels, "rounded");
    count_all(spread, labels, "spread");
    count_all(mostly_zero, labels, "mostly zero");
    count_all(outliers, labels, "outliers");
    passes_over_counts(random);
    passes_over_rows(random);
    for (const auto* scores : {&normal, &rounded, &spread, &mostly_zero, &outliers}) stream_all(*scores, labels, "stream");

    std::vector<int64_t> pos(3000), neg(3000);
    for (size_t g = 0; g < pos.size(); ++g) {
        pos[g] = static_cast<int64_t>(random() % 3);
        neg[g] = static_cast<int64_t>(random() % 4);
    }
    const size_t replicates = 40;
    std::vector<double> first;
    const double spans[2] = {0, 0.1}, grid[3] = {0.001, 0.3, 1};
    const int64_t points[2] = {0, 2999};
    std::vector<double> tables;
    for (int threads : {1, 4}) {
        std::vector<double> auc(replicates), average(replicates), area(replicates), variance(replicates), part(replicates);
        std::vector<double> tpr(3 * replicates), precision(3 * replicates), drawn(2 * pos.size() * replicates);
        std::vector<int64_t> counts(4 * replicates);
        Resampling job;
        job.pos = pos.data();
        job.neg = neg.data();
        job.groups = pos.size();
        job.seed = 9;
        job.replicates = replicates;
        job.threads = threads;
        job.stratified = false;
        job.along_tp = true;
        job.roc_auc = auc.data();
        job.average_precision = average.data();
        job.interpolated = area.data();
        job.delong = variance.data();
        job.spans = spans;
        job.partial = part.data();
        job.n_spans = 1;
        job.points = points;
        job.point_counts = counts.data();
        job.n_points = 2;
        job.fprs = job.recalls = grid;
        job.tpr_at = tpr.data();
        job.precision_at = precision.data();
        job.n_fprs = job.n_recalls = 3;
        kernels().bootstrap(job);
        kernels().resample(job, 0, drawn.data(), drawn.data() + pos.size() * replicates);
        if (threads == 1) {
            first = auc;
            tables = drawn;
        } else {
            require(first == auc, "bootstrap");
            require(tables == drawn, "resample");
        }
    }
}

}  // namespace

int main() {
    for (const char* name : {"avx512", "avx2", "portable"}) {
        if (!use_kernels(name)) continue;
        std::vector<std::thread> callers;
        for (int i = 0; i < 3; ++i) callers.emplace_back(run);
        for (auto& caller : callers) caller.join();
        std::printf("%s: done\n", name);
    }
}
