"""Hostile input by the million: what is wrong must be said by a `ThresherError`, and nothing may crash.

A case is a target and a seed, and nothing else: whatever was found can be repeated, and is in `corpus.json`, which the
ordinary tests replay.
"""
