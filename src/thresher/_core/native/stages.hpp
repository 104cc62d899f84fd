// How long each stage of a count takes, for tools/stages.cpp; compiled away unless THRESHER_STAGES is defined.
#pragma once
#include <cstdint>

#if defined(THRESHER_STAGES)
#include <atomic>
#include <chrono>
#endif

namespace thresher {

enum class Stage : uint8_t { look, allocate, classify, scatter, buckets, gather, sort, scan, area, decode, close, count };

#if defined(THRESHER_STAGES)
inline std::atomic<uint64_t> stage_time[static_cast<int>(Stage::count)];  // nanoseconds, over all threads

class Stopwatch {
public:
    void lap(Stage stage) {
        const auto now = std::chrono::steady_clock::now();
        stage_time[static_cast<int>(stage)] += static_cast<uint64_t>(std::chrono::nanoseconds(now - last_).count());
        last_ = now;
    }

private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};
#else
struct Stopwatch {
    void lap(Stage) {}
};
#endif

}  // namespace thresher
