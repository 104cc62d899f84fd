// The extension module. Arrays come in through the buffer protocol, one-dimensional, contiguous and aligned (the Python
// side sees to that) and go out as NumPy arrays that own their memory.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstring>
#include <stdexcept>

#include "kernels.hpp"
#include "threads.hpp"

namespace nb = nanobind;
using namespace thresher;

namespace {

class Buffer {
public:
    explicit Buffer(nb::handle object) {
        if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) != 0) throw nb::python_error();
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { PyBuffer_Release(&view_); }

    size_t size() const { return view_.itemsize ? static_cast<size_t>(view_.len / view_.itemsize) : 0; }

    template <class T>
    const T* as(const char* name) const {
        if (static_cast<size_t>(view_.itemsize) != sizeof(T) || reinterpret_cast<uintptr_t>(view_.buf) % alignof(T))
            throw nb::type_error(name);
        return static_cast<const T*>(view_.buf);
    }
    const void* data() const { return view_.buf; }

    Type type() const {
        const char* format = view_.format ? view_.format : "B";
        if (*format == '@' || *format == '=') ++format;
        const size_t bytes = static_cast<size_t>(view_.itemsize);
        if (format[0] && !format[1] && reinterpret_cast<uintptr_t>(view_.buf) % bytes == 0) {
            switch (*format) {
                case 'e': return Type::f16;
                case 'f': return Type::f32;
                case 'd': return Type::f64;
                case '?': return Type::u8;
                case 'b': case 'h': case 'i': case 'l': case 'q':
                    return bytes == 1 ? Type::i8 : bytes == 2 ? Type::i16 : bytes == 4 ? Type::i32 : Type::i64;
                case 'B': case 'H': case 'I': case 'L': case 'Q':
                    return bytes == 1 ? Type::u8 : bytes == 2 ? Type::u16 : bytes == 4 ? Type::u32 : Type::u64;
                default: break;
            }
        }
        throw nb::type_error("scores must be aligned machine numbers");
    }

private:
    Py_buffer view_{};
};

nb::dlpack::dtype array_type(Type type) {
    using Code = nb::dlpack::dtype_code;
    const auto make = [](Code code, int bits) {
        nb::dlpack::dtype d;
        d.code = static_cast<uint8_t>(code);
        d.bits = static_cast<uint8_t>(bits);
        d.lanes = 1;
        return d;
    };
    switch (type) {
        case Type::f16: return make(Code::Float, 16);
        case Type::f32: return make(Code::Float, 32);
        case Type::f64: return make(Code::Float, 64);
        case Type::i8: return make(Code::Int, 8);
        case Type::i16: return make(Code::Int, 16);
        case Type::i32: return make(Code::Int, 32);
        case Type::i64: return make(Code::Int, 64);
        case Type::u8: return make(Code::UInt, 8);
        case Type::u16: return make(Code::UInt, 16);
        case Type::u32: return make(Code::UInt, 32);
        default: return make(Code::UInt, 64);
    }
}

using Array = nb::ndarray<nb::numpy>;

Array to_array(Block& block, size_t size, Type type) {
    void* data = block.take();
    nb::capsule owner(data, [](void* p) noexcept { Block::release(p); });
    const size_t shape[1] = {size};
    return Array(data, 1, shape, owner, nullptr, array_type(type));
}

nb::object to_int(const U128& value) {
    const nb::object high = nb::steal(PyLong_FromUnsignedLongLong(value.high));
    const nb::object low = nb::steal(PyLong_FromUnsignedLongLong(value.low));
    if (value.high == 0) return low;
    return (high << nb::int_(64)) | low;
}

nb::object nan_rows(const NotNumbers& nan) {
    nb::list rows;
    for (size_t i = 0; i < nan.count && i < NotNumbers::listed; ++i) rows.append(nan.rows[i]);
    return nb::make_tuple(nan.count, rows);
}

nb::object count(nb::handle scores, nb::handle positive, bool cumulative, bool wide, int threads) {
    const Buffer score_buffer(scores), label_buffer(positive);
    Rows rows;
    rows.type = score_buffer.type();
    rows.scores = score_buffer.data();
    rows.positive = label_buffer.as<uint8_t>("labels must be bytes");
    rows.size = score_buffer.size();
    if (label_buffer.size() != rows.size) throw nb::value_error("scores and labels must have the same length");
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

template <class Key>
void sort_in_place(nb::handle keys, void (*sort)(Key*, Key*, size_t)) {
    const Buffer buffer(keys);
    Key* data = const_cast<Key*>(buffer.as<Key>("keys have the wrong width"));
    Block scratch(buffer.size() * sizeof(Key));
    nb::gil_scoped_release unlocked;
    sort(data, scratch.as<Key>(), buffer.size());
}

}  // namespace

NB_MODULE(_kernels, m) {
    m.def("count", &count, nb::arg("scores"), nb::arg("positive"), nb::arg("cumulative"), nb::arg("wide"), nb::arg("threads"));
    m.def("sort_keys32", [](nb::handle keys) { sort_in_place<uint32_t>(keys, kernels().sort32); });
    m.def("sort_keys64", [](nb::handle keys) { sort_in_place<uint64_t>(keys, kernels().sort64); });
    m.def("instruction_set", [] { return kernels().name; });
    m.def("use_instruction_set", &use_kernels);
    m.def("hardware_threads", &hardware_threads);
}
