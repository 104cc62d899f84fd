// The extension module. Arrays come in through the buffer protocol, one-dimensional, contiguous and aligned (the Python
// side sees to that) and go out as NumPy arrays that own their memory.
#include <nanobind/nanobind.h>

#include <cstring>

#include "arrays.hpp"
#include "kernels.hpp"
#include "threads.hpp"

namespace nb = nanobind;
using namespace thresher;

namespace {

nb::object nan_rows(const NotNumbers& nan) {
    nb::list rows;
    for (size_t i = 0; i < nan.count && i < NotNumbers::listed; ++i) rows.append(nan.rows[i]);
    return nb::make_tuple(nan.count, rows);
}

Rows rows_of(const Buffer& scores, const Buffer* labels) {
    Rows rows;
    rows.type = scores.type();
    rows.scores = scores.data();
    rows.size = scores.size();
    if (labels) {
        rows.positive = labels->as<uint8_t>("labels must be bytes");
        if (labels->size() != rows.size) throw nb::value_error("scores and labels must have the same length");
    }
    return rows;
}

nb::object per_row(const Rows& rows, void (*kernel)(const Rows&, int64_t*, NotNumbers&)) {
    if (rows.size >= (uint64_t{1} << 32)) throw nb::value_error("fewer than 2**32 rows can be ordered");
    Block out(rows.size * sizeof(int64_t));
    NotNumbers nan;
    {
        nb::gil_scoped_release unlocked;
        kernel(rows, out.as<int64_t>(), nan);
    }
    if (nan.count) return nan_rows(nan);
    return to_array(out, rows.size, Type::i64);
}

nb::object order(nb::handle scores) {
    const Buffer buffer(scores);
    return per_row(rows_of(buffer, nullptr), kernels().order);
}

nb::object place(nb::handle scores, nb::handle positive) {
    const Buffer score_buffer(scores), label_buffer(positive);
    return per_row(rows_of(score_buffer, &label_buffer), kernels().place);
}

// Where problems end, checked.
size_t problems_of(const Copy<int64_t>& ends, size_t rows) {
    int64_t last = 0;
    for (size_t g = 0; g < ends.size(); ++g) {
        if (ends.data()[g] < last) throw nb::value_error("ends must not decrease");
        last = ends.data()[g];
    }
    if (static_cast<size_t>(last) > rows) throw nb::value_error("ends must not exceed the rows");
    return ends.size();
}

nb::object batch(nb::handle scores, nb::handle positive, nb::handle ends, int threads) {
    const Buffer score_buffer(scores), label_buffer(positive);
    const Rows rows = rows_of(score_buffer, &label_buffer);
    const Copy<int64_t> own_ends(Buffer(ends), "ends must be int64");
    const size_t problems = problems_of(own_ends, rows.size);
    static_assert(sizeof(BatchRow) == 6 * sizeof(double), "a plain row of numbers");
    Block out(problems * sizeof(BatchRow));
    {
        nb::gil_scoped_release unlocked;
        kernels().batch(rows, own_ends.data(), problems, threads, out.as<BatchRow>());
    }
    return to_table(out, problems, 6, Type::f64);
}

nb::object group_tables(nb::handle scores, nb::handle positive, nb::handle ends, int threads) {
    const Buffer score_buffer(scores), label_buffer(positive);
    const Rows rows = rows_of(score_buffer, &label_buffer);
    const Copy<int64_t> own_ends(Buffer(ends), "ends must be int64");
    const size_t problems = problems_of(own_ends, rows.size);
    Block thresholds(rows.size * 8), pos(rows.size * sizeof(int64_t)), neg(rows.size * sizeof(int64_t)), sizes(problems * sizeof(int64_t));
    {
        nb::gil_scoped_release unlocked;
        kernels().group_tables(rows, own_ends.data(), problems, threads, thresholds.as<char>(), pos.as<int64_t>(), neg.as<int64_t>(),
                               sizes.as<int64_t>());
    }
    return nb::make_tuple(to_array(thresholds, rows.size, rows.type), to_array(pos, rows.size, Type::i64), to_array(neg, rows.size, Type::i64),
                          to_array(sizes, problems, Type::i64));
}

nb::object count(nb::handle scores, nb::handle positive, bool cumulative, bool wide, int threads) {
    const Buffer score_buffer(scores), label_buffer(positive);
    const Rows rows = rows_of(score_buffer, &label_buffer);
    CountOptions options;
    options.cumulative = cumulative;
    options.wide = wide;
    options.threads = threads;
    Table table;
    {
        nb::gil_scoped_release unlocked;
        kernels().count(rows, options, table);
    }
    if (table.nan.count) return nan_rows(table.nan);
    const Type type = table.wide ? Type::i64 : Type::i32;
    return nb::make_tuple(to_array(table.thresholds, table.size, rows.type), to_array(table.pos, table.size, type),
                          to_array(table.neg, table.size, type), table.n_pos, table.n_neg, to_int(table.twice_u));
}

// Two columns of counts, both int32 or both int64, of one length.
struct Counts {
    Buffer x, y;
    bool wide;
    size_t size;
    Counts(nb::handle a, nb::handle b) : x(a), y(b), wide(x.type() == Type::i64), size(x.size()) {
        if ((!wide && x.type() != Type::i32) || y.type() != x.type()) throw nb::type_error("counts must be int32 or int64, both alike");
        if (y.size() != size) throw nb::value_error("x and y must have the same length");
    }
};

nb::object delong_sums(nb::handle tp, nb::handle fp) {
    const Counts counts(tp, fp);
    DelongSums sums;
    {
        nb::gil_scoped_release unlocked;
        kernels().delong_sums(counts.x.data(), counts.y.data(), counts.wide, counts.size, sums);
    }
    return nb::make_tuple(to_int(sums.positives), to_int(sums.negatives), to_int(sums.twice_u));
}

double pr_area(nb::handle tp, nb::handle fp, int kind, double scale, int threads) {
    const Counts counts(tp, fp);
    const PrKind chosen = pr_kind(kind);
    nb::gil_scoped_release unlocked;
    return kernels().pr_area(counts.x.data(), counts.y.data(), counts.wide, counts.size, chosen, scale, threads);
}

nb::object pr_spread(nb::handle tp, nb::handle fp, int kind, double scale, int threads) {
    const Counts counts(tp, fp);
    const PrKind chosen = pr_kind(kind);
    PrSpread spread;
    {
        nb::gil_scoped_release unlocked;
        kernels().pr_spread(counts.x.data(), counts.y.data(), counts.wide, counts.size, chosen, scale, threads, spread);
    }
    return nb::make_tuple(spread.positive_mean, spread.positive_squares, spread.negative_mean, spread.negative_squares);
}

nb::object ties(nb::handle tp, nb::handle fp) {
    const Counts counts(tp, fp);
    Ties found;
    {
        nb::gil_scoped_release unlocked;
        kernels().ties(counts.x.data(), counts.y.data(), counts.wide, counts.size, found);
    }
    return nb::make_tuple(found.scores, found.positives, to_int(found.pairs));
}

nb::object brier(nb::handle x, nb::handle tp, nb::handle fp, nb::handle ends, double w1, double w0, int threads) {
    const Counts counts(tp, fp);
    const Buffer xs(x), last(ends);
    const bool single = xs.type() == Type::f32;
    if (!single && xs.type() != Type::f64) throw nb::type_error("scores must be float32 or float64");
    if (xs.size() != counts.size) throw nb::value_error("scores and counts must have the same length");
    // A copy, because another thread may write to what was checked.
    const size_t blocks = last.size();
    const Block copy(blocks * sizeof(int64_t));
    int64_t* const at = copy.as<int64_t>();
    if (blocks) std::memcpy(at, last.as<int64_t>("ends"), blocks * sizeof(int64_t));
    if (!blocks || at[blocks - 1] != static_cast<int64_t>(counts.size) - 1) throw nb::value_error("the last block must end with the table");
    for (size_t j = 0; j < blocks; ++j)
        if (at[j] < (j ? at[j - 1] + 1 : 0)) throw nb::value_error("blocks must follow each other");
    BrierSums found;
    {
        nb::gil_scoped_release unlocked;
        kernels().brier(xs.data(), single, counts.x.data(), counts.y.data(), counts.wide, counts.size, at, blocks, w1, w0, threads, found);
    }
    return nb::make_tuple(found.positives, found.negatives, found.miscalibration);
}

nb::object trapezoid(nb::handle x, nb::handle y, int threads) {
    const Buffer xs(x), ys(y);
    if (xs.type() != Type::f64 || ys.type() != Type::f64) throw nb::type_error("points must be float64");
    if (xs.size() != ys.size()) throw nb::value_error("x and y must have the same length");
    Trapezoids found;
    {
        nb::gil_scoped_release unlocked;
        kernels().trapezoid(xs.as<double>("x"), ys.as<double>("y"), xs.size(), threads, found);
    }
    return nb::make_tuple(found.twice_area, found.falls, found.not_falling);
}

nb::object gains(nb::handle relevance, nb::handle scores, nb::handle discounts, int threads) {
    const Buffer r(relevance), s(scores), d(discounts);
    if (r.type() != Type::f64 || s.type() != Type::f64 || d.type() != Type::f64) throw nb::type_error("gains are taken of float64");
    const size_t width = d.size(), rows = width ? r.size() / width : 0;
    if (r.size() != s.size() || rows * width != r.size()) throw nb::value_error("matrices must be of one shape, as wide as the discounts");
    Block gain(rows * sizeof(double)), best(rows * sizeof(double)), tied(rows);
    {
        nb::gil_scoped_release unlocked;
        kernels().gains(r.as<double>("relevance"), s.as<double>("scores"), rows, width, d.as<double>("discounts"), threads, gain.as<double>(),
                        best.as<double>(), tied.as<uint8_t>());
    }
    return nb::make_tuple(to_array(gain, rows, Type::f64), to_array(best, rows, Type::f64), to_array(tied, rows, Type::u8));
}

nb::object points(nb::handle tp, nb::handle fp, nb::handle thresholds, bool corners, int threads) {
    const Counts counts(tp, fp);
    const Buffer scores(thresholds);
    if (scores.type() != Type::f32 && scores.type() != Type::f64) throw nb::type_error("thresholds must be float32 or float64");
    const size_t n = counts.size;
    if (scores.size() != n || n == 0) throw nb::value_error("thresholds and counts must have the same length, at least 1");
    Block columns[3] = {Block((n + 1) * sizeof(double)), Block((n + 1) * sizeof(double)), Block((n + 1) * sizeof(double))};
    size_t found = 0;
    {
        nb::gil_scoped_release unlocked;
        found = kernels().points(counts.x.data(), counts.y.data(), counts.wide, scores.data(), scores.type() == Type::f32, n, corners, threads,
                                 columns[0].as<double>(), columns[1].as<double>(), columns[2].as<double>());
        if (found < n / 2)
            for (Block& column : columns) {
                Block fitting(found * sizeof(double));
                std::memcpy(fitting.as<double>(), column.as<double>(), found * sizeof(double));
                column = std::move(fitting);
            }
    }
    return nb::make_tuple(to_array(columns[0], found, Type::f64), to_array(columns[1], found, Type::f64), to_array(columns[2], found, Type::f64));
}

// `first`, then the rate at each point.
nb::object rates(nb::handle part, nb::handle rest, double by, double first, int threads) {
    const bool whole = rest.is_none();
    const Counts counts(part, whole ? part : rest);
    const size_t n = counts.size;
    Block out((n + 1) * sizeof(double));
    *out.as<double>() = first;
    {
        nb::gil_scoped_release unlocked;
        kernels().rates(counts.x.data(), whole ? nullptr : counts.y.data(), counts.wide, n, by, threads, out.as<double>() + 1);
    }
    return to_array(out, n + 1, Type::f64);
}

nb::object hull(nb::handle x, nb::handle y, int threads) {
    const Counts counts(x, y);
    const size_t n = counts.size;
    Block out(n * sizeof(int64_t));
    size_t found = 0;
    {
        nb::gil_scoped_release unlocked;
        found = kernels().hull(counts.x.data(), counts.y.data(), counts.wide, n, threads, out.as<int64_t>());
        Block fitting(found * sizeof(int64_t));
        std::memcpy(fitting.as<int64_t>(), out.as<int64_t>(), found * sizeof(int64_t));
        out = std::move(fitting);
    }
    return to_array(out, found, Type::i64);
}

nb::object merge(nb::handle s1, nb::handle p1, nb::handle n1, nb::handle s2, nb::handle p2, nb::handle n2) {
    const Buffer buffers[6] = {Buffer(s1), Buffer(p1), Buffer(n1), Buffer(s2), Buffer(p2), Buffer(n2)};
    const Type type = buffers[0].type(), counts = buffers[1].type();
    if (buffers[3].type() != type) throw nb::type_error("the tables must have scores of one type");
    if (counts != Type::i64 && counts != Type::f64) throw nb::type_error("counts must be int64 or float64");
    for (int k : {2, 4, 5})
        if (buffers[k].type() != counts) throw nb::type_error("counts must be of one type");
    const size_t sizes[2] = {buffers[0].size(), buffers[3].size()};
    for (int k = 0; k < 6; ++k)
        if (buffers[k].size() != sizes[k / 3]) throw nb::value_error("the columns of a table must have the same length");
    const size_t total = sizes[0] + sizes[1];
    const size_t width = total ? buffers[0].itemsize() : 1;
    Block thresholds(total * width), pos(total * 8), neg(total * 8);
    size_t found = 0;
    {
        nb::gil_scoped_release unlocked;
        const PlainTable a{buffers[0].data(), buffers[1].data(), buffers[2].data(), sizes[0]};
        const PlainTable b{buffers[3].data(), buffers[4].data(), buffers[5].data(), sizes[1]};
        found = kernels().merge(a, b, type, counts == Type::i64, thresholds.as<void>(), pos.as<void>(), neg.as<void>());
    }
    return nb::make_tuple(to_array(thresholds, found, type), to_array(pos, found, counts), to_array(neg, found, counts));
}

template <class Key>
void sort_in_place(nb::handle keys, void (*sort)(Key*, Key*, size_t)) {
    const Buffer buffer(keys);
    if (buffer.readonly()) throw nb::value_error("keys must be writeable");
    Key* data = const_cast<Key*>(buffer.as<Key>("keys have the wrong width"));
    Block scratch(sort_scratch(buffer.size()) * sizeof(Key));
    nb::gil_scoped_release unlocked;
    sort(data, scratch.as<Key>(), buffer.size());
}

}  // namespace

void bind_bootstrap(nb::module_& m);
void bind_many(nb::module_& m);
void bind_streams(nb::module_& m);
void bind_weighted(nb::module_& m);
void bind_grouped(nb::module_& m);
void bind_plain(nb::module_& m);

PyType_Slot memory_slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(Memory::get_buffer)}, {0, nullptr}};

NB_MODULE(_kernels, m) {
    nb::set_leak_warnings(false);  // arrays may live until the interpreter ends
    nb::class_<Memory>(m, "Memory", nb::type_slots(memory_slots));
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const Changed& error) {
            const nb::object type = nb::module_::import_("thresher.exceptions").attr("InvalidInputError");
            PyErr_SetString(type.ptr(), error.what());
        }
    });
    bind_bootstrap(m);
    bind_many(m);
    bind_streams(m);
    bind_weighted(m);
    bind_grouped(m);
    bind_plain(m);
    m.def("count", &count, nb::arg("scores"), nb::arg("positive"), nb::arg("cumulative"), nb::arg("wide"), nb::arg("threads"));
    m.def("hull", &hull, nb::arg("x"), nb::arg("y"), nb::arg("threads") = 1);
    m.def("merge", &merge);
    m.def("points", &points, nb::arg("tp"), nb::arg("fp"), nb::arg("thresholds"), nb::arg("corners"), nb::arg("threads"));
    m.def("rates", &rates, nb::arg("part"), nb::arg("rest").none(), nb::arg("by"), nb::arg("first"), nb::arg("threads"));
    m.def("order", &order, nb::arg("scores"));
    m.def("place", &place, nb::arg("scores"), nb::arg("positive"));
    m.def("batch", &batch, nb::arg("scores"), nb::arg("positive"), nb::arg("ends"), nb::arg("threads"));
    m.def("group_tables", &group_tables, nb::arg("scores"), nb::arg("positive"), nb::arg("ends"), nb::arg("threads"));
    m.def("delong_sums", &delong_sums, nb::arg("tp"), nb::arg("fp"));
    m.def("pr_area", &pr_area, nb::arg("tp"), nb::arg("fp"), nb::arg("kind"), nb::arg("scale"), nb::arg("threads"));
    m.def("pr_spread", &pr_spread, nb::arg("tp"), nb::arg("fp"), nb::arg("kind"), nb::arg("scale"), nb::arg("threads"));
    m.def("brier", &brier, nb::arg("x"), nb::arg("tp"), nb::arg("fp"), nb::arg("ends"), nb::arg("w1"), nb::arg("w0"),
          nb::arg("threads"));
    m.def("ties", &ties, nb::arg("tp"), nb::arg("fp"));
    m.def("trapezoid", &trapezoid, nb::arg("x"), nb::arg("y"), nb::arg("threads"));
    m.def("gains", &gains, nb::arg("relevance"), nb::arg("scores"), nb::arg("discounts"), nb::arg("threads"));
    m.def("sort_keys32", [](nb::handle keys) { sort_in_place<uint32_t>(keys, kernels().sort32); });
    m.def("sort_keys64", [](nb::handle keys) { sort_in_place<uint64_t>(keys, kernels().sort64); });
    m.def("instruction_set", [] { return kernels().name; });
    m.def("use_instruction_set", &use_kernels);
    m.def("trim_memory", &trim_memory);
    m.def("hardware_threads", &hardware_threads);
}
