"""Adaptive Gauss-Kronrod quadrature over many panels at once, and the double exponential rule for tails."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from thresher._core.sums import dots
from thresher.typing import FloatArray

__all__ = ["Integral", "integrate_panels", "integrate_tail"]

_EPS = float(np.finfo(np.float64).eps)
# Abscissae and weights of the 21-point Kronrod rule (positive half); every second one is a Gauss-Legendre node.
_KRONROD_X = np.array(
    [
        0.995657163025808080735527280689003,
        0.973906528517171720077964012084452,
        0.930157491355708226001207180059508,
        0.865063366688984510732096688423493,
        0.780817726586416897063717578345042,
        0.679409568299024406234327365114874,
        0.562757134668604683339000099272694,
        0.433395394129247190799265943165784,
        0.294392862701460198131126603103866,
        0.148874338981631210884826001129720,
        0.0,
    ]
)
_KRONROD_W = np.array(
    [
        0.011694638867371874278064396062192,
        0.032558162307964727478818972459390,
        0.054755896574351996031381300244580,
        0.075039674810919952767043140916190,
        0.093125454583697605535065465083366,
        0.109387158802297641899210590325805,
        0.123491976262065851077958109585166,
        0.134709217311473325928054001771707,
        0.142775938577060080797094273138717,
        0.147739104901338491374841515972068,
        0.149445554002916905664936468389821,
    ]
)
_NODES = np.concatenate([-_KRONROD_X, _KRONROD_X[-2::-1]])
_K_WEIGHTS = np.concatenate([_KRONROD_W, _KRONROD_W[-2::-1]])
_G_HALF = np.polynomial.legendre.leggauss(10)[1]
_G_WEIGHTS = np.zeros(21)
_G_WEIGHTS[1::2] = _G_HALF


class Integral(NamedTuple):
    """A value with an estimate of its absolute error."""

    value: float
    error: float


def integrate_panels(
    function: Callable[[FloatArray], FloatArray], edges: FloatArray, *, rtol: float = 1e-15, max_rounds: int = 40
) -> Integral:
    """Integrate a function over consecutive panels, halving those that have not converged."""
    low, high = edges[:-1].astype(np.float64), edges[1:].astype(np.float64)
    done_value = done_error = done_size = 0.0
    for round_ in range(max_rounds + 1):
        if low.size == 0:
            break
        half, middle = 0.5 * (high - low), 0.5 * (high + low)
        nodes = middle[:, None] + half[:, None] * _NODES
        heights = function(nodes.ravel()).reshape(nodes.shape)
        value = half * dots(heights, _K_WEIGHTS)
        size = half * dots(np.abs(heights), _K_WEIGHTS)
        spread = half * dots(np.abs(heights - (value / np.where(half == 0, 1.0, 2 * half))[:, None]), _K_WEIGHTS)
        error = np.abs(value - half * dots(heights, _G_WEIGHTS))
        with np.errstate(divide="ignore", invalid="ignore"):
            sharp = spread * np.minimum(1.0, (200 * error / spread) ** 1.5)
        error = np.where((spread > 0) & (error > 0), sharp, error)
        total = done_size + float(size.sum())
        # A panel is finished when its error is negligible for the whole or is rounding noise of its own height.
        good = (error <= rtol * total / 64) | (error <= 10 * _EPS * size) | (half <= 4 * _EPS * np.abs(middle))
        if round_ == max_rounds:
            good[:] = True
        done_value += float(value[good].sum())
        done_size += float(size[good].sum())
        done_error += float(np.maximum(error[good], 2 * _EPS * size[good]).sum())
        low, middle, high = low[~good], middle[~good], high[~good]
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
    return Integral(done_value, done_error)


def integrate_tail(
    function: Callable[[FloatArray], FloatArray], start: FloatArray, end: float, scale: FloatArray, *, step: float
) -> FloatArray:
    """Integrate a positive function from each `start` to a common `end` by the double exponential rule."""
    v = np.arange(-4.5, 4.5 + step / 2, step)
    inner = 0.5 * np.pi * np.sinh(v)
    if np.isinf(end):
        reach = np.exp(inner)
        weight = reach * 0.5 * np.pi * np.cosh(v)
        nodes = start[:, None] + scale[:, None] * reach
        factor = scale[:, None] * weight
    else:
        share = 1.0 / (1.0 + np.exp(-2.0 * inner))
        weight = share * (1.0 - share) * np.pi * np.cosh(v)
        width = (end - start)[:, None]
        nodes = start[:, None] + width * share
        factor = width * weight
    with np.errstate(all="ignore"):
        heights = function(nodes) * factor
    heights = np.where(np.isfinite(heights), heights, 0.0)
    return np.asarray(step * heights.sum(axis=1))
