"""Sentences about a tournament that its pages share: the format, and the organiser's next step."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.phrasing import either
from core.formats.model import Seats, Shape
from engine.words import Counted
from tournaments.lifecycle.visibility import EventPage
from tournaments.models import Stage, Tournament
from tournaments.pairing.table_sizes import sizes_in_use
from web.presets import preset_title


@dataclass(frozen=True, slots=True)
class Verb:
    """A button of the organiser. hint: what it does; needs_reason: it asks why before it acts.

    is_blocked: it cannot act yet, and the hint says why.
    """

    id: str
    label: str
    hint: str
    is_next: bool = False
    needs_reason: bool = False
    is_blocked: bool = False


def sentence_of(event: Tournament, stage: Stage) -> str:
    """Return the format in one sentence."""
    game = preset_title(stage.preset)
    seats = _sizes_of(event, stage)
    shape = shape_of(stage)
    legs = _("; every deal is replayed from every seat, so luck is shared") if stage.legs != "single" else ""
    # A ladder orders its bots by what their matches made of their ratings, however a match is scored.
    scoring = _("rating") if stage.format.ranks_by_rating else str(stage.get_scoring_display())
    text = _("%(game)s at tables of %(seats)s, %(shape)s, ranked by %(scoring)s%(legs)s.")
    return text % {"game": game, "seats": seats, "shape": shape, "scoring": scoring, "legs": legs}


def _sizes_of(event: Tournament, stage: Stage) -> str:
    """Return the sizes of the tables: those that were drawn, where people sit at tables of several sizes."""
    usual = ngettext("%(n)d seat", "%(n)d seats", stage.seats_pref) % {"n": stage.seats_pref}
    if not event.is_of_people or stage.seats_min == stage.seats_max:
        return usual
    used = sizes_in_use(stage)
    others = [str(size) for size in used if size != stage.seats_pref]
    if not others or stage.state == Stage.State.PLANNED:
        return usual
    if stage.seats_pref not in used:
        return _("%(sizes)s seats") % {"sizes": either(others)}
    return _("%(n)d (some of %(sizes)s)") % {"n": stage.seats_pref, "sizes": either(others)}


def shape_of(stage: Stage) -> str:
    """Return how the stage goes, for the middle of a sentence."""
    seats = Seats(stage.seats_min, stage.seats_pref, stage.seats_max)
    message = stage.format.sentence(Shape(seats, stage.rounds_planned, advance=stage.advance))
    text = ngettext(message.one, message.many, message.n) if isinstance(message, Counted) else _(message)
    return text % {"n": stage.rounds_planned, "advance": stage.advance}


def verbs_for(verbs: Sequence[str], page: EventPage) -> list[Verb]:
    """Return the organiser's buttons in the present state; the first one that leads on is the next step."""
    known = {verb.id: verb for verb in _verbs(page)}
    return [known[verb] for verb in verbs if verb in known]


def _missing(page: EventPage) -> int:
    """Return how many entries are missing before the event can start."""
    return max(0, page.event.min_entries - page.entered)


def _when_started(page: EventPage) -> str:
    """Return what the button "Start" does now, or how many entries are missing before it does anything."""
    if missing := _missing(page):
        text = ngettext("%(n)d more entry is needed first.", "%(n)d more entries are needed first.", missing)
        return text % {"n": missing}
    if page.event.is_mixed:
        return _("Round 1 is drawn from everybody who is checked in, and from the bots; workers play the bots' tables.")
    if page.event.is_of_people:
        return _("Round 1 is drawn from everybody who is checked in.")
    return _("Starting closes the entries, fixes the versions and draws the rounds; then workers play.")


def _when_announced(event: Tournament) -> str:
    """Return what the button "Announce it" does: whom the event is shown to."""
    if event.visibility == Tournament.Visibility.PRIVATE:
        return _(
            "Announcing shows the event to entrants and to the people you invite; entries stay closed until you open"
            " them."
        )
    if event.visibility == Tournament.Visibility.UNLISTED:
        return _("Announcing shows the event to anyone who has its address; entries stay closed until you open them.")
    return _("Announcing makes the event visible to everybody; entries stay closed until you open them.")


def _when_paused(page: EventPage) -> str:
    """Return what the button "Pause the event" does: with what is played on this site, and elsewhere."""
    if page.stage.is_on_site:
        return _("Tables on this site stand still, and so do their clocks; no new match begins.")
    return _("Matches in play are finished and count; no new match begins.")


def _verbs(page: EventPage) -> tuple[Verb, ...]:
    of_people = page.event.is_of_people
    enough = _when_started(page)
    return (
        Verb(
            "publish",
            _("Announce it"),
            _when_announced(page.event),
            True,
        ),
        Verb(
            "open_registration",
            _("Open entries"),
            _("Add people and check them in.")
            if of_people and not page.event.is_mixed
            else _("Add people and check them in; authors enter their bots.")
            if of_people
            else _("People can enter their bots. We commit to the randomness of all decks at this moment."),
            True,
        ),
        Verb("start", _("Start"), enough, True, is_blocked=_missing(page) > 0),
        Verb("pause", _("Pause the event"), _when_paused(page)),
        Verb("resume", _("Resume the event"), _("The event resumes where it stopped."), True),
        Verb(
            "archive",
            _("Archive"),
            _(
                "Archive the event once everything is settled: it becomes read-only and leaves the lists. Its "
                "page, results and files stay where they are."
            ),
            True,
        ),
        Verb(
            "cancel",
            _("Cancel the event"),
            _("Matches that are not finished become void. You cannot undo this."),
            needs_reason=True,
        ),
    )
