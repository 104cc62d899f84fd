"""
Several classes
===============

The ROC curve of each class against the rest, in a panel for each class, and the areas with their intervals.
"""

import matplotlib.pyplot as plt
import numpy as np

import thresher as th

rng = np.random.default_rng(1)
y = rng.choice(["bird", "cat", "dog", "fish"], 600)
labels = np.array(["bird", "cat", "dog", "fish"])
proba = rng.normal(size=(600, 4)) + np.array([2.5, 1.2, 1.0, 2.0]) * (y[:, None] == labels)
found = th.multiclass(y, proba, labels=labels)
th.plotting.ClassesDisplay.from_classes(found)
plt.show()

# %%
# Which classes are harder? The areas are estimates with their covariance.

areas = found.per_class("roc_auc")
print(areas.ranking())
areas.plot()
plt.show()

# %%
# Every pair, with simultaneous intervals:

areas.simultaneous().plot()
plt.show()
