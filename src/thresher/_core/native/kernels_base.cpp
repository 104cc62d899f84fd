// The kernels for every processor.
#define THRESHER_ISA portable
#include "areas.hpp"
#include "bootstrap.hpp"
#include "brier.hpp"
#include "censoring.hpp"
#include "class_values.hpp"
#include "count.hpp"
#include "gains.hpp"
#include "hull.hpp"
#include "keyed.hpp"
#include "many.hpp"
#include "merge.hpp"
#include "order.hpp"
#include "paired.hpp"
#include "partition.hpp"
#include "points.hpp"
#include "pr.hpp"
#include "trapezoid.hpp"
#include "tally.hpp"
#include "weigh.hpp"

namespace thresher::THRESHER_ISA {
extern const Kernels table;
const Kernels table = {
    "portable",
    count,
    bootstrap,
    resample,
    paired,
    paired_tables,
    hull,
    merge,
    delong_sums,
    order,
    place,
    batch,
    many_groups,
    many_keyed,
    many_columns,
    many_labels,
    many_sparse,
    many_tables,
    class_values,
    many_pr,
    points,
    rates,
    pr_area,
    pr_spread,
    ties,
    trapezoid,
    brier,
    gains,
    make_partition,
    tally_keys,
    group_tables,
    weigh,
    weigh_some,
    censoring,
    sort_keys<uint32_t>,
    sort_keys<uint64_t>,
};
}  // namespace thresher::THRESHER_ISA
