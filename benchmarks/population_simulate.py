"""Time the exact simulation of Figures 7 to 11: 15 settings x 5000 samples x 10 recalls on one core.

Run with one thread, for example ``OMP_NUM_THREADS=1 python benchmarks/population_simulate.py``. The exact sampler draws
Beta spacings and binomial increments; the literal one draws every score of every sample and counts after a sort.
"""

import time

import numpy as np

from thresher.population import CASES, SAMPLING_FIGURES


def exact(rng):
    for figure in SAMPLING_FIGURES:
        for n in figure.sizes:
            CASES[figure.case].simulate(
                n, figure.n_replicates, recalls=figure.recalls, rng=rng, prevalence=figure.prevalence
            )


def literal(rng, share):
    """Draw a share of the samples score by score."""
    for figure in SAMPLING_FIGURES:
        population = CASES[figure.case].with_prevalence(figure.prevalence)
        for n in figure.sizes:
            for _ in range(int(figure.n_replicates * share)):
                n_pos = int(rng.binomial(n, figure.prevalence))
                pos = np.sort(population.pos.draw(n_pos, rng))[::-1]
                neg = np.sort(population.neg.draw(n - n_pos, rng))
                above = neg.size - np.searchsorted(neg, pos, side="right")
                for recall in figure.recalls:
                    k = int(n_pos * recall)
                    _ = n_pos * recall / max(n_pos * recall + (above[k] if k < n_pos else neg.size), 1)


def main():
    rng = np.random.default_rng(0)
    exact(rng)  # imports and caches
    times, work = [], []
    for _ in range(5):
        start, busy = time.perf_counter(), time.process_time()
        exact(rng)
        times.append(time.perf_counter() - start)
        work.append(time.process_time() - busy)
    print(f"exact sampler: {np.median(times):.3f} s elapsed, {np.median(work):.3f} s of one core (target: under 1 s)")
    start = time.perf_counter()
    literal(rng, 0.02)
    print(f"literal samples: about {50 * (time.perf_counter() - start):.1f} s")


if __name__ == "__main__":
    main()
