#include "memory.hpp"

#include <cstdint>

#include <cstring>
#include <cstdlib>
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
constexpr size_t large_bytes = 2 * huge_page, middle_bytes = size_t{16} << 10;

struct Raw {
    void* base;
    size_t bytes;
};

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

// Blocks that were given back and may be handed out again without new page faults. Whoever finds another thread here goes
// to the system instead of waiting.
template <int most_blocks>
class Kept {
public:
    explicit Kept(size_t most_bytes) : most_bytes_(most_bytes) {}

    // Gives everything back to the system, unless another thread is here.
    void empty() {
        std::unique_lock<std::mutex> lock(lock_, std::try_to_lock);
        while (lock.owns_lock() && count_) {
            system_release(blocks_[0].base);
            remove(0);
        }
    }

    // A block of at least this size and not much more, or none.
    Raw take(size_t bytes) {
        std::unique_lock<std::mutex> lock(lock_, std::try_to_lock);
        if (!lock.owns_lock()) return {nullptr, 0};
        int best = -1;
        for (int i = 0; i < count_; ++i)
            if (blocks_[i].bytes >= bytes && blocks_[i].bytes <= bytes + bytes / 4 && (best < 0 || blocks_[i].bytes < blocks_[best].bytes)) best = i;
        if (best < 0) return {nullptr, 0};
        const Raw found = blocks_[best];
        remove(best);
        return found;
    }
    bool keep(const Raw& raw) {
        if (raw.bytes > most_bytes_ / 2) return false;
        std::unique_lock<std::mutex> lock(lock_, std::try_to_lock);
        if (!lock.owns_lock()) return false;
        while (count_ == most_blocks || bytes_ + raw.bytes > most_bytes_) {  // the oldest goes
            system_release(blocks_[0].base);
            remove(0);
        }
#if defined(__linux__) && defined(MADV_FREE)
        // The system may take the pages of large blocks whenever it needs them: whole pages after the header, the rest is
        // written again at once.
        if (raw.bytes >= large_bytes)
            madvise(static_cast<char*>(raw.base) + huge_page, (raw.bytes - huge_page) / huge_page * huge_page, MADV_FREE);
#endif
        blocks_[count_++] = raw;
        bytes_ += raw.bytes;
        return true;
    }

private:
    void remove(int index) {
        bytes_ -= blocks_[index].bytes;
        --count_;
        for (int i = index; i < count_; ++i) blocks_[i] = blocks_[i + 1];
    }

    const size_t most_bytes_;
    std::mutex lock_;
    Raw blocks_[most_blocks] = {};
    int count_ = 0;
    size_t bytes_ = 0;
};

// How much large memory is kept at most: THRESHER_MOST_KEPT in MiB, 512 by default.
size_t most_kept() {
    const char* const text = std::getenv("THRESHER_MOST_KEPT");
    char* end = nullptr;
    const unsigned long long given = text ? std::strtoull(text, &end, 10) : 512;
    const bool usable = !text || (end != text && *end == 0 && *text != '-' && given < (1u << 20));
    return static_cast<size_t>(usable ? given : 512) << 20;
}

Kept<8> large(most_kept());
Kept<24> middle(size_t{16} << 20);

Raw reuse(size_t bytes) {
    if (bytes >= large_bytes) return large.take(bytes);
    if (bytes >= middle_bytes) return middle.take(bytes);
    return {nullptr, 0};
}

bool keep(const Raw& raw) {
    if (raw.bytes >= large_bytes) return large.keep(raw);
    return raw.bytes >= middle_bytes && middle.keep(raw);
}

}  // namespace

void trim_memory() {
    large.empty();
    middle.empty();
}

Block::Block(size_t bytes) {
    const size_t total = header + bytes + slack;
    Raw raw = reuse(total);
    if (!raw.base) raw = {system_allocate(total, total >= large_bytes), total};
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
    if (held < large_bytes || wanted >= held - held / 4) return;
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
    if (keep({base, bytes})) return;
    system_release(base);
}

}  // namespace thresher
