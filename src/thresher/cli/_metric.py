"""Which metric a command computes, with its options: `--metric`, `--threshold`, `--fpr`, ..., `--option name=value`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any

from cyclopts import Parameter

import thresher as th
from thresher._core.checks import show
from thresher.cli._errors import UsageError
from thresher.cli._options import Resamplings, Seed, Share, number_in
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.measures import takes

_OWN = ("threshold", "fpr", "recall", "prevalence")
"""The options of metrics that are options of the command."""
_QUOTED = re.compile(r"`(--[\w-]+|[a-z_]+)(?:=([^`]+))?`")
_PAIR = re.compile(r"\(([^,]+), ([^)]+)\)")
_WORDS = {"true": True, "false": False}


@Parameter(name="*")
@dataclass(frozen=True)
class OptionalMetric:
    """One metric and its options, for a command that has an answer without.

    Parameters
    ----------
    metric
        One metric instead: a name of th.measures.names(), such as recall_at_fpr, f1, mcc or brier.
    threshold
        The threshold of a metric of the confusion matrix, such as f1: cases with at least that score are predicted
        positive.
    fpr
        The false positive rate of recall_at_fpr; a range such as 0:0.1 for partial_roc_auc.
    recall
        The recall of precision_at_recall and fpr_at_recall; a range such as 0.5:1 for pr_auc.
    prevalence
        The prevalence where the classifier will be used, such as 0.01 or 1/100; metrics with precision refer to it.
    option
        Any other option of the metric as name=value, such as beta=2 for f_beta or depth=10 for precision_at_depth.
        May be repeated.
    """

    metric: str | None = None
    threshold: Annotated[str | None, Parameter(name="--threshold", allow_leading_hyphen=True)] = None
    fpr: Annotated[str | None, Parameter(name="--fpr")] = None
    recall: Annotated[str | None, Parameter(name="--recall")] = None
    prevalence: Share = None
    option: Annotated[tuple[str, ...], Parameter(name="--option", negative=(), show_default=False)] = ()

    def given(self) -> dict[str, Any]:
        """Return the options that are given, by the names that the library has for them."""
        own = {name: getattr(self, name) for name in _OWN if getattr(self, name) is not None}
        own = {name: _value(f"--{name}", one) if isinstance(one, str) else one for name, one in own.items()}
        return own | named_options(self.option)

    def measure(self, spare: str = "prevalence") -> th.measures.Measure | None:
        """Return the measure that is asked for; None if none is: then no option but the spare one may be given."""
        if self.metric is not None:
            return measure_of(self.metric, self.given())
        for name in self.given():
            if name != spare:
                raise UsageError(f"{_spoken(name)} must come with --metric; got none. Hint: name the metric.")
        return None


@Parameter(name="*")
@dataclass(frozen=True)
class AnyMetric(OptionalMetric):
    """The metric of a command, with its options.

    Parameters
    ----------
    metric
        Any metric: a name of th.measures.names(), such as roc_auc, pr_auc, recall_at_fpr, f1, mcc or brier.
    """

    metric: str = "roc_auc"

    def measure(self, spare: str = "") -> th.measures.Measure:
        """Return the measure that the options describe; the spare one is for the rest of the command too."""
        given = self.given()
        if spare not in takes(self.metric):
            given.pop(spare, None)
        return measure_of(self.metric, given)


def measure_of(metric: str, options: dict[str, Any]) -> th.measures.Measure:
    """Return the measure of a name with its options; what does not fit is a mistake on the command line."""
    try:
        return th.measures.as_measure(metric, argument="--metric", **options)
    except (InvalidInputError, InvalidTypeError) as error:
        text = str(error).replace(" or of this function", "")
        text = text.replace("`thresher.measures.names()` lists them", f"they are {', '.join(th.measures.names())}")
        raise UsageError(_QUOTED.sub(lambda found: _spoken(found[1], found[2]), text)) from None


def options_shown(measure: th.measures.Measure, form: str) -> dict[str, Any]:
    """Return the metric and its options as a row shows them: an object in JSON, text in CSV, nothing in a table."""
    if form == "table":
        return {}
    options = measure.shown
    text = " ".join(f"{name}={_written(one)}" for name, one in options.items())
    return {"metric": measure.title, "options": options if form == "json" else text}


def named_options(given: tuple[str, ...]) -> dict[str, Any]:
    """Return what `--option name=value` sets, by name."""
    found: dict[str, Any] = {}
    for text in given:
        name, sign, value = (part.strip() for part in text.partition("="))
        name = name.replace("-", "_")
        if not (sign and value and name.isidentifier()):
            raise UsageError(f"--option must be name=value; got {show(text)}. Hint: for example --option beta=2.")
        if name in found:
            raise UsageError(f"--option {name} must be given once; got {show(text)} as well.")
        found[name] = _WORDS[value.lower()] if value.lower() in _WORDS else _value(f"--option {name}", value, text=True)
    return found


def _value(option: str, given: str, *, text: bool = False) -> Any:
    """Return a number, a pair of numbers LOW:HIGH, or the text itself where texts are allowed."""
    low, colon, high = given.partition(":")
    numbers = [number_in(part) for part in ((low, high) if colon else (given,))]
    if all(one is not None for one in numbers):
        return tuple(numbers) if colon else numbers[0]
    if text:
        return given
    raise UsageError(f"{option} must be a number such as 0.05 or 1/20, or a range LOW:HIGH; got {show(given)}.")


def _spoken(name: str, value: str | None = None) -> str:
    """Return an option of a metric as it is written on the command line."""
    if name.startswith("--"):
        return name
    shown = None if value is None else _PAIR.sub(r"\1:\2", value)
    if name in _OWN:
        return f"--{name}" if shown is None else f"--{name} {shown}"
    return f"--option {name}={'...' if shown is None else shown}"


def _written(option: Any) -> str:
    return ":".join(f"{one:g}" for one in option) if isinstance(option, tuple) else str(option)


@Parameter(name="*")
@dataclass(frozen=True)
class Resamples:
    """How often a test resamples, and from which seed.

    Parameters
    ----------
    n_resamples
        For the bootstrap and permutations.
    seed
        Makes them repeatable.
    """

    n_resamples: Resamplings = 2000
    seed: Seed = 0


def check_method(method: str | None, measure: th.measures.Measure) -> None:
    """Refuse a test that there is not of a measure."""
    if method is not None and method.removesuffix("-t") not in (*measure.tests, "batches"):
        raise UsageError(f"--method {method} has no test of {measure.title}. Hint: it has {', '.join(measure.tests)}.")
