"""Corrections of an entry at any time: the name, club, seed and rating of a person, with a history for organisers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from math import isfinite
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from activity.journal import audit, publish
from bots.models import AuditEvent
from core.errors import TournamentError
from tournaments.domain_events.entries import EntryCorrected
from tournaments.entries.birth_years import require_year, store_year, year_of
from tournaments.entries.people import name_key, require_free, require_name
from tournaments.entries.teams import rename_team
from tournaments.lifecycle.transitions import ORGANISERS, may
from tournaments.models import Entry, Stage, Tournament
from tournaments.pairing.constraints import RATING
from tournaments.pairing.constraints_actions import RATINGS
from tournaments.undo.recorder import undoable

EDITABLE: Final = ("name", "club", "seed", "rating", "born")
SEEDS: Final = range(1, 10_000)
CLOSED: Final = (Tournament.State.ARCHIVED, Tournament.State.CANCELLED)
# Beginning of the names of deleted accounts; nobody can sign up under one (accounts.forms).
ERASED: Final = "gone-"
HIDDEN: Final = "••••"


@dataclass(frozen=True, slots=True)
class Correction:
    """What was changed of an entry. changes: (field, before, after)."""

    at: datetime
    by: User | None
    changes: tuple[tuple[str, str, str], ...]


@undoable("edit_entry")
def correct_entry(*, entry: Entry, by: User, changes: Mapping[str, Any]) -> Entry:
    """Change some of `EDITABLE`; what stays the same is not noted. A finished event keeps the order of its standings.

    seed: None for none; it counts for stages that are drawn from now on. rating: of the stages still to be drawn that
    are seeded by rating. born: the year, for the rule about partners. A team has a name and a seed, a bot a seed
    alone. Raises TournamentError "tournament.not_organiser", "entry.closed", "entry.name_invalid", "entry.duplicate",
    "entry.of_bot", "entry.bad_seed", "entry.bad_rating", "entry.no_rating", "entry.bad_birth_year", "entry.erased",
    what `rename_team` raises.
    """
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=entry.tournament_id)
        may(event, by, ORGANISERS, "correct_entry")
        if event.state in CLOSED:
            message = _("The event is closed, so its entries cannot be changed any more.")
            raise TournamentError(message, code="entry.closed", extra={"state": event.state})
        row = Entry.objects.select_related("player", "tournament").get(pk=entry.pk)
        now = values_of(row)
        wanted = {name: _clean(name, value) for name, value in changes.items() if name in EDITABLE}
        wanted = {name: value for name, value in wanted.items() if value != now[name]}
        if {"name", "club"} & set(wanted) and row.members.exists():
            _rename(row, by, wanted)
        _write(event, row, wanted)
        if wanted:
            _record(row, by, {name: now[name] for name in wanted}, wanted)
    return row


def values_of(entry: Entry) -> dict[str, Any]:
    """Return the values that can be changed, as they are."""
    stage = rated_stage(entry.tournament)
    rating = stage.seeding_ratings.get(str(entry.uuid)) if stage else None
    names = {"name": entry.player.name, "club": entry.player.club}
    return {**names, "seed": entry.seed, "rating": rating, "born": year_of(entry)}


def rated_stage(event: Tournament) -> Stage | None:
    """Return the next stage to be drawn by rating; None where ratings seed nothing."""
    planned = event.stages.filter(state=Stage.State.PLANNED, seeding=RATING)
    return planned.order_by("order").first()


def _clean(name: str, value: Any) -> Any:
    if name in ("name", "club"):
        return " ".join(str(value).split())
    if value is None:
        return None
    if name == "seed" and value not in SEEDS:
        message = _("Enter a seed from %(low)s to %(high)s, or none.") % {"low": SEEDS[0], "high": SEEDS[-1]}
        raise TournamentError(message, code="entry.bad_seed", extra={"field": "seed"})
    if name == "born":
        require_year(value)
    low, high = RATINGS
    if name == "rating" and not (isfinite(value) and low <= value <= high):
        message = _("Enter a number from %(low)d to %(high)d.") % {"low": low, "high": high}
        raise TournamentError(message, code="entry.bad_rating", extra={"field": "rating"})
    return value


def _rename(team: Entry, by: User, wanted: dict[str, Any]) -> None:
    """Rename a team, which has a log line of its own; it has no club."""
    if "club" in wanted:
        message = _("A team has no club: its people have. Change theirs.")
        raise TournamentError(message, code="entry.name_invalid", extra={"field": "club"})
    rename_team(team=team, by=by, name=wanted.pop("name"))
    team.player.refresh_from_db()


def _write(event: Tournament, row: Entry, wanted: Mapping[str, Any]) -> None:
    if {"name", "club"} & set(wanted):
        _write_player(event, row, wanted)
    if "seed" in wanted:
        row.seed = wanted["seed"]
        row.save(update_fields=["seed"])
    if "born" in wanted:
        store_year(row, wanted["born"])
    if "rating" in wanted:
        _rate(event, row, wanted["rating"])


def _write_player(event: Tournament, row: Entry, wanted: Mapping[str, Any]) -> None:
    player = row.player
    if player.bot_id is not None:
        message = _("%(name)s is a bot: its owner names it, for all events.") % {"name": player.name}
        raise TournamentError(message, code="entry.of_bot", extra={"field": "name"})
    # Results stay under a name that says nothing once somebody has deleted their account: nobody puts it back.
    if player.name.startswith(ERASED) and player.user_id is None:
        raise TournamentError(_("This person deleted their account: the name stays blank."), code="entry.erased")
    name, club = wanted.get("name", player.name), wanted.get("club", player.club)
    require_name(name, club)
    if name_key(name, club) != name_key(player.name, player.club):
        require_free(event, name, club, beside=row)
    player.name, player.club = name, club
    player.save(update_fields=["name", "club"])


def _rate(event: Tournament, row: Entry, rating: float | None) -> None:
    stage = rated_stage(event)
    if stage is None:
        message = _("No stage that is still to be drawn is seeded by rating. Choose that on the page of seeds first.")
        raise TournamentError(message, code="entry.no_rating", extra={"field": "rating"})
    ratings = {entry: value for entry, value in stage.seeding_ratings.items() if entry != str(row.uuid)}
    stage.seeding_ratings = ratings if rating is None else {**ratings, str(row.uuid): rating}
    stage.save(update_fields=["seeding_ratings"])


def _record(row: Entry, by: User, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    channel = row.tournament.channel
    texts = [{name: _text(name, value) for name, value in each.items()} for each in (before, after)]
    audit(EntryCorrected, f"entry:{row.uuid}", actor=by, channel=channel, before=texts[0], after=texts[1])
    # Not the values: a name that was wrong is nobody's business but the organisers'.
    publish(EntryCorrected(channel, entry=str(row.uuid), changed=sorted(after)))


def _text(name: str, value: Any) -> str:
    if name == "born":  # that it changed, and not to what: the audit is kept longer than years of birth
        return "" if value is None else HIDDEN
    return f"{value:g}" if isinstance(value, float) else "" if value is None else str(value)


def history_of(entry: Entry) -> list[Correction]:
    """Return the corrections of an entry, newest first, for organisers; none of somebody who deleted their account."""
    if entry.player.name.startswith(ERASED):
        return []
    acts = AuditEvent.objects.filter(subject=f"entry:{entry.uuid}", verb=EntryCorrected.topic)
    return [
        Correction(
            act.at,
            act.actor,
            tuple((name, str(act.before.get(name, "")), str(after)) for name, after in act.after.items()),
        )
        for act in acts.select_related("actor").order_by("-pk")
    ]
