"""Errors in the words of the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from thresher._core.checks import show
from thresher.exceptions import InvalidInputError, InvalidTypeError, ThresherError

_OPTIONS = (
    "alternative|beta|confidence_level|covariance|errors|cost_fn|cost_fp|max_alert_rate|fpr|max_fpr|maximize|method|"
    "minimize|min_specificity|min_count|min_precision|min_recall|n|n_errors|n_neg|n_pos|n_resamples|pos_label|"
    "prevalence|recall|rng|threshold"
)
_OTHERS = {"n_errors": "errors", "n_neg": "negatives", "n_pos": "positives", "rng": "seed"}
_COLUMNS = {
    "by": "groups",
    "cluster": "clusters",
    "frequency": "frequencies",
    "sample_weight": "weights",
    "y_score": "scores",
    "y_true": "labels",
}
_COLUMN = re.compile("`(" + "|".join(_COLUMNS) + ")`")
_NAMED = re.compile(r"`?\b(" + _OPTIONS + r")(?:`|=('[^']*'|\"[^\"]*\"|[\w.+-]+)`?)")
_ROW = re.compile(r"\brows? \d")


# Remedies of the library that the command has by another name, or not at all.
_REMEDIES = {
    "readers='fixed' draws conclusions": "--random cases draws conclusions",
    "Hint: `means[i].confidence_interval(method='wider')`.": (
        "Hint: in Python, `means[i].confidence_interval(method='wider')` covers more."
    ),
    'method="newcombe" gives an interval with length.': (
        "the row newcombe of `thresher from-errors --auc` is an interval with length, from the class totals."
    ),
}


class UsageError(InvalidInputError):
    """The command line is wrong, whatever the file holds."""


def in_options(message: str) -> str:
    """Return a message of the library with its arguments called by the names of the options."""

    def option(found: re.Match[str]) -> str:
        name, value = "--" + _OTHERS.get(found[1], found[1]).replace("_", "-"), found[2]
        return name if value is None else f"{name} {value}"

    return _COLUMN.sub(lambda found: _COLUMNS[found[1]], _NAMED.sub(option, in_commands(message)))


def in_commands(message: str) -> str:
    """Return a message of the library with a remedy that the command has."""
    for theirs, ours in _REMEDIES.items():
        message = message.replace(theirs, ours)
    return message


@contextmanager
def within(place: str) -> Iterator[None]:
    """Say where an error of the library arose."""
    try:
        yield
    except ThresherError as error:
        text = in_options(str(error))
        if _ROW.search(text):
            text += " Rows are counted from 0, without the header."
        raise type(error)(f"{place}: {text}") from None


@contextmanager
def usage() -> Iterator[None]:
    """Take every refusal of the library for a wrong command line: there is no file that it could be about."""
    try:
        yield
    except UsageError:
        raise
    except (InvalidInputError, InvalidTypeError) as error:
        raise UsageError(in_options(str(error))) from None


def file_columns(file: str, *names: str) -> str:
    """Return `'file', columns 'a' and 'b'`."""
    word = "column" if len(names) == 1 else "columns"
    return f"{show(file, 200)}, {word} {' and '.join(show(name) for name in names)}"
