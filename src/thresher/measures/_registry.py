"""One vocabulary: every name and alias of every measure, and what they stand for."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import MISSING, fields
from typing import Any, TypeVar

from thresher._cells import canonical, options_of
from thresher._core.checks import did_you_mean, show
from thresher._core.json_state import travels
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.measures._measure import Measure

Preset = tuple[str, tuple[str, ...], dict[str, Any]]
"""A further name, its aliases, and the options it sets."""

M = TypeVar("M", bound=type[Measure])

_NAMES: dict[str, tuple[type[Measure], dict[str, Any]]] = {}
"""Names and aliases, each with its class and the options it sets."""
_CANONICAL: list[str] = []
# The same metric is asked for by the rate that is wanted and the rate that is held: `metric="tpr", fpr=0.1`.
_BY_HELD_RATE: dict[tuple[str, str], str] = {}
_SAME_OPTION = {"standardize": "normalize", "normalize": "standardize"}
_FROM_FUNCTION: dict[str, type[Measure]] = {}
"""The measures that functions of cells and of rows become."""
_CELLS = 4


def measure(*presets: Preset, held: dict[str, tuple[str, ...]] | None = None) -> Any:
    """Register a measure under its name and aliases."""

    def register(cls: M) -> M:
        for name, aliases, options in ((cls.name, cls.aliases, {}), *presets):
            registered(name, cls, options, aliases)
        for rate, needed in (held or {}).items():
            for option in needed:
                _BY_HELD_RATE[rate, option] = cls.name
        return cls

    return register


def registered(name: str, cls: type[Measure], preset: dict[str, Any], aliases: tuple[str, ...] = ()) -> None:
    """Register one name of a measure, with the options that it sets."""
    _CANONICAL.append(name)
    for known in (name, *aliases):
        if known in _NAMES:
            raise ValueError(f"two measures are called {known!r}")
        _NAMES[known] = cls, preset


def from_functions(*, of_cells: type[Measure], of_rows: type[Measure]) -> None:
    """Register what a user's functions of four cells, and of labels, scores and weights, become."""
    _FROM_FUNCTION.update(cells=of_cells, rows=of_rows)


def _pack(one: Measure) -> dict[str, Any]:
    return {"class": type(one).__name__, "options": {name: _packed(option) for name, option in one.options.items()}}


def _packed(option: Any) -> Any:
    if callable(option):
        raise InvalidInputError(
            f"A metric that is a function has no JSON; got {show(option)}. Hint: use a metric that has a name."
        )
    return list(option) if isinstance(option, tuple) else option


def _unpack(code: dict[str, Any]) -> Measure:
    cls = next((cls for cls, _ in _NAMES.values() if cls.__name__ == code["class"]), None)
    if cls is None:
        raise InvalidInputError(f"The JSON must name a measure of `thresher.measures`; got {show(code['class'])}.")
    return cls(**{name: tuple(one) if isinstance(one, list) else one for name, one in code["options"].items()})


travels("measure", Measure, _pack, _unpack)


def names() -> list[str]:
    """Return the names of all measures, as every `metric=` takes them.

    Examples
    --------
    >>> import thresher as th
    >>> [name for name in th.measures.names() if name.startswith("precision")]
    ['precision', 'precision_at_depth', 'precision_at_recall']
    """
    return sorted(_CANONICAL)


def as_measure(metric: object, *, argument: str = "metric", **options: Any) -> Measure:
    """Return the measure that a name, an alias, an object or a function stands for.

    Parameters
    ----------
    metric : str, Measure or callable
        What to measure. A function of four arrays ``(tp, fp, fn, tn)`` is a metric of the confusion matrix at
        `threshold`; any other is called as ``metric(y_true, y_score)``, or with `sample_weight` if it takes that.
    argument : str
        The name of the argument in messages.
    **options
        The options of the measure; those that are None or False are not given. An option that the measure does not
        take is refused, not ignored.

    Examples
    --------
    >>> from thresher.measures import as_measure
    >>> as_measure("ap")
    PrAuc(estimator='average_precision', prevalence=None, recall=None, normalize=False)
    >>> as_measure("tpr", fpr=0.1)
    RecallAtFpr(fpr=0.1)
    """
    given = {name: option for name, option in options.items() if option is not None and option is not False}
    if isinstance(metric, Measure):
        if given:
            raise InvalidInputError(
                f"`{next(iter(given))}` must not be given beside a measure that has its options; got {metric!r}. "
                f"Hint: pass it to `{type(metric).__name__}(...)`, or pass the name {metric.name!r}."
            )
        return metric
    if callable(metric) and not isinstance(metric, type):
        return _of_function(metric, argument, given)
    if not isinstance(metric, str):
        raise InvalidTypeError(
            f"`{argument}` must be the name of a measure, an object of `thresher.measures` or a function; got "
            f"{show(metric)} of type {type(metric).__name__}. Hint: for example 'pr_auc'."
        )
    cls, preset = _named(metric, argument, given)
    takes = _taken_by(cls, preset) - preset.keys()
    chosen = {_own_word(option, takes): value for option, value in given.items()}
    for option in chosen.keys() - takes:
        raise _not_taken(option, f"{argument} {metric!r}", metric, takes)
    for option in takes - chosen.keys():
        if _is_needed(cls, option):
            raise _missing(cls, option, argument, metric)
    return cls(**preset, **chosen)


def takes(metric: str) -> set[str]:
    """Return the options that the metric of a name takes; nothing for a name that is unknown."""
    try:
        cls, preset = _named(metric, "metric", {})
    except InvalidInputError:
        return set()
    return _taken_by(cls, preset) - preset.keys()


def as_call(metric: str) -> str | None:
    """Return how the metric of a name is asked for of scores; None for a name that is unknown."""
    try:
        cls, preset = _named(metric, "metric", {})
    except InvalidInputError:
        return None
    needed = sorted(option for option in takes(metric) if _is_needed(cls, option) and option not in preset)
    return f'measure("{metric}"{"".join(f", {option}=..." for option in needed)})'


def _named(metric: str, argument: str, given: dict[str, Any]) -> tuple[type[Measure], dict[str, Any]]:
    """Return the class that a name stands for beside these options, and the options that the name sets."""
    name = next((_BY_HELD_RATE[metric, one] for one in given if (metric, one) in _BY_HELD_RATE), metric)
    preset: dict[str, Any] = {}
    if name not in _NAMES:
        found = canonical(name)  # names of other libraries
        if found is None or found[0] not in _NAMES:
            raise InvalidInputError(_unknown(metric, argument, _NAMES))
        name, preset = found
    cls, own = _NAMES[name]
    return cls, own | preset


def _of_function(metric: Callable[..., Any], argument: str, given: dict[str, Any]) -> Measure:
    parameters = inspect.signature(metric).parameters.values()
    required = [one for one in parameters if one.default is one.empty and one.kind in (0, 1)]
    cls = _FROM_FUNCTION["cells" if len(required) == _CELLS else "rows"]
    takes = _options_of(cls) - {"metric"}
    for option in given.keys() - takes:
        raise _not_taken(option, f"a function as {argument}", getattr(metric, "__name__", "it"), takes)
    if "threshold" in takes and "threshold" not in given:
        raise _missing(cls, "threshold", argument, getattr(metric, "__name__", "function"))
    return cls(metric, **given)  # type: ignore[call-arg]  # both take the function first


def _options_of(cls: type[Measure]) -> set[str]:
    return {one.name for one in fields(cls)}  # type: ignore[arg-type]  # every measure is a dataclass


def _taken_by(cls: type[Measure], preset: dict[str, Any]) -> set[str]:
    """Return the options that a name takes: of metrics of the confusion matrix only their own."""
    if "metric" not in preset:
        return _options_of(cls)
    return {"metric", "threshold", "prevalence", *options_of(preset["metric"])}


def _is_needed(cls: type[Measure], option: str) -> bool:
    return any(one.name == option and one.default is MISSING for one in fields(cls))  # type: ignore[arg-type]


def _not_taken(option: str, whom: str, metric: str, takes: set[str]) -> InvalidInputError | InvalidTypeError:
    listed = ", ".join(f"`{taken}`" for taken in sorted(takes)) or "no options"
    if not any(option in _options_of(known) for known, _ in _NAMES.values()):
        return InvalidTypeError(
            f"`{option}` must be an option of a measure or of this function; nothing takes it. "
            f"Hint: check how it is spelt; {metric!r} takes {listed}."
        )
    return InvalidInputError(f"`{option}` must not be given with {whom}. Hint: {metric!r} takes {listed}.")


def _missing(cls: type[Measure], option: str, argument: str, metric: str) -> InvalidInputError:
    others = " or ".join(f"`{held}`" for rate, held in _BY_HELD_RATE if rate == metric)
    besides = f", or {others} for the {metric} there" if others else ""
    return InvalidInputError(
        f"`{option}` must be given with {argument} {metric!r}; got none. Hint: {cls.example}{besides}."
    )


def _own_word(option: str, takes: set[str]) -> str:
    other = _SAME_OPTION.get(option, option)
    return option if option in takes or other not in takes else other


# Names that are no measures, and what has the value.
_ELSEWHERE = {"ece": "`Scores.calibration().ece()` has it; the measure without bins is 'miscalibration'"}


def _unknown(metric: str, argument: str, known: Iterable[str]) -> str:
    elsewhere = _ELSEWHERE.get(metric.lower())
    if elsewhere is not None:
        return f"`{argument}` must be the name of a measure; got {show(metric)}. Hint: {elsewhere}."
    hint = did_you_mean(metric, known) or " Hint: `thresher.measures.names()` lists them."
    return f"`{argument}` must be the name of a measure; got {show(metric)}.{hint}"
