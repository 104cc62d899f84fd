"""Curves of score distributions: what a sample's ROC and precision-recall curves estimate."""

from thresher.population._base import PopulationArea, PrJump
from thresher.population._combined import Mixture, affine, transformed
from thresher.population._distributions import Discrete, Distribution
from thresher.population._fit import FAMILIES, Fit
from thresher.population._population import CASES, Population
from thresher.population._shape import Limits, Shape

__all__ = [
    "CASES",
    "FAMILIES",
    "Discrete",
    "Distribution",
    "Fit",
    "Limits",
    "Mixture",
    "Population",
    "PopulationArea",
    "PrJump",
    "Shape",
    "affine",
    "transformed",
]
