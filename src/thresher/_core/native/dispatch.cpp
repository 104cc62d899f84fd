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

const Kernels* best() {
#if defined(THRESHER_HAS_AVX2)
    if (runs_avx2()) return &avx2::table;
#endif
    return &portable::table;
}

std::atomic<const Kernels*> chosen{nullptr};

}  // namespace

const Kernels& kernels() {
    const Kernels* found = chosen.load(std::memory_order_relaxed);
    if (!found) {
        found = best();
        chosen.store(found, std::memory_order_relaxed);
    }
    return *found;
}

bool use_kernels(const char* name) {
    if (!std::strcmp(name, "portable")) {
        chosen = &portable::table;
        return true;
    }
    if (std::strcmp(name, best()->name)) return false;
    chosen = best();
    return true;
}

}  // namespace thresher
