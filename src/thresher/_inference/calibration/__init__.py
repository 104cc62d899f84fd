"""Whether scores are probabilities: proper scores, their decomposition, bands and tests."""
