#include "memory.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
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
constexpr size_t slack = 512;   // vector code may read and write a little past the end
constexpr size_t header = 64;   // before the data: how long the block is
constexpr int most_kept = 4;
constexpr size_t most_bytes_kept = size_t{256} << 20;

struct Raw {
    void* base;
    size_t bytes;
};

// Large blocks that were given back and may be handed out again without new page faults. On Linux the kernel is told
// that it may take their pages whenever it needs them.
std::mutex keeping;
Raw kept[most_kept];
int kept_count = 0;
size_t bytes_kept = 0;

void* system_allocate(size_t bytes, bool large) {
#if defined(_MSC_VER)
    (void)large;
    void* const base = _aligned_malloc(bytes, header);
    if (!base) throw std::bad_alloc();
#else
    void* base = nullptr;
    if (posix_memalign(&base, large ? huge_page : header, bytes) != 0) throw std::bad_alloc();
#if defined(__linux__)
    if (large) madvise(base, bytes, MADV_HUGEPAGE);
#endif
#endif
    return base;
}

void system_release(void* base) {
#if defined(_MSC_VER)
    _aligned_free(base);
#else
    std::free(base);
#endif
}

// A kept block of at least this size and not much more, or none.
Raw reuse(size_t bytes) {
    std::unique_lock<std::mutex> lock(keeping, std::try_to_lock);
    if (!lock.owns_lock()) return {nullptr, 0};
    int best = -1;
    for (int i = 0; i < kept_count; ++i)
        if (kept[i].bytes >= bytes && kept[i].bytes <= bytes + bytes / 4 && (best < 0 || kept[i].bytes < kept[best].bytes)) best = i;
    if (best < 0) return {nullptr, 0};
    const Raw found = kept[best];
    kept[best] = kept[--kept_count];
    bytes_kept -= found.bytes;
    return found;
}

bool keep(const Raw& raw) {
    if (raw.bytes > most_bytes_kept / 2) return false;
    std::unique_lock<std::mutex> lock(keeping, std::try_to_lock);
    if (!lock.owns_lock()) return false;
    while (kept_count == most_kept || bytes_kept + raw.bytes > most_bytes_kept) {  // the oldest goes
        system_release(kept[0].base);
        bytes_kept -= kept[0].bytes;
        --kept_count;
        for (int i = 0; i < kept_count; ++i) kept[i] = kept[i + 1];
    }
#if defined(__linux__) && defined(MADV_FREE)
    // Whole pages after the header; the rest is written again at once.
    madvise(static_cast<char*>(raw.base) + huge_page, (raw.bytes - huge_page) / huge_page * huge_page, MADV_FREE);
#endif
    kept[kept_count++] = raw;
    bytes_kept += raw.bytes;
    return true;
}

}  // namespace

Block::Block(size_t bytes) {
    const size_t total = header + bytes + slack;
    const bool large = total >= 2 * huge_page;
    Raw raw = large ? reuse(total) : Raw{nullptr, 0};
    if (!raw.base) raw = {system_allocate(total, large), total};
    *static_cast<size_t*>(raw.base) = raw.bytes;
    data_ = static_cast<char*>(raw.base) + header;
}

Block::Block(Block&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}

Block& Block::operator=(Block&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
}

Block::~Block() { release(data_); }

size_t Block::room() const {
    if (!data_) return 0;
    return *reinterpret_cast<const size_t*>(static_cast<const char*>(data_) - header) - header - slack;
}

void Block::shrink(size_t bytes) {
    if (!data_) return;
    char* const base = static_cast<char*>(data_) - header;
    const size_t held = *reinterpret_cast<size_t*>(base), wanted = header + bytes + slack;
    if (held < 2 * huge_page || wanted >= held - held / 4) return;
#if defined(__linux__)
    // Whole pages behind the end; what is written there later gets new ones.
    const size_t from = (wanted + huge_page - 1) / huge_page * huge_page, end = held / huge_page * huge_page;
    if (end > from) madvise(base + from, end - from, MADV_DONTNEED);
#else
    Block smaller(bytes);
    std::memcpy(smaller.data_, data_, bytes);
    std::swap(data_, smaller.data_);
#endif
}

void* Block::take() { return std::exchange(data_, nullptr); }

void Block::release(void* data) {
    if (!data) return;
    void* const base = static_cast<char*>(data) - header;
    const size_t bytes = *static_cast<size_t*>(base);
    if (bytes >= 2 * huge_page && keep({base, bytes})) return;
    system_release(base);
}

}  // namespace thresher
