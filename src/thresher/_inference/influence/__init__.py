"""Variances through what each row adds to a figure: for weights that vary and for rows that belong together."""
