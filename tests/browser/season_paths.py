"""Addresses of seasons, for the walk through the whole site."""

from __future__ import annotations

from typing import Final

from tournaments.models import Season

NAMED: Final = {"season": "the-year", "event": "spring-league", "key": "lyon"}
"""What parts of addresses of the API stand for."""


def paths_of_seasons() -> list[str]:
    """Return the addresses of all seasons, of their people and events."""
    paths = ["/seasons/", "/seasons/?when=mine", "/seasons/new/", "/clubs/", "/clubs/lyon/", "/clubs/lyon/join/"]
    for season in Season.objects.order_by("pk"):
        here = f"/seasons/{season.slug}/"
        paths += [
            f"{here}{tab}"
            for tab in ("", "edit/", "events/", "people/", "run/", "clubs/", "next/", "do/close/", "table.csv")
        ]
        paths += [f"{here}people/{uuid}/" for uuid in season.people.values_list("uuid", flat=True)[:2]]
        paths += [f"{here}events/{slug}/weigh/" for slug in season.events.values_list("tournament__slug", flat=True)]
    return paths


def season_slugs() -> list[str]:
    """Return the addresses of all seasons."""
    return list(Season.objects.order_by("pk").values_list("slug", flat=True))
