"""Seasons: a table over several events (`tournaments.seasons`)."""
