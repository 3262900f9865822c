"""Consequences of a correction, in words: every table, round and stage that would be different."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from accounts.phrasing import listed
from tournaments.models import Match, Round, Stage
from tournaments.progress.corrections import affected
from tournaments.progress.corrections.affected import Affected
from tournaments.progress.corrections.results import Correction

STATES: dict[str, type[Match] | type[Round] | type[Stage]] = {
    affected.TABLE: Match,
    affected.ROUND: Round,
    affected.STAGE: Stage,
}


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the consequences. where: which table, round, stage or name; before, after: how it stands."""

    where: str
    before: str
    after: str


def follow_lines(correction: Correction) -> list[Line]:
    """Return everything besides the table itself and the standings, in the order of play."""
    several = len({row.stage for row in correction.changes}) > 1 or correction.match.stage.order > 1
    return lines_of(correction.others, several=several)


def lines_of(rows: Iterable[Affected], *, several: bool) -> list[Line]:
    """Return rows that are no standings in words. several: name the stage of tables and rounds."""
    return [
        Line(_where(row, several=several), _values_text(row.kind, row.before), _values_text(row.kind, row.after))
        for row in rows
    ]


def _where(row: Affected, *, several: bool) -> str:
    shown = {"stage": row.stage, "round": row.round, "table": row.table, "name": row.name}
    words = {
        affected.STAGE: _("stage %(stage)s"),
        affected.ROUND: _("round %(round)s"),
        affected.TABLE: _("round %(round)s, table %(table)s"),
        affected.GOES_ON: _("%(name)s advances to stage %(stage)s"),
    }
    where = words[row.kind] % shown
    in_stage = several and row.kind in (affected.ROUND, affected.TABLE)
    return _("stage %(stage)s, %(where)s") % {"stage": row.stage, "where": where} if in_stage else where


def _values_text(kind: str, values: tuple[str, ...] | None) -> str:
    if values is None:
        return "–"
    return listed(part for part in _parts(kind, values) if part)


def _parts(kind: str, values: tuple[str, ...]) -> Iterator[str]:
    if kind == affected.GOES_ON:
        yield _("seed %(seed)s") % {"seed": values[0]}
    elif kind == affected.TABLE:
        names, state, score = values
        yield from (names, score, _state(kind, state))
    else:
        yield _state(kind, values[0])


def _state(kind: str, value: str) -> str:
    model = STATES[kind]
    return str(model.State(value).label)
