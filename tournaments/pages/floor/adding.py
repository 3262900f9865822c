"""Adding people, one or a list, with more places where they do not fit: offered first, and made with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.phrasing import listed
from core.interchange.tables import columns_left_out
from engine.errors import DomainError
from tournaments.entries import people
from tournaments.entries.birth_years import read_year
from tournaments.entries.teams_query import people_in
from tournaments.events.plan_rows import plan_of
from tournaments.events.set_up import change_plan
from tournaments.events.validation import MAX_ENTRIES
from tournaments.models import Entry, Tournament


def add_one(request: HttpRequest, event: Tournament, by: User) -> str:
    """Enter one person; return a sentence that says so. Raises what `add_person` and `change_plan` raise."""
    name, club = request.POST.get("name", ""), request.POST.get("club", "")
    born = read_year(request.POST.get("born", ""))
    with transaction.atomic():
        _make_room(request, event, by)
        entry = people.add_person(tournament=event, by=by, name=name, club=club, born=born)
    return _("%(name)s is entered.") % {"name": entry.player.name}


def add_pasted(request: HttpRequest, event: Tournament, by: User) -> str:
    """Enter everybody of a list or a file, or nobody; raises as `add_one` does."""
    # A file wins over the box: who chose one means it.
    sent = request.FILES.get("file")
    data = sent.read() if sent is not None else request.POST.get("list", "").encode()
    # Both or neither: places that were made for a list that is refused would stay.
    with transaction.atomic():
        _make_room(request, event, by)
        made = people.add_list(tournament=event, by=by, data=data)
    sentences = [_entered(event, made)]
    if left_out := columns_left_out(data, teams=bool(event.partners)):
        message = ngettext(
            "We did not read this column: %(it)s.", "We did not read these columns: %(it)s.", len(left_out)
        )
        sentences.append(message % {"it": listed(left_out)})
    return " ".join(sentences)


def _entered(event: Tournament, made: Sequence[Entry]) -> str:
    """Return a sentence of how many people came with these entries, and in how many teams."""
    teams = Entry.objects.filter(pk__in=[each.pk for each in made], members__isnull=False).distinct().count()
    n = people_in(made)
    if teams:
        people_n = ngettext("%(n)d person", "%(n)d people", n) % {"n": n}
        shown = {"people": people_n, "n": teams}
        return ngettext("%(people)s in %(n)d team entered.", "%(people)s in %(n)d teams entered.", teams) % shown
    return ngettext("%(n)d person is entered.", "%(n)d people are entered.", n) % {"n": n}


def _make_room(request: HttpRequest, event: Tournament, by: User) -> None:
    """Raise the number of places to what the form was offered, if it says so. Raises what `change_plan` raises."""
    wanted = request.POST.get("raise", "")
    if wanted.isdecimal() and len(wanted) < 5 and int(wanted) > event.max_entries:
        change_plan(tournament=event, by=by, plan=replace(plan_of(event), max_entries=int(wanted)))


def places_for(refusal: DomainError | None) -> int:
    """Return how many places would do for what was refused; 0 for another refusal, or more than an event may have."""
    wanted = int(str(refusal.extra.get("places", 0))) if refusal is not None else 0
    return wanted if wanted <= MAX_ENTRIES else 0
