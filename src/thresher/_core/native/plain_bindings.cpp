// Labels and scores as they nearly always come, two plain columns of numbers: from arrays to counts or figures in one
// call. Whatever else comes is answered with None, and left to the checks that know what to say about it.
#include <nanobind/nanobind.h>

#include <atomic>
#include <cmath>
#include <optional>

#include "arrays.hpp"
#include "kernels.hpp"
#include "threads.hpp"

namespace nb = nanobind;
using namespace thresher;

namespace {

constexpr size_t labels_at_once = size_t{1} << 16;

// Writes which labels are 1; whether all others are `low`.
template <class L>
bool ones_of(const L* labels, size_t n, L low, uint8_t* positive) {
    unsigned others = 0;
    for (size_t i = 0; i < n; ++i) {
        const L label = labels[i];
        const unsigned one = label == L{1};
        others |= (one ^ 1u) & static_cast<unsigned>(label != low);
        positive[i] = static_cast<uint8_t>(one);
    }
    return !others;
}

template <class L>
bool ones_of(const void* labels, size_t n, L low, int threads, uint8_t* positive) {
    const L* const from = static_cast<const L*>(labels);
    std::atomic<bool> plain{true};
    parallel_for((n + labels_at_once - 1) / labels_at_once, threads, [&, from, positive, n](size_t part) {
        const size_t begin = part * labels_at_once, rest = n - begin;
        if (plain.load(std::memory_order_relaxed) && !ones_of(from + begin, rest < labels_at_once ? rest : labels_at_once, low, positive + begin))
            plain.store(false, std::memory_order_relaxed);
    });
    return plain;
}

// Whether labels are 0 and 1, or -1 and 1.
template <class L>
bool plain_labels(const void* labels, size_t n, int threads, uint8_t* positive) {
    if (ones_of(labels, n, L{0}, threads, positive)) return true;
    if constexpr (L(-1) < L(0)) return ones_of(labels, n, L(-1), threads, positive);
    return false;
}

bool plain_labels(const Buffer& labels, Type type, int threads, uint8_t* positive) {
    const void* const from = labels.data();
    const size_t n = labels.size();
    switch (type) {
        case Type::i8: return plain_labels<int8_t>(from, n, threads, positive);
        case Type::i16: return plain_labels<int16_t>(from, n, threads, positive);
        case Type::i32: return plain_labels<int32_t>(from, n, threads, positive);
        case Type::i64: return plain_labels<int64_t>(from, n, threads, positive);
        case Type::u8: return plain_labels<uint8_t>(from, n, threads, positive);
        case Type::u16: return plain_labels<uint16_t>(from, n, threads, positive);
        case Type::u32: return plain_labels<uint32_t>(from, n, threads, positive);
        case Type::u64: return plain_labels<uint64_t>(from, n, threads, positive);
        case Type::f32: return plain_labels<float>(from, n, threads, positive);
        case Type::f64: return plain_labels<double>(from, n, threads, positive);
        default: return false;
    }
}

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

nb::object plain_table(nb::handle y_true, nb::handle y_score, int threads) {
    Plain rows(y_true, y_score);
    bool usual = false;
    {
        nb::gil_scoped_release unlocked;
        usual = rows.count(threads);
    }
    if (!usual) return nb::none();
    return to_columns(rows.table, rows.type(), true);
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
    m.def("plain_table", &plain_table, nb::arg("y_true"), nb::arg("y_score"), nb::arg("threads"));
    m.def("plain_u", &plain_u, nb::arg("y_true"), nb::arg("y_score"), nb::arg("threads"));
    m.def("plain_pr", &plain_pr, nb::arg("y_true"), nb::arg("y_score"), nb::arg("kind"), nb::arg("threads"));
}
