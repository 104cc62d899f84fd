"""Settings of the test run."""

from hypothesis import settings

# Timing is the benchmarks' business; a loaded machine must not fail a property.
settings.register_profile("thresher", deadline=None, max_examples=60)
settings.load_profile("thresher")
