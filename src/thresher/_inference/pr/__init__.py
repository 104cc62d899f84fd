"""Standard errors and intervals of areas under the precision-recall curve."""
