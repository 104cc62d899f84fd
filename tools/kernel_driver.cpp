// Calls every threaded kernel with several thread counts and callers at once, and compares the results. For sanitizers.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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
    for (const char* name : {"avx2", "portable"}) {
        if (!use_kernels(name)) continue;
        std::vector<std::thread> callers;
        for (int i = 0; i < 3; ++i) callers.emplace_back(run);
        for (auto& caller : callers) caller.join();
        std::printf("%s: done\n", name);
    }
}
