"""`thresher population`: the curves that score distributions have, before any data."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from cyclopts import Parameter, validators

import thresher as th
from thresher._core.checks import show
from thresher.cli._curve import FIGURES, checked_ending, curve_points, write_curve_figure, write_table
from thresher.cli._errors import UsageError, usage
from thresher.cli._options import Format, Level, Share
from thresher.cli._output import print_rows, printable

_LIMITS = ("roc_at_0", "roc_at_1", "pr_at_0", "pr_at_1")
_SIZED = ("roc_auc", "pr_auc")


def population(
    *,
    pos: str,
    neg: str,
    prevalence: Level,
    recall: Annotated[tuple[Level, ...], Parameter(name="--recall", negative=(), show_default=False)] = (),
    n: Annotated[int | None, Parameter(name="--n", validator=validators.Number(gte=1))] = None,
    half_width: Share = None,
    confidence_level: Level = 0.95,
    output: Annotated[Path | None, Parameter(name=("--output", "-o"))] = None,
    format: Format = "table",  # the option's name
) -> None:
    """Curves, limits, areas and sample sizes of score distributions; expressions are parsed, never evaluated.

    Example: thresher population --pos "norm(1.4, 1)" --neg "norm(0, 1)" --prevalence 1/11
    Example: thresher population --pos "norm(1.4, 1)" --neg "norm(0, 1)" --prevalence 1/11 --half-width 0.05

    Parameters
    ----------
    pos, neg
        The distribution of the scores of each class: a family of scipy.stats with numbers, such as "norm(1.4, 1)" or
        "beta(a=2, b=5)"; "mixture(0.3, norm(0, 1), 0.7, norm(2, 1))", "shift(gamma(2), 1)" and "point(3)" too.
    prevalence
        The proportion of positives, such as 0.09 or 1/11.
    recall
        Where to give precision and false positive rate; 0.1, 0.25, 0.5, 0.75 and 0.9 if left out.
    n
        Give the standard deviation of the empirical precision in samples of this size too.
    half_width
        Give sample sizes too: how many cases the default intervals of both areas need to be that short. Studies are
        simulated, which takes some seconds.
    confidence_level
        The level of those intervals.
    output
        Write the curve: .csv, .parquet or .json for numbers, .png, .svg or .pdf for a figure.
    """
    ending = None if output is None else checked_ending(output)
    distributions = parse_distribution(pos, "--pos"), parse_distribution(neg, "--neg")
    with usage():
        model = th.Population(*distributions, prevalence=prevalence)
        rows = [*_areas(model), *_limits(model), *_points(model, recall or (0.1, 0.25, 0.5, 0.75, 0.9), n)]
        if half_width is not None:
            rows += _sizes(model, half_width, confidence_level)
        if output is not None and ending is not None:
            _write(model, output, ending, prevalence)
    print_rows(rows, format, title=f"pos {pos.strip()}, neg {neg.strip()}, prevalence {prevalence:.6g}")
    if output is not None:
        sys.stderr.write(f"wrote {printable(str(output), 4096)}\n")


def _row(quantity: str, value: Any, remark: str = "") -> dict[str, Any]:
    return {"quantity": quantity, "value": value, "remark": remark}


def _areas(model: th.Population) -> list[dict[str, Any]]:
    shape = model.shape()
    return [
        _row("roc_auc", float(model.roc_auc()), f"curve: {shape.roc or 'shape unknown'}; {shape.roc_reason}"),
        _row("pr_auc", float(model.pr_auc()), f"curve: {shape.pr or 'course unknown'}; {shape.pr_reason}"),
        _row("pr_auc of chance", float(model.prevalence or 0.0), "the prevalence"),
        _row("least possible pr_auc", th.min_pr_auc(model.prevalence or 0.5), "every negative above every positive"),
    ]


def _limits(model: th.Population) -> list[dict[str, Any]]:
    limits = model.limits()
    return [_row(f"limit {name}", getattr(limits, name), limits.reasons[name]) for name in _LIMITS]


def _points(model: th.Population, recalls: Any, n: int | None) -> list[dict[str, Any]]:
    x = np.asarray(recalls, dtype=np.float64)
    rows = []
    for name, values in (("fpr", model.fpr_at(x)), ("precision", model.pr(x))):
        rows += [_row(f"{name} at recall {r:g}", float(v)) for r, v in zip(x, np.atleast_1d(values), strict=True)]
    if n is not None:
        deviations = np.atleast_1d(model.asymptotic_sd(x, n))
        remark = f"standard deviation among samples of {n:,}, to first order"
        rows += [_row(f"sd of precision at recall {r:g}", float(v), remark) for r, v in zip(x, deviations, strict=True)]
    return rows


def _sizes(model: th.Population, half_width: float, level: float) -> list[dict[str, Any]]:
    rows = []
    for metric in _SIZED:
        found = th.sample_size(model, metric=metric, half_width=half_width, confidence_level=level, n_replicates=0)
        remark = (
            f"cases for {metric} within {half_width:g} at level {level:g}, about {found.n_pos:,.0f} of them positive"
        )
        rows.append(_row(f"sample size for {metric}", found.n, remark))
    return rows


def _write(model: th.Population, output: Path, ending: str, prevalence: float) -> None:
    roc, pr = model.curve("roc"), model.curve("pr")
    if not (isinstance(roc, th.RocCurve) and isinstance(pr, th.PrCurve)):
        raise TypeError("curves of the kinds asked for")
    if ending in FIGURES:
        write_curve_figure(roc, output, prevalence=prevalence)
        return
    points = curve_points("points", roc, pr.precision)
    model_name = np.full(points["curve"].size, "population", dtype=object)
    write_table({"model": model_name, **points}, output, whole=False)


# Distributions as text


_LONGEST = 2000
_HINT = 'Hint: for example "norm(1.4, 1)", "beta(a=2, b=5)" or "mixture(0.3, norm(0, 1), 0.7, norm(2, 1))".'


def parse_distribution(text: str, option: str) -> Any:
    """Return the distribution that a text describes: it is parsed, never evaluated.

    It is the name of a scipy.stats family with numbers, positional or by name, or a `mixture` of some in turn with
    their weights, a `shift` of one, or a `point`. A number may be a quotient, such as 1/3.
    """
    if len(text) > _LONGEST:
        raise UsageError(f"{option} must be a short expression; got {len(text)} characters. {_HINT}")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise UsageError(f"{option} must be a distribution; got {show(text)}. {_HINT}") from None
    return _distribution(tree, option)


def _refused(node: ast.AST, option: str, rule: str) -> UsageError:
    return UsageError(f"{option} {rule}; got {show(ast.unparse(node))}. {_HINT}")


def _distribution(node: ast.AST, option: str) -> Any:
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
        raise _refused(node, option, "must be the name of a distribution with numbers in brackets")
    if any(keyword.arg is None for keyword in node.keywords):
        raise _refused(node, option, "must give arguments one by one")
    combine = {"mixture": _mixture, "shift": _shift, "point": _point}.get(node.func.id)
    return combine(node, option) if combine is not None else _family(node, node.func.id, option)


def _family(node: ast.Call, name: str, option: str) -> Any:
    from scipy import stats

    family = getattr(stats, name, None) if not name.startswith("_") else None
    if not isinstance(family, stats.rv_continuous | stats.rv_discrete):
        raise _refused(node, option, "must name a distribution of scipy.stats")
    numbers = [_number(argument, option) for argument in node.args]
    named = {str(keyword.arg): _number(keyword.value, option) for keyword in node.keywords}
    try:
        distribution = family(*numbers, **named)
        bounded = distribution.support()
    except (TypeError, ValueError):
        raise _wrong_parameters(node, family, option) from None
    if any(end != end for end in bounded):
        raise _wrong_parameters(node, family, option)
    return distribution


def _wrong_parameters(node: ast.Call, family: Any, option: str) -> UsageError:
    shapes = f"{family.shapes}, " if family.shapes else ""
    last = "loc" if not hasattr(family, "pdf") else "loc, scale"
    return UsageError(
        f"{option} must have parameters that {family.name} can have; got {show(ast.unparse(node))}. "
        f"Hint: they are {family.name}({shapes}{last})."
    )


def _mixture(node: ast.Call, option: str) -> Any:
    from thresher.population import Mixture

    if node.keywords or not node.args or len(node.args) % 2:
        raise _refused(node, option, "must have a mixture of weights and distributions in turn")
    weights = [_number(argument, option) for argument in node.args[::2]]
    distributions = [_distribution(argument, option) for argument in node.args[1::2]]
    if min(weights) <= 0 or abs(sum(weights) - 1) > 1e-9:
        raise _refused(node, option, "must have a mixture whose weights are positive and add up to 1")
    return Mixture(distributions, weights)


def _shift(node: ast.Call, option: str) -> Any:
    from thresher.population import affine

    if node.keywords or len(node.args) != 2:
        raise _refused(node, option, "must have a shift of a distribution and a number")
    return affine(_distribution(node.args[0], option), shift=_number(node.args[1], option))


def _point(node: ast.Call, option: str) -> Any:
    from thresher.population import Discrete

    if node.keywords or len(node.args) != 1:
        raise _refused(node, option, "must have a point with one number")
    return Discrete([_number(node.args[0], option)])


def _number(node: ast.AST, option: str) -> float:
    """Return a number, with a sign or as a quotient; nothing else is understood."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        value = node.value
        if isinstance(value, int) and abs(value) > 10**300:
            raise _refused(node, option, "must have numbers that a machine can hold")
        return float(value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = _number(node.operand, option)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        below = _number(node.right, option)
        if below != 0:
            return _number(node.left, option) / below
    raise _refused(node, option, "must have numbers as parameters")
