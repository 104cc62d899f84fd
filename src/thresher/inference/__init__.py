"""Kernels of intervals, bands and tests: each takes counts or published figures and returns plain numbers."""
