"""Public pages of people; those of bots are in `portrait.py`."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from accounts.models import User
from engine.games import PRESETS
from tournaments.pages.matches.rows import ReplayRow, row_of
from tournaments.people import meetings as people_meetings
from tournaments.people import own
from tournaments.people import queries as people
from tournaments.people.event_lists import OVER
from tournaments.people.figures import figures_of
from tournaments.people.hosting import hosted_in
from tournaments.templatetags.strips import scale_of
from web.page import render_page, viewer


@require_safe
def user(request: HttpRequest, name: str) -> HttpResponse:
    """Show a person: their bots, what they took part in, whom they met, the tournaments they organise."""
    try:
        page = people.person_page(name)
    except User.DoesNotExist as missing:
        # The row of a deleted account has a name of its own (`gone-…`): pages that still link to it get a 410.
        if User.objects.filter(username=name, deleted_at__isnull=False).exists():
            return render_page(request, "pages/user_gone.html", {}, status=410)
        raise Http404(name) from missing
    games = {preset: found.name for preset, found in PRESETS.items()}
    rated = [(each, games.get(each.row.pool.preset, each.row.pool.preset)) for each in page.ratings]
    meetings = people_meetings.meetings_of(page.person) if rated else []  # others have said nowhere who they are
    context = {"page": page, "person": page.person, "rated": rated, "meetings": meetings}
    context |= {"figures": figures_of(page.person), "counts": _counts(page), "hosted": hosted_in(page.organised)}
    context["scale"] = scale_of(found for bot in page.bots if (found := vars(bot)["rating"]) is not None)
    context["going"] = [event for event in page.organised if event.state not in OVER]
    context["over"] = [event for event in page.organised if event.state in OVER]
    # Where all play the same with the same version, a column that says so on every line says nothing.
    versions = [each.active_version for each in page.bots]
    context["differ"] = len({(each.n, tuple(each.plays)) if each else None for each in versions}) > 1
    # Who plays shows what they are in; of others' matches there is no room beside it.
    latest = people.latest_in(page.organised) if page.organised and not page.plays else []
    context["replays"] = [row_of(match) for match in latest]
    context["own_matches"] = _own_matches(page) if viewer(request) == page.person else []
    entries = people_meetings.events_of(page.person, has_many=page.has_many) if page.plays else []
    return render_page(request, "pages/user.html", {**context, "events": people_meetings.by_event(entries)})


def _own_matches(page: people.PersonPage) -> list[ReplayRow]:
    """Return what a person played last, for themselves alone: tables of the site stand in no list.

    Two queries, none of somebody who never sat at a table.
    """
    if not page.is_player:
        return []
    matches, has_played = own.last_matches(page.person, ())
    return [row_of(match) for match in matches] if has_played else []


def _counts(page: people.PersonPage) -> dict[str, int]:
    """Return the figures of the head, without those that the page does not know in full."""
    counts = {"organised": len(page.organised)} if len(page.organised) < people.MAX_ORGANISED else {}
    if len(page.bots) < people.MAX_BOTS:
        entries, firsts = (sum(vars(each)[name] for each in page.bots) for name in ("entries_n", "firsts_n"))
        counts |= {"bots": len(page.bots), "entries": entries, "firsts": firsts}
    return {name: n for name, n in counts.items() if n}
