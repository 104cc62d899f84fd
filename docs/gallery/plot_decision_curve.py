"""
Decision curves
===============

Acting at a probability of p weighs a false positive p / (1 - p) times as much as a true positive. Net benefit shows at
which p a score is useful, compared with acting on everyone and on no one. Acting at one half, the model with the larger
ROC AUC is worse; the dotted line shows what its ranking could achieve.
"""

import matplotlib.pyplot as plt

import thresher as th

data = th.datasets.load_digits_eight()
logistic, tree = (th.Scores(data.y_true, score) for score in (data.logistic, data.tree))
display = th.plotting.DecisionCurveDisplay.from_scores(logistic, name="logistic", band=True)
th.plotting.DecisionCurveDisplay.from_scores(tree, name="tree", ax=display.ax_)
best = logistic.decision_curve(calibrate="hull")
display.ax_.plot(
    best.threshold_probability,
    best.net_benefit,
    color=display.line_.get_color(),
    linestyle=":",
    label="logistic, achievable in sample",
)
display.ax_.legend(loc="upper right", fontsize="small")
plt.show()
