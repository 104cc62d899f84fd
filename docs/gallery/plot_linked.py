"""
One list of counts, two curves
==============================

A ROC curve and a PR curve show the same confusion matrices. Markers of one shape show the same threshold; the height
of a marker on the left equals its horizontal position on the right, because the true positive rate *is* recall. The
left picture shows that both models rank well, the right one which proportion of the alarms would be true.
"""

import thresher as th

data = th.datasets.load_digits_eight()
models = {name: th.Scores(data.y_true, score) for name, score in data.models.items()}
th.plotting.LinkedDisplay.from_scores(models, thresholds={"logistic": [0.5, 0.2, 0.1], "tree": [0.92, 0.06, 0.003]})

# %%
# The numbers behind a marker:

point = models["logistic"].roc().at(threshold=0.1)
print(f"recall {point.recall:.3f}, FPR {point.fpr:.3f}, precision {point.precision:.3f}")
