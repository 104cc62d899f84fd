import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support.thorough import at_least
from thresher._compare.roc_path_distance import leads, path


@given(
    data=st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=6
    )
)
@at_least(80)
def test_leads_agree_with_dominance(data):
    table = np.array(data) + 0
    table[0] += 1
    columns = np.arange(len(data))[::-1]
    a, b = (th.Scores.from_counts(columns, table[:, i], table[:, i + 1]) for i in (0, 2))
    rows = table.astype(float).T[:, None, :]
    above, below = leads(path(rows[0], rows[1], 0.3), path(rows[2], rows[3], 0.3))[0]
    verdict = {(1, 0): "a", (0, 1): "b", (0, 0): "equal", (1, 1): "neither"}[(int(above), int(below))]
    assert verdict == th.dominates(a, b).verdict
