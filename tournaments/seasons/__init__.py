"""Seasons: tables over several events."""
