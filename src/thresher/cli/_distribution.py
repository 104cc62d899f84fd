"""Score distributions written on the command line: parsed, never evaluated.

A distribution is the name of a scipy.stats family with numbers, positional or by name: `norm(1.4, 1)`,
`beta(a=2, b=5)`, `expon(scale=2)`. `mixture(0.3, norm(0, 1), 0.7, norm(2, 1))` combines some, `shift(norm(0, 1), 1.5)`
moves one, `point(3)` is a distribution with one value. A number may be a quotient, such as `1/3`.
"""

from __future__ import annotations

import ast
from typing import Any

from thresher._core.checks import show
from thresher.cli._errors import UsageError

__all__ = ["parse_distribution"]

_LONGEST = 2000
_HINT = 'Hint: for example "norm(1.4, 1)", "beta(a=2, b=5)" or "mixture(0.3, norm(0, 1), 0.7, norm(2, 1))".'


def parse_distribution(text: str, option: str) -> Any:
    """Return the distribution that a text describes."""
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
