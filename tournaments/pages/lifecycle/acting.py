"""Acts of people on a tournament: each button posts here, acts once and goes back to a page."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.views import safe_next
from bots.models import Bot
from engine.errors import DomainError
from tournaments.entries.bots import enter_bot, withdraw_entry
from tournaments.models import Entry, Stage, Tournament
from tournaments.notifications.follow import follow, unfollow
from tournaments.pages.events import chain
from tournaments.pages.events.event import load
from tournaments.pages.lifecycle.words import verbs_for
from tournaments.progress.run import (
    archive_tournament,
    cancel_tournament,
    open_registration,
    pause_tournament,
    possible_verbs,
    publish_tournament,
    resume_tournament,
    start_tournament,
)
from tournaments.progress.stage_actions import draw_stage
from tournaments.ratings.ladders.actions import end_ladder
from web.page import render_page, show_refusal, signed_in
from web.refusals import refused

Act = Callable[[HttpRequest, Tournament, User], str]


def _version_seen(request: HttpRequest) -> int | None:
    seen = request.POST.get("row_version", "")
    # The version of the row that the page showed: somebody else's change in between is not overruled unseen.
    return int(seen) if seen.isdecimal() and len(seen) < 10 else None


def _publish(request: HttpRequest, event: Tournament, by: User) -> str:
    publish_tournament(tournament=event, by=by, expected_version=_version_seen(request))
    if event.visibility == Tournament.Visibility.PRIVATE:
        return _("The event is announced: its organisers, its entrants and the people you invite can see it.")
    if event.visibility == Tournament.Visibility.UNLISTED:
        return _("The event is announced: anyone who has its address can see it.")
    return _("The event is announced: its page is public.")


def _open(request: HttpRequest, event: Tournament, by: User) -> str:
    open_registration(tournament=event, by=by, expected_version=_version_seen(request))
    return _("Entries are open.")


def _start(request: HttpRequest, event: Tournament, by: User) -> str:
    start_tournament(tournament=event, by=by, expected_version=_version_seen(request))
    if event.is_of_people:
        return _("The event is running: round 1 is drawn. Start it on the dashboard.")
    return _("The event is running: the rounds are drawn and the matches are queued.")


def _draw_stage(request: HttpRequest, event: Tournament, by: User) -> str:
    wanted = request.POST.get("stage", "")
    order, seen = int(wanted) if wanted in set("123456") else 0, request.POST.get("seen", "")
    draw_stage(tournament=event, by=by, order=order, seen=seen)
    return _("The next stage is drawn.")


def _pause(request: HttpRequest, event: Tournament, by: User) -> str:
    pause_tournament(tournament=event, by=by, expected_version=_version_seen(request))
    if event.stages.filter(where=Stage.Where.SITE, state=Stage.State.ACTIVE).exists():
        return _("The event is paused. The tables on this site stand still, and so do their clocks.")
    return _("The event is paused. Matches in play will be finished and count.")


def _resume(request: HttpRequest, event: Tournament, by: User) -> str:
    resume_tournament(tournament=event, by=by, expected_version=_version_seen(request))
    return _("The event is running again.")


def _cancel(request: HttpRequest, event: Tournament, by: User) -> str:
    reason = request.POST.get("reason", "")
    cancel_tournament(tournament=event, by=by, reason=reason, expected_version=_version_seen(request))
    return _("The event is cancelled. The reason is on its page.")


def _end_ladder(request: HttpRequest, event: Tournament, by: User) -> str:
    end_ladder(tournament=event, by=by)
    return _("No more matches are drawn. The ladder closes once its last match is over.")


def _archive(request: HttpRequest, event: Tournament, by: User) -> str:
    archive_tournament(tournament=event, by=by)
    return _(
        "The event is archived: it is read-only from now on, and lists show it only under “archived or cancelled”."
    )


def _enter(request: HttpRequest, event: Tournament, by: User) -> str:
    wanted = request.POST.get("bot", "")
    # One's own, and house bots: the service says whether the person may invite one here.
    bot = next((each for each in Bot.objects.filter(Q(owner=by) | Q(house=True)) if each.slug == wanted), None)
    if bot is None:
        raise Http404("bot")
    entry = enter_bot(tournament=event, bot=bot, by=by, nonce=request.POST.get("nonce", "").strip())
    if entry.state == Entry.State.WAITLISTED:
        return _("%(bot)s is on the waiting list: every place is taken.") % {"bot": bot.name}
    return _("%(bot)s is entered.") % {"bot": bot.name}


def _withdraw(request: HttpRequest, event: Tournament, by: User) -> str:
    wanted = request.POST.get("entry", "")
    found = [entry for entry in event.entries.select_related("player") if str(entry.uuid) == wanted]
    if not found:
        raise Http404("entry")
    withdraw_entry(entry=found[0], by=by)
    return _("%(bot)s is withdrawn.") % {"bot": found[0].player.name}


def _follow(request: HttpRequest, event: Tournament, by: User) -> str:
    follow(user=by, tournament=event)
    return _("You now follow this event. Your page “Following” lists it.")


def _unfollow(request: HttpRequest, event: Tournament, by: User) -> str:
    unfollow(user=by, tournament=event)
    return _("You no longer follow it.")


ACTS: dict[str, tuple[Act, str]] = {
    "publish": (_publish, "tournament"),
    "open_registration": (_open, "tournament"),
    "start": (_start, "tournament"),
    "draw_stage": (_draw_stage, "tournament"),
    "pause": (_pause, "tournament"),
    "resume": (_resume, "tournament"),
    "cancel": (_cancel, "tournament"),
    "archive": (_archive, "tournament"),
    "end_ladder": (_end_ladder, "tournament"),
    "enter": (_enter, "tournament-entries"),
    "withdraw": (_withdraw, "tournament-entries"),
    "follow": (_follow, "tournament"),
    "unfollow": (_unfollow, "tournament"),
}


@require_POST
@login_required
def tournament_do(request: HttpRequest, slug: str, verb: str) -> HttpResponse:
    """Do it once and go back; a refusal is shown there with its code. What the reader may not see is a 404."""
    page = load(request, slug)
    if verb not in ACTS:
        raise Http404(verb)
    act, back = ACTS[verb]
    try:
        messages.success(request, act(request, page.event, signed_in(request)))
    except DomainError as refusal:
        # A page of its own: the organiser has to look at the new draw before they publish it.
        if refusal.code == "stage.draw_changed":
            return refused(request, refusal, back=reverse(back, args=[slug]))
        show_refusal(request, refusal)
    # Back to the page with the button: the same buttons stand on several pages.
    return HttpResponseRedirect(safe_next(request, reverse(back, args=[slug])))


@require_safe
@login_required
def cancel_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for the reason before an event is called off."""
    page = load(request, slug)
    verbs = verbs_for(possible_verbs(page.event, signed_in(request)), page)
    if "cancel" not in {verb.id for verb in verbs}:
        raise Http404(slug)
    return render_page(request, "tournaments/cancel.html", {"page": page, "event": page.event, "stage": page.stage})


@require_safe
@login_required
def draw_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show who would go on to a stage that waits for its organiser, and the button that draws it."""
    page = load(request, slug)
    waits = [stage for stage, _name in chain.waiting(page).get("waiting_stages", ()) if stage.order == number]
    if not waits:
        raise Http404(slug)
    try:
        found = chain.preview(waits[0])
    except DomainError as refusal:
        return refused(request, refusal, back=reverse("tournament", args=[slug]))
    back = reverse("tournament-desk" if page.event.is_of_people else "tournament", args=[slug])
    shown = {"page": page, "event": page.event, "stage": page.stage, "back": back, **found}
    return render_page(request, "tournaments/draw.html", shown)


@require_POST
@login_required
def bot_follow(request: HttpRequest, slug: str, verb: str) -> HttpResponse:
    """Follow a bot, or stop."""
    bot = Bot.objects.filter(slug=slug).first()
    if bot is None or verb not in ("follow", "unfollow"):
        raise Http404(slug)
    person = signed_in(request)
    if verb == "follow":
        follow(user=person, bot=bot)
        messages.success(request, _("You follow %(bot)s.") % {"bot": bot.name})
    else:
        unfollow(user=person, bot=bot)
        messages.success(request, _("You no longer follow %(bot)s.") % {"bot": bot.name})
    return redirect("bot", slug)
