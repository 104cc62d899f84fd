"""thresher beside its peers, on the same arrays, in one interleaved run. Start with `python -m benchmarks.run`."""
