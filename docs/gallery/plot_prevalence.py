"""
Another class balance
=====================

Recall and the false positive rate depend only on the two score distributions, precision also on the number of
negatives for each positive. The ROC curve is the same for all prevalences; ``prevalence=`` redraws the PR curve for
the prevalence in production.
"""

import matplotlib.pyplot as plt

import thresher as th

data = th.datasets.load_digits_eight()
scores = th.Scores(data.y_true, data.logistic)

figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.9), layout="constrained")
th.plotting.RocCurveDisplay.from_scores(scores, ax=left, legend=False)
left.set_title("one ROC curve")
shares = {"1 in 2": 1 / 2, "1 in 10, as in the data": scores.prevalence, "1 in 100": 1 / 100, "1 in 1,000": 1 / 1000}
for name, share in shares.items():
    th.plotting.PrCurveDisplay.from_scores(
        scores, prevalence=share, name=name, ax=right, chance=False, unachievable=False, legend=False
    )
right.set_title("a PR curve for each balance")
right.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=1)
