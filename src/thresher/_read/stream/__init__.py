"""Rows of a stream to a count table, in bounded memory."""
