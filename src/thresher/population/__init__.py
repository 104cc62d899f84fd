"""Curves of score distributions: what a sample's ROC and precision-recall curves estimate."""

from thresher.population._combined import Mixture, affine, transformed
from thresher.population._laws import Discrete, Empirical, Law, PointMass

__all__ = ["Discrete", "Empirical", "Law", "Mixture", "PointMass", "affine", "transformed"]
