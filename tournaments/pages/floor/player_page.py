"""Player page: one person's day on their phone, opened by a private link: table, results, check in, drop out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.alphabet import name_key
from accounts.models import User
from core.errors import TournamentError
from tournaments.entries.links import ended, read_link
from tournaments.entries.links_query import side_at
from tournaments.floor import player_actions
from tournaments.floor.player_actions import Leaving
from tournaments.floor.player_page import MyDay, my_day
from tournaments.lifecycle.floor_settings import announcements_of
from tournaments.matches.queue import channel_versions
from tournaments.models import Entry, EntryLink, Match, Stage, Tournament
from tournaments.pages.entries.guest_access import grant_link, grant_table, granted_slugs, link_of, network_of_reader
from tournaments.pages.notifications import push
from tournaments.pages.presence.acts import ask_bye, give_bye_back
from tournaments.pages.standings.bracket_words import Prospect, prospect_of
from tournaments.presence.queries import Presence, presence_of
from tournaments.ratings import actions as own_ratings
from tournaments.sse import live_token
from web.page import render_page, viewer
from web.refusals import status_of, with_wait

T = Tournament.State
LIVE: Final = (T.DRAFT, T.PUBLISHED, T.REGISTRATION, T.RUNNING, T.PAUSED)
NOT_FOUND: Final = 404


@require_safe
@never_cache
def open_link(request: HttpRequest, token: str) -> HttpResponse:
    """Exchange the link for a cookie and go to the day: the address stays neither in the history nor in a Referer."""
    try:
        # Wrong letters are counted for the network; a right link always opens.
        link = read_link(token, network=network_of_reader(request))
    except TournamentError as refusal:
        return _silent(_no_link(request, refusal), "strict-origin")  # its forms need an Origin
    grant_link(request, link)
    return _silent(redirect("my-day", link.entry.uuid), "no-referrer")


def _silent(response: HttpResponse, policy: str) -> HttpResponse:
    """Keep the address of this answer out of every Referer and search engine."""
    response["Referrer-Policy"] = policy
    response["X-Robots-Tag"] = "noindex"
    return response


def _no_link(request: HttpRequest, refusal: TournamentError) -> HttpResponse:
    """Show what to do for a reader who has no link, or a dead one."""
    status = status_of(refusal) if "retry_after" in refusal.extra else NOT_FOUND
    page = render_page(request, "my_day/no_link.html", {"refusal": refusal, "refusal_here": True}, status=status)
    page["Cache-Control"] = "no-store"
    return with_wait(page, refusal)


@require_safe
@never_cache
def my_days(request: HttpRequest) -> HttpResponse:
    """Show the days that this phone holds; the only one opens at once."""
    slugs = granted_slugs(request)
    if len(slugs) == 1:
        return redirect("my-day", next(iter(slugs)))
    if not slugs:
        return _no_link(request, _not_granted())
    by_name = sorted(slugs.items(), key=lambda pair: name_key(pair[1]))
    return render_page(request, "my_day/choose.html", {"days": by_name})


def _not_granted() -> TournamentError:
    message = _("This phone has no link. Scan the code of your card, or type its address, to open your page.")
    return TournamentError(message, code="link.not_held")


def _link(request: HttpRequest, uuid: UUID) -> EntryLink:
    """Return the open link that this phone holds. Raises TournamentError "link.not_held", "link.ended"."""
    link, was_open = link_of(request, str(uuid))
    if link is None:
        raise ended() if was_open else _not_granted()
    return link


@require_safe
@never_cache
def day_page(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Show where they sit now and next, what they have won, where they stand, what they may do."""
    try:
        link = _link(request, uuid)
    except TournamentError as refusal:
        return _no_link(request, refusal)
    return _page(request, link, "my_day/day.html")


def _page(request: HttpRequest, link: EntryLink, template: str, **more: Any) -> HttpResponse:
    event = link.entry.tournament
    followed = channel_versions([event.channel])  # read first: what happens meanwhile is told again
    day = my_day(link)
    team = day.team if day.entry.state == Entry.State.PARTNERED else None
    channels = followed | _of_table(day) if event.state in LIVE else {}
    context: dict[str, Any] = {
        "day": day,
        "prospect": _prospect(day),
        "link": link,
        "event": event,
        "announcements": announcements_of(event),
        "clocks": [day.clock] if day.clock is not None else [],
        "channels": ",".join(f"{name}@{version}" for name, version in channels.items()),
        "leaving": player_actions.leaving_of(day.entry, team),
        "may_come": player_actions.may_check_in(day.entry, team),
        "may_stay": player_actions.may_come_back(link),
        "push": push.context_of(link=link) if event.state in LIVE else None,
        "presence": _presence(link) if event.state in LIVE else None,
        "shows_event": event.state != T.DRAFT,
        "rating": own_ratings.standing_of(link.entry, viewer(request)),
        **more,
    }
    if event.visibility == Tournament.Visibility.PRIVATE:
        context["live_token"] = live_token(list(channels))
    version = f"{channels}.{link.pk}.{link.leaving_at}.{event.row_version}"
    return render_page(request, template, context, version=version, zone=event.time_zone)


def _prospect(day: MyDay) -> Prospect | None:
    """Return what comes in the bracket for somebody who has no table; no query for anybody else."""
    stage = day.place.stage if day.place is not None else None
    if day.now is not None or stage is None or stage.state != Stage.State.ACTIVE or not stage.format.is_bracket:
        return None
    return prospect_of(stage, str((day.team or day.entry).uuid))


def _presence(link: EntryLink) -> Presence | None:
    """Return what the page says about rounds sat out. No query where there are none and nobody may ask for one."""
    is_shown = link.entry.tournament.byes_by_players or getattr(link, "has_byes", False)
    return presence_of(link.entry) if is_shown else None


def _of_table(day: MyDay) -> dict[str, int]:
    """Return the channel of the table they sit at; what is published on it is published on that of the event, too."""
    return channel_versions([day.now.match.channel]) if day.now is not None else {}


def _come(link: EntryLink) -> str:
    player_actions.come(link=link)
    return _("You are checked in.")


def _leave(link: EntryLink) -> str:
    done = player_actions.drop_out(link=link)
    if done is Leaving.ASK:
        return _("We have told the organiser. Until they answer, your team keeps playing with you.")
    return _("You have left the event. Your results stay.")


def _stay(link: EntryLink) -> str:
    player_actions.come_back(link=link)
    return _("You stay in the event.")


def _mine(link: EntryLink, person: User) -> str:
    own_ratings.claim_entry(entry=link.entry, by=person)
    return _("Your results here count for your rating.")


def _not_mine(link: EntryLink, person: User) -> str:
    own_ratings.readmit_entry(entry=link.entry, by=person)
    return _("Your results here no longer count for your rating.")


VERBS: Final[dict[str, Callable[[EntryLink], str]]] = {"here": _come, "leave": _leave, "stay": _stay}
OF_BYES: Final[dict[str, Callable[[HttpRequest, EntryLink], str]]] = {"sit-out": ask_bye, "play-on": give_bye_back}
"""Acts whose form names rounds."""
OF_ACCOUNTS: Final[dict[str, Callable[[EntryLink, User], str]]] = {"mine": _mine, "not-mine": _not_mine}
"""Acts that need an account as well as the link."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def day_do(request: HttpRequest, uuid: UUID, verb: str) -> HttpResponse:
    """Do it once and go back to the day; dropping out is asked first, on a page of its own."""
    person = viewer(request)
    # A GET changes nothing: mail programs and previews follow links.
    if verb not in VERBS | OF_ACCOUNTS | OF_BYES or (request.method != "POST" and verb != "leave"):
        raise Http404(verb)
    if verb in OF_ACCOUNTS and person is None:
        return redirect_to_login(reverse("my-day", args=[uuid]))
    try:
        link = _link(request, uuid)
        if request.method != "POST":
            return _page(request, link, "my_day/leave.html", channels="")
        if person is not None and verb in OF_ACCOUNTS:
            messages.success(request, OF_ACCOUNTS[verb](link, person))
        elif verb in OF_BYES:
            messages.success(request, OF_BYES[verb](request, link))
        else:
            messages.success(request, VERBS[verb](link))
    except TournamentError as refusal:
        # The link ended while the page was open: there is no day to go back to.
        if refusal.code.startswith("link."):
            return _no_link(request, refusal)
        messages.error(request, str(refusal), extra_tags=refusal.code)
    return HttpResponseRedirect(reverse("my-day", args=[uuid]))


@require_safe
@never_cache
def to_table(request: HttpRequest, uuid: UUID, match: UUID) -> HttpResponse:
    """Go to one of their tables as their side; 404 for a table at which they do not sit."""
    try:
        link = _link(request, uuid)
    except TournamentError as refusal:
        return _no_link(request, refusal)
    rows = Match.objects.filter(uuid=match, stage__tournament=link.entry.tournament_id).select_related("stage")
    row = rows.first()
    side = side_at(row, link.entry) if row is not None else None
    if row is None or side is None:
        raise Http404(str(match))
    # With the link: the table closes with it.
    grant_table(request, str(match), side, link)
    return redirect("live-table" if row.is_at_table_here else "table", match)
