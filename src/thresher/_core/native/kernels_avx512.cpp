// Counting once more for AVX-512, where it wins: keys brought to buckets in one pass, and scans of eight keys. Networks and everything
// else are those of AVX2.
#define THRESHER_ISA avx512
#include "count.hpp"

namespace thresher::THRESHER_ISA {
void count_rows_wide(const Rows& rows, const CountOptions& options, Table& out);
void count_rows_wide(const Rows& rows, const CountOptions& options, Table& out) { count(rows, options, out); }
}  // namespace thresher::THRESHER_ISA
