"""
Week by week
============

The ROC AUC of a model in production, week by week, with its 95% interval. From week 9 on one signal of the model is
broken. A single interval below the usual range may be chance; a test between two periods says whether the model has
become worse.
"""

import matplotlib.pyplot as plt
import numpy as np

import thresher as th

rng = np.random.default_rng(5)
weeks = []
for week in range(1, 13):
    fraud = rng.random(20_000) < 0.015
    weeks.append(th.Scores(fraud, rng.normal(size=20_000) + (1.8 if week < 9 else 1.5) * fraud))

figure, ax = plt.subplots(figsize=(7.2, 3.6), layout="constrained")
for week, scores in enumerate(weeks, 1):
    area = scores.roc_auc()
    low, high = area.confidence_interval()
    ax.plot([week, week], [low, high], color="#0072B2", linewidth=3, solid_capstyle="butt")
    ax.plot(week, area.value, "o", color="#0072B2")
ax.set(xlabel="week", ylabel="ROC AUC", xticks=range(1, 13))
plt.show()

# %%
# The last four weeks against the eight before, as independent samples; tables add up:

before, now = sum(weeks[1:8], start=weeks[0]), sum(weeks[9:], start=weeks[8])
print(th.compare_unpaired(now, before, names=("weeks 9 to 12", "weeks 1 to 8")))
