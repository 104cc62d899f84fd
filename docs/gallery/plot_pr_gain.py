"""
Precision-recall gain
=====================

Flach and Kull (2015) rescale precision and recall so that "predict everything positive" becomes 0 and perfection 1 in
both. Straight lines between points are then right, and areas of different class balances can be averaged. Points
worse than predicting everything positive are outside of the picture. The shaded bands are the transformed 95% bands
of the PR curves.
"""

import matplotlib.pyplot as plt

import thresher as th

data = th.datasets.load_digits_eight()
figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.9), layout="constrained")
for name, color, line in (("logistic", "#0072B2", "-"), ("tree", "#D55E00", (0, (9, 1)))):
    scores = th.Scores(data.y_true, data.models[name])
    look = {"color": color, "linestyle": line}
    th.plotting.PrCurveDisplay.from_scores(
        scores,
        name=name,
        ax=left,
        chance=False,
        unachievable=False,
        band=scores.pr_band(),
        legend=False,
        curve_kwargs=look,
    )
    th.plotting.PrGainDisplay.from_scores(
        scores, name=name, ax=right, band=scores.pr_gain_band(), legend=False, curve_kwargs=look
    )
    interval = scores.pr_gain_interval(rng=1)
    print(f"{name}: area {scores.pr_gain().area:.3f}, 95% interval {interval:.3f}")
left.legend(loc="lower left")
right.legend(loc="lower left")
