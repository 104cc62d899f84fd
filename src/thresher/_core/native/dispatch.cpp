// Which kernels this processor runs.
#include <atomic>
#include <cstring>

#include "kernels.hpp"
#if defined(_MSC_VER) && defined(THRESHER_HAS_AVX2)
#include <intrin.h>
#include <immintrin.h>
#endif

namespace thresher {

Changed::Changed()
    : std::runtime_error("Scores and labels must not change while they are counted; another thread or process wrote to them. "
                         "Hint: pass a copy, for example `y_score.copy()`.") {}
Changed::~Changed() = default;

namespace portable {
extern const Kernels table;
}
#if defined(THRESHER_HAS_AVX2)
namespace avx2 {
extern const Kernels table;
}
#endif

#if defined(THRESHER_HAS_AVX512)
namespace avx512 {
void widen(Kernels&);
}
#endif

namespace {

bool runs_avx2() {
#if !defined(THRESHER_HAS_AVX2)
    return false;
#elif defined(_MSC_VER)
    int info[4];
    __cpuid(info, 1);
    const bool saved = (info[2] & (1 << 27)) && (_xgetbv(0) & 6) == 6;
    __cpuidex(info, 7, 0);
    return saved && (info[1] & (1 << 5)) && (info[1] & (1 << 3)) && (info[1] & (1 << 8));
#else
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
#endif
}

// Only where there is VBMI2, too: on older processors wide registers slow the clock down.
bool runs_avx512() {
#if !defined(THRESHER_HAS_AVX512)
    return false;
#elif defined(_MSC_VER)
    int info[4];
    __cpuid(info, 1);
    const bool saved = (info[2] & (1 << 27)) && (_xgetbv(0) & 0xE6) == 0xE6;
    __cpuidex(info, 7, 0);
    const unsigned needed = (1u << 16) | (1u << 17) | (1u << 30) | (1u << 31);  // F, DQ, BW, VL
    return saved && (static_cast<unsigned>(info[1]) & needed) == needed && (info[2] & (1 << 6)) && runs_avx2();
#else
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi2") && runs_avx2();
#endif
}

#if defined(THRESHER_HAS_AVX512)
const Kernels* wide_table() {
    static const Kernels table = [] {
        Kernels made = avx2::table;
        avx512::widen(made);
        return made;
    }();
    return &table;
}
#endif

// The kernels of this name, or null where they cannot run; without a name the best.
const Kernels* find(const char* name) {
    const auto wanted = [name](const char* level) { return !name || !std::strcmp(name, level); };
#if defined(THRESHER_HAS_AVX512)
    if (wanted("avx512") && runs_avx512()) return wide_table();
#endif
#if defined(THRESHER_HAS_AVX2)
    if (wanted("avx2") && runs_avx2()) return &avx2::table;
#endif
    return wanted("portable") ? &portable::table : nullptr;
}

std::atomic<const Kernels*> chosen{nullptr};

}  // namespace

const Kernels& kernels() {
    const Kernels* found = chosen.load(std::memory_order_relaxed);
    if (!found) {
        found = find(nullptr);
        chosen.store(found, std::memory_order_relaxed);
    }
    return *found;
}

bool use_kernels(const char* name) {
    const Kernels* const found = find(name);
    if (found) chosen = found;
    return found;
}

}  // namespace thresher
