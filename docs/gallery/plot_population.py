"""
Curves of populations
=====================

A sample estimates the curves of its population. Here are the six cases of Hughes-Oliver (2018), computed exactly from
their score distributions, with one positive in eleven: from normal scores (A) to scores of a few values (F), whose
curves have jumps. In PR space they start at different heights, and a curve may rise.
"""

import matplotlib.pyplot as plt
import numpy as np

from thresher.population import CASES

recall = np.linspace(0.001, 0.999, 600)
fpr = np.geomspace(1e-4, 1, 600)
styles = {
    "A": ("#0072B2", "-"), "B": ("#D55E00", (0, (9, 1))), "C": ("#009E73", (0, (4, 1))),
    "D": ("#CC79A7", (0, (9, 1, 2, 1))), "E": ("#E69F00", (0, (2, 0.8))), "F": ("#000000", (0, (1, 1))),
}  # fmt: skip
figure, (left, right) = plt.subplots(1, 2, figsize=(9.8, 5.0), layout="constrained")
for name, (color, line) in styles.items():
    population = CASES[name].with_prevalence(1 / 11)
    left.plot(fpr, population.roc(fpr), color=color, linestyle=line)
    right.plot(recall, population.pr(recall), color=color, linestyle=line, label=f"Case {name}")
left.set(xlabel="false positive rate", ylabel="true positive rate", xlim=(0, 1), ylim=(0, 1.015), aspect="equal")
right.set(xlabel="recall", ylabel="precision", xlim=(0, 1), ylim=(0, 1.015), aspect="equal")
figure.legend(loc="outside lower center", ncols=6)
