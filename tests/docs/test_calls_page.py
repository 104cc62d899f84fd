"""The page of all calls is made from the results of the benchmark, and says what they say."""

from __future__ import annotations

import json

from benchmarks.calls_page import PAGE, RESULTS, page


def test_the_page_is_that_of_the_results():
    assert PAGE.read_text() == page(json.loads(RESULTS.read_text()))


def test_calls_above_the_limit_and_fast_growing_ones_are_listed():
    found = {
        "commit": "abc",
        "date": "2026-01-01",
        "machine": "one",
        "count": {"1000": 1e-5, "100000": 1e-3, "1000000": 1e-2},
        "beside": [{"work": "AUC", "rows": 1000, "peer": "other", "ours": 1e-5, "theirs": 3e-5}],
        "seconds": {
            "quick": {"100000": 0.05, "1000000": 0.6},
            "bootstrap(x)": {"100000": 0.2, "1000000": 2.0},
            "square": {"100000": 0.02, "1000000": 2.0},
            "refused": {"100000": "InvalidInputError: no", "1000000": "InvalidInputError: no"},
        },
    }
    text = page(found)
    assert "| `bootstrap(x)` | 200 | 0.2 | 2,000 resamples of the rows |" in text
    assert "`quick`" not in text
    assert "| `square` | 100,000 | 1,000,000 | 8.3 |" in text
    assert "| AUC | 1,000 | other | 0.03 | 0.01 | 3 |" in text
    assert "1 of the 3 calls" in text
