// Rows of many groups as Python sees them.
#include <nanobind/nanobind.h>

#include "arrays.hpp"
#include "grouped.hpp"

namespace nb = nanobind;
using namespace thresher;

namespace {

template <class Word>
void group_as(const int32_t* codes, size_t n, int32_t low, const Buffer& scores, const uint8_t* positive, size_t groups, int threads, Block& out,
              Block& labels, Block& ends) {
    group_rows(codes, low, static_cast<const Word*>(scores.data()), positive, n, groups, threads, out.as<Word>(),
               labels.as<uint8_t>(), ends.as<int64_t>());
}

nb::object grouped(nb::handle codes, nb::handle scores, nb::handle positive, int threads) {
    const Buffer code_buffer(codes), score_buffer(scores), label_buffer(positive);
    const uint8_t* const label = label_buffer.as<uint8_t>("labels must be bytes");
    const Type type = score_buffer.type();
    const size_t n = score_buffer.size();
    if (code_buffer.size() != n || label_buffer.size() != n) throw nb::value_error("codes, scores and labels must have the same length");
    if (n == 0) throw nb::value_error("there must be rows");
    const int32_t* const own = code_buffer.as<int32_t>("codes must be int32");  // never the user's: they say where rows go
    int32_t low = own[0], high = low;
    Block out(n * bytes_of(type)), labels(n), ends;
    size_t groups = 0;
    {
        nb::gil_scoped_release unlocked;
        for (size_t i = 0; i < n; ++i) {
            low = std::min(low, own[i]);
            high = std::max(high, own[i]);
        }
        groups = static_cast<size_t>(static_cast<int64_t>(high) - low) + 1;
        ends = Block(groups * sizeof(int64_t));
        switch (bytes_of(type)) {
            case 1: group_as<uint8_t>(own, n, low, score_buffer, label, groups, threads, out, labels, ends); break;
            case 2: group_as<uint16_t>(own, n, low, score_buffer, label, groups, threads, out, labels, ends); break;
            case 4: group_as<uint32_t>(own, n, low, score_buffer, label, groups, threads, out, labels, ends); break;
            default: group_as<uint64_t>(own, n, low, score_buffer, label, groups, threads, out, labels, ends); break;
        }
    }
    return nb::make_tuple(low, to_array(ends, groups, Type::i64), to_array(out, n, type), to_array(labels, n, Type::u8));
}

}  // namespace

void bind_grouped(nb::module_& m) {
    m.def("group_rows", &grouped, nb::arg("codes"), nb::arg("scores"), nb::arg("positive"), nb::arg("threads"));
}
