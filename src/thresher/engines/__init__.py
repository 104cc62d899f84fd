"""Data that stay where they are: tables in an engine, counted there."""

from thresher.engines._tables import scan_table

__all__ = ["scan_table"]
