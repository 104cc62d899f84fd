// Streams as Python sees them: a partition that takes rows and gives its chunks away, and the counting of one bucket.
#include <nanobind/nanobind.h>

#include <atomic>
#include <memory>
#include <vector>

#include "arrays.hpp"
#include "kernels.hpp"

namespace nb = nanobind;
using namespace thresher;

namespace {

// A call on a stream: there is one at a time, because rows are added without the interpreter's lock.
class Turn {
public:
    explicit Turn(std::atomic<bool>& busy) : busy_(busy) {
        if (busy_.exchange(true)) throw nb::value_error("another thread is using this stream");
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() { busy_ = false; }

private:
    std::atomic<bool>& busy_;
};

class Stream {
public:
    Stream(const char* format, size_t chunk_bytes, size_t most_chunks) : type_(type_of(format)) {
        if (chunk_bytes < 64 || chunk_bytes > (size_t{1} << 30) || most_chunks < 2 || most_chunks > (size_t{1} << 24))
            throw nb::value_error("no such chunks");
        partition_.reset(kernels().partition(type_, chunk_bytes / 64 * 64, most_chunks));
        if (!partition_) throw nb::type_error("scores of this type are counted without keys");
    }
    void learn(nb::handle scores, size_t buckets) {
        const Buffer buffer(scores);
        check(buffer, buckets);
        const Turn turn(busy_);
        check_empty();
        partition_->learn(buffer.data(), buffer.size(), buckets);
    }
    void learn_keys(nb::handle keys, bool negative, size_t buckets) {
        const Buffer buffer(keys);
        check_keys(buffer);
        check_empty();
        if (buckets < 1 || buckets > 512) throw nb::value_error("between 1 and 512 buckets");
        const Turn turn(busy_);
        partition_->learn_keys(buffer.data(), buffer.size(), negative, buckets);
    }
    void learn_range(uint64_t low, uint64_t high, bool negative, size_t buckets) {
        const uint64_t most = (uint64_t{1} << (8 * partition_->key_bytes() - 1)) - 1;
        if (low > high || high > most || buckets < 1 || buckets > 512) throw nb::value_error("no such range");
        const Turn turn(busy_);
        check_empty();
        partition_->learn_range({low, high}, negative, buckets);
    }
    size_t add(nb::handle scores, nb::handle positive, size_t from) {
        const Buffer buffer(scores), labels(positive);
        check(buffer, 1);
        const uint8_t* const label = labels.as<uint8_t>("labels must be bytes");
        if (labels.size() != buffer.size() || from > buffer.size()) throw nb::value_error("scores and labels must have the same length");
        const Turn turn(busy_);
        added_ = true;
        nb::gil_scoped_release unlocked;
        const char* const data = static_cast<const char*>(buffer.data()) + from * buffer.itemsize();
        return partition_->add(data, label + from, buffer.size() - from);
    }
    size_t add_keys(nb::handle keys, size_t from, bool negative) {
        const Buffer buffer(keys);
        check_keys(buffer);
        if (from > buffer.size()) throw nb::value_error("no such row");
        const Turn turn(busy_);
        added_ = true;
        nb::gil_scoped_release unlocked;
        return partition_->add_keys(static_cast<const char*>(buffer.data()) + from * buffer.itemsize(), buffer.size() - from, negative);
    }
    // The keys of a bucket that are in memory, as arrays that hold until the next change.
    nb::list chunks(size_t bucket) const {
        check_bucket(bucket);
        const Turn turn(busy_);
        std::vector<Chunk> found(partition_->chunks(bucket, nullptr));
        partition_->chunks(bucket, found.data());
        nb::list out;
        for (const Chunk& chunk : found) {
            out.append(as_numpy(const_cast<void*>(chunk.keys), key_type(), 1, chunk.rows, 1, nb::find(*this)));
        }
        return out;
    }
    nb::object counts() const {
        const size_t n = partition_->buckets();
        const Turn turn(busy_);
        Block rows(n * sizeof(int64_t)), positives(n * sizeof(int64_t));
        {
            nb::gil_scoped_release unlocked;
            for (size_t b = 0; b < n; ++b) {
                uint64_t all = 0, positive = 0;
                partition_->counts(b, all, positive);
                rows.as<int64_t>()[b] = static_cast<int64_t>(all);
                positives.as<int64_t>()[b] = static_cast<int64_t>(positive);
            }
        }
        return nb::make_tuple(to_array(rows, n, Type::i64), to_array(positives, n, Type::i64));
    }
    nb::object range(size_t bucket) const {
        check_bucket(bucket);
        const Range found = partition_->range(bucket);
        return nb::make_tuple(found.low, found.high);
    }
    nb::object frequent() const {
        const Turn turn(busy_);
        const size_t n = partition_->frequent(nullptr);
        std::vector<Frequent> found(n);
        if (n) partition_->frequent(found.data());
        Block columns[4];
        for (int c = 0; c < 4; ++c) {
            columns[c] = Block(n * sizeof(uint64_t));
            for (size_t i = 0; i < n; ++i)
                columns[c].as<uint64_t>()[i] = c == 0 ? found[i].ordinal : c == 3 ? found[i].bucket : found[i].count[c == 1];
        }
        return nb::make_tuple(to_array(columns[0], n, Type::u64), to_array(columns[1], n, Type::i64), to_array(columns[2], n, Type::i64),
                              to_array(columns[3], n, Type::i64));
    }
    void clear(size_t bucket) {
        check_bucket(bucket);
        const Turn turn(busy_);
        nb::gil_scoped_release unlocked;
        partition_->clear(bucket);
    }
    size_t buckets() const { return partition_->buckets(); }
    size_t key_bytes() const { return partition_->key_bytes(); }
    size_t not_numbers() const { return partition_->not_numbers; }

private:
    Type type_;
    bool added_ = false;
    mutable std::atomic<bool> busy_{false};
    std::unique_ptr<Partition> partition_;

    Type key_type() const { return partition_->key_bytes() == 4 ? Type::u32 : Type::u64; }
    void check(const Buffer& scores, size_t buckets) const {
        if (scores.type() != type_) throw nb::type_error("scores must be of the stream's type");
        if (buckets < 1 || buckets > 512) throw nb::value_error("between 1 and 512 buckets");
    }
    void check_empty() const {
        if (added_) throw nb::value_error("buckets must be laid before the first rows come");
    }
    void check_keys(const Buffer& keys) const {
        if (keys.type() != key_type()) throw nb::type_error("keys must be of the stream's width");
    }
    void check_bucket(size_t bucket) const {
        if (bucket >= partition_->buckets()) throw nb::value_error("no such bucket");
    }
};

nb::object to_int(const Fixed& value) {
    nb::object out = nb::int_(0);
    for (int k = 3; k >= 0; --k) out = (out << nb::int_(64)) | nb::steal(PyLong_FromUnsignedLongLong(value.limb[k]));
    return out;
}

nb::object tally(const char* format, nb::handle keys, size_t rows, bool negative, nb::handle ordinals, nb::handle pos, nb::handle neg, uint64_t tp0,
                 uint64_t fp0, uint64_t pos_step, uint64_t neg_step, int log_bits, size_t most_points) {
    const Type type = type_of(format);
    const Buffer key_buffer(keys, true), ordinal_buffer(ordinals), pos_buffer(pos), neg_buffer(neg);
    const size_t width = type == Type::f64 || type == Type::i64 || type == Type::u64 ? 8 : 4;
    if (key_buffer.itemsize() != width) throw nb::type_error("keys must be of the stream's width");
    if (key_buffer.size() < rows + 128 || rows >= (size_t{1} << 31)) throw nb::value_error("keys must have room for 128 more");
    if (!pos_step || !neg_step || log_bits < 0 || log_bits > 62) throw nb::value_error("no such steps");
    const size_t n = ordinal_buffer.size();
    if (pos_buffer.size() != n || neg_buffer.size() != n) throw nb::value_error("frequent scores must have counts");
    std::vector<Frequent> frequent(n);
    for (size_t i = 0; i < n; ++i) {
        frequent[i].ordinal = ordinal_buffer.as<uint64_t>("ordinals must be uint64")[i];
        frequent[i].count[1] = static_cast<uint64_t>(pos_buffer.as<int64_t>("counts must be int64")[i]);
        frequent[i].count[0] = static_cast<uint64_t>(neg_buffer.as<int64_t>("counts must be int64")[i]);
        // Each below 2**43 keeps every sum of squares below 2**128.
        if ((frequent[i].count[0] | frequent[i].count[1]) >> 43) throw nb::value_error("counts must be below 2**43");
    }
    if ((tp0 | fp0) >> 43) throw nb::value_error("counts must be below 2**43");
    TallyOptions options;
    options.tp0 = tp0;
    options.fp0 = fp0;
    options.pos_step = pos_step;
    options.neg_step = neg_step;
    options.log_bits = log_bits;
    options.most_points = most_points;
    Tally out;
    {
        nb::gil_scoped_release unlocked;
        kernels().tally(type, const_cast<void*>(key_buffer.data()), rows, negative, frequent.data(), n, options, out);
    }
    const nb::object sums = nb::make_tuple(out.scores, out.positives, out.negatives, to_int(out.neg_twice), to_int(out.neg_squares),
                                           to_int(out.pos_twice), to_int(out.pos_squares), to_int(out.tied), out.shared_scores, out.shared_pos,
                                           to_int(out.average_precision), to_int(out.interpolated));
    return nb::make_tuple(sums, to_array(out.first, out.scores ? 1 : 0, type), to_array(out.thresholds, out.kept, type),
                          to_array(out.below, out.kept, type), to_array(out.tp, out.kept, Type::i64), to_array(out.fp, out.kept, Type::i64),
                          to_array(out.why, out.kept, Type::u8));
}

}  // namespace

void bind_streams(nb::module_& m) {
    nb::class_<Stream>(m, "Stream")
        .def(nb::init<const char*, size_t, size_t>(), nb::arg("format"), nb::arg("chunk_bytes"), nb::arg("most_chunks"))
        .def("learn", &Stream::learn, nb::arg("scores"), nb::arg("buckets"))
        .def("learn_keys", &Stream::learn_keys, nb::arg("keys"), nb::arg("negative"), nb::arg("buckets"))
        .def("learn_range", &Stream::learn_range, nb::arg("low"), nb::arg("high"), nb::arg("negative"), nb::arg("buckets"))
        .def("add", &Stream::add, nb::arg("scores"), nb::arg("positive"), nb::arg("first"))
        .def("add_keys", &Stream::add_keys, nb::arg("keys"), nb::arg("first"), nb::arg("negative"))
        .def("chunks", &Stream::chunks, nb::arg("bucket"))
        .def("counts", &Stream::counts)
        .def("range", &Stream::range, nb::arg("bucket"))
        .def("frequent", &Stream::frequent)
        .def("clear", &Stream::clear, nb::arg("bucket"))
        .def_prop_ro("buckets", &Stream::buckets)
        .def_prop_ro("key_bytes", &Stream::key_bytes)
        .def_prop_ro("not_numbers", &Stream::not_numbers);
    m.def("tally", &tally, nb::arg("format"), nb::arg("keys"), nb::arg("rows"), nb::arg("negative"), nb::arg("ordinals"), nb::arg("pos"),
          nb::arg("neg"), nb::arg("tp0"), nb::arg("fp0"), nb::arg("pos_step"), nb::arg("neg_step"), nb::arg("log_bits"),
          nb::arg("most_points"));
}
