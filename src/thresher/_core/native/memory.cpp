#include "memory.hpp"

#include <cstdlib>
#include <new>
#include <utility>
#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(_MSC_VER)
#include <malloc.h>
#endif

namespace thresher {

namespace {
constexpr size_t huge_page = size_t{1} << 21;
constexpr size_t slack = 512;  // vector code may read and write a little past the end
}  // namespace

Block::Block(size_t bytes) {
    const size_t total = bytes + slack;
#if defined(_MSC_VER)
    data_ = _aligned_malloc(total, 64);
    if (!data_) throw std::bad_alloc();
#else
    const bool large = total >= 2 * huge_page;
    if (posix_memalign(&data_, large ? huge_page : 64, total) != 0) {
        data_ = nullptr;
        throw std::bad_alloc();
    }
#if defined(__linux__)
    if (large) madvise(data_, total, MADV_HUGEPAGE);
#endif
#endif
}

Block::Block(Block&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}

Block& Block::operator=(Block&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
}

Block::~Block() { release(data_); }

void* Block::take() { return std::exchange(data_, nullptr); }

void Block::release(void* data) {
#if defined(_MSC_VER)
    _aligned_free(data);
#else
    std::free(data);
#endif
}

}  // namespace thresher
