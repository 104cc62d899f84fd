"""Typical mistakes: each call, what it must be told, and the call that follows the advice."""

from support.mistakes import comparisons, curves, decisions, estimators, figures, inputs, readers

MISTAKES = [
    mistake
    for module in (inputs, curves, figures, decisions, comparisons, estimators, readers)
    for mistake in module.MISTAKES
]
