"""Rows that come from outside memory: streams, files and engines."""
