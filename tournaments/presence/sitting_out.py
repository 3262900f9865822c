"""Rounds that somebody sits out by arrangement, known before the draw: requested byes and late arrivals.

An organiser notes them, or the person through their own link where the event allows it. What such a round is worth is
written down with it, so that a later change of the settings changes no point that was given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit, publish
from core.errors import TournamentError
from tournaments.domain_events.entries import ByeCancelled, ByeRequested
from tournaments.entries.people import (
    BEFORE,
    DURING,
    GONE,
    join_late,
    may_be_drawn_alone,
    require_people,
    still_entered,
)
from tournaments.lifecycle.transitions import ORGANISERS, may
from tournaments.models import Entry, EntryLink, RequestedBye, Seat, Stage, StageEntry, Tournament
from tournaments.pairing.departures import sit_out
from tournaments.undo.recorder import undoable


@undoable("sit_out")
def sit_out_rounds(*, entry: Entry, by: User, first: int, last: int | None = None) -> Mapping[int, Fraction]:
    """Note that somebody sits out a round, or from one to another; returns what each of them is worth.

    The worth is that of the event's setting as long as the person has not had as many as it allows; further ones are
    worth nothing. Doing it twice changes nothing. Raises TournamentError "tournament.not_organiser", "entry.gone",
    "entry.in_team", "entry.closed", "presence.drawn_ahead" (the format draws all rounds at once),
    "presence.round_drawn", "presence.no_round".
    """
    with transaction.atomic():
        event = _opened(entry, by)
        return _note(event, still_entered(entry), first, last or first, by)


def ask_for_bye(*, link: EntryLink, first: int, last: int | None = None) -> Mapping[int, Fraction]:
    """Do the same for oneself, by one's own link. Raises the same, and "link.ended", "presence.not_by_players"."""
    with transaction.atomic():
        event, entry = _opened_by(link)
        return _note(event, entry, first, last or first, None)


@undoable("play_on")
def play_rounds(*, entry: Entry, by: User, first: int, last: int | None = None) -> int:
    """Take back that somebody sits out these rounds; returns how many it was. Rounds that are drawn stay as they are.

    Raises what `sit_out_rounds` raises.
    """
    with transaction.atomic():
        event = _opened(entry, by)
        return _take_back(event, still_entered(entry), first, last or first, by)


def cancel_bye(*, link: EntryLink, first: int, last: int | None = None) -> int:
    """Do the same for oneself, by one's own link. Raises the same, and "link.ended", "presence.not_by_players"."""
    with transaction.atomic():
        event, entry = _opened_by(link)
        return _take_back(event, entry, first, last or first, None)


@undoable("arrive")
def arrive_for(*, entry: Entry, by: User, round_number: int) -> Mapping[int, Fraction]:
    """Note that somebody comes for a round: they sit out those before it, for what the event gives late arrivals.

    They count as checked in. Returns what each missed round is worth. Raises what `sit_out_rounds` raises, what
    `check_in` raises of late entries, and "presence.has_played".
    """
    with transaction.atomic():
        event = _opened(entry, by)
        entry = still_entered(entry)
        stage = _stage(event, entry)
        if Seat.objects.filter(entry=entry, match__stage=stage).exists():
            message = _("%(name)s has already been drawn. Let them sit out the rounds that they miss.")
            raise TournamentError(message % {"name": entry.player.name}, code="presence.has_played")
        _require_planned(stage, round_number)
        before = entry.state
        if event.state in DURING and not StageEntry.objects.filter(entry=entry, stage=stage).exists():
            if may_be_drawn_alone(event, entry):
                join_late(stage, [entry])
        elif entry.state == Entry.State.ENTERED:
            entry.state = Entry.State.ACTIVE
            entry.save(update_fields=["state"])
        following = stage.rounds.count() + 1
        missed, rows = range(following, round_number), _rows(stage, entry, range(following, Stage.ALL_ROUNDS))
        known = {number: Fraction(worth) for number, worth in rows.values_list("round_number", "worth")}
        wanted = dict.fromkeys(missed, Fraction(event.late_worth))
        if known == wanted and entry.state == before:
            return wanted
        rows.delete()
        sit_out(stage, entry, missed, Fraction(event.late_worth))
        _record(entry, ByeRequested, by, worths={str(number): event.late_worth for number in missed})
    return wanted


def _opened(entry: Entry, by: User) -> Tournament:
    """Lock the event and return it, if this person may note who sits out."""
    event = Tournament.objects.select_for_update().get(pk=entry.tournament_id)
    may(event, by, ORGANISERS, "sit_out")
    require_people(event)
    return event


def _opened_by(link: EntryLink) -> tuple[Tournament, Entry]:
    """Lock the event of a link and return it with the entry that is drawn, if people may ask there."""
    event = Tournament.objects.select_for_update().get(pk=link.entry.tournament_id)
    found = EntryLink.objects.select_related("entry__player", "entry__tournament").filter(pk=link.pk, ended_at=None)
    row = found.first()
    if row is None:
        message = _("This link was replaced or removed. Scan your new card, or ask the organiser for one.")
        raise TournamentError(message, code="link.ended")
    if not event.byes_by_players:
        message = _("Here the organiser notes who sits out a round. Tell them.")
        raise TournamentError(message, code="presence.not_by_players")
    return event, row.entry


def _stage(event: Tournament, entry: Entry) -> Stage:
    """Return the stage that is about to be drawn, if this person may sit out a round of it."""
    if entry.state in GONE:
        message = _("%(name)s has left the event. Bring them back first.")
        raise TournamentError(message % {"name": entry.player.name}, code="entry.gone")
    if entry.state == Entry.State.PARTNERED:
        message = _("%(name)s is in a team: let the whole team sit out, or name a substitute.")
        raise TournamentError(message % {"name": entry.player.name}, code="entry.in_team")
    stage = open_stage(event)
    if event.state not in (*BEFORE, *DURING) or stage is None:
        raise TournamentError(_("The event is over, so nothing is drawn any more."), code="entry.closed")
    if not stage.format.is_round_by_round:
        message = _("This format draws without looking who is there. Mark them as absent at their table instead.")
        raise TournamentError(message, code="presence.drawn_ahead")
    return stage


def open_stage(event: Tournament) -> Stage | None:
    """Return the first stage that is not over."""
    rows = event.stages.select_related("tournament", "ruleset").exclude(state=Stage.State.CLOSED)
    return rows.order_by("order").first()


def _require_planned(stage: Stage, number: int) -> None:
    drawn = stage.rounds.count()
    if number <= drawn:
        message = _("Round %(n)s is already drawn. Mark them as absent at their table instead.")
        raise TournamentError(message % {"n": number}, code="presence.round_drawn", extra={"next": drawn + 1})
    if number > stage.rounds_planned:
        message = _("There is no round %(n)s: the last one is round %(last)s.")
        shown = {"n": number, "last": stage.rounds_planned}
        raise TournamentError(message % shown, code="presence.no_round", extra=dict(shown))


def _span(stage: Stage, first: int, last: int) -> range:
    """Return the rounds from one to another, all of them still to be drawn."""
    for number in (first, last):
        _require_planned(stage, number)
    if first > last:
        message = _("The first round comes after the last one. Change the two.")
        raise TournamentError(message, code="presence.no_round")
    return range(first, last + 1)


def _rows(stage: Stage, entry: Entry, rounds: range) -> QuerySet[RequestedBye]:
    return RequestedBye.objects.filter(
        stage=stage, entry=entry, round_number__gte=rounds.start, round_number__lt=rounds.stop
    )


def _note(event: Tournament, entry: Entry, first: int, last: int, by: User | None) -> Mapping[int, Fraction]:
    stage = _stage(event, entry)
    rounds = _span(stage, first, last)
    known = dict(_rows(stage, entry, rounds).values_list("round_number", "worth"))
    # A round that was noted before keeps its worth: asking for it twice must not cost a second one of the few.
    new = [number for number in rounds if number not in known]
    worths = {number: Fraction(worth) for number, worth in known.items()} | worths_of(event, entry, new)
    for number in new:
        sit_out(stage, entry, range(number, number + 1), worths[number])
    if new:
        shown = {str(number): str(worths[number]) for number in new}
        _record(entry, ByeRequested, by, worths=shown)
    return dict(sorted(worths.items()))


def worths_of(event: Tournament, entry: Entry, rounds: Iterable[int]) -> dict[int, Fraction]:
    """Return what each of these rounds would be worth to somebody who sits it out: the first ones count."""
    rows = RequestedBye.objects.filter(entry=entry).exclude(stage__state=Stage.State.VOID)
    left = event.bye_limit - rows.exclude(worth=RequestedBye.Worth.NOTHING).count()
    found = {}
    for number in rounds:
        is_paid = left > 0 and (not event.bye_until or number <= event.bye_until)
        found[number] = Fraction(event.bye_worth) if is_paid else Fraction(0)
        left -= is_paid
    return found


def _take_back(event: Tournament, entry: Entry, first: int, last: int, by: User | None) -> int:
    stage = _stage(event, entry)
    rows = _rows(stage, entry, _span(stage, first, last))
    rounds = sorted(rows.values_list("round_number", flat=True))
    rows.delete()
    if rounds:
        _record(entry, ByeCancelled, by, rounds=rounds)
    return len(rounds)


def _record(entry: Entry, verb: type[DomainEvent], by: User | None, **details: object) -> None:
    after = {"entry": str(entry.uuid), "name": entry.player.name, **details}
    audit(verb, f"entry:{entry.uuid}", actor=by, channel=entry.tournament.channel, after=after)
    publish(verb.of(entry.tournament.channel, after))
