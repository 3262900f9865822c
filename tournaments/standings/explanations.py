"""Explanations of the numbers of a table beyond its own terms: reasons of adjustments, points of deals."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from tournaments.models import Adjustment, Match, ResultReport, Seat, Stage, Standing
from tournaments.pairing.lineups_query import who_sat
from tournaments.pairing.rotation import with_whom

DECIDER: Final = "decider"
BY_HAND: Final = ("penalty", "award", DECIDER)
# Figures whose terms are the entry's own matches: those name their deals.
OF_RESULTS: Final = frozenset({"points", "above_mean", "victories", "place", "vshare", "best_match", "wins", "places"})
# Matches of one entry that are opened deal by deal; the others are a link away.
MAX_MATCHES: Final = 60


@dataclass(frozen=True, slots=True)
class Leg:
    """A match, of a deal set one of its legs (from 1; 0 elsewhere): the entry's points in every deal."""

    number: int
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sources:
    """Sources of the numbers.

    given: by entry what counts for it, in the order of the table's terms. deals: by match, of one entry alone
    (of_deals: its UUID).

    sat: by entry and match, of teams that sit apart the players on each board; where partners change, the partner.
    """

    given: Mapping[int, Sequence[Adjustment]] = field(default_factory=dict)
    deals: Mapping[str, tuple[Leg, ...]] = field(default_factory=dict)
    sat: Mapping[tuple[int, str], str] = field(default_factory=dict)
    of_deals: str = ""

    def terms_of(self, row: Standing, line: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the terms: with "given" for what was given by hand, "deals" for own matches, "sat" for boards."""
        # A copy: each adjustment is taken out as its term is met, so that two equal ones are both named.
        left = list(self.given.get(row.entry_id, ()))
        # `deals` are of one entry: a match that it shares with others must not open theirs.
        with_deals = line["tie_break"] in OF_RESULTS
        own = self.deals if not self.of_deals or str(row.entry.uuid) == self.of_deals else {}
        found = []
        for term in line["terms"]:
            more: dict[str, Any] = {}
            if term.get("note") in BY_HAND:
                more["given"] = _taken_from(left, term)
            elif with_deals and term["match"] in own:
                more["deals"] = own[term["match"]]
            if with_deals and (row.entry_id, term["match"]) in self.sat:
                more["sat"] = self.sat[row.entry_id, term["match"]]
            found.append({**term, **more} if more else term)
        return found


def _taken_from(left: list[Adjustment], term: Mapping[str, Any]) -> Adjustment | None:
    """Take out the first of the same round, rather of the same amount; each is named once."""
    same = [
        each
        for each in left
        if (each.round_number or 0) == term["round"] and (each.counts_in == DECIDER) == (term.get("note") == DECIDER)
    ]
    same.sort(key=lambda each: Fraction(each.units) != Fraction(term["amount"]))
    if not same:
        return None
    left.remove(same[0])
    return same[0]


def sources_of(stage: Stage, rows: Iterable[Standing], *, after_round: int = 0, only: str = "") -> Sources:
    """Read the sources for these rows.

    No query where nothing was given, one if so; two more for one entry (`only`: UUID).

    One more where teams sit apart, or partners change.
    """
    rows = list(rows)
    notes = {term.get("note") for row in rows for line in row.explanation for term in line["terms"]}
    given = _given(stage, after_round) if notes & set(BY_HAND) else {}
    keys = [row.entry_id for row in rows]
    sat = who_sat(stage, keys) if stage.tournament.boards else {}
    sat = with_whom(stage, keys) if stage.format.changes_partners else sat
    return Sources(given, _deals(stage, only) if only else {}, sat, only)


def _given(stage: Stage, after_round: int) -> dict[int, list[Adjustment]]:
    # Sorted below as the fold sorts them, or terms and adjustments of one round would be matched crosswise.
    rows = Adjustment.objects.filter(stage_entry__stage=stage, revoked_by=None).select_related("by", "stage_entry")
    counted = [row for row in rows if not after_round or (row.round_number or 0) <= after_round]
    found: dict[int, list[Adjustment]] = {}
    for row in sorted(counted, key=lambda row: (row.round_number or 0, str(row.pk))):
        found.setdefault(row.stage_entry.entry_id, []).append(row)
    return found


def given_in(stage: Stage) -> list[Adjustment]:
    """Return everything that was given or taken in a stage, revoked or not, newest first. One query."""
    rows = Adjustment.objects.filter(stage_entry__stage=stage).order_by("-pk")
    return list(rows.select_related("by", "revoked_by", "stage_entry__entry__player"))


def _deals(stage: Stage, entry: str) -> dict[str, tuple[Leg, ...]]:
    """Return, by match (of a deal set: its first leg, which the terms name), the points of every deal."""
    seats = Seat.objects.filter(match__stage=stage, match__state=Match.State.CONFIRMED, entry__uuid=entry)
    # An entry may hold several seats; the smallest index is written last and stays. Twice the bound leaves room for
    # that.
    sides = dict(seats.order_by("match", "-index").values_list("match", "side")[: 2 * MAX_MATCHES])
    reports = ResultReport.objects.filter(match__in=sides, state=ResultReport.State.CONFIRMED)
    reports = reports.select_related("match", "record").order_by("match__leg", "match")
    found: dict[str, tuple[Leg, ...]] = {}
    sets: dict[int, str] = {}
    for report in reports[:MAX_MATCHES]:
        match = report.match
        points = tuple(int(deal[sides[match.pk]]) for deal in _scores(report) if deal)
        if points:
            key = sets.setdefault(match.deal_set_id, str(match.uuid)) if match.deal_set_id else str(match.uuid)
            found[key] = (*found.get(key, ()), Leg(match.leg if match.deal_set_id else 0, points))
    return found


def _scores(report: ResultReport) -> list[list[int]]:
    """Return, per deal, the points of every side; none where only totals were written down."""
    if report.record is None:
        by_deal: list[list[int]] = report.body.get("by_deal", [])
        return by_deal
    return [deal["score"] for deal in json.loads(report.record.data())["record"]["deals"]]


def waiting_among(rows: Sequence[Standing], before: int) -> frozenset[int]:
    """Return the entries without a result since that round, where others have one: their places say nothing yet."""
    newest = {
        row.entry_id: max((term.get("round") or 0 for line in row.explanation for term in line["terms"]), default=0)
        for row in rows
    }
    late = frozenset(entry for entry, number in newest.items() if number <= before)
    return late if len(late) < len(newest) else frozenset()
