"""Words of a knock-out match that ended level: what waits, what was played since, what decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.phrasing import listed, side_by_side
from core.formats.elimination.model import BracketMatch, State
from core.interchange.documents.copies import other
from tournaments.matches.deal_sets import rules_of
from tournaments.matches.reasons import reasons_text as reasons_said
from tournaments.matches.report_bodies import Claim, deals_of
from tournaments.models import Match, ResultReport, Round, Seat, Stage
from tournaments.pages.scores.claim_form import ClaimFields, fields_for, read_claim
from tournaments.scores.tables import Table
from tournaments.standings import level_matches

DECIDERS = ("bracket.by_points", "bracket.by_lots")


@dataclass(frozen=True, slots=True)
class Lot:
    """An entry's lot: SHA-256 of the seed and its id."""

    name: str
    entry: str
    lot: str


@dataclass(frozen=True, slots=True)
class LevelText:
    """Words of a page on a level match. waits: nobody decided; waiting_text: in one sentence; sides: (number, name) of
    who is level.

    room: how many of them go on. lines: what followed; lots, seed: where lots decided; extras: extra deals of bots.
    is_of_bots: workers play on, nobody is asked. plays: whether the game has extra deals at a table.
    """

    waits: bool
    waiting_text: str
    sides: tuple[tuple[int, str], ...]
    room: int
    lines: tuple[str, ...]
    lots: tuple[Lot, ...]
    seed: str
    extras: tuple[Match, ...]
    is_of_bots: bool
    plays: bool


def level_text(match: Match, body: Mapping[str, Any] | None) -> LevelText | None:
    """Return the words on a match; None where it never was level. body: of the report that counts."""
    if not match.stage.format.is_bracket or match.state != Match.State.CONFIRMED or body is None:
        return None
    extras = tuple(_extras(match)) if match.deal_set_id is not None else ()
    # A bracket costs queries for every match of the stage: nearly all tables need none.
    if match.extra or not _may_be_level(match, body, extras):
        return None
    if extras:
        match, body = _first_leg(match)
    found = level_matches.bracket_match(match)
    if found is None or not (found.level or extras or _was_decided(found) or body.get("extra") or body.get("decided")):
        return None
    entries = level_matches.entries_by_side(match)
    names = [_name_of(match, side) for side in range(len(entries))]
    sides = tuple((side, names[side]) for side, entry in enumerate(entries) if entry in found.level)
    decided = body.get("decided") or {}
    return LevelText(
        waits=found.state is State.LEVEL,
        waiting_text=_waiting(found, [name for _side, name in sides], is_of_bots=match.deal_set_id is not None),
        sides=sides,
        room=found.room,
        lines=(*_extra_lines(body, names), *_decision(decided, names), *_notes(found)),
        lots=_lots(match, decided, entries, names),
        seed=str(decided.get("seed", "")),
        extras=extras,
        is_of_bots=match.deal_set_id is not None,
        plays=bool(deals_of(rules_of(match.stage))),
    )


def _may_be_level(match: Match, body: Mapping[str, Any], extras: Sequence[Match]) -> bool:
    """Return whether it is worth computing the bracket: places are shared, or legs may add up to that."""
    places = body.get("rank") or ()
    if extras or len(set(places)) < len(places):
        return True
    is_old = match.round is not None and match.round.number <= match.stage.lots_rounds
    return is_old and match.stage.legs != Stage.Legs.SINGLE


def _first_leg(match: Match) -> tuple[Match, Mapping[str, Any]]:
    """Return the leg whose report holds the decision, and that report's body."""
    rows = Match.objects.select_related("stage__tournament", "stage__ruleset", "round", "deal_set")
    rows = rows.prefetch_related("seats__entry__player", "seats__player")
    first = rows.get(round=match.round_id, table_no=match.table_no, extra=0, leg=1)
    report = first.reports.filter(state=ResultReport.State.CONFIRMED).first()
    return first, report.body if report is not None else {}


def extra_fields(match: Match, sides: int, empty: Sequence[int]) -> ClaimFields:
    """Return what the form of an extra deal asks for."""
    return fields_for(rules_of(match.stage).one_deal(), sides, empty)


def read_extra(data: Mapping[str, str], match: Match, sides: int, empty: Sequence[int]) -> Claim:
    """Return the extra deal of a form. Raises as `read_claim`."""
    return read_claim(data, extra_fields(match, sides, empty), complete=False)


def tables_waiting(stage: Stage, number: int) -> frozenset[int]:
    """Return the tables of a round that ended level and wait for a decision."""
    return frozenset(each.pod.table for each in level_matches.undecided(stage) if each.round == number)


def level_at(row: Round, tables: Iterable[Table]) -> frozenset[int]:
    """Return the tables of a bracket's round that ended level and wait; nothing is asked where all places differ."""
    if not row.stage.format.is_bracket:
        return frozenset()
    places = ([side.place for side in table.sides] for table in tables if table.match.state == Match.State.CONFIRMED)
    is_possible = any(len(set(each)) < len(each) for each in places)
    return tables_waiting(row.stage, row.number) if is_possible else frozenset()


def waiting_line(stage: Stage) -> str:
    """Return why a bracket does not go on though all its tables are done; "" where it does. One query while it does."""
    if not stage.format.is_bracket or stage.state != Stage.State.ACTIVE:
        return ""
    # A round that still plays needs no sentence; one query says so for every view of the page.
    still = Match.objects.filter(round=OuterRef("pk")).exclude(state__in=(Match.State.CONFIRMED, Match.State.VOID))
    if not stage.rounds.filter(~Exists(still), state=Round.State.PLAYING).exists():
        return ""
    shown = [_("round %(round)s, table %(n)s") % {"round": each.round, "n": each.pod.table}
             for each in level_matches.undecided(stage)]  # fmt: skip
    return _("Tied, so nobody advances yet: %(tables)s.") % {"tables": listed(shown)} if shown else ""


def _was_decided(found: BracketMatch) -> bool:
    return any(note.code in DECIDERS for note in found.notes)


def _extras(match: Match) -> list[Match]:
    rows = Match.objects.filter(round=match.round_id, table_no=match.table_no, extra__gt=0)
    return list(rows.exclude(state=Match.State.VOID).order_by("extra", "leg"))


def _name_of(match: Match, side: int) -> str:
    own: list[Seat] = [seat for seat in match.seats.all() if seat.side == side]
    team = own[0].entry.player.name if own[0].entry is not None else ""
    return team or " & ".join(str(seat.player) for seat in own)


def _waiting(found: BracketMatch, names: Sequence[str], *, is_of_bots: bool) -> str:
    if found.state is not State.LEVEL:
        return ""
    shown = {"names": listed(names)}
    if is_of_bots:
        return _("Tied: %(names)s play an extra deal, which decides who advances.") % shown
    advancing = ngettext("%(room)s of them advances.", "%(room)s of them advance.", found.room) % {"room": found.room}
    return _("Tied: %(names)s. %(said)s Play an extra deal, or say who won.") % {**shown, "said": advancing}


def _extra_lines(body: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    return [
        _("Extra deal %(n)s: %(figures)s") % {"n": number, "figures": _figures(deal["score"], names)}
        for number, deal in enumerate(body.get("extra", ()), 1)
    ]


def _figures(values: Sequence[Any], names: Sequence[str]) -> str:
    return side_by_side(f"{name} {value}" for name, value in zip(names, values, strict=True))


def _decision(decided: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    if not decided:
        return []
    best = min(decided["rank"])
    first = {"names": listed(name for name, rank in zip(names, decided["rank"], strict=True) if rank == best)}
    lines = []
    if decided.get("best"):
        figures = _figures(decided["best"], names)
        lines.append(_("Still tied after all extra deals. The best single deal: %(figures)s") % {"figures": figures})
    if decided["by"] == level_matches.RULING:
        lines.append(_("Decided by an arbiter: %(names)s") % first)
    elif decided["by"] == level_matches.LOTS:
        lines.append(_("Decided by lots: %(names)s") % first)
    return lines


def _notes(found: BracketMatch) -> list[str]:
    """Return what told equals apart without anybody being asked: points, and in older events lots."""
    return [reasons_said([note.to_json()]) for note in found.notes if note.code in DECIDERS]


def _lots(match: Match, decided: Mapping[str, Any], entries: Sequence[str], names: Sequence[str]) -> tuple[Lot, ...]:
    """Return who drew what, the first to go on first. A copy of an event draws with the ids of its original."""
    if not decided.get("seed"):
        return ()
    mask = match.stage.tournament.copy_mask
    drawn = [(name, str(other(UUID(entry), mask))) for name, entry in zip(names, entries, strict=True)]
    lots = [Lot(name, entry, level_matches.lot_of(str(decided["seed"]), entry)) for name, entry in drawn]
    return tuple(sorted(lots, key=lambda each: each.lot))
