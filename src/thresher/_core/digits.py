"""Numbers as people write them: as many digits as their interval supports, whole counts whole."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, Context

_MOST = 9
_LARGE = 1e15
_FEW = 10.0  # below, a sum of weights needs more than one decimal
_FEWEST_ROWS = 2.0


def beside_interval(low: float, high: float, *values: float, sign: str = "", most: int = _MOST) -> list[str]:
    """Return a value, or several, and both limits with as many decimals as the width supports.

    Half of the width has two significant digits. A value below 1 is not written as 1, and one above 0 not as 0.

    Examples
    --------
    >>> beside_interval(0.93578, 0.96223, 0.9512345)
    ['0.951', '0.936', '0.962']
    >>> beside_interval(0.98, 1.0, 0.99997)
    ['0.99997', '0.980', '1.000']
    >>> beside_interval(-0.0042, 0.11, 0.05, sign="+")
    ['+0.050', '-0.004', '+0.110']
    """
    half = (high - low) / 2.0
    if not 10.0**-_MOST < half < _LARGE:
        digits = 4 if half == math.inf else 6
        return [f"{value:{sign}.{digits}g}" for value in (*values, low, high)]
    digits = min(most, max(0, 1 - math.floor(math.log10(half))))
    return [_fixed(value, digits, sign) for value in (*values, low, high)]


def _fixed(value: float, digits: int, sign: str) -> str:
    while digits < _MOST and not value.is_integer() and float(f"{value:.{digits}f}") in (0.0, 1.0):
        digits += 1
    return f"{value:{sign},.{digits}f}"


def near(value: float, error: float) -> str:
    """Return a value as it is written beside the interval of 1.96 standard errors on both sides."""
    return beside_interval(value - 1.96 * error, value + 1.96 * error, value)[0]


def rate_text(value: float, rows: float) -> str:
    """Return a proportion with as many decimals as a sample of `rows` supports.

    The width is that of Agresti and Coull's interval. Exact rates, of a population, have four digits.

    Examples
    --------
    >>> rate_text(157 / 174, 174), rate_text(1.0, 50), rate_text(0.001, 3_000_000)
    ('0.902', '1.000', '0.001000')
    """
    if not (rows >= _FEWEST_ROWS and 0.0 <= value <= 1.0):
        return f"{value:.4g}"
    middle = (value * rows + 2.0) / (rows + 4.0)
    return near(value, math.sqrt(middle * (1.0 - middle) / (rows + 4.0)))


def count_text(value: float) -> str:
    """Return a count of rows, or a sum of weights, which is not whole.

    Examples
    --------
    >>> count_text(2353570), count_text(1204.0), count_text(337.66737), count_text(0.25431)
    ('2,353,570', '1,204', '337.7', '0.254')
    """
    if float(value).is_integer():
        return f"{int(value):,}"
    return f"{value:,.3g}" if abs(value) < _FEW else f"{value:,.1f}"


def bound_text(bound: float) -> str:
    """Return a bound of an error, rounded up to one digit.

    Examples
    --------
    >>> bound_text(0.00051), bound_text(0.02)
    ('0.0006', '0.02')
    """
    return f"{float(Context(prec=1, rounding=ROUND_CEILING).create_decimal(repr(float(bound)))):.1g}"
