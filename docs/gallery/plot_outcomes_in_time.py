"""
Outcomes in time
================

A trial of 800 patients: the ROC area of two models for a relapse by each day, with a band that covers all horizons
together. Patients censored before a horizon are not dropped. On the right, what dropping them does to the proportion
of patients with a relapse.
"""

import matplotlib.pyplot as plt
import numpy as np

import thresher as th

data = th.datasets.load_trial()
horizons = np.arange(180, 1400, 60)
over = th.time_dependent(data.time, data.event, data.models, horizons)
figure, (left, right) = plt.subplots(1, 2, figsize=(9.8, 4.4), layout="constrained")
band = over.band("roc_auc")
for name, color, line in (("index", "#0072B2", "-"), ("marker", "#D55E00", (0, (9, 1)))):
    here = np.array(band.model) == name
    left.plot(horizons, band.value[here], color=color, linestyle=line, label=name)
    left.fill_between(horizons, band.low[here], band.high[here], color=color, alpha=0.18, linewidth=0)
left.set(xlabel="day", ylabel="ROC AUC for a relapse by this day", ylim=(0.5, 1))
left.legend(loc="upper right")

weighted, dropped = [], []
for day in horizons:
    weighted.append(th.Scores.at_time(data.time, data.event, data.index, day).prevalence)
    known = (data.event > 0) | (data.time >= day)
    dropped.append(np.mean((data.event == 1)[known] & (data.time <= day)[known]))
right.plot(horizons, weighted, color="#0072B2", label="weighted, as here")
right.plot(horizons, dropped, color="#D55E00", linestyle=(0, (9, 1)), label="censored patients dropped")
right.set(xlabel="day", ylabel="relapses by this day, proportion")
right.legend(loc="upper left")
plt.show()
