"""The AUC from class totals and a number of errors."""
