"""Failures of a bot: alike ones together, and each with what it was asked, for its owner; operators see where."""

from __future__ import annotations

import json
import re
from typing import Any, Final
from urllib.parse import urlencode

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.models import User
from bots.models import Bot, Check
from bots.selectors.owned import may_see_inside
from tournaments.lifecycle.visibility import named_to
from tournaments.models import Seat
from tournaments.operations import failing
from tournaments.operations.failures import Failure, failed_checks, failure_at, failure_in, failures_of
from web.page import render_page, viewer
from web.paging import numbers_of

# 18 digits always fit a bigint.
SHAPE: Final = re.compile(r"([FC])(\d{1,18})")
MAX_VERSIONS: Final = 50


def _opened(request: HttpRequest, slug: str) -> tuple[Bot, User]:
    """Return a bot and its owner or an operator; for everybody else it has no failures. Raises Http404."""
    found, person = Bot.objects.select_related("active_version").filter(slug=slug).first(), viewer(request)
    if found is None or person is None or not (person.is_staff or may_see_inside(found, person)):
        raise Http404(slug)
    return found, person


@require_safe
def failures_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show where versions failed (`?version=&kind=`), a hundred at a time, alike ones together."""
    bot, person = _opened(request, slug)
    is_owner = may_see_inside(bot, person)
    versions = dict(bot.versions.order_by("-n").values_list("n", "pk"))
    numbers = list(versions)[:MAX_VERSIONS]
    version = next((n for n in numbers if str(n) == request.GET.get("version", "")), None)
    kind = next((each for each in failing.KINDS if each == request.GET.get("kind", "")), "")
    rows = failing.rows_of(bot, person, version=version, kind=kind)
    page = numbers_of(request, rows, size=failing.SIZE)
    first = (page.number - 1) * failing.SIZE
    keys = versions.values() if version is None else [versions[version]]
    chosen = failing.newest_rows(bot, person, keys, first=first, version=version, kind=kind) if page.total else []
    # Logs only for the owner: a bot may print its secrets.
    groups = failing.grouped(failing.failing_of(chosen, with_logs=is_owner))
    context = {
        "bot": bot,
        "is_owner": is_owner,
        "page": page,
        "first": first + 1,
        "last": first + len(chosen),
        "groups": groups,
        "versions": numbers,
        "version": version,
        "kind": kind,
        # The last kind, a source that cannot run, comes from checks alone, which are the owner's.
        "kinds": failing.KINDS if is_owner else failing.KINDS[:-1],
        "played": None if page.total else failing.played_by(bot, version=version),
    }
    return render_page(request, "bots/failures.html", context)


@require_safe
def failure_page(request: HttpRequest, slug: str, id: str) -> HttpResponse:  # noqa: A002  # the address's own word
    """Show one failure: the traceback, the exact observation, what was legal, the log's end, how to have it again."""
    bot, person = _opened(request, slug)
    shape = SHAPE.fullmatch(id)
    if shape is None:
        raise Http404(id)
    number = int(shape.group(2))
    found = _in_match(bot, number, person) if shape.group(1) == "F" else _in_check(bot, number, person)
    failure: Failure = found["failure"]
    is_owner = may_see_inside(bot, person)
    asked = failure.observation
    context = {
        "bot": bot,
        "id": id,
        "is_owner": is_owner,
        "observation": _written(asked) if asked is not None else "",
        "legal": [json.dumps(action, ensure_ascii=False) for action in (asked or {}).get("legal", [])],
        # Lines of the source stand in it; source and logs are the owner's alone (decision 0022).
        "traceback": failure.traceback if is_owner else "",
        "log": failure.log if is_owner else "",
        "replay": _replay(found["seat"], failure),
        **found,
    }
    return render_page(request, "bots/failure.html", context)


def _in_match(bot: Bot, number: int, person: User) -> dict[str, Any]:
    """Return a forfeit in a match; 404 for operators where its event is not for them."""
    rows = failures_of(bot) if may_see_inside(bot, person) else failures_of(bot).filter(_named(person))
    seat = rows.select_related("log").filter(pk=number).first()
    if seat is None or seat.bot_version is None:
        raise Http404(str(number))
    return {"seat": seat, "version": seat.bot_version, "at": seat.match.finished_at, "failure": failure_at(seat)}


def _named(person: User) -> Q:
    return named_to(person, "match__stage__tournament__")


def _in_check(bot: Bot, number: int, person: User) -> dict[str, Any]:
    """Return a forfeit in the check of an upload: its owner's alone."""
    rows = failed_checks(bot) if may_see_inside(bot, person) else Check.objects.none()
    check = rows.filter(pk=number).first()
    found = failure_in(check) if check is not None else None
    if check is None or found is None:
        raise Http404(str(number))
    return {"seat": None, "version": check.version, "at": check.finished_at, "failure": found}


def _written(observation: dict[str, Any]) -> str:
    """Return the observation as JSON, a line for each field; what is legal is listed on its own."""
    parts = (f"  {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in observation.items())
    return "{\n" + ",\n".join(parts) + "\n}"


def _replay(seat: Seat | None, failure: Failure) -> str:
    """Return the address of the replay at that move through the eyes of the seat; "" in a check and while loading."""
    if seat is None or not failure.deal:
        return ""
    here = reverse("match", args=[seat.match.uuid])
    query = urlencode({"d": failure.deal, "m": failure.move, "s": seat.index + 1})
    # The query works without script; the script reads the fragment.
    return f"{here}?{query}#d{failure.deal}m{max(0, failure.move - 1)}s{seat.index + 1}"
