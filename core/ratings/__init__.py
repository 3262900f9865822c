"""Ratings as a pure fold of matches in the order in which they were made, and figures about results. See README.md."""
