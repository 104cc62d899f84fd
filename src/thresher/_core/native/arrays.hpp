// Arrays across the border to Python: in through the buffer protocol, out as NumPy arrays that own their memory.
#pragma once
#include <nanobind/nanobind.h>

#include <cstring>
#include <utility>

#include "kernels.hpp"

namespace nb = nanobind;

namespace thresher {

inline size_t bytes_of(Type type) {
    switch (type) {
        case Type::i8: case Type::u8: return 1;
        case Type::f16: case Type::i16: case Type::u16: return 2;
        case Type::f32: case Type::i32: case Type::u32: return 4;
        default: return 8;
    }
}

// From a format of the buffer protocol, in native byte order.
inline Type type_of(const char* format) {
    if (*format == '@' || *format == '=') ++format;
    const auto whole = [](size_t bytes, bool is_signed) {
        if (is_signed) return bytes == 1 ? Type::i8 : bytes == 2 ? Type::i16 : bytes == 4 ? Type::i32 : Type::i64;
        return bytes == 1 ? Type::u8 : bytes == 2 ? Type::u16 : bytes == 4 ? Type::u32 : Type::u64;
    };
    if (format[0] && !format[1]) {
        switch (*format) {
            case 'e': return Type::f16;
            case 'f': return Type::f32;
            case 'd': return Type::f64;
            case '?': return Type::u8;
            case 'b': case 'B': return whole(1, *format == 'b');
            case 'h': case 'H': return whole(sizeof(short), *format == 'h');
            case 'i': case 'I': return whole(sizeof(int), *format == 'i');
            case 'l': case 'L': return whole(sizeof(long), *format == 'l');
            case 'q': case 'Q': return whole(8, *format == 'q');
            default: break;
        }
    }
    throw nb::type_error("scores must be aligned machine numbers");
}

class Buffer {
public:
    explicit Buffer(nb::handle object, bool writable = false) {
        const int flags = PyBUF_FORMAT | PyBUF_C_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0);
        if (PyObject_GetBuffer(object.ptr(), &view_, flags) != 0) throw nb::python_error();
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
    bool readonly() const { return view_.readonly != 0; }
    size_t itemsize() const { return static_cast<size_t>(view_.itemsize); }
    int dimensions() const { return view_.ndim; }
    bool truth() const { return view_.format && !std::strcmp(view_.format, "?"); }

    Type type() const {
        if (reinterpret_cast<uintptr_t>(view_.buf) % itemsize() != 0) throw nb::type_error("scores must be aligned machine numbers");
        const Type type = type_of(view_.format ? view_.format : "B");
        if (bytes_of(type) != itemsize()) throw nb::type_error("scores must be aligned machine numbers");
        return type;
    }

private:
    Py_buffer view_{};
};

// A copy of an array that nobody else can write to: for what kernels index by, or size their memory by.
template <class T>
class Copy {
public:
    Copy(const Buffer& buffer, const char* message) : size_(buffer.size()), block_(size_ * sizeof(T)) {
        const T* const from = buffer.as<T>(message);
        if (size_) std::memcpy(block_.as<T>(), from, size_ * sizeof(T));
    }
    size_t size() const { return size_; }
    const T* data() const { return block_.as<T>(); }

private:
    size_t size_;
    Block block_;
};

// The format of the buffer protocol.
inline const char* format_of(Type type) {
    constexpr bool long_is_wide = sizeof(long) == 8;  // NumPy's own int64
    switch (type) {
        case Type::f16: return "e";
        case Type::f32: return "f";
        case Type::f64: return "d";
        case Type::i8: return "b";
        case Type::i16: return "h";
        case Type::i32: return "i";
        case Type::i64: return long_is_wide ? "l" : "q";
        case Type::u8: return "B";
        case Type::u16: return "H";
        case Type::u32: return "I";
        default: return long_is_wide ? "L" : "Q";
    }
}

// What stands behind an array of ours: memory with a shape that NumPy reads through the buffer protocol. (An array of
// nanobind's own waits for the main interpreter's lock when it is deleted, which in another interpreter it never gets.)
class Memory {
public:
    Memory(void* data, Type type, int dimensions, size_t rows, size_t columns, nb::object owner = {})
        : data_(data), format_(format_of(type)), dimensions_(dimensions), owner_(std::move(owner)) {
        const auto item = static_cast<Py_ssize_t>(bytes_of(type));
        shape_[0] = static_cast<Py_ssize_t>(rows);
        shape_[1] = static_cast<Py_ssize_t>(columns);
        strides_[0] = dimensions == 2 ? shape_[1] * item : item;
        strides_[1] = item;
        item_ = item;
    }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    ~Memory() {
        if (!owner_.is_valid()) Block::release(data_);
    }

    void freeze() { readonly_ = 1; }  // nobody writes to it through an array

    static int get_buffer(PyObject* self, Py_buffer* view, int flags) noexcept {
        Memory* const memory = nb::inst_ptr<Memory>(nb::handle(self));
        view->obj = nullptr;
        if (memory->readonly_ && (flags & PyBUF_WRITABLE)) {
            PyErr_SetString(PyExc_BufferError, "the scores of a table are read-only");
            return -1;
        }
        view->buf = memory->data_;
        view->obj = self;
        Py_INCREF(self);
        view->itemsize = memory->item_;
        view->len = memory->shape_[0] * memory->strides_[0];
        view->readonly = memory->readonly_;
        view->ndim = memory->dimensions_;
        view->format = const_cast<char*>(memory->format_);
        view->shape = memory->shape_;
        view->strides = memory->strides_;
        view->suboffsets = nullptr;
        view->internal = nullptr;
        return 0;
    }

private:
    void* data_;
    const char* format_;
    int dimensions_, readonly_ = 0;
    nb::object owner_;  // of the data, where it is not this
    Py_ssize_t shape_[2], strides_[2], item_;
};

// A module that has been imported, as NumPy has whenever arrays come in: looked up, which takes a tenth of an import.
inline nb::object loaded_module(const char* name) {
    const nb::object text = nb::steal(PyUnicode_InternFromString(name));
    nb::object found = nb::steal(PyImport_GetModule(text.ptr()));
    return found.is_valid() ? found : nb::object(nb::module_::import_(name));
}

inline nb::object as_numpy(Memory* own) {
    const nb::object memory = nb::cast(own, nb::rv_policy::take_ownership);
    return loaded_module("numpy").attr("asarray")(memory);
}

inline nb::object as_numpy(void* data, Type type, int dimensions, size_t rows, size_t columns, nb::object owner = {}) {
    return as_numpy(new Memory(data, type, dimensions, rows, columns, std::move(owner)));
}

inline nb::object to_array(Block& block, size_t size, Type type) { return as_numpy(block.take(), type, 1, size, 1); }

// A read-only column of a table that stays where it is, and lives while somebody has the column.
inline nb::object shared_column(const Block& block, size_t size, Type type, nb::handle table) {
    auto* const memory = new Memory(block.as<void>(), type, 1, size, 1, nb::borrow(table));
    memory->freeze();
    return as_numpy(memory);
}

inline nb::object to_table(Block& block, size_t rows, size_t columns, Type type) { return as_numpy(block.take(), type, 2, rows, columns); }

inline nb::object to_int(const U128& value) {
    const nb::object high = nb::steal(PyLong_FromUnsignedLongLong(value.high));
    const nb::object low = nb::steal(PyLong_FromUnsignedLongLong(value.low));
    if (value.high == 0) return low;
    return (high << nb::int_(64)) | low;
}

// Which estimator of an area under the PR curve a number stands for.
inline PrKind pr_kind(int kind) {
    if (kind < 0 || kind > static_cast<int>(PrKind::ties_lost)) throw nb::value_error("there is no such estimator");
    return static_cast<PrKind>(kind);
}

}  // namespace thresher
