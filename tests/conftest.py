"""Settings of the test run."""

import os

from hypothesis import settings

# Timing is the benchmarks' business; a loaded machine must not fail a property. In CI the examples are the same in
# every run, so that a change is judged by what it changed; elsewhere they are new each time, so that more is tried.
settings.register_profile("thresher", deadline=None, max_examples=60)
settings.register_profile("ci", deadline=None, max_examples=60, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "thresher")

# Helpers, not tests: `--doctest-modules` would import them, and some import what no extra installs.
collect_ignore = ["support"]
