"""Intervals of proportions and of the rates at one operating point."""
