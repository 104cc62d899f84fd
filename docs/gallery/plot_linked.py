"""
One list of counts, two curves
==============================

A ROC curve and a PR curve show the same confusion matrices. A marker of one shape is one threshold: as high on the
left as it is far right on the right, because the true positive rate *is* recall. The left picture says that both
models are good; the right one says how many of the alarms would be true.
"""

import thresher as th

data = th.datasets.load_digits_eight()
models = {name: th.Scores(data.y_true, score) for name, score in data.models.items()}
th.plotting.LinkedDisplay.from_scores(models, thresholds={"logistic": [0.5, 0.2, 0.1], "tree": [0.92, 0.06, 0.003]})

# %%
# The numbers behind a marker:

point = models["logistic"].roc().at(threshold=0.1)
print(f"recall {point.recall:.3f}, FPR {point.fpr:.3f}, precision {point.precision:.3f}")
