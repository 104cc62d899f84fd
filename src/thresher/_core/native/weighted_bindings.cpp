// Rows with weights as Python sees them. Compiled once: what needs vectors here is the sort, which the kernels do.
#define THRESHER_ISA portable
#include "weighted.hpp"

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>

#include "arrays.hpp"
#include "plain_labels.hpp"

namespace nb = nanobind;
using namespace thresher;
using namespace thresher::portable;

namespace {

// Calls with a zero of the scores' type.
template <class F>
auto for_score_type(Type type, F&& call) {
    switch (type) {
        case Type::f16: return call(Half{});
        case Type::f32: return call(float{});
        case Type::f64: return call(double{});
        case Type::i8: return call(int8_t{});
        case Type::i16: return call(int16_t{});
        case Type::i32: return call(int32_t{});
        case Type::i64: return call(int64_t{});
        case Type::u8: return call(uint8_t{});
        case Type::u16: return call(uint16_t{});
        case Type::u32: return call(uint32_t{});
        default: return call(uint64_t{});
    }
}

struct WeightedRows {
    Buffer scores, positive, weight;
    const uint8_t* labels;
    const double* weights;
    size_t size;
    WeightedRows(nb::handle s, nb::handle p, nb::handle w)
        : scores(s), positive(p), weight(w), labels(positive.as<uint8_t>("labels must be bytes")),
          weights(weight.as<double>("weights must be float64")), size(scores.size()) {
        if (positive.size() != size || weight.size() != size) throw nb::value_error("scores, labels and weights must have the same length");
        if (size >= (uint64_t{1} << 32)) throw nb::value_error("fewer than 2**32 rows can be ordered");
    }
};

nb::object splits(nb::handle scores, size_t buckets) {
    const Buffer buffer(scores);
    if (buckets < 1 || buckets > most_weighted_buckets) throw nb::value_error("between 1 and 512 buckets");
    Block out(most_weighted_buckets * sizeof(int64_t));
    const size_t n = for_score_type(buffer.type(), [&](auto zero) {
        return learn_splits(static_cast<const decltype(zero)*>(buffer.data()), buffer.size(), buckets, out.as<int64_t>());
    });
    return to_array(out, n, Type::i64);
}

nb::object scatter(nb::handle scores, nb::handle positive, nb::handle weight, nb::handle at, int threads) {
    const WeightedRows rows(scores, positive, weight);
    const Buffer split_buffer(at);
    const Copy<int64_t> split_values(split_buffer, "splits must be int64");
    if (split_values.size() >= most_weighted_buckets) throw nb::value_error("between 1 and 512 buckets");
    Splits by;
    by.set(split_values.data(), split_values.size());
    const size_t buckets = by.buckets;
    Block out(rows.size * sizeof(WeightedRow)), ends(buckets * sizeof(int64_t)), sums(6 * buckets * sizeof(double));
    std::vector<LongSum> each(2 * buckets);
    {
        nb::gil_scoped_release unlocked;
        for_score_type(rows.scores.type(), [&](auto zero) {
            scatter_rows(static_cast<const decltype(zero)*>(rows.scores.data()), rows.labels, rows.weights, rows.size, by, threads,
                         out.as<WeightedRow>(), ends.as<int64_t>(), each.data());
            return 0;
        });
    }
    for (size_t k = 0; k < 2 * buckets; ++k) {
        const double parts[3] = {each[k].high, each[k].middle, each[k].low};
        std::memcpy(sums.as<double>() + 3 * k, parts, sizeof parts);
    }
    return nb::make_tuple(to_table(out, rows.size, 2, Type::i64), to_array(ends, buckets, Type::i64), to_table(sums, buckets, 6, Type::f64));
}

// Scores from their ranks.
Block scores_of(const int64_t* ranks, size_t n, Type type) {
    Block out(n * bytes_of(type));
    for_score_type(type, [&](auto zero) {
        using S = decltype(zero);
        for (size_t k = 0; k < n; ++k) out.as<S>()[k] = score_of<S>(ranks[k]);
        return 0;
    });
    return out;
}

// Weights with the sign of their class: a copy, which nobody else can change.
void sign_weights(const double* weight, const uint8_t* positive, size_t n, double* out) {
    for (size_t i = 0; i < n; ++i) {
        uint64_t bits;
        std::memcpy(&bits, weight + i, sizeof bits);
        bits ^= static_cast<uint64_t>(positive[i] == 0) << 63;
        std::memcpy(out + i, &bits, sizeof bits);
    }
}

nb::tuple columns_of(WeightedTable& table, Type type) {
    return nb::make_tuple(to_array(table.thresholds, table.size, type), to_array(table.sums[0], table.size, Type::f64),
                          to_array(table.sums[1], table.size, Type::f64), to_array(table.sums[2], table.size, Type::f64),
                          to_array(table.sums[3], table.size, Type::f64));
}

nb::object weigh(nb::handle scores, nb::handle positive, nb::handle weight, int threads) {
    const WeightedRows rows(scores, positive, weight);
    const Rows from{rows.scores.data(), rows.labels, rows.size, rows.scores.type()};
    WeightedTable table;
    {
        nb::gil_scoped_release unlocked;
        Block own(rows.size * sizeof(double));
        sign_weights(rows.weights, rows.labels, rows.size, own.as<double>());
        kernels().weigh(from, own.as<double>(), threads, table);
    }
    if (table.nan) throw nb::value_error("scores are NaN");
    return columns_of(table, from.type);
}

// The table of labels, scores and weights as they nearly always come. Columns become arrays when they are asked for.
struct Weighed {
    WeightedTable table;
    Type type;
    Block tp, fp;
    WeightSpans spans;
    double n_pos = 0, n_neg = 0, wins = 0;
    bool certain = false;  // of the last digit of the weight of pairs ranked right

    nb::object column(const Block& block, nb::handle self) const { return shared_column(block, table.size, Type::f64, self); }
};

// The column of a property.
template <class Take>
auto column_of(Take take) {
    return [take](nb::handle self) {
        const Weighed& found = *nb::inst_ptr<Weighed>(self);
        return found.column(take(found), self);
    };
}

// None if anything is unusual.
nb::object plain_weighed(nb::handle y_true, nb::handle y_score, nb::handle sample_weight, double least, double most, int threads) {
    std::optional<Buffer> labels, scores, weights;
    Type type, label_type;
    try {  // strides, bytes in another order and what is no number
        labels.emplace(y_true);
        scores.emplace(y_score);
        weights.emplace(sample_weight);
        type = scores->type();
        label_type = labels->type();
        if (weights->type() != Type::f64) return nb::none();
    } catch (const nb::python_error&) {
        return nb::none();
    } catch (const nb::builtin_exception&) {
        return nb::none();
    }
    const size_t n = scores->size();
    if (labels->dimensions() != 1 || scores->dimensions() != 1 || weights->dimensions() != 1 || n == 0 || labels->size() != n ||
        weights->size() != n || scores->truth() || type == Type::f16 || n >= (uint64_t{1} << 32))
        return nb::none();
    auto found = std::make_unique<Weighed>();
    bool usual = false;
    {
        nb::gil_scoped_release unlocked;
        Block own(n), weight_block(n * sizeof(double));
        uint8_t* const positive = own.as<uint8_t>();
        double* const weight = weight_block.as<double>();  // nobody else can change it
        std::memcpy(weight, weights->data(), n * sizeof(double));
        WeightSpans& spans = found->spans;
        WeightedTable& table = found->table;
        if (plain_labels(*labels, label_type, threads, positive)) {
            spans.add(positive, weight, n);
            usual = spans.within(least, most) && !(spans.constant(0, 1.0) && spans.constant(1, 1.0));
        }
        if (usual) {
            sign_weights(weight, positive, n, weight);
            kernels().weigh(Rows{scores->data(), nullptr, n, type}, weight, threads, table);
            usual = !table.nan;
        }
        if (usual) {
            const size_t d = table.size;
            found->type = type;
            found->tp = Block(d * sizeof(double));
            found->fp = Block(d * sizeof(double));
            const double *const pos = table.sums[0].as<double>(), *const neg = table.sums[1].as<double>();
            double *const tp = found->tp.as<double>(), *const fp = found->fp.as<double>();
            running_sums(pos, neg, d, tp, fp);
            found->certain = weighted_wins(pos, neg, fp, d, found->wins);
            found->n_pos = tp[d - 1];
            found->n_neg = fp[d - 1];
            usual = found->n_pos <= most && found->n_neg <= most;
        }
    }
    if (!usual) return nb::none();
    return nb::cast(found.release(), nb::rv_policy::take_ownership);
}

nb::object running(nb::handle values) {
    const Buffer buffer(values);
    const double* const from = buffer.as<double>("values must be float64");
    const size_t n = buffer.size();
    Block out(n * sizeof(double));
    {
        nb::gil_scoped_release unlocked;
        running_sums(from, n, out.as<double>());
    }
    return to_array(out, n, Type::f64);
}

// The correctly rounded sum of numbers, or None if that is not certain.
nb::object rounded_sum(nb::handle values) {
    const Buffer buffer(values);
    const double* const from = buffer.as<double>("values must be float64");
    RoundedSum sum;
    double out = 0;
    bool certain = false;
    {
        nb::gil_scoped_release unlocked;
        for (size_t i = 0; i < buffer.size(); ++i) sum.add(from[i]);
        certain = sum.value(out);
    }
    if (!certain) return nb::none();
    return nb::float_(out);
}

nb::object spans(nb::handle positive, nb::handle weight) {
    const Buffer labels(positive), weights(weight);
    if (labels.size() != weights.size()) throw nb::value_error("labels and weights must have the same length");
    WeightSpans found;
    {
        nb::gil_scoped_release unlocked;
        found.add(labels.as<uint8_t>("labels must be bytes"), weights.as<double>("weights must be float64"), weights.size());
    }
    return nb::make_tuple(nb::make_tuple(found.seen[0], found.seen[1]), nb::make_tuple(found.counted[0], found.counted[1]),
                          nb::make_tuple(nb::make_tuple(found.least[0], found.greatest[0]), nb::make_tuple(found.least[1], found.greatest[1])));
}

nb::object two(const WeightedTally::Two& value) { return nb::make_tuple(value.sum, value.error); }

WeightedOptions options_of(nb::handle before, double n_neg, double pos_step, double neg_step, int log_bits, size_t most_points) {
    const Buffer buffer(before);
    const double* const start = buffer.as<double>("sums must be float64");
    if (buffer.size() != 6 || !(pos_step > 0) || !(neg_step > 0) || log_bits < 0 || log_bits > 62) throw nb::value_error("no such steps");
    WeightedOptions options;
    options.tp0 = {start[0], start[1], start[2]};
    options.fp0 = {start[3], start[4], start[5]};
    options.n_neg = n_neg;
    options.pos_step = pos_step;
    options.neg_step = neg_step;
    options.log_bits = log_bits;
    options.most_points = most_points;
    return options;
}

const WeightedRow* rows_of(const Buffer& rows) {
    if (rows.size() / 2 >= (uint64_t{1} << 32)) throw nb::value_error("fewer than 2**32 rows can be ordered");
    return reinterpret_cast<const WeightedRow*>(rows.as<int64_t>("rows must be int64"));
}

// Rows of one bucket.
nb::object tally_weights(const char* format, nb::handle rows, nb::handle before, double n_neg, double pos_step, double neg_step, int log_bits,
                         size_t most_points) {
    const Type type = type_of(format);
    const Buffer buffer(rows);
    const WeightedRow* const from = rows_of(buffer);
    const size_t n = buffer.size() / 2;
    const WeightedOptions options = options_of(before, n_neg, pos_step, neg_step, log_bits, most_points);
    Block first, kept, below, pos, neg;
    WeightedTally out;
    {
        nb::gil_scoped_release unlocked;
        const WeightedScratch scratch(n);
        const WeightedColumns& columns = scratch.table;
        const size_t d = kernels().weigh_some(from, n, columns);
        tally_weighted(columns, d, options, scratch, out);
        Block ranks(out.kept * sizeof(int64_t)), lower(out.kept * sizeof(int64_t));
        for (size_t k = 0; k < out.kept; ++k) {
            const size_t row = static_cast<size_t>(out.rows.as<int64_t>()[k]);
            ranks.as<int64_t>()[k] = rank_of_depth(columns.depth[row]);
            lower.as<int64_t>()[k] = rank_of_depth(columns.depth[row + 1 < d ? row + 1 : row]);
        }
        if (out.kept == d) {
            pos = Block(d * sizeof(double));
            neg = Block(d * sizeof(double));
            std::memcpy(pos.as<double>(), columns.pos, d * sizeof(double));
            std::memcpy(neg.as<double>(), columns.neg, d * sizeof(double));
        }
        const int64_t highest = d ? rank_of_depth(columns.depth[0]) : 0;
        first = scores_of(&highest, d ? 1 : 0, type);
        kept = scores_of(ranks.as<int64_t>(), out.kept, type);
        below = scores_of(lower.as<int64_t>(), out.kept, type);
    }
    const nb::object sums = nb::make_tuple(two(out.twice_u), two(out.pos_squares), two(out.neg_squares), two(out.tied), out.shared_scores,
                                           two(out.shared_pos), two(out.average_precision), two(out.interpolated));
    nb::object counts = nb::none();
    if (out.kept == out.scores) counts = nb::make_tuple(to_array(pos, out.scores, Type::f64), to_array(neg, out.scores, Type::f64));
    return nb::make_tuple(out.scores, sums, to_array(first, out.scores ? 1 : 0, type), to_array(kept, out.kept, type),
                          to_array(below, out.kept, type), to_array(out.tp, out.kept, Type::f64), to_array(out.fp, out.kept, Type::f64),
                          to_array(out.why, out.kept, Type::u8), counts,
                          nb::make_tuple(to_array(out.between_pos, out.kept, Type::f64), to_array(out.between_neg, out.kept, Type::f64)));
}

// Rows of a bucket as they came: scores, classes and weights.
nb::object weighted_rows(const char* format, nb::handle rows) {
    const Type type = type_of(format);
    const Buffer buffer(rows);
    const WeightedRow* const from = rows_of(buffer);
    const size_t n = buffer.size() / 2;
    Block ranks(n * sizeof(int64_t)), labels(n), weights(n * sizeof(double));
    for (size_t i = 0; i < n; ++i) {
        ranks.as<int64_t>()[i] = rank_of_depth(from[i].depth);
        labels.as<uint8_t>()[i] = from[i].weight > 0;
        weights.as<double>()[i] = std::fabs(from[i].weight);
    }
    Block scores = scores_of(ranks.as<int64_t>(), n, type);
    return nb::make_tuple(to_array(scores, n, type), to_array(labels, n, Type::u8), to_array(weights, n, Type::f64));
}

// Which points of a curve of sums are kept, and why.
nb::object choose(nb::handle tp, nb::handle fp, nb::handle before, double pos_step, double neg_step, int log_bits) {
    const Buffer right(tp), wrong(fp);
    const size_t n = right.size();
    if (wrong.size() != n) throw nb::value_error("both counts must have the same length");
    const double *const y = right.as<double>("sums must be float64"), *const x = wrong.as<double>("sums must be float64");
    const WeightedOptions options = options_of(before, 0, pos_step, neg_step, log_bits, 0);
    Block vertices(n * sizeof(int64_t)), rows(n * sizeof(int64_t)), why(n);
    size_t kept = 0;
    {
        nb::gil_scoped_release unlocked;
        kept = choose_weighted(y, x, n, options, vertices.as<int64_t>(), rows.as<int64_t>(), why.as<uint8_t>());
    }
    return nb::make_tuple(to_array(rows, kept, Type::i64), to_array(why, kept, Type::u8));
}

nb::object hull(nb::handle x, nb::handle y) {
    const Buffer across(x), up(y);
    const size_t n = across.size();
    if (up.size() != n) throw nb::value_error("both coordinates must have the same length");
    Block out(n * sizeof(int64_t));
    const size_t kept = weighted_hull(across.as<double>("points must be float64"), up.as<double>("points must be float64"), n, out.as<int64_t>());
    return to_array(out, kept, Type::i64);
}

// What rows stand for at a horizon, and whether somebody stands for all that were censored before it.
nb::object censoring(nb::handle time, nb::handle happened, nb::handle kept, double t) {
    const Buffer times(time), events(happened), known(kept);
    const double* const from = times.as<double>("times must be float64");
    const uint8_t *const event = events.as<uint8_t>("events must be bytes"), *const which = known.as<uint8_t>("rows must be bytes");
    const size_t n = times.size();
    if (events.size() != n || known.size() != n) throw nb::value_error("times and events must have the same length");
    if (n >= (uint64_t{1} << 32)) throw nb::value_error("fewer than 2**32 rows can be ordered");
    Block out(n * sizeof(double));
    bool stands = true;
    {
        nb::gil_scoped_release unlocked;
        stands = kernels().censoring(from, event, which, n, t, out.as<double>());
    }
    return nb::make_tuple(to_array(out, n, Type::f64), stands);
}

}  // namespace

void bind_weighted(nb::module_& m) {
    m.def("censoring", &censoring, nb::arg("time"), nb::arg("happened"), nb::arg("kept"), nb::arg("t"));
    nb::class_<Weighed>(m, "Weighed")
        .def_prop_ro("thresholds",
                     [](nb::handle self) {
                         const Weighed& found = *nb::inst_ptr<Weighed>(self);
                         return shared_column(found.table.thresholds, found.table.size, found.type, self);
                     })
        .def_prop_ro("pos", column_of([](const Weighed& found) -> const Block& { return found.table.sums[0]; }))
        .def_prop_ro("neg", column_of([](const Weighed& found) -> const Block& { return found.table.sums[1]; }))
        .def_prop_ro("pos_squares", column_of([](const Weighed& found) -> const Block& { return found.table.sums[2]; }))
        .def_prop_ro("neg_squares", column_of([](const Weighed& found) -> const Block& { return found.table.sums[3]; }))
        .def_prop_ro("tp", column_of([](const Weighed& found) -> const Block& { return found.tp; }))
        .def_prop_ro("fp", column_of([](const Weighed& found) -> const Block& { return found.fp; }))
        .def_prop_ro("n_pos", [](const Weighed& found) { return found.n_pos; })
        .def_prop_ro("n_neg", [](const Weighed& found) { return found.n_neg; })
        .def_prop_ro("rows", [](const Weighed& found) { return nb::make_tuple(found.spans.seen[0], found.spans.seen[1]); })
        .def_prop_ro("spans",
                     [](const Weighed& found) {
                         const auto span = [&](int side) { return nb::make_tuple(found.spans.least[side], found.spans.greatest[side]); };
                         return nb::make_tuple(span(0), span(1));
                     })
        .def_prop_ro("varied", [](const Weighed& found) { return !(found.spans.constant(0) && found.spans.constant(1)); })
        .def_prop_ro("wins", [](const Weighed& found) -> nb::object {
            if (!found.certain) return nb::none();
            return nb::float_(found.wins);
        });
    m.def("weighted_splits", &splits, nb::arg("scores"), nb::arg("buckets"));
    m.def("weight_spans", &spans, nb::arg("positive"), nb::arg("weight"));
    m.def("scatter_weighted", &scatter, nb::arg("scores"), nb::arg("positive"), nb::arg("weight"), nb::arg("splits"), nb::arg("threads"));
    m.def("weighted_rows", &weighted_rows, nb::arg("format"), nb::arg("rows"));
    m.def("weigh", &weigh, nb::arg("scores"), nb::arg("positive"), nb::arg("weight"), nb::arg("threads"));
    m.def("plain_weighed", &plain_weighed, nb::arg("y_true"), nb::arg("y_score"), nb::arg("sample_weight"), nb::arg("least"),
          nb::arg("most"), nb::arg("threads"));
    m.def("running_sums", &running, nb::arg("values"));
    m.def("rounded_sum", &rounded_sum, nb::arg("values"));
    m.def("tally_weights", &tally_weights, nb::arg("format"), nb::arg("rows"), nb::arg("before"), nb::arg("n_neg"), nb::arg("pos_step"),
          nb::arg("neg_step"), nb::arg("log_bits"), nb::arg("most_points"));
    m.def("choose_weighted", &choose, nb::arg("tp"), nb::arg("fp"), nb::arg("before"), nb::arg("pos_step"), nb::arg("neg_step"),
          nb::arg("log_bits"));
    m.def("weighted_hull", &hull, nb::arg("x"), nb::arg("y"));
}
