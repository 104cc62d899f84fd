"""What every layer needs: checks, arrays in, exact sums, counting."""
