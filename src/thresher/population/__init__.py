"""Curves of score distributions: what a sample's ROC and precision-recall curves estimate."""

from thresher.population._asymptotic import TheoremCheck
from thresher.population._base import PopulationArea, PrJump
from thresher.population._cases import CASES, FIGURES, SAMPLING_FIGURES, Figure, SamplingFigure
from thresher.population._combined import Mixture, affine, transformed
from thresher.population._fit import FAMILIES, Fit
from thresher.population._laws import Discrete, Empirical, Law, PointMass
from thresher.population._limits import Limits
from thresher.population._population import Population, fit_population
from thresher.population._reference import Separation
from thresher.population._sampling import SamplingLaw
from thresher.population._shape import Shape

__all__ = [
    "CASES",
    "FAMILIES",
    "FIGURES",
    "SAMPLING_FIGURES",
    "Discrete",
    "Empirical",
    "Figure",
    "Fit",
    "Law",
    "Limits",
    "Mixture",
    "PointMass",
    "Population",
    "PopulationArea",
    "PrJump",
    "SamplingFigure",
    "SamplingLaw",
    "Separation",
    "Shape",
    "TheoremCheck",
    "affine",
    "fit_population",
    "transformed",
]
