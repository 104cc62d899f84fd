// Times the stages of a count, for tools/stages.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#if !defined(THRESHER_ISA)
#define THRESHER_ISA portable
#endif
#include "count.hpp"

namespace thresher {
Changed::Changed() : std::runtime_error("rows changed") {}
Changed::~Changed() = default;
}  // namespace thresher

using namespace thresher;

namespace {

constexpr const char* names[] = {"look", "allocate", "classify", "scatter", "buckets", "(gather", "sort", "scan", "area", "decode)", "close"};

double now() { return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

template <class S>
void time_count(const char* name, const std::vector<S>& scores, const std::vector<uint8_t>& labels, int threads, int times) {
    double best = 1e300;
    uint64_t stages[static_cast<int>(Stage::count)];
    size_t size = 0;
    for (int k = 0; k < times; ++k) {
        for (auto& stage : stage_time) stage = 0;
        CountOptions options;
        options.threads = threads;
        Rows rows;
        rows.scores = scores.data();
        rows.positive = labels.data();
        rows.size = scores.size();
        Table table;
        const double start = now();
        THRESHER_ISA::count_rows<S>(rows, options, table);
        const double took = now() - start;
        size = table.size;
        if (took >= best) continue;
        best = took;
        for (int s = 0; s < static_cast<int>(Stage::count); ++s) stages[s] = stage_time[s];
    }
    stages[static_cast<int>(Stage::scan)] -= std::min(stages[static_cast<int>(Stage::scan)], stages[static_cast<int>(Stage::sort)]);
    std::printf("%-10s %10zu rows %10zu scores %2d threads %8.1f ms:", name, scores.size(), size, threads, best);
    for (int s = 0; s < static_cast<int>(Stage::count); ++s) std::printf(" %s %.1f", names[s], static_cast<double>(stages[s]) * 1e-6);
    std::printf("\n");
    std::fflush(stdout);
}

template <class S>
void time_all(const char* type, size_t n, const std::vector<int>& threads, int times) {
    std::vector<S> normal(n), rounded(n);
    std::vector<uint8_t> labels(n);
    std::mt19937_64 random(1);
    // A sum of four uniforms is near enough to a normal law, and quick.
    for (size_t i = 0; i < n; ++i) {
        const uint64_t a = random(), b = random();
        labels[i] = a % 10 == 0;
        const double sum = static_cast<double>(a >> 32) + static_cast<double>(a & 0xFFFFFFFF) + static_cast<double>(b >> 32) + static_cast<double>(b & 0xFFFFFFFF);
        normal[i] = static_cast<S>(sum * 0x1p-32 * 1.7320508 - 3.4641016 + (labels[i] ? 1.0 : 0.0));
        rounded[i] = static_cast<S>(std::round(static_cast<double>(b >> 40) * 0x1p-24 * 1000) / 1000);
    }
    char name[40];
    for (int t : threads) {
        std::snprintf(name, sizeof name, "%s normal", type);
        time_count(name, normal, labels, t, times);
    }
    for (int t : {threads.front(), threads.back()}) {
        std::snprintf(name, sizeof name, "%s round", type);
        time_count(name, rounded, labels, t, times);
    }
}

}  // namespace

// stages [rows [most threads [times]]]
int main(int argc, char** argv) {
    const size_t n = argc > 1 ? static_cast<size_t>(std::atof(argv[1])) : 1000000;
    const int most = argc > 2 ? std::atoi(argv[2]) : 2, times = argc > 3 ? std::atoi(argv[3]) : 5;
    std::vector<int> threads;
    for (int t = 1; t <= most; t *= 2) threads.push_back(t);
    time_all<double>("float64", n, threads, times);
    time_all<float>("float32", n, threads, times);
}
