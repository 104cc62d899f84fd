"""DeLong's variances and what stands beside them: the ROC area's intervals from counts and from published figures."""
