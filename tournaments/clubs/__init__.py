"""Clubs, by what people wrote as theirs."""
