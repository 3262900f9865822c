"""Changes of an event's description: its name and words, time and place, visibility, bounds of entries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from accounts.models import User
from activity.journal import audit, publish
from bots.models import BotVersion
from core.errors import TournamentError
from core.formats import kinds
from tournaments.domain_events.tournaments import TournamentEdited
from tournaments.events.validation import check_begin, check_close, check_entries, check_name, check_venue
from tournaments.lifecycle.signals import room_made
from tournaments.lifecycle.transitions import ORGANISERS, may
from tournaments.models import Entry, Tournament
from tournaments.pairing.lineups_query import team_sizes
from tournaments.undo.recorder import undoable

T = Tournament.State
BEFORE: Final = (T.DRAFT, T.PUBLISHED, T.REGISTRATION)
WORDS: Final = ("name", "description", "starts_at", "venue")
NUMBERS: Final = ("min_entries", "max_entries", "entries_per_owner", "entries_close_at")
EDITABLE: Final = (*WORDS, "visibility", *NUMBERS)
DURING: Final = (*WORDS, "visibility", "max_entries")
"""Fields that may change while it runs."""
GONE: Final = (Entry.State.WITHDRAWN, Entry.State.DISQUALIFIED)


@undoable("edit")
def edit_tournament(*, tournament: Tournament, by: User, changes: Mapping[str, Any]) -> Tournament:
    """Change some of `EDITABLE`; its address stays. Values that stay the same are not logged.

    `DURING` as long as it is not over; the rest until it starts. More places let waiting entries in. Raises
    TournamentError "tournament.not_organiser", "tournament.wrong_state", "tournament.name_invalid",
    "tournament.bad_<field>", "tournament.entries_over".
    """
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=tournament.pk)
        may(event, by, ORGANISERS, "edit")
        wanted = {name: changes[name] for name in EDITABLE if name in changes and getattr(event, name) != changes[name]}
        _require_state(event, wanted)
        _require_sound(event, wanted)
        if wanted:
            reopened = _reopens(event, wanted)
            before = {name: _text(getattr(event, name)) for name in wanted}
            # The version is raised in the same UPDATE, so that a form that was loaded before is refused.
            Tournament.objects.filter(pk=event.pk).update(row_version=F("row_version") + 1, **wanted)
            if reopened:
                _release_versions(event)
            if wanted.get("max_entries", 0) > event.max_entries and event.state == T.REGISTRATION:
                event.max_entries = wanted["max_entries"]
                room_made.send(sender=Tournament, event=event, by=by)
            after = {name: _text(value) for name, value in wanted.items()}
            channel = event.channel
            audit(TournamentEdited, f"tournament:{event.uuid}", actor=by, channel=channel, before=before, after=after)
            publish(TournamentEdited(channel, changed=sorted(wanted)))
    tournament.refresh_from_db()
    return tournament


def _release_versions(event: Tournament) -> None:
    """Unpin the versions of waiting entries: they follow their bots' active versions until entries close once more.

    Not of remote programs, which have one version and none that is active.
    """
    waiting = Entry.objects.filter(tournament=event, state__in=(Entry.State.ENTERED, Entry.State.WAITLISTED))
    waiting.exclude(bot_version__state=BotVersion.State.REMOTE).update(bot_version=None)


def _reopens(event: Tournament, wanted: Mapping[str, Any]) -> bool:
    """Return whether entries that the clock closed are open again: a later hour, or none.

    `check_close` refuses others.
    """
    return "entries_close_at" in wanted and event.has_closed_entries


def _require_state(event: Tournament, wanted: Mapping[str, Any]) -> None:
    is_over = event.state in (T.FINISHED, T.ARCHIVED, T.CANCELLED)
    if wanted and (is_over or (event.state not in BEFORE and not set(wanted) <= set(DURING))):
        message = _(
            "You can change this until the event starts; the description, the visibility and the maximum number of"
            " entries until it is over."
        )
        raise TournamentError(message, code="tournament.wrong_state", extra={"state": event.state})


def _require_sound(event: Tournament, wanted: Mapping[str, Any]) -> None:
    """Check the changed event as a new one is checked."""

    def of(name: str) -> Any:
        return wanted.get(name, getattr(event, name))

    check_name(of("name"), event.time_zone)
    check_venue(of("venue"))
    check_begin(wanted.get("starts_at"))
    if set(wanted) & set(NUMBERS):
        is_open_ended = event.stages.filter(kind__in=kinds(lambda each: each.is_open_ended)).exists()
        check_entries(of("min_entries"), of("max_entries"), of("entries_per_owner"), is_open_ended=is_open_ended)
        check_close(wanted.get("entries_close_at"))
        if of("max_entries") < event.max_entries:
            require_places(event, of("max_entries"), team_sizes(event)[-1] if event.partners else 1)
    if wanted.get("visibility") == Tournament.Visibility.UNLISTED:
        message = _(
            "People can guess its address, so it cannot become unlisted. Make it private, or create another event."
        )
        raise TournamentError(message, code="tournament.bad_visibility")


def require_places(event: Tournament, most: int, size: int) -> None:
    """Refuse fewer places than there are entries, counted as entering counts them: people where they come in teams.

    size: people of a team. Raises TournamentError "tournament.entries_over".
    """
    here = event.entries.filter(members=None).exclude(state__in=(*GONE, Entry.State.WAITLISTED)).count()
    if here > most * size:
        message = _("%(n)s are entered already, so there cannot be fewer places than %(least)s.")
        shown = {"n": here, "least": -(-here // size)}
        extra: dict[str, object] = {"field": "max_entries", **shown}
        raise TournamentError(message % shown, code="tournament.entries_over", extra=extra)


def _text(value: Any) -> str:
    return "" if value is None else str(value)
