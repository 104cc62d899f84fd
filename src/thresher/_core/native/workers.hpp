// Many problems on threads: who takes the next ones, and memory that a worker keeps between its problems.
#pragma once
#include <atomic>
#include <new>

#include "codec.hpp"
#include "memory.hpp"
#include "threads.hpp"

namespace thresher::THRESHER_ISA {

// Memory of one worker that is kept between its problems.
class Room {
public:
    char* bytes(size_t wanted) {
        if (wanted > size_) {
            block_ = Block(wanted);
            size_ = wanted;
        }
        return block_.as<char>();
    }

private:
    Block block_;
    size_t size_ = 0;
};

struct KeyRoom {
    Room keys, columns;

    // Room for n keys, and for sorting them behind those.
    template <class Key>
    Key* of(size_t n) { return reinterpret_cast<Key*>(keys.bytes((n + sort_slack + sort_scratch(n)) * sizeof(Key))); }
};

// As parallel_for; what a task throws is thrown when all are done, as Changed or for lack of memory.
template <class F>
void parallel_try(size_t count, int threads, F&& body) {
    std::atomic<bool> failed{false}, changed{false};
    parallel_for(count, threads, [&](size_t i) {
        try {
            body(i);
        } catch (const Changed&) {
            changed = true;
        } catch (...) {
            failed = true;
        }
    });
    if (failed) throw std::bad_alloc();
    if (changed) throw Changed();
}

// Problems in chunks, on threads.
template <class F>
void in_chunks(size_t problems, size_t chunk, int threads, F&& body) {
    const size_t chunks = (problems + chunk - 1) / chunk, most = static_cast<size_t>(threads > 1 ? threads : 1);
    const size_t workers = chunks < most ? chunks : most;
    std::atomic<size_t> next{0};
    parallel_try(workers, threads, [&](size_t) {
        KeyRoom room;
        for (size_t c; (c = next.fetch_add(1)) < chunks;)
            body(c * chunk, problems - c * chunk < chunk ? problems : (c + 1) * chunk, room);
    });
}

}  // namespace thresher::THRESHER_ISA
