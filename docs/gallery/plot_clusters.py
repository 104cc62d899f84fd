"""
Rows of the same patient
========================

Forty studies of 50 patients, sick or healthy, with six images each. The scores of a patient's images are alike.
Intervals that treat all 300 images as independent are too short and miss the true area (dotted) too often; with
``cluster=`` they account for the dependence.
"""

import matplotlib.pyplot as plt
import numpy as np

import thresher as th


def study(rng, patients):
    """Return labels, scores and patients."""
    patient = np.repeat(np.arange(patients), 6)
    sick = np.repeat(rng.random(patients) < 0.4, 6)
    return sick, rng.normal(size=patient.size) + 1.3 * sick + np.repeat(rng.normal(size=patients), 6), patient


rng = np.random.default_rng(6)
y, score, _ = study(rng, 50_000)
truth = th.Scores(y, score).roc_auc().value

figure, axes = plt.subplots(1, 2, figsize=(9.6, 4.2), layout="constrained", sharey=True)
studies = [study(rng, 50) for _ in range(40)]
for ax, title in zip(axes, ("as if independent", "cluster=patient"), strict=True):
    missed = 0
    for place, (y, score, patient) in enumerate(studies):
        cluster = None if ax is axes[0] else patient
        low, high = th.Scores(y, score, cluster=cluster).roc_auc().confidence_interval()
        inside = low <= truth <= high
        missed += not inside
        color = "#0072B2" if inside else "#D55E00"
        ax.plot([place, place], [low, high], color=color, solid_capstyle="butt")
    ax.axhline(truth, color="#6B6B6B", linestyle=":", linewidth=1.4)
    ax.set(title=f"{title}: {missed} of 40 miss the truth", xlabel="study", xticks=[])
    ax.grid(axis="x", visible=False)
axes[0].set_ylabel("95% interval of the ROC AUC")
plt.show()
