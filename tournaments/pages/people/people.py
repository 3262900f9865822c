"""Public pages of people and bots."""

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from accounts.models import User
from bots.models import Bot, BotVersion
from engine.games import PRESETS
from tournaments.operations.failing import newest_of
from tournaments.pages.comparisons.comparisons import policy_form
from tournaments.pages.pairing.constraints import pool_name
from tournaments.people import meetings as people_meetings
from tournaments.people import queries as people
from tournaments.ratings import history as rating_history
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
    events = people_meetings.events_of(page.person, has_many=page.has_many)
    return render_page(request, "pages/user.html", {**context, "events": events})


@require_safe
def bot(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a bot: its versions, what it is entered in, its rating over time, its last matches.

    `?pool=`: where it is rated; `?vs=<bot>`: how it stands against another one.
    """
    person, rival = viewer(request), request.GET.get("vs", "")[:80]
    # Both in one query; a bot that the reader may not see is missing from it.
    bots = people.bots_for(person, [slug, *([rival] if rival else [])])
    if slug not in bots or (rival and (rival not in bots or rival == slug)):
        raise Http404(slug)
    found = bots[slug]
    page = people.bot_page(found, person)
    is_owner, versions = person is not None and person.pk == found.owner_id, page.versions
    context = {
        "bot": found,
        "page": page,
        "versions": versions,
        "is_owner": is_owner,
        "may_see_failures": is_owner or (person is not None and person.is_staff),
        "failing": newest_of(found, person, versions),
        "policy": policy_form(found) if is_owner else None,
        "older": _older(found, versions) if is_owner else {},
        "back": _back(found, versions) if is_owner else None,
        "benched": people.suspensions_of(found, versions) if is_owner else [],
        "time_use": people.time_use(found, page.matches),
    }
    return render_page(request, "bots/bot.html", context | _rated(request, found, bots.get(rival)))


def _rated(request: HttpRequest, bot: Bot, other: Bot | None) -> dict[str, Any]:
    """Return the curve of its rating, and its results against another bot. Two queries."""
    history = rating_history.history_of(bot, request.GET.get("pool", "")[:20])
    if history is None:
        return {"history": None}
    return {
        "history": history,
        "pools": [(pool, pool_name(pool)) for pool in history.pools],
        "first": history.points[0] if history.points else None,
        "last": history.points[-1] if history.points else None,
        "opponents": rating_history.opponents_in(history.pool, bot) if other is None else [other],
        "versus": rating_history.versus(bot, other) if other is not None else None,
    }


def _back(bot: Bot, versions: Sequence[BotVersion]) -> BotVersion | None:
    """Return what the owner can roll the bot back to: the newest fit version before the active one."""
    active = bot.active_version
    if active is None or bot.suspended_at is not None:
        return None
    ready = (each for each in versions if each.state == BotVersion.State.READY and each.n < active.n)
    fit = [each for each in ready if each.benched_at is None and each.hidden_at is None]
    return max(fit, key=lambda version: version.n, default=None)


def _older(bot: Bot, versions: Sequence[BotVersion]) -> dict[int, BotVersion]:
    """Return the ready versions that the active one can be compared with, by key."""
    active = bot.active_version
    if active is None or active.benched_at is not None:
        return {}
    ready = [each for each in versions if each.state == BotVersion.State.READY and each.benched_at is None]
    return {each.pk: each for each in ready if each.pk != active.pk}
