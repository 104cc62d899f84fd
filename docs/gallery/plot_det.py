"""
DET curves
==========

Both error rates on scales of normal deviates: normal score distributions become straight lines, and small error rates
are spread out. The equal error rate is on the diagonal.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import ndtri

import thresher as th

rng = np.random.default_rng(4)
figure, ax = plt.subplots(figsize=(5.6, 5.2), layout="constrained")
for shift, color, line in ((2.5, "#0072B2", "-"), (1.5, "#D55E00", (0, (9, 1)))):
    scores = th.Scores.from_pos_neg(rng.normal(shift, 1, 4000), rng.normal(0, 1, 16_000))
    curve = scores.det()
    x, y = curve.normal_deviates()
    inside = np.isfinite(x) & np.isfinite(y)
    ax.plot(x[inside], y[inside], color=color, linestyle=line, label=f"equal error rate {curve.equal_error_rate():.3f}")
rates = [0.001, 0.01, 0.05, 0.2, 0.5, 0.8]
ax.plot(ndtri([0.001, 0.5]), ndtri([0.001, 0.5]), color="#6B6B6B", linestyle=":", linewidth=1.4)
for axis in (ax.xaxis, ax.yaxis):
    axis.set_ticks(ndtri(rates), [f"{100 * rate:g}%" for rate in rates])
ax.set(
    xlabel="false positive rate", ylabel="false negative rate", xlim=ndtri([0.0005, 0.85]), ylim=ndtri([0.0005, 0.85])
)
ax.legend(loc="upper right")
