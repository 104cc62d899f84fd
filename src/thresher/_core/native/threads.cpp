#include "threads.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#if !defined(_WIN32)
#include <unistd.h>
#endif
#if defined(__linux__)
#include <sched.h>
#endif

namespace thresher {

namespace {

constexpr int most_threads = 256;

long process_id() {
#if defined(_WIN32)
    return 0;  // no fork
#else
    return static_cast<long>(getpid());
#endif
}

class Pool {
public:
    const long owner = process_id();
    std::mutex busy;  // held by the call that uses the pool

    void run(size_t count, int threads, void (*task)(void*, size_t), void* context) {
        {
            std::unique_lock<std::mutex> lock(state_);
            grow(threads - 1);
            task_ = task;
            context_ = context;
            count_ = count;
            next_.store(0, std::memory_order_relaxed);
            wanted_ = threads - 1 < size_ ? threads - 1 : size_;
            running_ = wanted_;
            ++generation_;
        }
        wake_.notify_all();
        work(task, context, count);
        std::unique_lock<std::mutex> lock(state_);
        // Workers that have not started yet have nothing left to do: they are not waited for.
        running_ -= wanted_;
        wanted_ = 0;
        done_.wait(lock, [this] { return running_ == 0; });
    }

private:
    std::mutex state_;
    std::condition_variable wake_, done_;
    std::atomic<size_t> next_{0};
    void (*task_)(void*, size_t) = nullptr;
    void* context_ = nullptr;
    size_t count_ = 0;
    uint64_t generation_ = 0;
    int size_ = 0, wanted_ = 0, running_ = 0;

    void grow(int size) {
        while (size_ < size) {
            try {
                std::thread([this] { serve(); }).detach();
            } catch (...) {
                return;  // fewer threads, the same answer
            }
            ++size_;
        }
    }

    void work(void (*task)(void*, size_t), void* context, size_t count) {
        for (size_t i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < count;) task(context, i);
    }

    void serve() {
        uint64_t seen = 0;
        for (;;) {
            std::unique_lock<std::mutex> lock(state_);
            wake_.wait(lock, [&] { return generation_ != seen && wanted_ > 0; });
            seen = generation_;
            --wanted_;
            const auto task = task_;
            const auto context = context_;
            const auto count = count_;
            lock.unlock();
            work(task, context, count);
            lock.lock();
            if (--running_ == 0) done_.notify_one();
        }
    }
};

// Never destroyed: its threads may still wait when the process ends. A forked child has none of them and starts anew.
std::atomic<Pool*> current{nullptr};
std::mutex creating;

Pool& pool() {
    Pool* found = current.load(std::memory_order_acquire);
    if (found && found->owner == process_id()) return *found;
    std::lock_guard<std::mutex> lock(creating);
    found = current.load(std::memory_order_acquire);
    if (!found || found->owner != process_id()) {
        found = new Pool;
        current.store(found, std::memory_order_release);
    }
    return *found;
}

}  // namespace

void run_tasks(size_t count, int threads, void (*task)(void*, size_t), void* context) {
    Pool& shared = pool();
    std::unique_lock<std::mutex> mine(shared.busy, std::try_to_lock);
    if (!mine.owns_lock()) {
        for (size_t i = 0; i < count; ++i) task(context, i);
        return;
    }
    if (threads > most_threads) threads = most_threads;
    if (static_cast<size_t>(threads) > count) threads = static_cast<int>(count);
    shared.run(count, threads, task, context);
}

int hardware_threads() {
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
    const unsigned count = std::thread::hardware_concurrency();
    return count ? static_cast<int>(count) : 1;
}

}  // namespace thresher
