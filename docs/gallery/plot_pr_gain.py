"""
Precision-recall gain
=====================

Flach and Kull (2015) rescale precision and recall so that "call everything positive" becomes 0 and perfection 1 in
both. Straight lines between points are then right, and areas of different class balances can be averaged. Points
worse than calling everything positive fall outside.
"""

import matplotlib.pyplot as plt

import thresher as th

data = th.datasets.load_digits_eight()
figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.9), layout="constrained")
for name, color, line in (("logistic", "#0072B2", "-"), ("tree", "#D55E00", (0, (9, 1)))):
    scores = th.Scores(data.y_true, data.models[name])
    th.PrCurveDisplay.from_scores(
        scores,
        name=name,
        ax=left,
        chance=False,
        unachievable=False,
        legend=False,
        curve_kwargs={"color": color, "linestyle": line},
    )
    gain = scores.pr_gain()
    right.plot(
        gain.recall_gain, gain.precision_gain, color=color, linestyle=line, label=f"{name} (area {gain.area:.3f})"
    )
right.set(xlabel="recall gain", ylabel="precision gain", xlim=(0, 1.015), ylim=(0, 1.015), aspect="equal")
left.legend(loc="lower left")
right.legend(loc="lower left")
