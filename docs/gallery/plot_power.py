"""
How many cases?
===============

The power to find that two models on the same cases differ in ROC AUC, by the number of cases and by the size of the
difference. One case in four is positive, and the scores of the two models correlate by 0.5.
"""

import matplotlib.pyplot as plt
import numpy as np

import thresher as th

sizes = np.arange(100, 2001, 50)
figure, ax = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
styles = {0.05: ("#0072B2", "-"), 0.04: ("#D55E00", (0, (9, 1))), 0.03: ("#009E73", (0, (4, 1)))}
for difference, (color, line) in styles.items():
    question = th.planning.area((0.85, 0.85 - difference), correlation=0.5)
    power = [question.power(n_pos=int(n) // 4, n_neg=int(n) - int(n) // 4).power for n in sizes]
    ax.plot(sizes, power, color=color, linestyle=line, label=f"0.85 and {0.85 - difference:.2f}")
ax.axhline(0.8, color="#6B6B6B", linestyle=":", linewidth=1.4)
ax.set(xlabel="cases", ylabel="power", ylim=(0, 1))
ax.legend(title="ROC AUC", loc="lower right")
plt.show()
