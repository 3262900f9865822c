"""Photos of paper slips: sent by a side of a table, removed by that side or by those who decide there.

A photo is evidence beside a result, never a result: nothing is read from it.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit, publish
from core.errors import TournamentError
from tournaments.domain_events.matches import PhotoRemoved, PhotoSent
from tournaments.lifecycle.transitions import RULERS, may
from tournaments.models import Match, SlipPhoto, Tournament
from tournaments.scores.actions import Actor
from tournaments.scores.pictures import redrawn
from web.rate_limits import count_from

M, T = Match.State, Tournament.State
RUNNING: Final = (T.RUNNING, T.PAUSED)
CLOSED: Final = (M.PENDING, M.READY, M.VOID)
MAXIMUM: Final = 6
MAX_BY_ACCOUNT: Final = 60
# Each within an hour. A hall of people behind one address sends a photo of every fourth table of a large round.
MAX_BY_NETWORK: Final = 240
WITHIN: Final = timedelta(hours=1)


def may_send(match: Match) -> bool:
    """Return whether a side may send a photo now: from the call of its table until the event ends."""
    return match.state not in CLOSED and match.stage.tournament.state in RUNNING


def send_photo(*, match: Match, side: int, data: bytes, network: str = "", by: User | None = None) -> SlipPhoto:
    """Store the photo of a side's slip in place of the one before. Sending the same one twice is sending it once.

    data: the file as the phone sent it. network: stands for where it comes from. by: who is logged in there. Tries are
    counted for the side, the network and the account, before anything is decoded. Raises TournamentError
    "photo.not_now", "photo.rate" (extra: retry_after), and what `pictures.redrawn` raises.
    """
    # Counted before it is decoded, which is what costs; decoded before the transaction, which would wait for it.
    _require_rate(match, side, network, by)
    picture = redrawn(data)
    # Asked under the lock: the event may have ended while the photo was decoded.
    with transaction.atomic():
        row = _locked(match)
        if not may_send(row):
            message = _("No photo is needed now: the table is not called yet, or cancelled, or the event is over.")
            raise TournamentError(message, code="photo.not_now")
        # Drawn again from the same file the bytes are the same, so a second sending changes nothing and publishes
        # nothing.
        before = SlipPhoto.objects.filter(match=row, side=side).first()
        if before is not None and bytes(before.image) == picture.jpeg:
            return before
        values = {"image": picture.jpeg, "width": picture.width, "height": picture.height, "sent_at": timezone.now()}
        photo, _is_new = SlipPhoto.objects.update_or_create(match=row, side=side, defaults=values)
        _record(row, side, PhotoSent, None)
    return photo


def _require_rate(match: Match, side: int, network: str, by: User | None) -> None:
    message = _("Your side has already sent many photos. Wait %(minutes)s minutes, or show the slip to the organiser.")
    elsewhere = _(
        "We already received many photos from your network. Wait %(minutes)s minutes, or show the slip "
        "to the organiser."
    )
    counted = [(f"photo: {match.uuid}.{side}", "", MAXIMUM, message)]
    counted += [(f"photo: account {by.pk}", "", MAX_BY_ACCOUNT, elsewhere)] if by is not None else []
    counted += [("photo: network ", network, MAX_BY_NETWORK, elsewhere)] if network else []
    for name, mark, most, text in counted:
        wait = count_from(name, mark, most=most, within=WITHIN)
        if wait:
            shown = {"minutes": -(-wait // 60)}
            raise TournamentError(text % shown, code="photo.rate", extra={"retry_after": wait})


def remove_photo(*, match: Match, side: int, actor: Actor) -> bool:
    """Remove a photo for good. Doing it twice changes nothing. Returns whether there was one.

    Its own side may, and anyone who decides there (owner, director, arbiter). Raises TournamentError
    "tournament.not_organiser", "photo.not_yours".
    """
    with transaction.atomic():
        row = _locked(match)
        if actor.user is not None:
            may(row.stage.tournament, actor.user, RULERS, "remove_photo")
        elif actor.side != side:
            raise TournamentError(_("Another side sent this photo. Ask the organiser."), code="photo.not_yours")
        gone, _by_model = SlipPhoto.objects.filter(match=row, side=side).delete()
        if gone:
            _record(row, side, PhotoRemoved, actor.user)
    return bool(gone)


def _locked(match: Match) -> Match:
    # Only the match's own row is locked: the joined stage and event are read by everybody.
    rows = Match.objects.select_for_update(of=("self",)).select_related("stage__tournament")
    return rows.get(pk=match.pk)


def _record(match: Match, side: int, verb: type[DomainEvent], by: User | None) -> None:
    event = match.stage.tournament
    audit(verb, f"match:{match.uuid}", actor=by, channel=event.channel, after={"side": side})
    publish(verb.of(event.channel, {"match": str(match.uuid)}), verb(match.channel))
