"""Choosing an operating point, and planning a study."""
