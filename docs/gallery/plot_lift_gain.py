"""
Lift and gain
=============

If only the highest-scoring tenth of the list can be reviewed: which proportion of the positives is in it (gain), and
how many times more than in a random tenth (lift)?
"""

import matplotlib.pyplot as plt
import numpy as np

import thresher as th

data = th.datasets.load_digits_eight()
figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.4), layout="constrained")
for name, color, line in (("logistic", "#0072B2", "-"), ("tree", "#D55E00", (0, (9, 1)))):
    scores = th.Scores(data.y_true, data.models[name])
    gain = scores.gain()
    left.plot(gain.depth, gain.recall, color=color, linestyle=line, label=name)
    # Gain is straight between thresholds, so lift, which is gain over depth, is not.
    depth = np.union1d(gain.depth[1:], np.geomspace(gain.depth[1], 1, 400))
    right.plot(depth, np.interp(depth, gain.depth, gain.recall) / depth, color=color, linestyle=line, label=name)
left.plot([0, 1], [0, 1], color="#6B6B6B", linestyle=":", label="random order")
right.axhline(1, color="#6B6B6B", linestyle=":", label="random order")
for ax in (left, right):
    ax.axvline(0.1, color="black", linewidth=0.8)
    ax.set(xlabel="proportion of the list looked at", xlim=(0, 1), ylim=(0, None))
left.set_ylabel("proportion of the positives found")
right.set_ylabel("times as many as in a random order")
left.legend(loc="lower right")
right.legend(loc="upper right")
