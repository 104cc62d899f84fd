// Arrays across the border to Python: in through the buffer protocol, out as NumPy arrays that own their memory.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

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
    size_t itemsize() const { return static_cast<size_t>(view_.itemsize); }

    Type type() const {
        if (reinterpret_cast<uintptr_t>(view_.buf) % itemsize() != 0) throw nb::type_error("scores must be aligned machine numbers");
        const Type type = type_of(view_.format ? view_.format : "B");
        if (bytes_of(type) != itemsize()) throw nb::type_error("scores must be aligned machine numbers");
        return type;
    }

private:
    Py_buffer view_{};
};

inline nb::dlpack::dtype array_type(Type type) {
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

inline Array to_array(Block& block, size_t size, Type type) {
    void* data = block.take();
    nb::capsule owner(data, [](void* p) noexcept { Block::release(p); });
    const size_t shape[1] = {size};
    return Array(data, 1, shape, owner, nullptr, array_type(type));
}

inline nb::object to_int(const U128& value) {
    const nb::object high = nb::steal(PyLong_FromUnsignedLongLong(value.high));
    const nb::object low = nb::steal(PyLong_FromUnsignedLongLong(value.low));
    if (value.high == 0) return low;
    return (high << nb::int_(64)) | low;
}

}  // namespace thresher
