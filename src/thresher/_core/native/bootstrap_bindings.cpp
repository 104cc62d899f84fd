// The bootstrap as Python sees it: replicates of a table, and of several tables of the same rows.
#include <nanobind/nanobind.h>

#include <memory>
#include <vector>

#include "arrays.hpp"
#include "kernels.hpp"

namespace nb = nanobind;
using namespace thresher;

namespace {

constexpr const char* counts_text = "counts must be int64";

// Refuses tables whose size in bytes would wrap.
void check_room(size_t rows, size_t columns) {
    if (columns && rows > (SIZE_MAX >> 8) / columns) throw std::bad_alloc();
}

Resampling resampling(const Copy<int64_t>& pos, const Copy<int64_t>& neg, uint64_t seed, uint64_t first, size_t replicates, int threads) {
    Resampling job;
    job.pos = pos.data();
    job.neg = neg.data();
    job.groups = pos.size();
    if (neg.size() != job.groups) throw nb::value_error("pos and neg must have the same length");
    uint64_t total = 0;
    for (size_t g = 0; g < job.groups; ++g) {
        if (job.pos[g] < 0 || job.neg[g] < 0) throw nb::value_error("counts must not be negative");
        if (job.pos[g] >= (int64_t{1} << 32) || job.neg[g] >= (int64_t{1} << 32)) throw nb::value_error("too many rows to resample one by one");
        total += static_cast<uint64_t>(job.pos[g]) + static_cast<uint64_t>(job.neg[g]);
        if (total >= (uint64_t{1} << 32)) throw nb::value_error("too many rows to resample one by one");
    }
    job.seed = seed;
    job.first = first;
    job.replicates = replicates;
    job.threads = threads;
    return job;
}

void check_classes(const Resampling& job) {
    bool has_pos = false, has_neg = false;
    for (size_t g = 0; g < job.groups; ++g) {
        has_pos |= job.pos[g] > 0;
        has_neg |= job.neg[g] > 0;
    }
    if (!has_pos || !has_neg) throw nb::value_error("both classes must have rows");
}

nb::object resample(nb::handle pos, nb::handle neg, uint64_t seed, uint64_t first, size_t replicates, int threads, bool stratified,
                    uint32_t attempt) {
    const Copy<int64_t> own_pos(Buffer(pos), counts_text), own_neg(Buffer(neg), counts_text);
    Resampling job = resampling(own_pos, own_neg, seed, first, replicates, threads);
    job.stratified = stratified;
    check_room(replicates, job.groups);
    Block a(replicates * job.groups * sizeof(double)), b(replicates * job.groups * sizeof(double));
    {
        nb::gil_scoped_release unlocked;
        kernels().resample(job, attempt, a.as<double>(), b.as<double>());
    }
    return nb::make_tuple(to_table(a, replicates, job.groups, Type::f64), to_table(b, replicates, job.groups, Type::f64));
}

// Rates, which must lie in [0, 1].
const double* rates_of(const Copy<double>& rates, const char* message) {
    for (size_t k = 0; k < rates.size(); ++k)
        if (!(rates.data()[k] >= 0 && rates.data()[k] <= 1)) throw nb::value_error(message);
    return rates.data();
}

constexpr const char *span_text = "spans must lie in [0, 1]", *fpr_text = "fprs must lie in [0, 1]", *recall_text = "recalls must lie in (0, 1]";

// What is measured of every replicate, whatever the table.
struct Wanted {
    double odds;
    bool positives_first, along_tp, roc_auc, average_precision, interpolated, delong;
    Copy<double> spans, fprs, recalls;
    Wanted(nb::handle flags, nb::handle span, nb::handle fpr, nb::handle recall)
        : odds(nb::cast<double>(flags[0])), positives_first(nb::cast<bool>(flags[1])), along_tp(nb::cast<bool>(flags[2])),
          roc_auc(nb::cast<bool>(flags[3])), average_precision(nb::cast<bool>(flags[4])), interpolated(nb::cast<bool>(flags[5])),
          delong(nb::cast<bool>(flags[6])), spans(Buffer(span), span_text), fprs(Buffer(fpr), fpr_text), recalls(Buffer(recall), recall_text) {
        rates_of(spans, span_text);
        rates_of(fprs, fpr_text);
        rates_of(recalls, recall_text);
        for (size_t k = 0; k < recalls.size(); ++k)
            if (recalls.data()[k] == 0) throw nb::value_error(recall_text);
    }
};

// Where the figures of a table go.
struct Figures {
    Block out[8];
    Figures(Resampling& job, const Wanted& wanted, const Copy<int64_t>& points) {
        job.odds = wanted.odds;
        job.positives_first = wanted.positives_first;
        job.along_tp = wanted.along_tp;
        const auto doubles = [&](Block& block, size_t columns) {
            check_room(job.replicates, columns);
            block = Block(job.replicates * columns * sizeof(double));
            return block.as<double>();
        };
        if (wanted.roc_auc) job.roc_auc = doubles(out[0], 1);
        if (wanted.average_precision) job.average_precision = doubles(out[1], 1);
        if (wanted.interpolated) job.interpolated = doubles(out[2], 1);
        if (wanted.delong) job.delong = doubles(out[3], 1);
        job.spans = wanted.spans.data();
        job.n_spans = wanted.spans.size() / 2;
        job.partial = doubles(out[4], job.n_spans);
        job.points = points.data();
        job.n_points = points.size();
        for (size_t k = 0; k < job.n_points; ++k)
            if (job.points[k] < 0 || static_cast<size_t>(job.points[k]) >= job.groups) throw nb::value_error("points must be rows of the table");
        job.point_counts = reinterpret_cast<int64_t*>(doubles(out[5], 2 * job.n_points));
        job.fprs = wanted.fprs.data();
        job.n_fprs = wanted.fprs.size();
        job.tpr_at = doubles(out[6], job.n_fprs);
        job.recalls = wanted.recalls.data();
        job.n_recalls = wanted.recalls.size();
        job.precision_at = doubles(out[7], job.n_recalls);
    }
    nb::object taken(const Resampling& job) {
        const auto vector = [&](Block& block, const double* wanted) -> nb::object {
            if (!wanted) return nb::none();
            return to_array(block, job.replicates, Type::f64);
        };
        return nb::make_tuple(vector(out[0], job.roc_auc), vector(out[1], job.average_precision), vector(out[2], job.interpolated),
                              vector(out[3], job.delong), to_table(out[4], job.replicates, job.n_spans, Type::f64),
                              to_table(out[5], job.replicates, 2 * job.n_points, Type::i64), to_table(out[6], job.replicates, job.n_fprs, Type::f64),
                              to_table(out[7], job.replicates, job.n_recalls, Type::f64));
    }
};

nb::object bootstrap(nb::handle pos, nb::handle neg, uint64_t seed, uint64_t first, size_t replicates, int threads, bool stratified,
                     nb::tuple flags, nb::handle spans, nb::handle points, nb::handle fprs, nb::handle recalls) {
    const Copy<int64_t> own_pos(Buffer(pos), counts_text), own_neg(Buffer(neg), counts_text), own_points(Buffer(points), "points must be int64");
    const Wanted wanted(flags, spans, fprs, recalls);
    Resampling job = resampling(own_pos, own_neg, seed, first, replicates, threads);
    check_classes(job);
    job.stratified = stratified;
    Figures figures(job, wanted, own_points);
    {
        nb::gil_scoped_release unlocked;
        kernels().bootstrap(job);
    }
    return figures.taken(job);
}

// A table of a paired bootstrap, with arrays that nobody else can write to.
struct PairedTable {
    Copy<int64_t> pos, neg, points;
    Copy<uint32_t> unit;
    Copy<double> weight;
    explicit PairedTable(nb::handle table)
        : pos(Buffer(table[0]), counts_text), neg(Buffer(table[1]), counts_text), points(Buffer(table[4]), "points must be int64"),
          unit(Buffer(table[2]), "units must be uint32"), weight(Buffer(table[3]), "weights must be float64") {}
};

// The job of the tables of the same rows; `tables` keeps what it points to.
struct PairedJob {
    std::vector<std::unique_ptr<PairedTable>> own;
    std::vector<Resampling> tables;
    std::vector<const uint32_t*> units;
    std::vector<const double*> weights;
    Copy<uint8_t> stratum;
    PairedResampling job;
    PairedJob(nb::handle strata, bool exchange, nb::list given, uint64_t seed, uint64_t first, size_t replicates, int threads)
        : stratum(Buffer(strata), "strata must be bytes") {
        job.stratum = stratum.data();
        job.units = stratum.size();
        if (job.units >= (uint64_t{1} << 31)) throw nb::value_error("too many units to resample one by one");
        job.exchange = exchange;
        job.seed = seed;
        job.first = first;
        job.replicates = replicates;
        job.threads = threads;
        job.models = given.size();
        if (!job.models) throw nb::value_error("there must be a table");
        const size_t places = exchange ? 2 * job.units : job.units;
        for (nb::handle table : given) {
            own.push_back(std::make_unique<PairedTable>(table));
            const PairedTable& one = *own.back();
            tables.push_back(resampling(one.pos, one.neg, seed, first, replicates, threads));
            uint64_t rows = 0;
            for (size_t g = 0; g < one.pos.size(); ++g) rows += static_cast<uint64_t>(one.pos.data()[g] + one.neg.data()[g]);
            if (rows != one.unit.size()) throw nb::value_error("every row of a table must have a unit");
            if (one.weight.size() && one.weight.size() != rows) throw nb::value_error("every row of a table must have a weight");
            for (size_t i = 0; i < one.unit.size(); ++i)
                if (one.unit.data()[i] >= places) throw nb::value_error("units must be below their number");
            units.push_back(one.unit.data());
            weights.push_back(one.weight.size() ? one.weight.data() : nullptr);
        }
        job.tables = tables.data();
        job.unit_of = units.data();
        job.weight_of = weights.data();
    }
};

nb::object paired(nb::handle strata, bool exchange, nb::list given, uint64_t seed, uint64_t first, size_t replicates, int threads,
                  nb::tuple flags, nb::handle spans, nb::handle fprs, nb::handle recalls) {
    PairedJob all(strata, exchange, given, seed, first, replicates, threads);
    const Wanted wanted(flags, spans, fprs, recalls);
    std::vector<std::unique_ptr<Figures>> figures;
    for (size_t m = 0; m < all.tables.size(); ++m) {
        check_classes(all.tables[m]);
        if (all.weights[m] && (wanted.delong || wanted.spans.size() || wanted.fprs.size() || wanted.recalls.size() || all.own[m]->points.size()))
            throw nb::value_error("only whole areas are measured of weights");
        figures.push_back(std::make_unique<Figures>(all.tables[m], wanted, all.own[m]->points));
    }
    {
        nb::gil_scoped_release unlocked;
        kernels().paired(all.job);
    }
    nb::list out;
    for (size_t m = 0; m < all.tables.size(); ++m) out.append(figures[m]->taken(all.tables[m]));
    return out;
}

nb::object paired_tables(nb::handle strata, bool exchange, nb::list given, uint64_t seed, uint64_t first, size_t replicates, int threads) {
    PairedJob all(strata, exchange, given, seed, first, replicates, threads);
    const size_t n = all.tables.size();
    std::vector<Block> pos(n), neg(n);
    std::vector<double*> pos_out, neg_out;
    for (size_t m = 0; m < n; ++m) {
        check_room(replicates, all.tables[m].groups);
        pos[m] = Block(replicates * all.tables[m].groups * sizeof(double));
        neg[m] = Block(replicates * all.tables[m].groups * sizeof(double));
        pos_out.push_back(pos[m].as<double>());
        neg_out.push_back(neg[m].as<double>());
    }
    all.job.pos_out = pos_out.data();
    all.job.neg_out = neg_out.data();
    {
        nb::gil_scoped_release unlocked;
        kernels().paired_tables(all.job);
    }
    nb::list out;
    for (size_t m = 0; m < n; ++m)
        out.append(nb::make_tuple(to_table(pos[m], replicates, all.tables[m].groups, Type::f64),
                                  to_table(neg[m], replicates, all.tables[m].groups, Type::f64)));
    return out;
}

}  // namespace

void bind_bootstrap(nb::module_& m) {
    m.def("resample", &resample, nb::arg("pos"), nb::arg("neg"), nb::arg("seed"), nb::arg("first"), nb::arg("replicates"),
          nb::arg("threads"), nb::arg("stratified"), nb::arg("attempt"));
    m.def("bootstrap", &bootstrap, nb::arg("pos"), nb::arg("neg"), nb::arg("seed"), nb::arg("first"), nb::arg("replicates"),
          nb::arg("threads"), nb::arg("stratified"), nb::arg("flags"), nb::arg("spans"), nb::arg("points"), nb::arg("fprs"),
          nb::arg("recalls"));
    m.def("paired", &paired, nb::arg("strata"), nb::arg("exchange"), nb::arg("tables"), nb::arg("seed"), nb::arg("first"),
          nb::arg("replicates"), nb::arg("threads"), nb::arg("flags"), nb::arg("spans"), nb::arg("fprs"), nb::arg("recalls"));
    m.def("paired_tables", &paired_tables, nb::arg("strata"), nb::arg("exchange"), nb::arg("tables"), nb::arg("seed"), nb::arg("first"),
          nb::arg("replicates"), nb::arg("threads"));
}
