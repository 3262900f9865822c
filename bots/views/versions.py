"""One version of a bot; what its owner may do with it."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from bots.errors import BotError
from bots.models import Bot, BotVersion, Channel, Check
from bots.runner.printed import readable
from bots.selectors import check_of, version_of, versions_of
from bots.selectors.benching import suspension_lines
from bots.selectors.faults import attempts_of
from bots.selectors.ticks import ticks_of
from bots.selectors.waiting import checks_before
from bots.services import activate, hide, retire, unhide
from bots.services.publishing import PASSED
from bots.views.source import of_source
from web.page import render_page, show_refusal, signed_in, viewer

Act = Callable[[HttpRequest, BotVersion, User], BotVersion]
VERBS: dict[str, Act] = {
    "activate": lambda request, version, by: activate(version=version, by=by),
    "retire": lambda request, version, by: retire(version=version, by=by),
    "hide": lambda request, version, by: hide(version=version, by=by, reason=request.POST.get("reason", "")),
    "unhide": lambda request, version, by: unhide(version=version, by=by, of_owner=request.POST.get("of") == "owner"),
}
FOR_OPERATORS = ("hide", "unhide")
LOG_SHOWN = 20_000
NUMBERS = 5
"""Versions that the head of a version leads to; all are on a page of their own."""


@require_safe
def bot_version(request: HttpRequest, slug: str, n: int) -> HttpResponse:
    """State, hash and presets for everybody; the check and its log for the owner; the files if they are published."""
    person, channel = viewer(request), f"b:{slug}"
    # Read first: a check that ends while the page is made is told of again.
    newest = Channel.objects.filter(name=channel).values_list("version", flat=True).first() or 0
    version = _version(slug, n, person)
    is_owner = person is not None and person.pk == version.bot.owner_id
    check, log = check_of(version, person)
    is_open = check is not None and check.state in (Check.State.QUEUED, Check.State.CLAIMED)
    context = {
        **of_source(request, version),
        "may_publish": is_owner and version.state in PASSED and version.hidden_at is None,
        "check": check if is_owner else None,
        "ticks": ticks_of(version) if check is not None and is_owner else [],
        "log": readable((log or b"")[-LOG_SHOWN:]),
        "numbers": _beside(version, person),
        "may_hide": is_owner or (person is not None and person.is_staff),
        "failure": _failure(check) if is_owner else "",
        "ahead": checks_before(check) if is_owner else None,
        "benched": suspension_lines([version]) if is_owner and version.bot.active_version_id == version.pk else [],
        "attempts": attempts_of(check, person) if check is not None and is_owner else [],
        "channels": f"{channel}@{newest},q:" if is_open else "",
    }
    return render_page(request, "bots/version.html", context)


def _failure(check: Check | None) -> str:
    """The id of what a check failed in: "C12"; empty where no match of it was lost."""
    matches = check.result.get("matches", []) if check is not None else []
    return f"C{check.pk}" if check is not None and any(each.get("forfeit") for each in matches) else ""


def _beside(version: BotVersion, person: User | None) -> list[int]:
    """Return the numbers of the versions beside this one, the newest first: the last ones of the bot, and it."""
    found = list(versions_of(version.bot, person).values_list("n", flat=True)[:NUMBERS])
    return found if version.n in found else [*found[:-1], version.n]


def _version(slug: str, n: int, person: User | None) -> BotVersion:
    version = version_of(slug, n, person)
    if version is None:
        raise Http404(slug)
    return version


@require_POST
@login_required
def bot_do(request: HttpRequest, slug: str, verb: str) -> HttpResponse:
    """Activate, retire, hide or show a version. Somebody else's bot is not there, but for operators to hide."""
    person = signed_in(request)
    number = request.POST.get("n", "")
    theirs = (
        Bot.objects.filter(slug=slug) if person.is_staff and verb in FOR_OPERATORS else person.bots.filter(slug=slug)
    )
    if verb not in VERBS or not number.isdecimal() or not theirs.exists():
        raise Http404(slug)
    # Nine digits fit the column's integer; a longer number is no version's.
    version = _version(slug, int(number[:9]), person)
    done = {
        "activate": _("%(version)s is active. From now on it plays wherever the bot is entered."),
        "retire": _("%(version)s is retired. Matches that are already drawn will still be played."),
        "hide": _("%(version)s is hidden. Its past results still name it."),
        "unhide": _("%(version)s is visible again."),
    }
    try:
        after = VERBS[verb](request, version, person)
        if verb == "unhide" and after.hidden_at is not None:
            done[verb] = _("You no longer hide %(version)s. Its owner also hid it, so it stays hidden.")
        messages.success(request, done[verb] % {"version": version})
    except BotError as refusal:
        show_refusal(request, refusal)
    return redirect("bot-version", slug, version.n)
