"""Choosing what rounds away from the tables are worth, and what a no-show leads to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from accounts.models import User
from activity.journal import audit, publish
from core.errors import TournamentError
from tournaments.domain_events.tournaments import PresenceChosen
from tournaments.entries.people import BEFORE, DURING, require_people
from tournaments.lifecycle.transitions import ORGANISERS, label, may
from tournaments.lifecycle.values import bad_number, bad_value
from tournaments.models import Tournament
from tournaments.models.presence import MAX_BYES, MAX_NO_SHOWS, MAX_ROUND, PresenceSettings
from tournaments.undo.recorder import undoable

W = PresenceSettings.Worth
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "bye_worth": tuple(map(str, W.values)),
    # A late arrival never gains more by staying away than a level result.
    "late_worth": (str(W.NOTHING), str(W.HALF)),
    "walkover": tuple(map(str, PresenceSettings.Walkover.values)),
}
BOUNDS: Final[Mapping[str, int]] = {
    "bye_limit": MAX_BYES,
    "bye_until": MAX_ROUND,
    "walkover_share": 100,
    "no_show_limit": MAX_NO_SHOWS,
}
FLAGS: Final = ("byes_by_players", "substitutes_keep_points")
# Results that count already would be worth something else: these stay as they were when the event started.
FROZEN: Final = frozenset({"walkover", "walkover_share"})
NAMES: Final = (*CHOICES, *BOUNDS, *FLAGS)


@undoable("presence_settings")
def choose_presence(*, tournament: Tournament, by: User, wanted: Mapping[str, Any]) -> Tournament:
    """Change some of the settings on presence (`NAMES`). Those that stay the same are not logged.

    They count for what is noted from now on: no point that was given changes. Raises TournamentError
    "tournament.not_organiser", "entry.not_of_people", "tournament.bad_<name>", "presence.frozen" (the worth of
    walk-overs, once the event has started), "presence.over".
    """
    for name, value in wanted.items():
        _require_sound(name, value)
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=tournament.pk)
        may(event, by, ORGANISERS, "choose_presence")
        require_people(event)
        changed = {name: value for name, value in wanted.items() if getattr(event, name) != value}
        _require_state(event, changed)
        if changed:
            before = {name: getattr(event, name) for name in changed}
            Tournament.objects.filter(pk=event.pk).update(row_version=F("row_version") + 1, **changed)
            audit(PresenceChosen, label(event), actor=by, channel=event.channel, before=before, after=changed)
            publish(PresenceChosen(event.channel, changed=sorted(changed)))
    tournament.refresh_from_db()
    return tournament


def _require_sound(name: str, value: Any) -> None:
    if name in CHOICES and value not in CHOICES[name]:
        raise bad_value(name, value, CHOICES[name])
    if name in BOUNDS and (isinstance(value, bool) or value not in range(BOUNDS[name] + 1)):
        raise bad_number(name, value, 0, BOUNDS[name])
    if name in FLAGS and not isinstance(value, bool):
        raise bad_value(name, value, ("True", "False"))
    if name not in NAMES:
        raise KeyError(name)


def _require_state(event: Tournament, changed: Mapping[str, Any]) -> None:
    if not changed or event.state in BEFORE:
        return
    if event.state not in DURING:
        raise TournamentError(_("The event is over, so this no longer changes."), code="presence.over")
    if frozen := sorted(FROZEN & set(changed)):
        message = _("The event has started, so walk-overs stay worth what they are.")
        raise TournamentError(message, code="presence.frozen", extra={"field": frozen[0]})
