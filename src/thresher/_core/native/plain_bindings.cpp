// Labels and scores as they nearly always come, two plain columns of numbers: from arrays to counts or figures in one
// call. Whatever else comes is answered with None, and left to the checks that know what to say about it.
#include <nanobind/nanobind.h>

#include <cmath>
#include <optional>

#include "arrays.hpp"
#include "kernels.hpp"
#include "plain_labels.hpp"

namespace nb = nanobind;
using namespace thresher;

namespace {

// Two columns, and what was counted of them.
class Plain {
public:
    Plain(nb::handle y_true, nb::handle y_score) {
        try {  // strides, bytes in another order and what is no number
            labels_.emplace(y_true);
            scores_.emplace(y_score);
            type_ = scores_->type();
            label_type_ = labels_->type();
        } catch (const nb::python_error&) {
            return;
        } catch (const nb::builtin_exception&) {
            return;
        }
        const size_t n = scores_->size();
        fits_ = labels_->dimensions() == 1 && scores_->dimensions() == 1 && n > 0 && labels_->size() == n && !scores_->truth();
    }

    // Whether the columns are plain, with their counts in `table`; the lock of the interpreter is not needed.
    bool count(int threads) {
        if (!fits_) return false;
        Block own;
        Rows rows;
        rows.scores = scores_->data();
        rows.size = scores_->size();
        rows.type = type_;
        if (labels_->truth()) {
            rows.positive = static_cast<const uint8_t*>(labels_->data());
        } else {
            own = Block(rows.size);
            if (!plain_labels(*labels_, label_type_, threads, own.as<uint8_t>())) return false;
            rows.positive = own.as<uint8_t>();
        }
        CountOptions options;
        options.threads = threads;
        kernels().count(rows, options, table);
        return !table.nan.count;
    }

    // Whether all scores are finite numbers, none of 16 bits; they stand in order.
    bool finite() const {
        if (type_ == Type::f32) return ends_are_finite<float>();
        if (type_ == Type::f64) return ends_are_finite<double>();
        return type_ != Type::f16;
    }

    Type type() const { return type_; }

    Table table;

private:
    template <class S>
    bool ends_are_finite() const {
        const S* const scores = table.thresholds.as<S>();
        return std::isfinite(scores[0]) && std::isfinite(scores[table.size - 1]);
    }

    std::optional<Buffer> labels_, scores_;
    Type type_ = Type::f64, label_type_ = Type::u8;
    bool fits_ = false;
};

// What was counted; columns become arrays when they are asked for, because three arrays cost as much as a hundred rows.
struct Counted {
    Table table;
    Type type;

    Type counts() const { return table.wide ? Type::i64 : Type::i32; }
    double pr_area(int kind, double scale, int threads) const {
        const PrKind chosen = pr_kind(kind);
        nb::gil_scoped_release unlocked;
        return kernels().pr_area(table.pos.as<void>(), table.neg.as<void>(), table.wide, table.size, chosen, scale, threads);
    }
    static const Counted& of(nb::handle self) { return *nb::inst_ptr<Counted>(self); }
    static nb::object thresholds(nb::handle self) { return shared_column(of(self).table.thresholds, of(self).table.size, of(self).type, self); }
    static nb::object tp(nb::handle self) { return shared_column(of(self).table.pos, of(self).table.size, of(self).counts(), self); }
    static nb::object fp(nb::handle self) { return shared_column(of(self).table.neg, of(self).table.size, of(self).counts(), self); }
};

nb::object plain_table(nb::handle y_true, nb::handle y_score, int threads) {
    Plain rows(y_true, y_score);
    bool usual = false;
    {
        nb::gil_scoped_release unlocked;
        usual = rows.count(threads);
    }
    if (!usual) return nb::none();
    return nb::cast(new Counted{std::move(rows.table), rows.type()}, nb::rv_policy::take_ownership);
}

nb::object plain_u(nb::handle y_true, nb::handle y_score, int threads) {
    Plain rows(y_true, y_score);
    bool usual = false;
    {
        nb::gil_scoped_release unlocked;
        usual = rows.count(threads) && rows.finite();
    }
    if (!usual) return nb::none();
    return nb::make_tuple(to_int(rows.table.twice_u), rows.table.n_pos, rows.table.n_neg);
}

nb::object plain_pr(nb::handle y_true, nb::handle y_score, int kind, int threads) {
    Plain rows(y_true, y_score);
    const Table& table = rows.table;
    const PrKind chosen = pr_kind(kind);
    double area = 0;
    bool usual = false;
    {
        nb::gil_scoped_release unlocked;
        usual = rows.count(threads) && rows.finite();
        if (usual) area = kernels().pr_area(table.pos.as<void>(), table.neg.as<void>(), table.wide, table.size, chosen, 1.0, threads);
    }
    if (!usual) return nb::none();
    return nb::make_tuple(area, table.n_pos, table.n_neg);
}

}  // namespace

void bind_plain(nb::module_& m) {
    nb::class_<Counted>(m, "Counted")
        .def("pr_area", &Counted::pr_area, nb::arg("kind"), nb::arg("scale"), nb::arg("threads"))
        .def_prop_ro("thresholds", &Counted::thresholds)
        .def_prop_ro("tp", &Counted::tp)
        .def_prop_ro("fp", &Counted::fp)
        .def_prop_ro("n_pos", [](const Counted& found) { return found.table.n_pos; })
        .def_prop_ro("n_neg", [](const Counted& found) { return found.table.n_neg; })
        .def_prop_ro("twice_u", [](const Counted& found) { return to_int(found.table.twice_u); });
    m.def("plain_table", &plain_table, nb::arg("y_true"), nb::arg("y_score"), nb::arg("threads"));
    m.def("plain_u", &plain_u, nb::arg("y_true"), nb::arg("y_score"), nb::arg("threads"));
    m.def("plain_pr", &plain_pr, nb::arg("y_true"), nb::arg("y_score"), nb::arg("kind"), nb::arg("threads"));
}
