"""Duplicate matches between house bots, and house bots with one stubborn habit. Used by `benchmarks.house`."""
