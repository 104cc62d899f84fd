"""Numbers as people write them: as many digits as their interval supports."""

from __future__ import annotations

import math

_MOST = 9


def beside_interval(low: float, high: float, *values: float, sign: str = "") -> list[str]:
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
    if not math.isfinite(half) or not 10.0**-_MOST < half < 1e6:
        return [f"{value:{sign}.6g}" for value in (*values, low, high)]
    digits = max(0, 1 - math.floor(math.log10(half)))
    return [_fixed(value, digits, sign) for value in (*values, low, high)]


def _fixed(value: float, digits: int, sign: str) -> str:
    while digits < _MOST and not value.is_integer() and float(f"{value:.{digits}f}") in (0.0, 1.0):
        digits += 1
    return f"{value:{sign}.{digits}f}"
