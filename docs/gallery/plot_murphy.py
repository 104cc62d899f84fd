"""
Murphy diagrams
===============

The mean cost at every threshold. A model whose curve is below that of another everywhere is better by every proper
score. Here the curves cross, so the choice depends on the threshold. Twice the area under a curve is the Brier score;
the dotted lines show the cost after recalibration.
"""

import matplotlib.pyplot as plt

import thresher as th

data = th.datasets.load_digits_eight()
display = th.plotting.MurphyDisplay.from_scores(th.Scores(data.y_true, data.logistic), name="logistic")
th.plotting.MurphyDisplay.from_scores(th.Scores(data.y_true, data.tree), name="tree", ax=display.ax_)
plt.show()
