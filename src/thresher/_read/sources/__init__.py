"""What rows are read from, as batches of columns."""
