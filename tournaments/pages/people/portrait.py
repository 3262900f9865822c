"""The pages of a bot: its portrait, its matches, its versions, the events it is entered in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from accounts.models import User
from bots.models import Bot, BotVersion
from tournaments.comparisons.queries import matches_compared
from tournaments.operations.failing import newest_of
from tournaments.pages.comparisons.comparisons import policy_form
from tournaments.pages.people.curve import drawing_of
from tournaments.pages.people.versions import boards_of, lines_of
from tournaments.people import queries as people
from tournaments.people.queries import BotPage
from tournaments.people.record import results_of
from tournaments.ratings import history as rating_history
from tournaments.ratings.history import History
from tournaments.ratings.queries import place_of
from web.page import render_page, viewer

LATELY: Final = 6
"""Matches on the first page of a bot."""
MATCHES: Final = 40
"""Matches on the page that has them alone; older ones are in the list of all matches."""


@require_safe
def bot(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the portrait of a bot: how strong it is, over time, whom it beats, what it played last.

    `?pool=`: where it is rated; `?vs=<bot>`: how it stands against another one.
    """
    person, rival = viewer(request), request.GET.get("vs", "")[:80]
    # Both in one query; a bot that the reader may not see is missing from it.
    bots = people.bots_for(person, [slug, *([rival] if rival else [])])
    if slug not in bots or (rival and (rival not in bots or rival == slug)):
        raise Http404(slug)
    found = bots[slug]
    # A comparison takes the place of the last matches.
    context = _of_every_page(request, found, "overview", limit=0 if rival else LATELY)
    history: History | None = context["history"]
    context |= {
        "results": results_of(found, context["page"].matches),
        "policy": policy_form(found) if context["is_owner"] else None,
        "versus": rating_history.versus(found, bots[rival]) if rival else None,
        "drawing": drawing_of(history) if history is not None else None,
        # What is empty leads to them; of a bot that plays in events the page of its matches does.
        "compared": matches_compared(found, person) if not context["page"].matches and not rival else None,
    }
    if history is not None:
        context["place"], context["rated"] = place_of(history.now)
    elif found.active_version_id:
        context |= {"waiting": people.waits_for(found, person), "prospect": people.prospect_of(found)}
    return render_page(request, "bots/bot.html", context)


@require_safe
def bot_matches(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the newest matches of a bot, as it saw them."""
    found = _bot(request, slug)
    context = _of_every_page(request, found, "matches", limit=MATCHES)
    page: BotPage = context["page"]
    context |= {"results": results_of(found, page.matches), "time_use": people.time_use(found, page.matches)}
    context["compared"] = matches_compared(found, viewer(request))
    return render_page(request, "bots/matches.html", context)


@require_safe
def bot_versions(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the versions of a bot: what each earned and what changed in it, how its rating moved, where it is rated."""
    found = _bot(request, slug)
    context = _of_every_page(request, found, "versions", limit=0)
    history: History | None = context["history"]
    rows = lines_of(context["versions"], rating_history.earned_by_version(found), viewer(request))
    context |= {
        "rows": rows,
        "boards": boards_of(rows, found.active_version_id),
        "drawing": drawing_of(history) if history is not None else None,
    }
    return render_page(request, "bots/versions.html", context)


@require_safe
def bot_events(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what a bot is or was entered in."""
    found = _bot(request, slug)
    context = _of_every_page(request, found, "events", limit=0)
    return render_page(request, "bots/events.html", {**context, "entries": people.entries_of(found, viewer(request))})


def _bot(request: HttpRequest, slug: str) -> Bot:
    bots = people.bots_for(viewer(request), [slug])
    if slug not in bots:
        raise Http404(slug)
    return bots[slug]


def _of_every_page(request: HttpRequest, bot: Bot, tab: str, *, limit: int) -> dict[str, Any]:
    """Return what the head of each of these pages shows. limit: how many matches are read."""
    person = viewer(request)
    page = people.bot_page(bot, person, limit=limit)
    is_owner, versions = person is not None and person.pk == bot.owner_id, page.versions
    history = rating_history.history_of(bot, request.GET.get("pool", "")[:20], best=True)
    return {
        "tab": tab,
        "bot": bot,
        "page": page,
        "versions": versions,
        "newest": versions[0] if versions else None,
        "history": history,
        "medals": vars(bot)["won"],
        "is_owner": is_owner,
        "may_see_failures": is_owner or (person is not None and person.is_staff),
        "failing": newest_of(bot, person, versions),
        **_of_owner(bot, versions, person if is_owner else None),
    }


def _of_owner(bot: Bot, versions: Sequence[BotVersion], owner: User | None) -> dict[str, Any]:
    """Return what only the owner is offered; empty for everybody else."""
    if owner is None:
        return {"older": {}, "before": None, "back": None, "benched": []}
    older, before = _older(bot, versions), _before(bot.active_version, versions)
    return {
        "older": older,
        # To compare it with; to roll back to it may help just where the active one is suspended.
        "before": before if older else None,
        "back": before if bot.suspended_at is None else None,
        "benched": people.suspensions_of(bot, versions),
    }


def _older(bot: Bot, versions: Sequence[BotVersion]) -> dict[int, BotVersion]:
    """Return the ready versions that the active one can be compared with, by key."""
    active = bot.active_version
    if active is None or active.benched_at is not None:
        return {}
    ready = [each for each in versions if each.state == BotVersion.State.READY and each.benched_at is None]
    return {each.pk: each for each in ready if each.pk != active.pk}


def _before(active: BotVersion | None, versions: Sequence[BotVersion]) -> BotVersion | None:
    """Return the newest fit version that is older than the active one."""
    if active is None:
        return None
    ready = (each for each in versions if each.state == BotVersion.State.READY and each.n < active.n)
    fit = [each for each in ready if each.benched_at is None and each.hidden_at is None]
    return max(fit, key=lambda version: version.n, default=None)
