"""
Does 0.3 mean 30%?
==================

The calibration curve of a model, the band in which the curve of a calibrated model would lie (grey), the confidence
band of the true curve (dotted), and a histogram of the scores. This model ranks well and is underconfident: events
with a score of 0.4 happen far more often. A calibrator fitted on other rows corrects that.
"""

import matplotlib.pyplot as plt
import numpy as np

import thresher as th

data = th.datasets.load_digits_eight()
half = np.random.default_rng(0).random(data.y_true.size) < 0.5
tuning = th.Scores(data.y_true[half], data.logistic[half])
test = th.Scores(data.y_true[~half], data.logistic[~half])

display = th.plotting.CalibrationDisplay.from_scores(test, name="as it is", rng=0)
mended = th.Calibrator.fit(tuning, method="logistic").apply(test)
th.plotting.CalibrationDisplay.from_scores(mended, name="recalibrated", ax=display.ax_, band=None, consistency=False)
plt.show()
