"""Entering a bot and withdrawing it."""

from __future__ import annotations

import re
from typing import Final

from django.db import IntegrityError, transaction
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.locking import lock_account
from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit, publish
from bots.models import Bot, BotVersion
from bots.runner.spec import CLOCKS, suits
from bots.signals import bot_renamed
from core.errors import TournamentError
from tournaments.domain_events.entries import BotEntered, BotWithdrawn
from tournaments.lifecycle.signals import program_enters, room_made
from tournaments.lifecycle.time_limits import clock_of
from tournaments.lifecycle.transitions import ORGANISERS, roles_of
from tournaments.models import Entry, Player, Tournament
from tournaments.progress.waiting_list import promote, promote_people, record
from tournaments.ratings.ladders import actions
from tournaments.undo.recorder import undoable

NONCE: Final = re.compile(r"[!-~]{1,64}")
IN_PLAY: Final = (Entry.State.ENTERED, Entry.State.ACTIVE)
OPEN: Final = (*IN_PLAY, Entry.State.WAITLISTED)


def enter_bot(*, tournament: Tournament, bot: Bot, by: User, nonce: str = "") -> Entry:
    """Enter the active version of `bot`; once the event is full the entry goes to the waiting list.

    Its owner may; house bots, which play against anybody, are invited by organisers.

    The version is pinned when entries close, the only one of a remote program at once. nonce: up to 64 visible
    characters that become part of the stage's randomness. A bot that was withdrawn may be entered again while entries
    are open.
    Raises TournamentError: "entry.not_owner", "entry.of_people", "entry.not_open", "entry.closed", "entry.no_version",
    "entry.benched", "entry.preset_not_played", "entry.clock", "entry.duplicate", "entry.disqualified", "entry.limit",
    "entry.nonce_invalid"; of a remote program "entry.no_programs" and what `program_enters` refuses; AccountGone.
    """
    if bot.owner_id != by.pk and not (bot.house and roles_of(tournament, by) & ORGANISERS):
        raise TournamentError(_("Only the owner of a bot can enter it. Enter one of your own."), code="entry.not_owner")
    if nonce and not NONCE.fullmatch(nonce):
        message = _("The random text may have up to 64 visible ASCII characters and no spaces.")
        raise TournamentError(message, code="entry.nonce_invalid")
    with transaction.atomic():
        # The account, then the event: acts that take both take them in this order.
        lock_account(by)
        event = Tournament.objects.select_for_update().get(pk=tournament.pk)
        if not event.has_bots:
            message = _("People play in this event, so you cannot enter a bot. Enter it in an event for bots.")
            raise TournamentError(message, code="entry.of_people")
        require_open(event)
        pinned = _require_program(event, bot) if bot.remote else None
        if pinned is None:
            _require_ready(event, bot)
        player = player_of(bot)
        _require_room_for(event, player, by)
        entry = _write(event, player, by, nonce, pinned)
        if event.state in actions.GOES_ON:
            actions.join([entry])
        _record(entry, BotEntered, by)
    return entry


@undoable("withdraw")
def withdraw_entry(*, entry: Entry, by: User) -> Entry:
    """Take an entry out while entries are open; the first of the waiting list moves up.

    Its owner or an organiser may. Raises TournamentError "entry.not_owner", "entry.already_withdrawn",
    "entry.closed" (once the event runs: results stay, ask the organiser).
    """
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=entry.tournament_id)
        entry = Entry.objects.select_related("player__bot", "tournament").get(pk=entry.pk)
        if entry.player.bot is None or (entry.player.bot.owner_id != by.pk and not roles_of(event, by) & ORGANISERS):
            raise TournamentError(_("Only its owner or an organiser can withdraw an entry."), code="entry.not_owner")
        is_running = actions.is_joinable(event)
        if event.state != Tournament.State.REGISTRATION and not is_running:
            message = _("You can only withdraw while entries are open. Ask the organiser.")
            raise TournamentError(message, code="entry.closed")
        # The state in WHERE: of two clicks one finds the row open, and the other is told that it is done.
        if not Entry.objects.filter(pk=entry.pk, state__in=OPEN).update(state=Entry.State.WITHDRAWN):
            raise TournamentError(_("This entry is already withdrawn."), code="entry.already_withdrawn")
        entry.refresh_from_db()
        promoted = promote(event)
        if is_running:
            actions.leave(entry)
            actions.join(list(Entry.objects.filter(pk__in=[each.pk for each in promoted])))
        _record(entry, BotWithdrawn, by, promoted)
    return entry


def require_open(event: Tournament) -> None:
    """Raise TournamentError "entry.not_open" or "entry.closed" unless entries are taken now."""
    if event.state in (Tournament.State.DRAFT, Tournament.State.PUBLISHED):
        message = _("Entries are not open yet. Follow the event to see when they are.")
        raise TournamentError(message, code="entry.not_open")
    if actions.is_joinable(event):
        return
    if not event.has_open_entries:
        message = _("Entries for “%(name)s” are closed. Choose another event from the list.")
        raise TournamentError(message % {"name": event.name}, code="entry.closed")


def _require_ready(event: Tournament, bot: Bot) -> None:
    version = bot_version_of(bot)
    stage = event.stages.order_by("order").first()
    preset = stage.preset if stage else ""
    if preset not in version.plays:
        message = _("%(bot)s does not declare that it plays %(preset)s. Upload a version that does.")
        shown = {"bot": version, "preset": preset}
        raise TournamentError(message % shown, code="entry.preset_not_played", extra={"plays": list(version.plays)})
    if stage is not None and not suits(CLOCKS[version.clock], clock_of(stage)):
        message = _(
            "%(bot)s needs the clock “%(needed)s”, and this event plays with less time. Upload a version that "
            "declares another clock in hanami.toml."
        )
        shown = {"bot": version, "needed": version.clock}
        raise TournamentError(message % shown, code="entry.clock", extra={"clock": version.clock})


def _require_program(event: Tournament, bot: Bot) -> BotVersion:
    """Return the version that stands for a remote program, which may go on to any stage of the event."""
    stages = list(event.stages.order_by("order"))
    if not stages or not all(stage.takes_programs for stage in stages):
        message = _("This event does not admit remote programs. Enter a bot that you have uploaded.")
        raise TournamentError(message, code="entry.no_programs")
    program_enters.send(sender=Bot, bot=bot, stages=stages)
    return BotVersion.objects.get(bot=bot)


def bot_version_of(bot: Bot) -> BotVersion:
    """Return the version a bot would play with now. Raises TournamentError "entry.no_version" or "entry.benched"."""
    version = BotVersion.objects.select_related("bot").filter(active_in=bot).first()
    if version is None or version.state != BotVersion.State.READY:
        message = _("%(bot)s has no version that passed its check and is active. Upload or activate one first.")
        raise TournamentError(message % {"bot": bot.name}, code="entry.no_version")
    if version.benched_at is not None:
        message = _("%(bot)s is suspended (%(reason)s). Activate it again or activate another version.")
        raise TournamentError(message % {"bot": version, "reason": version.bench_reason}, code="entry.benched")
    return version


def player_of(bot: Bot) -> Player:
    """Return the player row of a bot, made when it first enters anywhere."""
    player, _made = Player.objects.get_or_create(bot=bot, defaults={"name": bot.name, "kind": Player.Kind.BOT})
    return player


def _require_room_for(event: Tournament, player: Player, by: User) -> None:
    entries = Entry.objects.filter(tournament=event, state__in=OPEN)
    if entries.filter(player=player).exists():
        message = _("%(bot)s is already entered. A bot can have one entry.")
        raise TournamentError(message % {"bot": player.name}, code="entry.duplicate")
    if Entry.objects.filter(tournament=event, player=player, state=Entry.State.DISQUALIFIED).exists():
        message = _("%(bot)s was disqualified here. Enter another bot, or ask the organiser.")
        raise TournamentError(message % {"bot": player.name}, code="entry.disqualified")
    is_own = player.bot is not None and player.bot.owner_id == by.pk
    if is_own and entries.filter(player__bot__owner=by).count() >= event.entries_per_owner:
        message = _(
            "Each person may enter %(n)s bots here, and you have reached that limit. Withdraw one to enter another."
        )
        shown = {"n": event.entries_per_owner}
        raise TournamentError(message % shown, code="entry.limit", extra={"limit": event.entries_per_owner})


def _write(event: Tournament, player: Player, by: User, nonce: str, pinned: BotVersion | None) -> Entry:
    full = Entry.objects.filter(tournament=event, state__in=IN_PLAY).count() >= event.max_entries
    state = Entry.State.WAITLISTED if full else Entry.State.ENTERED
    values = {"state": state, "nonce": nonce, "entered_by": by, "created_at": timezone.now(), "bot_version": pinned}
    try:
        # A savepoint: on PostgreSQL a refused insert would end the whole transaction.
        with transaction.atomic():
            # An entry that was withdrawn is the same row again, with a new place in the order of arrival.
            entry, _made = Entry.objects.update_or_create(tournament=event, player=player, defaults=values)
    except IntegrityError as race:
        raise TournamentError(_("This bot is already entered."), code="entry.duplicate") from race
    return entry


@receiver(room_made)
def _move_up(event: Tournament, by: User, **_kwargs: object) -> None:
    """Move who waits up as soon as the event takes more; each is told."""
    # People move up until the start alone: then tables are drawn without those who wait.
    moved = promote_people(event) if event.is_of_people and not event.has_bots else promote(event)
    publish(*record(event, moved, by=by))


def _record(entry: Entry, verb: type[DomainEvent], by: User, promoted: list[Entry] | None = None) -> None:
    channel = entry.tournament.channel
    after = {"entry": str(entry.uuid), "state": entry.state, "promoted": [str(each.uuid) for each in promoted or []]}
    audit(verb, f"entry:{entry.uuid}", actor=by, channel=channel, after=after)
    publish(verb.of(channel, after))


@receiver(bot_renamed)
def _rename_player(bot: Bot, **_kwargs: object) -> None:
    """Results, standings and brackets name the player: it is called what its bot is called."""
    Player.objects.filter(bot=bot).update(name=bot.name)
