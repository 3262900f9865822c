"""Acts of organisers on the presence of a person: they leave, come back, sit out rounds, arrive later."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from tournaments.domain_events.entries import rounds_named
from tournaments.entries import people
from tournaments.models import Entry, EntryLink, Tournament
from tournaments.presence import sitting_out
from tournaments.presence.returning import bring_back
from tournaments.presence.substitutes import replace_person
from tournaments.scores.tables import people_of

Act = Callable[[HttpRequest, Tournament, User], str]


def entry_of(event: Tournament, wanted: str) -> Entry:
    """Return the person of this uuid, or 404."""
    found = [entry for entry in people_of(event) if str(entry.uuid) == wanted]
    if not found:
        raise Http404("entry")
    return found[0]


def _sent(request: HttpRequest, event: Tournament) -> Entry:
    return entry_of(event, request.POST.get("entry", ""))


def round_sent(request: HttpRequest, name: str) -> int:
    """Return the number of a round of a form; 404 for what no form of ours sends."""
    text = request.POST.get(name, "").strip()
    if not text.isdecimal() or len(text) > 4:
        raise Http404(name)
    return int(text)


def _leave(request: HttpRequest, event: Tournament, by: User) -> str:
    entry = people.withdraw_person(entry=_sent(request, event), by=by)
    return _("%(name)s has left the event.") % {"name": entry.player.name}


def _back(request: HttpRequest, event: Tournament, by: User) -> str:
    entry = bring_back(entry=_sent(request, event), by=by)
    if entry.state == Entry.State.ACTIVE:
        return _("%(name)s is back, with the points won before, and is drawn again.") % {"name": entry.player.name}
    return _("%(name)s is entered again.") % {"name": entry.player.name}


def _sit_out(request: HttpRequest, event: Tournament, by: User) -> str:
    entry, first, last = _sent(request, event), round_sent(request, "first"), round_sent(request, "last")
    worths = sitting_out.sit_out_rounds(entry=entry, by=by, first=first, last=last)
    return _("%(name)s sits out %(rounds)s.") % {"name": entry.player.name, "rounds": rounds_named(worths)} + unpaid(
        worths, event
    )


def unpaid(worths: Mapping[int, Fraction], event: Tournament) -> str:
    """Return a sentence about the rounds that are worth nothing although such rounds are worth something."""
    nothing = [number for number, worth in worths.items() if not worth]
    if not nothing or not Fraction(event.bye_worth):
        return ""
    message = ngettext("This one is worth nothing: %(rounds)s.", "These are worth nothing: %(rounds)s.", len(nothing))
    return " " + message % {"rounds": rounds_named(nothing)}


def _play_on(request: HttpRequest, event: Tournament, by: User) -> str:
    entry, number = _sent(request, event), round_sent(request, "first")
    sitting_out.play_rounds(entry=entry, by=by, first=number)
    return _("%(name)s plays in round %(n)s.") % {"name": entry.player.name, "n": number}


def _arrive(request: HttpRequest, event: Tournament, by: User) -> str:
    entry, number = _sent(request, event), round_sent(request, "round")
    sitting_out.arrive_for(entry=entry, by=by, round_number=number)
    return _("%(name)s arrives for round %(n)s and is drawn from then on.") % {"name": entry.player.name, "n": number}


def _replace(request: HttpRequest, event: Tournament, by: User) -> str:
    entry = _sent(request, event)
    before, name = entry.player.name, request.POST.get("name", "")
    found = replace_person(entry=entry, by=by, name=name)
    return _("%(substitute)s plays in place of %(name)s.") % {"substitute": found.player.name, "name": before}


def ask_bye(request: HttpRequest, link: EntryLink) -> str:
    """Let the person of a link sit out the rounds that the form names; returns what to say."""
    first, last = round_sent(request, "first"), round_sent(request, "last")
    worths = sitting_out.ask_for_bye(link=link, first=first, last=last)
    return _("You sit out %(rounds)s.") % {"rounds": rounds_named(worths)} + unpaid(worths, link.entry.tournament)


def give_bye_back(request: HttpRequest, link: EntryLink) -> str:
    """Let the person of a link play in the round that the form names after all; returns what to say."""
    number = round_sent(request, "first")
    sitting_out.cancel_bye(link=link, first=number)
    return _("You play in round %(n)s.") % {"n": number}


PRESENCE_ACTS: Final[dict[str, tuple[Act, str]]] = {
    "leave": (_leave, "tournament-entries"),
    "back": (_back, "tournament-entries"),
    "sit-out": (_sit_out, "tournament-entries"),
    "play-on": (_play_on, "tournament-entries"),
    "arrive": (_arrive, "tournament-entries"),
    "replace": (_replace, "tournament-entries"),
}
