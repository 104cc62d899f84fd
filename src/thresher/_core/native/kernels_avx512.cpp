// Counting, orders and weights once more for AVX-512, where it wins, and groups in any order: rows brought to buckets in one pass, networks,
// partitions and scans of twice the width. Everything else is that of AVX2.
#define THRESHER_ISA avx512
#include "censoring.hpp"
#include "class_values.hpp"
#include "keyed.hpp"
#include "weigh.hpp"

namespace thresher::THRESHER_ISA {
void widen(Kernels& table);
void widen(Kernels& table) {
    table.name = "avx512";
    table.count = count;
    table.many_keyed = many_keyed;
    table.order = order;
    table.place = place;
    table.class_values = class_values;
    table.censoring = censoring;
    table.weigh = weigh;
    table.weigh_some = weigh_some;
    table.sort32 = sort_keys<uint32_t>;
    table.sort64 = sort_keys<uint64_t>;
}
}  // namespace thresher::THRESHER_ISA
