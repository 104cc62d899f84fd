// Memory for outputs and scratch: large blocks lie on huge pages, because page faults rival the sort.
#pragma once
#include <cstddef>

namespace thresher {

class Block {
public:
    Block() = default;
    explicit Block(size_t bytes);  // throws std::bad_alloc; the contents are undefined
    Block(Block&& other) noexcept;
    Block& operator=(Block&& other) noexcept;
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    ~Block();

    template <class T>
    T* as() const { return static_cast<T*>(data_); }
    size_t room() const;  // bytes it has, at least as many as were asked for
    void shrink(size_t bytes);  // the first so many stay; memory behind them is given back where much of it is not needed
    void* take();  // the caller owns it and calls release
    static void release(void* data);

private:
    void* data_ = nullptr;
};

void trim_memory();  // gives back to the system what is kept for the next call

}  // namespace thresher
