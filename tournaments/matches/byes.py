"""Requested byes: rounds that somebody sits out by arrangement, known before the draw, and what each is worth."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from django.utils.translation import gettext as _

from tournaments.models import RequestedBye, Stage

RequestedByes = Mapping[str, Mapping[int, Fraction]]


def requested_byes_in(stage: Stage) -> RequestedByes:
    """Return, by entry and round, what a round sat out by arrangement is worth. One query; none of an event of bots."""
    # A copy from a file may have byes although nobody can enter it here.
    if not (stage.tournament.is_of_people or stage.tournament.is_copy):
        return {}
    found: dict[str, dict[int, Fraction]] = {}
    rows = RequestedBye.objects.filter(stage=stage).order_by("pk")
    for entry, number, worth in rows.values_list("entry__uuid", "round_number", "worth"):
        found.setdefault(str(entry), {})[number] = Fraction(worth)
    return found


def requested_by_round(stage: Stage) -> dict[int, dict[str, Fraction]]:
    """Return, by round and entry, what a round sat out by arrangement is worth. One query; none of an event of bots."""
    found: dict[int, dict[str, Fraction]] = {}
    for entry, rounds in requested_byes_in(stage).items():
        for number, worth in rounds.items():
            found.setdefault(number, {})[entry] = worth
    return found


def asked_text(name: str, worth: Fraction) -> str:
    """Name who sits out by arrangement, and what it is worth."""
    words = {Fraction(0): _("%(name)s (worth nothing)"), Fraction(1): _("%(name)s (worth a win)")}
    return words.get(worth, _("%(name)s (worth a tie)")) % {"name": name}


def bye_text(name: str, board: int) -> str:
    """Name who sits out: everybody of an entry, or one board of a team."""
    return _("%(name)s, board %(n)s") % {"name": name, "n": board} if board else name
