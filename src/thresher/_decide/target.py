"""What an operating point is chosen by: one metric to be best by, and constraints on any metrics."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from fractions import Fraction
from typing import Any

from thresher._cells import CATALOGUE, CellMetric, canonical, find, from_function, options_of
from thresher._core.checks import check_count, check_number, check_prevalence, did_you_mean, show
from thresher._core.decimals import as_written
from thresher._core.presented import Presented
from thresher._core.values import ReadOnlyDict, value
from thresher.exceptions import InvalidInputError, InvalidTypeError

Goal = str | Callable[[Any, Any, Any, Any], Any]

# Constraints that are kept as another one: the same points keep both.
_SAME = {"specificity": ("max_fpr", "min"), "fnr": ("min_recall", "max"), "fdr": ("min_precision", "max")}
_OF_RECALL = ("min_recall",)


@value(slots=False)
class Target(Presented):
    """A metric by which operating points are compared, and the constraints that they must keep.

    `limits` are the constraints by names such as "min_recall"; `named` says that the metric was asked for and not
    implied by them. The prevalence is that at which the threshold will be used; None for that of the data.
    """

    metric: Goal
    maximize: bool
    named: bool
    limits: Mapping[str, float]
    options: Mapping[str, float]
    prevalence: float | None = None

    @property
    def goal(self) -> CellMetric:
        """The metric with its options."""
        if isinstance(self.metric, str):
            return find(self.metric, **self.options)
        return from_function(self.metric)

    @property
    def usual(self) -> bool:
        """Whether the metric is the one that the constraints imply."""
        return self.metric == _implied(self.limits)

    @property
    def objective(self) -> str:
        """The name of the metric."""
        return self.metric if isinstance(self.metric, str) else self.goal.name

    def described(self) -> str:
        """Return what is optimised under which constraints, in words."""
        name, given = self.objective, dict(self.options)
        if name == "f_beta":
            name = f"f{given.pop('beta'):g}"
        options = ", ".join(f"{option} {number:g}" for option, number in given.items())
        goal = f"{'highest' if self.maximize else 'lowest'} {name}{f' ({options})' if options else ''}"
        signs = {"min": ">=", "max": "<="}
        kept = [f"{name[4:]} {signs[name[:3]]} {limit:g}" for name, limit in self.limits.items()]
        at = "" if self.prevalence is None else f" at prevalence {self.prevalence:g}"
        return goal + (f" with {' and '.join(kept)}" if kept else "") + at

    def with_limits(self, **limits: float) -> Target:
        """Return the same with other constraints."""
        return Target(
            self.metric, self.maximize, self.named, ReadOnlyDict(limits), self.options, prevalence=self.prevalence
        )

    def at(self, prevalence: float | None) -> Target:
        """Return the same at another prevalence."""
        return Target(self.metric, self.maximize, self.named, self.limits, self.options, prevalence)

    def skew(self, n_pos: float, n_neg: float) -> Fraction:
        """Return how much one false positive of the data counts at the wanted prevalence."""
        if self.prevalence is None:
            return Fraction(1)
        share = as_written(self.prevalence)
        return (1 - share) / share * Fraction(n_pos) / Fraction(n_neg)


def target_of(
    maximize: Goal | None = None, *, minimize: Goal | None = None, prevalence: float | None = None, **given: Any
) -> Target:
    """Return a checked target; `given` holds constraints ``min_<metric>`` and ``max_<metric>``, and options."""
    if maximize is not None and minimize is not None:
        raise InvalidInputError(
            f"`maximize` and `minimize` must not both be given; got {show(maximize)} and {show(minimize)}. "
            "Hint: a second metric can be a constraint, such as `min_recall=0.9`."
        )
    given = {name: one for name, one in given.items() if one is not None}
    limits: dict[str, float] = {}
    for name in [name for name in given if name[:4] in ("min_", "max_")]:
        kept, limit = _constraint(name, given.pop(name))
        if kept in limits:
            raise InvalidInputError(f"`{name}` and `{kept}` are the same constraint; got both. Hint: keep one of them.")
        limits[kept] = limit
    if prevalence is not None:
        prevalence = check_prevalence(prevalence)
    asked = maximize if minimize is None else minimize
    metric: Goal = _implied(limits) if asked is None else asked
    options: dict[str, float] = {}
    if isinstance(metric, str):
        found = canonical(metric)
        if found is None:
            side = "maximize" if minimize is None else "minimize"
            raise InvalidInputError(
                f"`{side}` must be a metric of the confusion matrix or a function of four cells; got {show(metric)}."
                f"{did_you_mean(metric, CATALOGUE) or ' Hint: for example `f1`, `mcc` or `youden`.'}"
            )
        metric, options = found
    elif not callable(metric):
        raise InvalidTypeError(f"`maximize` must be the name of a metric or a function; got {show(metric)}.")
    takes = options_of(metric) if isinstance(metric, str) else ()
    for name in given:
        if name not in takes:
            raise _no_option(name, metric, takes)
        options[name] = check_number(given[name], name)
    if "beta" in takes:
        options.setdefault("beta", 1.0)
    larger = minimize is None
    target = Target(metric, larger, asked is not None, ReadOnlyDict(limits), ReadOnlyDict(options), prevalence)
    _check_goal(target)
    return target


def out_of_reach(name: str, limit: float, points: int, best: float) -> str:
    """Return the message that no point keeps one constraint, with a limit that one of them does keep."""
    least = name.startswith("min")
    rounded = Context(6, ROUND_FLOOR if least else ROUND_CEILING).create_decimal(repr(best))
    return (
        f"No threshold reaches `{name}={limit!r}`: the best of {points:,} has {name[4:]} {best:.6g}. "
        f"Hint: ask for at {'most' if least else 'least'} {float(rounded):.6g}."
    )


def _like(name: str) -> str:
    """Return which option a name may have meant, also with its words exchanged."""
    known = dict.fromkeys(option for metric in CATALOGUE for option in options_of(metric))
    turned = "_".join(reversed(name.split("_")))
    return did_you_mean(turned if turned in known else name, [*known, "max_alerts"])


def _no_option(name: str, metric: Goal, takes: tuple[str, ...]) -> InvalidInputError | InvalidTypeError:
    if not any(name in options_of(known) for known in CATALOGUE):
        return InvalidTypeError(
            f"`{name}` must be a constraint `min_<metric>` or `max_<metric>`, or an option of the metric; nothing "
            f"takes it.{_like(name) or ' Hint: for example `min_recall=0.9`.'}"
        )
    listed = ", ".join(f"`{one}`" for one in takes) or "no options"
    owners = ", ".join(repr(known) for known in CATALOGUE if name in options_of(known))
    return InvalidInputError(
        f"`{name}` belongs to {owners}; got it with {metric!r}, which takes {listed}. Hint: name the metric, or leave "
        "it out."
    )


def _check_goal(target: Target) -> None:
    goal = target.goal  # refuses options that are out of range
    better = "higher" if target.maximize else "lower"
    if goal.better is not None and goal.better != better and isinstance(target.metric, str):
        word, other = ("maximize", "minimize") if target.maximize else ("minimize", "maximize")
        raise InvalidInputError(
            f"`{word}` must not be {target.objective!r}, of which {goal.better} values are better. "
            f"Hint: `{other}={target.objective!r}`."
        )
    if math.isinf(goal.bounds[1]) and target.maximize and isinstance(target.metric, str) and not target.limits:
        # Without false positives at the first thresholds, without false negatives at the last ones.
        ends = {
            "positive": (goal.value(3, 0, 2, 5), "min_recall"),
            "negative": (goal.value(3, 2, 0, 5), "min_precision"),
        }
        for kind, (value, limit) in ends.items():
            if math.isinf(value):
                raise InvalidInputError(
                    f"`maximize={target.objective!r}` must come with a constraint: it is infinite at thresholds "
                    f"without a false {kind}. Hint: add `{limit}=0.5`, for instance."
                )


def _constraint(name: str, limit: Any) -> tuple[str, float]:
    """Return a constraint by the name under which it is kept."""
    if name == "max_alerts":
        return name, float(check_count(limit, name))
    side, metric = name[:3], name[4:]
    found = canonical(metric)
    if found is None:
        raise InvalidTypeError(
            f"`{name}` must be a constraint on a metric of the confusion matrix, or `max_alerts`; there is no "
            f"{metric!r}.{did_you_mean(metric, CATALOGUE)}"
        )
    metric, options = found
    if options_of(metric) == ("beta",):
        metric = f"f{options.get('beta', 1.0):g}"
    number = check_number(limit, name)
    low, high = find(metric).bounds
    if not low <= number <= high:
        raise InvalidInputError(
            f"`{name}` must be between {low:g} and {high:g}, the range of {metric!r}; got {show(limit)}. "
            "Hint: it is a proportion, not a percentage."
            if (low, high) == (0.0, 1.0)
            else f"`{name}` must be between {low:g} and {high:g}, the range of {metric!r}; got {show(limit)}."
        )
    if metric in _SAME and side == _SAME[metric][1]:
        return _SAME[metric][0], float(1 - as_written(number))
    return f"{side}_{metric}", float(number)


def _implied(limits: Mapping[str, float]) -> str:
    """Return the metric that constraints imply: precision under a least recall, recall under others, else Youden's."""
    if not limits:
        return "youden"
    return "precision" if tuple(limits) == _OF_RECALL else "recall"
