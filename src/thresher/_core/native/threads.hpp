// A pool of threads that outlives the calls. What a task computes never depends on who runs it.
#pragma once
#include <cstddef>

namespace thresher {

// Calls task(context, index) for every index below count, on at most `threads` threads, and returns when all are done.
// Runs in the calling thread alone when the pool is busy with another call. Tasks do not throw.
void run_tasks(size_t count, int threads, void (*task)(void*, size_t), void* context);

template <class F>
void parallel_for(size_t count, int threads, F&& body) {
    if (threads <= 1 || count <= 1) {
        for (size_t i = 0; i < count; ++i) body(i);
        return;
    }
    run_tasks(count, threads, [](void* context, size_t i) { (*static_cast<F*>(context))(i); }, &body);
}

int hardware_threads();

}  // namespace thresher
