"""Bands around whole curves."""
