"""Metrics of the confusion matrix: values, gradients, intervals, tests, chosen thresholds and gaps between segments."""
