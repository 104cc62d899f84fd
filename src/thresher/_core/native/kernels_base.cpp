// The kernels for every processor.
#define THRESHER_ISA portable
#include "count.hpp"

namespace thresher::THRESHER_ISA {
extern const Kernels table;
const Kernels table = {
    "portable",
    count,
    sort_keys<uint32_t>,
    sort_keys<uint64_t>,
};
}  // namespace thresher::THRESHER_ISA
