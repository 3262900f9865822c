"""Changes of an organiser's wishes for draws: club mates apart, a fixed table for somebody, the seeding of a stage.

Each is a column of the event, of an entry or of a stage, written alone and under the event's row: no change of another
organiser is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from activity.journal import audit, publish
from core.errors import TournamentError
from core.formats.ages import MAX_GAP
from tournaments.domain_events.tournaments import ConstraintsChanged
from tournaments.lifecycle.transitions import ORGANISERS, label, may
from tournaments.lifecycle.values import bad_number, bad_value
from tournaments.models import Entry, Stage, Tournament
from tournaments.models.settings import MAX_LEADER_ROUNDS
from tournaments.pairing.constraints import (
    HAND,
    RATING,
    SEEDINGS,
    Seeding,
    leaders_meet,
    pairs_of,
    seeding_of,
)
from tournaments.undo.recorder import undoable

T = Tournament.State
BEFORE: Final = (T.DRAFT, T.PUBLISHED, T.REGISTRATION)
OVER: Final = (T.FINISHED, T.ARCHIVED, T.CANCELLED)
TABLES: Final = range(1, 1000)
MAX_PAIRS: Final = 200
RATINGS: Final = (-100_000.0, 100_000.0)


@undoable("keep_apart")
def separate_clubs(*, tournament: Tournament, by: User, apart: bool) -> None:
    """Keep club mates apart wherever the format leaves a choice, or no longer. Doing it twice changes nothing.

    Raises TournamentError "tournament.not_organiser", "wishes.frozen" (a bracket is drawn again from this each time,
    so it stays as it was when the event started).
    """
    with transaction.atomic():
        event = locked_for_draws(tournament, by)
        if event.state not in BEFORE:
            message = _("The event has started, so you cannot change who is kept apart.")
            raise TournamentError(message, code="wishes.frozen")
        _choose(event, by, "apart", Tournament.Apart.CLUB if apart else Tournament.Apart.NOBODY, {"apart": apart})


@undoable("keep_apart")
def separate_two(*, tournament: Tournament, by: User, one: str, other: str, apart: bool = True) -> None:
    """Keep two people (entries, UUIDs) apart: no partners where partners change, elsewhere at no table, where possible.

    apart False: no longer. Doing it twice changes nothing. Raises TournamentError "tournament.not_organiser",
    "wishes.frozen", "wishes.unknown_entry", "wishes.same", "wishes.too_many".
    """
    with transaction.atomic():
        event = locked_for_draws(tournament, by)
        if event.state not in BEFORE:
            message = _("The event has started, so you cannot change who is kept apart.")
            raise TournamentError(message, code="wishes.frozen")
        if one == other:
            raise TournamentError(_("Choose two different people."), code="wishes.same", extra={"field": "other"})
        rows = Entry.objects.filter(tournament=event).select_related("player")
        named = {str(row.uuid): row.player.name for row in rows}
        if not {one, other} <= named.keys():
            message = _("Somebody in this list is no longer entered. Reload the page.")
            raise TournamentError(message, code="wishes.unknown_entry")
        others = [list(two) for two in pairs_of(event) if set(two) != {one, other}]
        if len(others) >= MAX_PAIRS and apart:
            message = _("You already keep %(most)s pairs apart, which is the limit. Remove one first.") % {
                "most": MAX_PAIRS
            }
            raise TournamentError(message, code="wishes.too_many")
        details = {"names": [named[one], named[other]], "apart": apart}
        _choose(event, by, "separated_pairs", [*others, *([[one, other]] if apart else [])], details)


@undoable("leaders_meet")
def let_leaders_meet(*, tournament: Tournament, by: User, rounds: int) -> None:
    """Choose in how many of the last rounds of Swiss tables the leaders sit at one table, even if they met; 0: never.

    It counts from the next draw. Raises TournamentError "tournament.not_organiser", "tournament.bad_leaders",
    "wishes.over".
    """
    if rounds not in range(MAX_LEADER_ROUNDS + 1):
        raise bad_value("leaders", rounds, tuple(map(str, range(MAX_LEADER_ROUNDS + 1))))
    with transaction.atomic():
        event = locked_for_draws(tournament, by)
        if leaders_meet(event) != rounds:
            _choose(event, by, "leaders", rounds, {"leaders": rounds})


@undoable("age_gap")
def choose_age_gap(*, tournament: Tournament, by: User, years: int) -> None:
    """Choose how many years partners are apart in age, where possible; 0: no rule. It counts from the next draw.

    Raises TournamentError "tournament.not_organiser", "tournament.bad_age_gap", "wishes.over".
    """
    with transaction.atomic():
        event = locked_for_draws(tournament, by)
        if event.age_gap == years:
            return
        if not 0 <= years <= MAX_GAP:
            raise bad_number("age_gap", years, 0, MAX_GAP)
        if years and not may_rule_ages(event, event.stages.all()):
            message = _("A rule about the ages of partners needs people who have partners.")
            raise TournamentError(message, code="tournament.bad_age_gap", extra={"field": "age_gap"})
        _choose(event, by, "age_gap", years, {"age_gap": years})


def may_rule_ages(event: Tournament, stages: Iterable[Stage]) -> bool:
    """Return whether people of the event have partners, so that a rule about their ages makes sense."""
    has_partners = bool(event.partners) or any(stage.format.changes_partners for stage in stages)
    return event.who == Tournament.Who.PEOPLE and has_partners


@undoable("fix_table")
def fix_table(*, entry: Entry, by: User, table: int | None) -> None:
    """Let somebody play at this table whenever it is free; None: at any. It counts from the next draw.

    Raises TournamentError "tournament.not_organiser", "wishes.bad_table", "wishes.over".
    """
    if table is not None and table not in TABLES:
        message = _("Enter a table from %(low)s to %(high)s, or none.") % {"low": TABLES[0], "high": TABLES[-1]}
        raise TournamentError(message, code="wishes.bad_table", extra={"field": "table"})
    with transaction.atomic():
        event = locked_for_draws(entry.tournament, by)
        if Entry.objects.filter(pk=entry.pk).exclude(fixed_table=table).update(fixed_table=table):
            record_change(event, by, "tables", {"name": entry.player.name, "table": table})


@undoable("seed_stage")
def seed_stage(*, stage: Stage, by: User, seeding: str, numbers: Mapping[str, float] | None = None) -> None:
    """Choose how a stage that is not drawn yet is seeded.

    numbers, by entry UUID: the place, 1 first, if seeded by hand; else the rating.

    Anyone who has no number comes after those who have one. Raises TournamentError "tournament.not_organiser",
    "wishes.drawn", "tournament.bad_seeding", "wishes.no_numbers", "wishes.bad_number", "wishes.unknown_entry".
    """
    given = dict(numbers or {})
    _check(stage, seeding, given)
    with transaction.atomic():
        event = locked_for_draws(stage.tournament, by)
        # Read again under the event's row: it may have been drawn since the form was loaded.
        stage.refresh_from_db()
        if stage.state != Stage.State.PLANNED:
            message = _("The stage is already drawn, so you cannot change its seeds. Undo the draw first.")
            raise TournamentError(message, code="wishes.drawn", extra={"state": stage.state})
        by_place = sorted(given, key=lambda entry: (given[entry], entry))
        wanted = Seeding(seeding, tuple(by_place) if seeding == HAND else (), given if seeding == RATING else {})
        if seeding_of(stage) != wanted:
            stage.seeding, stage.seeding_order, stage.seeding_ratings = wanted.by, [*wanted.hand], {**wanted.ratings}
            stage.save(update_fields=["seeding", "seeding_order", "seeding_ratings"])
            record_change(event, by, "seeding", {"stage": stage.order, "seeding": seeding})


def _check(stage: Stage, seeding: str, given: Mapping[str, float]) -> None:
    if seeding not in SEEDINGS:
        raise bad_value("seeding", seeding, SEEDINGS)
    if seeding in (HAND, RATING) and not given:
        message = _("Enter a number for at least one of them: the seed if set by hand, or else the rating.")
        raise TournamentError(message, code="wishes.no_numbers", extra={"field": "seeding"})
    low, high = RATINGS
    if any(not isfinite(value) or not low <= value <= high for value in given.values()):
        message = _("Enter a number from %(low)d to %(high)d.") % {"low": low, "high": high}
        raise TournamentError(message, code="wishes.bad_number", extra={"field": "seeding"})
    known = {str(uuid) for uuid in Entry.objects.filter(tournament=stage.tournament_id).values_list("uuid", flat=True)}
    if set(given) - known:
        message = _("Somebody in this list is no longer entered. Reload the page.")
        raise TournamentError(message, code="wishes.unknown_entry")


def locked_for_draws(tournament: Tournament, by: User) -> Tournament:
    """Lock the event's row and return it, if this person may wish something of its draws."""
    event = Tournament.objects.select_for_update().get(pk=tournament.pk)
    may(event, by, ORGANISERS, "wishes")
    if event.state in OVER:
        raise TournamentError(_("The event is over, so nothing is drawn any more."), code="wishes.over")
    return event


# Names of columns in the news of a change, where they differ.
ABOUT: Final = {"separated_pairs": "pairs"}


def _choose(event: Tournament, by: User, column: str, value: Any, details: dict[str, Any]) -> None:
    """Write one column, so that what others change meanwhile stays; nothing if it has that value already."""
    if getattr(event, column) == value:
        return
    setattr(event, column, value)
    event.save(update_fields=[column])
    record_change(event, by, ABOUT.get(column, column), details)


def record_change(event: Tournament, by: User, about: str, details: dict[str, Any]) -> None:
    """Write the change into the audit log and publish that there was one."""
    audit(ConstraintsChanged, label(event), actor=by, channel=event.channel, after=details)
    publish(ConstraintsChanged(event.channel, about=about))
