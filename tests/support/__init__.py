"""Shared by the tests: reference data and slow oracles."""
