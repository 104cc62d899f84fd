// Many problems as Python sees them: groups of rows, columns of scores or of labels, columns of sparse matrices, tables of
// counts. Each returns a table with the eleven numbers of `ManyRow` for every problem; `many_pr` the five of `ManyPr`.
#include <nanobind/nanobind.h>

#include "arrays.hpp"
#include "kernels.hpp"
#include "runs.hpp"
#include "sum_figures.hpp"

namespace nb = nanobind;
using namespace thresher;

namespace {

constexpr size_t numbers = 11;
static_assert(sizeof(ManyRow) == numbers * sizeof(uint64_t), "a plain row of numbers");

Block room_for(size_t problems) {
    if (problems > (SIZE_MAX >> 8) / sizeof(ManyRow)) throw std::bad_alloc();
    return Block(problems * sizeof(ManyRow));
}

// Labels of all columns; the type is that of the scores.
Rows labels_of(const Buffer& positive, Type type) {
    Rows rows;
    rows.positive = positive.as<uint8_t>("labels must be bytes");
    rows.size = positive.size();
    rows.type = type;
    return rows;
}

// Columns of a matrix whose rows, or whose columns, lie one after the other.
size_t columns_of(const Buffer& matrix, size_t rows) {
    if (rows == 0 || matrix.size() % rows) throw nb::value_error("the matrix must have as many rows as there are labels");
    return matrix.size() / rows;
}

void check_ends(const Copy<int64_t>& ends, size_t size) {
    int64_t last = 0;
    for (size_t g = 0; g < ends.size(); ++g) {
        if (ends.data()[g] < last) throw nb::value_error("ends must not decrease");
        last = ends.data()[g];
    }
    if (static_cast<size_t>(last) > size) throw nb::value_error("ends must not exceed the rows");
}

nb::object many_groups(nb::handle scores, nb::handle positive, nb::handle ends, int threads) {
    const Buffer score_buffer(scores), label_buffer(positive);
    Rows rows = labels_of(label_buffer, score_buffer.type());
    rows.scores = score_buffer.data();
    if (score_buffer.size() != rows.size) throw nb::value_error("scores and labels must have the same length");
    const Copy<int64_t> own_ends(Buffer(ends), "ends must be int64");
    check_ends(own_ends, rows.size);
    Block out = room_for(own_ends.size());
    {
        nb::gil_scoped_release unlocked;
        kernels().many_groups(rows, own_ends.data(), own_ends.size(), threads, out.as<ManyRow>());
    }
    return to_table(out, own_ends.size(), numbers, Type::u64);
}

// None where the kernel leaves it to others.
nb::object many_keyed(nb::handle groups, nb::handle scores, nb::handle positive, int threads) {
    const Buffer group_buffer(groups), score_buffer(scores), label_buffer(positive);
    Rows rows = labels_of(label_buffer, score_buffer.type());
    rows.scores = score_buffer.data();
    if (score_buffer.size() != rows.size || group_buffer.size() != rows.size)
        throw nb::value_error("groups, scores and labels must have the same length");
    const Type type = group_buffer.type();
    if (bytes_of(type) < 4 || type == Type::f32 || type == Type::f64) throw nb::type_error("groups must be integers of 32 or 64 bits");
    if (rows.size == 0 || rows.size >= UINT32_MAX) return nb::none();
    KeyedTable table;
    bool done;
    {
        nb::gil_scoped_release unlocked;
        done = kernels().many_keyed(rows, group_buffer.data(), type, threads, table);
    }
    if (!done) return nb::none();
    const bool is_signed = type == Type::i32 || type == Type::i64;
    const nb::object names = to_array(table.names, table.size, is_signed ? Type::i64 : Type::u64);
    return nb::make_tuple(names, to_table(table.rows, table.size, numbers, Type::u64), table.sorted);
}

// None where a key is below the one before.
nb::object runs(nb::handle keys, int threads) {
    const Buffer buffer(keys);
    const Type type = buffer.type();
    const size_t n = buffer.size();
    if (n == 0) throw nb::value_error("there must be rows");
    Block ends;
    size_t found = 0;
    bool ascending = false, known = true;
    {
        nb::gil_scoped_release unlocked;
        switch (type) {
            case Type::i32: ascending = run_ends(static_cast<const int32_t*>(buffer.data()), n, threads, ends, found); break;
            case Type::u32: ascending = run_ends(static_cast<const uint32_t*>(buffer.data()), n, threads, ends, found); break;
            case Type::i64: ascending = run_ends(static_cast<const int64_t*>(buffer.data()), n, threads, ends, found); break;
            case Type::u64: ascending = run_ends(static_cast<const uint64_t*>(buffer.data()), n, threads, ends, found); break;
            default: known = false;
        }
    }
    if (!known) throw nb::type_error("keys must be integers of 32 or 64 bits");
    if (!ascending) return nb::none();
    return to_array(ends, found, Type::i64);
}

// The rows of a table of sums, which others may write to: each is read once.
size_t sums_of(const Buffer& sums) {
    if (sums.type() != Type::u64 || sums.size() % numbers) throw nb::type_error("sums must be rows of eleven uint64");
    return sums.size() / numbers;
}

nb::object many_areas(nb::handle sums, int threads) {
    const Buffer buffer(sums);
    const size_t n = sums_of(buffer);
    Block auc(n * sizeof(double)), error(n * sizeof(double)), large(n), left;
    size_t count = 0;
    {
        nb::gil_scoped_release unlocked;
        areas_of_sums(static_cast<const ManyRow*>(buffer.data()), n, threads, auc.as<double>(), error.as<double>(), large.as<uint8_t>());
        for (size_t g = 0; g < n; ++g) count += large.as<uint8_t>()[g];
        left = Block(count * sizeof(int64_t));
        for (size_t g = 0, at = 0; count && g < n; ++g)
            if (large.as<uint8_t>()[g]) left.as<int64_t>()[at++] = static_cast<int64_t>(g);
    }
    return nb::make_tuple(to_array(auc, n, Type::f64), to_array(error, n, Type::f64), to_array(left, count, Type::i64));
}

nb::object many_null_errors(nb::handle sums, int threads) {
    const Buffer buffer(sums);
    const size_t n = sums_of(buffer);
    Block error(n * sizeof(double));
    {
        nb::gil_scoped_release unlocked;
        null_errors(static_cast<const ManyRow*>(buffer.data()), n, threads, error.as<double>());
    }
    return to_array(error, n, Type::f64);
}

nb::object many_columns(nb::handle matrix, nb::handle positive, bool by_row, int threads) {
    const Buffer score_buffer(matrix), label_buffer(positive);
    const Rows labels = labels_of(label_buffer, score_buffer.type());
    const size_t columns = columns_of(score_buffer, labels.size);
    Block out = room_for(columns);
    {
        nb::gil_scoped_release unlocked;
        kernels().many_columns(labels, score_buffer.data(), columns, by_row ? columns : 1, by_row ? 1 : labels.size, threads,
                               out.as<ManyRow>());
    }
    return to_table(out, columns, numbers, Type::u64);
}

nb::object many_labels(nb::handle scores, nb::handle matrix, bool by_row, int threads) {
    const Buffer score_buffer(scores), label_buffer(matrix);
    Rows rows;
    rows.scores = score_buffer.data();
    rows.type = score_buffer.type();
    rows.size = score_buffer.size();
    if (rows.size >= (uint64_t{1} << 32)) throw nb::value_error("fewer than 2**32 rows can be ordered");
    const uint8_t* const labels = label_buffer.as<uint8_t>("labels must be bytes");
    const size_t columns = columns_of(label_buffer, rows.size);
    Block out = room_for(columns);
    NotNumbers nan;
    {
        nb::gil_scoped_release unlocked;
        kernels().many_labels(rows, labels, columns, by_row ? columns : 1, by_row ? 1 : rows.size, threads, out.as<ManyRow>(), nan);
    }
    if (nan.count) {
        nb::list listed;
        for (size_t i = 0; i < nan.count && i < NotNumbers::listed; ++i) listed.append(nan.rows[i]);
        return nb::make_tuple(nan.count, listed);
    }
    return to_table(out, columns, numbers, Type::u64);
}

nb::object many_sparse(nb::handle data, nb::handle indices, nb::handle ends, nb::handle positive, int threads) {
    const Buffer value_buffer(data), index_buffer(indices), label_buffer(positive);
    const Rows labels = labels_of(label_buffer, value_buffer.type());
    if (labels.type == Type::f16) throw nb::type_error("sparse scores have no 16-bit floats");
    const bool wide = index_buffer.itemsize() == 8;
    const void* const rows = wide ? static_cast<const void*>(index_buffer.as<int64_t>("indices must be int32 or int64"))
                                  : static_cast<const void*>(index_buffer.as<int32_t>("indices must be int32 or int64"));
    if (index_buffer.size() != value_buffer.size()) throw nb::value_error("data and indices must have the same length");
    const Copy<int64_t> own_ends(Buffer(ends), "ends must be int64");
    check_ends(own_ends, value_buffer.size());
    Block out = room_for(own_ends.size());
    {
        nb::gil_scoped_release unlocked;
        kernels().many_sparse(labels, value_buffer.data(), rows, wide, own_ends.data(), own_ends.size(), threads, out.as<ManyRow>());
    }
    return to_table(out, own_ends.size(), numbers, Type::u64);
}

// The values of the rows for the area of classes first to last, and the three numbers of `ClassRow` for each.
nb::object class_values(nb::handle matrix, bool by_row, nb::handle labels, bool labels_by_row, size_t rows, size_t first, size_t last, int threads) {
    const Buffer score_buffer(matrix), label_buffer(labels);
    ClassMatrix from;
    from.scores = score_buffer.data();
    from.type = score_buffer.type();
    from.rows = rows;
    from.first = first;
    const size_t columns = columns_of(score_buffer, rows);
    if (rows >= (uint64_t{1} << 32)) throw nb::value_error("fewer than 2**32 rows can be ordered");
    if (first > last || last > columns) throw nb::value_error("the classes must be columns of the matrix");
    from.row_step = by_row ? columns : 1;
    from.column_step = by_row ? 1 : rows;
    if (label_buffer.itemsize() == 4) {
        if (label_buffer.size() != rows) throw nb::value_error("there must be a class for each row");
        from.code = label_buffer.as<int32_t>("classes must be int32");
    } else {
        if (label_buffer.size() != score_buffer.size()) throw nb::value_error("labels and scores must have one shape");
        from.truth = label_buffer.as<uint8_t>("labels must be bytes");
        from.truth_row = labels_by_row ? columns : 1;
        from.truth_column = labels_by_row ? 1 : rows;
    }
    const size_t classes = last - first;
    if (classes && rows > (SIZE_MAX >> 8) / sizeof(double) / classes) throw std::bad_alloc();
    Block out(classes * rows * sizeof(double)), found(classes * sizeof(ClassRow));
    std::memset(found.as<char>(), 0, classes * sizeof(ClassRow));
    {
        nb::gil_scoped_release unlocked;
        kernels().class_values(from, classes, threads, out.as<double>(), found.as<ClassRow>());
    }
    return nb::make_tuple(to_table(out, classes, rows, Type::f64), to_table(found, classes, 3, Type::i64));
}

// Tables of counts one after another.
struct Tables {
    Buffer pos_buffer, neg_buffer;
    Copy<int64_t> ends;
    const int64_t* pos;
    const int64_t* neg;
    Tables(nb::handle p, nb::handle n, nb::handle e) : pos_buffer(p), neg_buffer(n), ends(Buffer(e), "ends must be int64") {
        pos = pos_buffer.as<int64_t>("counts must be int64");
        neg = neg_buffer.as<int64_t>("counts must be int64");
        if (pos_buffer.size() != neg_buffer.size()) throw nb::value_error("counts of both classes must have the same length");
        check_ends(ends, pos_buffer.size());
    }
};

nb::object many_tables(nb::handle pos, nb::handle neg, nb::handle ends, int threads) {
    const Tables tables(pos, neg, ends);
    Block out = room_for(tables.ends.size());
    {
        nb::gil_scoped_release unlocked;
        kernels().many_tables(tables.pos, tables.neg, tables.ends.data(), tables.ends.size(), threads, out.as<ManyRow>());
    }
    return to_table(out, tables.ends.size(), numbers, Type::u64);
}

nb::object many_pr(nb::handle pos, nb::handle neg, nb::handle ends, int kind, nb::handle scale, int threads) {
    static_assert(sizeof(ManyPr) == 5 * sizeof(double), "a plain row of numbers");
    const Tables tables(pos, neg, ends);
    const Copy<double> own_scale(Buffer(scale), "scales must be float64");
    if (own_scale.size() != tables.ends.size()) throw nb::value_error("every table must have a scale");
    if (kind < 0 || kind > static_cast<int>(PrKind::ties_lost)) throw nb::value_error("unknown estimator");
    Block out = room_for(tables.ends.size());
    {
        nb::gil_scoped_release unlocked;
        kernels().many_pr(tables.pos, tables.neg, tables.ends.data(), tables.ends.size(), static_cast<PrKind>(kind), own_scale.data(), threads,
                          out.as<ManyPr>());
    }
    return to_table(out, tables.ends.size(), 5, Type::f64);
}

}  // namespace

void bind_many(nb::module_& m) {
    m.def("many_groups", &many_groups, nb::arg("scores"), nb::arg("positive"), nb::arg("ends"), nb::arg("threads"));
    m.def("many_keyed", &many_keyed, nb::arg("groups"), nb::arg("scores"), nb::arg("positive"), nb::arg("threads"));
    m.def("run_ends", &runs, nb::arg("keys"), nb::arg("threads"));
    m.def("many_areas", &many_areas, nb::arg("sums"), nb::arg("threads"));
    m.def("many_null_errors", &many_null_errors, nb::arg("sums"), nb::arg("threads"));
    m.def("many_columns", &many_columns, nb::arg("matrix"), nb::arg("positive"), nb::arg("by_row"), nb::arg("threads"));
    m.def("many_labels", &many_labels, nb::arg("scores"), nb::arg("matrix"), nb::arg("by_row"), nb::arg("threads"));
    m.def("class_values", &class_values, nb::arg("matrix"), nb::arg("by_row"), nb::arg("labels"), nb::arg("labels_by_row"), nb::arg("rows"),
          nb::arg("first"), nb::arg("last"), nb::arg("threads"));
    m.def("many_sparse", &many_sparse, nb::arg("data"), nb::arg("indices"), nb::arg("ends"), nb::arg("positive"), nb::arg("threads"));
    m.def("many_tables", &many_tables, nb::arg("pos"), nb::arg("neg"), nb::arg("ends"), nb::arg("threads"));
    m.def("many_pr", &many_pr, nb::arg("pos"), nb::arg("neg"), nb::arg("ends"), nb::arg("kind"), nb::arg("scale"), nb::arg("threads"));
}
