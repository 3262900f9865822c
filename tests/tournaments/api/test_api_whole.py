"""Completeness of the API: every button of the site has an operation, or a reason why programs have none."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any, Final

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import User
from bots.views import versions
from tables.pages import doing
from tournaments.pages.clubs import clubs
from tournaments.pages.comparisons import comparisons
from tournaments.pages.entries import links, teams
from tournaments.pages.floor import dashboard, player_page, result_sheets
from tournaments.pages.interchange import exports
from tournaments.pages.invitations import answering, organising
from tournaments.pages.lifecycle import acting
from tournaments.pages.notifications import pages, push
from tournaments.pages.operations import dashboard as ops
from tournaments.pages.operations import quarantine
from tournaments.pages.pairing import constraints, draw_settings
from tournaments.pages.progress import adjusting
from tournaments.pages.registration import organiser as registrations
from tournaments.pages.scores import reporting, tables
from tournaments.pages.seasons import organising as season_organising
from tournaments.pages.seasons import people as season_people
from tournaments.pages.webhooks import webhooks

EVENT: Final = "/api/v1/tournaments/{slug}"
SIGNING: Final = "signing in and accounts: a program has a token, which a person makes"
KEYS: Final = "a key that could make keys could not be narrowed: people make them, signed in"
LETTERS: Final = "proves that a person reads their letters: it is done where the letter was opened"
PASSWORD: Final = "asks for the password again, which no program has"
COOKIE: Final = "sets a cookie of a browser: programs send Accept-Language"
SLIP: Final = "trades six letters for a cookie on a phone: programs report with the slip itself"
PHOTO: Final = "a picture from a phone's camera for people at the desk: programs report figures"
SEATED: Final = "of somebody who sits at a table in a browser, with a cookie and no account"
WATCHED: Final = "of an organiser who looks at a table: programs enter the result, which calls it off"
SEASON_VERBS: Final = ("merge", "separate", "undo", "assign", "close", "reopen")
OF_DAYS: Final = ("here", "leave", "stay", "sit-out", "play-on", "mine", "not-mine")
BUTTONS: Final[dict[str, str]] = {
    "play-open": SEATED,
    **{f"live-do {verb}": SEATED for verb in doing.VERBS},
    "program-play": SEATED,
    "own-programs": "POST /api/v1/programs",
    "own-program": "PATCH /api/v1/programs/{slug}",
    "own-program-retire": "POST /api/v1/programs/{slug}:retire",
    **dict.fromkeys(("live-do call-off", "live-do reopen"), WATCHED),
    "login": SIGNING,
    "signup": SIGNING,
    "logout": SIGNING,
    "password": SIGNING,
    "set_language": COOKIE,
    "reset": SIGNING,
    "reset-confirm": SIGNING,
    "sign-out": SIGNING,
    "session-end": SIGNING,
    "address": LETTERS,
    "address-confirm": LETTERS,
    "address-forget": LETTERS,
    "unsubscribe": LETTERS,
    "own-data-copy": PASSWORD,
    "account-delete": PASSWORD,
    "cards": "PATCH /api/v1/me",
    "notices-read": "POST /api/v1/me/notices:read",
    "notice-plan": "PATCH /api/v1/me/notice-plan",
    "push-do on": "POST /api/v1/me/browsers",
    "push-do off": "DELETE /api/v1/me/browsers/{uuid}",
    "my-push-do on": "POST /api/v1/my-day:{verb}",
    "my-push-do off": "POST /api/v1/my-day:{verb}",
    "follow-do follow": "POST /api/v1/follows",
    "follow-do unfollow": "DELETE /api/v1/follows/{kind}/{slug}",
    "hooks": "POST /api/v1/hooks",
    "hook": "PATCH /api/v1/hooks/{uuid}",
    "hook-do test": "POST /api/v1/hooks/{uuid}:test",
    "hook-do on": "PATCH /api/v1/hooks/{uuid}",
    "hook-do off": "PATCH /api/v1/hooks/{uuid}",
    "hook-do rotate": "POST /api/v1/hooks/{uuid}:rotate",
    "hook-do end-old": "a program says with keep_hours, when it renews a secret, how long the old one goes on",
    "hook-do resend": "POST /api/v1/hooks/{uuid}/deliveries/{id}:resend",
    "hook-do delete": "DELETE /api/v1/hooks/{uuid}",
    "ops-worker drain": "POST /api/v1/workers/{id}:{verb}",
    "ops-worker go-on": "POST /api/v1/workers/{id}:{verb}",
    "ops-requeue": "POST /api/v1/queue:requeue",
    "ops-suspension suspend": "POST /api/v1/suspensions",
    "ops-suspension lift": "DELETE /api/v1/suspensions/{kind}/{name}",
    "verify-record": "POST /api/v1/records:verify",
    "match-verify": "POST /api/v1/records:verify",
    "tokens": KEYS,
    "token-revoke": "DELETE /api/v1/tokens/{uuid}",
    "account": "PATCH /api/v1/me",
    "display": "PATCH /api/v1/me",
    "first-bot": "POST /api/v1/bots/{slug}/versions",
    "calendar-do open": "POST /api/v1/me/calendar",
    "calendar-do close": "DELETE /api/v1/me/calendar",
    "bot-new": "POST /api/v1/bots/{slug}/versions",
    "bot-recheck": "POST /api/v1/bots/{slug}/versions/{n}:recheck",
    **{
        f"bot-do {verb}": "POST /api/v1/bots/{slug}/versions/{n}:{verb}"
        for verb in ("activate", "retire", "hide", "unhide")
    },
    "bot-follow follow": "POST /api/v1/follows",
    "bot-follow unfollow": "DELETE /api/v1/follows/{kind}/{slug}",
    "bot-policy": "PATCH /api/v1/bots/{slug}/policy",
    "bot-publish": "POST /api/v1/bots/{slug}/versions/{n}:publish",
    "bot-withdraw": "POST /api/v1/bots/{slug}/versions/{n}:unpublish",
    "bot-fork": "POST /api/v1/bots/{slug}/versions/{n}:fork",
    "bot-emblem": "PATCH /api/v1/bots/{slug}",
    "bot-name": "PATCH /api/v1/bots/{slug}",
    "bot-delete": "DELETE /api/v1/bots/{slug}",
    "challenge-new": "POST /api/v1/challenges",
    "club-do join": "PUT /api/v1/clubs/{key}/membership",
    "club-do leave": "DELETE /api/v1/clubs/{key}/membership",
    "season-new": "POST /api/v1/seasons",
    "season-edit": "PATCH /api/v1/seasons/{slug}",
    "season-next": "POST /api/v1/seasons/{slug}:{verb}",
    "season-events": "POST /api/v1/seasons/{slug}/events",
    "season-event-do weigh": "PATCH /api/v1/seasons/{slug}/events/{event}",
    "season-event-do remove": "DELETE /api/v1/seasons/{slug}/events/{event}",
    **{f"season-do {verb}": "POST /api/v1/seasons/{slug}:{verb}" for verb in SEASON_VERBS},
    "season-do give-role": "POST /api/v1/seasons/{slug}/roles",
    "season-do take-role": "DELETE /api/v1/seasons/{slug}/roles/{user}",
    "tournament-season-do accept": f"PUT {EVENT}/seasons/{{season}}",
    "tournament-season-do remove": f"DELETE {EVENT}/seasons/{{season}}",
    "challenge-do stop": "POST /api/v1/challenges/{uuid}:stop",
    "tournament-new": "POST /api/v1/tournaments",
    "tournament-import": "POST /api/v1/tournaments:import",
    "tournament-import-report": "POST /api/v1/tournaments:import-report",
    "tournament-clock": f"PATCH {EVENT}",
    "tournament-zone": f"PATCH {EVENT}",
    "tournament-details": f"PATCH {EVENT}",
    "tournament-edit": f"PUT {EVENT}/plan",
    "tournament-entry-edit": f"PATCH {EVENT}/entries/{{uuid}}",
    "tournament-another": "POST /api/v1/tournaments",
    "stage-void": f"POST {EVENT}/stages/{{order}}:void",
    "tournament-prizes": f"PUT {EVENT}/prizes",
    "tournament-category": f"PUT {EVENT}/prizes/categories/{{uuid}}",
    "tournament-rehearsal": f"POST {EVENT}/rehearsal",
    "tournament-undo": f"POST {EVENT}:undo",
    "tournament-results enter": f"POST {EVENT}/rounds/{{number}}/sheet",
    "tournament-adjust do": f"POST {EVENT}/stages/{{order}}/adjustments",
    **{
        f"tournament-do {verb}": f"POST {EVENT}:{{verb}}"
        for verb in ("publish", "open_registration", "start", "pause", "resume", "cancel", "archive", "end_ladder")
    },
    "tournament-do draw_stage": f"POST {EVENT}/stages/{{order}}:{{verb}}",
    "tournament-do enter": f"POST {EVENT}/entries",
    "tournament-do withdraw": f"PATCH {EVENT}/entries/{{uuid}}",
    "tournament-do follow": "POST /api/v1/follows",
    "tournament-do unfollow": "DELETE /api/v1/follows/{kind}/{slug}",
    "tournament-partners-do draw": f"POST {EVENT}/partner-draws",
    "tournament-partners-do undo": f"POST {EVENT}/partner-draws/{{n}}:undo",
    "tournament-partners-do make": f"POST {EVENT}/teams",
    "tournament-partners-do break": f"DELETE {EVENT}/teams/{{uuid}}",
    "tournament-partners-do rename": f"PATCH {EVENT}/teams/{{uuid}}",
    "tournament-partners-do substitute": f"POST {EVENT}/teams/{{uuid}}:substitute",
    "tournament-lineups": f"PUT {EVENT}/teams/{{uuid}}/lineup",
    "tournament-captain-renew": f"POST {EVENT}/teams/{{uuid}}/captain:renew",
    "tournament-captain": f"PUT {EVENT}/teams/{{uuid}}/lineup",
    "tournament-part": f"POST {EVENT}/entries/{{uuid}}:part",
    "tournament-desk-do call": f"POST {EVENT}/rounds/{{number}}:{{verb}}",
    "tournament-desk-do call-print": f"POST {EVENT}/rounds/{{number}}:{{verb}}",
    "tournament-desk-do draw-call": f"POST {EVENT}/rounds/{{number}}:{{verb}}",
    "tournament-desk-do draw-print": f"POST {EVENT}/stages/{{order}}:{{verb}}",
    "tournament-grid": f"POST {EVENT}/rounds/{{number}}/sheet",
    "tournament-confirm": f"POST {EVENT}/rounds/{{number}}/reports:confirm",
    "tournament-desk-do take-back": f"POST {EVENT}/rounds/{{number}}:{{verb}}",
    "tournament-desk-do draw": f"POST {EVENT}/stages/{{order}}:{{verb}}",
    "tournament-desk-do close": f"POST {EVENT}/stages/{{order}}:{{verb}}",
    "tournament-desk-do add": f"POST {EVENT}/entries",
    "tournament-desk-do paste": f"POST {EVENT}/entries:import",
    "tournament-desk-do here": f"PATCH {EVENT}/entries/{{uuid}}",
    "tournament-desk-do away": f"PATCH {EVENT}/entries/{{uuid}}",
    "tournament-desk-do all-here": f"POST {EVENT}/entries:here",
    "tournament-desk-do leave": f"PATCH {EVENT}/entries/{{uuid}}",
    "tournament-desk-do back": f"PATCH {EVENT}/entries/{{uuid}}",
    "tournament-desk-do sit-out": f"POST {EVENT}/entries/{{uuid}}/byes",
    "tournament-desk-do play-on": f"DELETE {EVENT}/entries/{{uuid}}/byes/{{number}}",
    "tournament-desk-do arrive": f"PATCH {EVENT}/entries/{{uuid}}",
    "tournament-desk-do replace": f"POST {EVENT}/entries/{{uuid}}:substitute",
    "tournament-presence-rules": f"PATCH {EVENT}/presence",
    "tournament-desk-do give-role": f"POST {EVENT}/roles",
    "tournament-desk-do take-role": f"DELETE {EVENT}/roles/{{role}}/{{user}}",
    "tournament-desk-do minutes": f"PATCH {EVENT}",
    "tournament-desk-do tables": f"PATCH {EVENT}",
    "tournament-desk-do call-free": f"POST {EVENT}:{{verb}}",
    "tournament-desk-do call-match": "POST /api/v1/matches/{uuid}:{verb}",
    **{
        f"tournament-desk-do clock-{verb}": f"POST {EVENT}/rounds/{{number}}/clock:{{verb}}"
        for verb in ("stop", "go", "add", "end")
    },
    "tournament-desk-do announce": f"POST {EVENT}/announcements",
    "tournament-desk-do unsay": f"DELETE {EVENT}/announcements/{{n}}",
    "tournament-desk-do swap": f"POST {EVENT}/rounds/{{number}}:swap",
    "tournament-wishes settings": f"PATCH {EVENT}",
    "tournament-wishes pair": f"POST {EVENT}/pairs",
    "tournament-wishes unpair": f"DELETE {EVENT}/pairs/{{one}}/{{other}}",
    "tournament-wishes table": f"PATCH {EVENT}/entries/{{uuid}}",
    "tournament-wishes seeding": f"PUT {EVENT}/stages/{{order}}/seeding",
    "tournament-wishes ratings": f"PUT {EVENT}/stages/{{order}}/seeding",
    "tournament-register": f"POST {EVENT}/registrations/mine",
    "registration-mine": f"PUT {EVENT}/registrations/mine",
    "registration-link": LETTERS,
    "registration-own": LETTERS,
    "registration-team": "POST /api/v1/team-places:{verb}",
    "registration-set-up": f"PATCH {EVENT}/registration",
    **{f"registrations-do {verb}": f"POST {EVENT}/registrations:{{verb}}" for verb in registrations.VERBS},
    "tournament-draw-settings draw": f"PATCH {EVENT}/stages/{{order}}/draw-settings",
    "tournament-draw-settings sizes": f"PATCH {EVENT}/stages/{{order}}/draw-settings",
    "tournament-draw-settings rule": f"POST {EVENT}/pair-rules",
    "tournament-draw-settings unrule": f"DELETE {EVENT}/pair-rules/{{rule}}",
    "tournament-by-hand": f"POST {EVENT}/stages/{{order}}/by-hand",
    "tournament-reseat": f"POST {EVENT}/rounds/{{number}}:reseat",
    "tournament-links-do make": f"POST {EVENT}/links",
    "tournament-links-do renew": f"POST {EVENT}/entries/{{uuid}}/link:{{verb}}",
    "tournament-links-do revoke": f"POST {EVENT}/entries/{{uuid}}/link:{{verb}}",
    **{f"my-day-do {verb}": "POST /api/v1/my-day:{verb}" for verb in OF_DAYS},
    "tournament-invitations-do link": f"POST {EVENT}/invitation-links",
    "tournament-invitations-do end": f"DELETE {EVENT}/invitation-links/{{uuid}}",
    "tournament-invitations-do person": f"POST {EVENT}/invitations",
    "tournament-invitations-do mail": f"POST {EVENT}/invitations",
    "tournament-invitations-do again": f"POST {EVENT}/invitations/{{uuid}}:{{verb}}",
    "tournament-invitations-do withdraw": f"POST {EVENT}/invitations/{{uuid}}:{{verb}}",
    "my-invitation-do accept": "POST /api/v1/me/invitations/{uuid}:{verb}",
    "my-invitation-do decline": "POST /api/v1/me/invitations/{uuid}:{verb}",
    "invitation-accept": "POST /api/v1/invitations:accept",
    "invitation-decline": "POST /api/v1/me/invitations/{uuid}:{verb}",
    "table-code": SLIP,
    "table-do report": "POST /api/v1/tables/{uuid}/reports",
    "table-do same": "POST /api/v1/tables/{uuid}/reports:{verb}",
    "table-do different": "POST /api/v1/tables/{uuid}/reports:{verb}",
    **{f"table-do {verb}": "POST /api/v1/tables/{uuid}/reports:{verb}" for verb in ("extra", "extra-same")},
    "table-do photo": PHOTO,
    "slip-photo-remove": PHOTO,
    "match-result slip": "POST /api/v1/tables/{uuid}/slips/{side}:renew",
    "match-result enter": "POST /api/v1/tables/{uuid}/reports",
    **{
        f"match-result {verb}": "POST /api/v1/tables/{uuid}/reports:{verb}"
        for verb in ("same", "rule", "preview", "correct", "extra", "agree", "decide", "lots")
    },
    "match-result again": "POST /api/v1/tables/{uuid}:again",
    "match-do retry": "POST /api/v1/matches/{uuid}:{verb}",
    "match-do void": "POST /api/v1/matches/{uuid}:{verb}",
}
"""Every button, by its address and its verb there: the operation that does the same, or why there is none."""

TABLES: Final[dict[str, tuple[Any, ...]]] = {
    "tournament-do": (acting.ACTS,),
    "live-do": (doing.VERBS,),
    "hook-do": (webhooks.ACTS,),
    "ops-suspension": (ops.ACTS,),
    "tournament-desk-do": (dashboard.ACTS,),
    "tournament-partners-do": (teams.ACTS,),
    "tournament-links-do": (links.VERBS,),
    "tournament-invitations-do": (organising.VERBS,),
    "my-invitation-do": (answering.VERBS,),
    "registrations-do": (registrations.VERBS,),
    "season-do": (season_people.ACTS,),
    "club-do": (clubs.VERBS,),
    "season-event-do": (season_organising.EVENT_ACTS,),
    "tournament-season-do": (season_organising.OWN_ACTS,),
    "table-do": (tables.VERBS,),
    "push-do": (push.VERBS,),
    "my-push-do": (push.VERBS,),
    "my-day-do": (player_page.VERBS, player_page.OF_ACCOUNTS, player_page.OF_BYES),
    "bot-do": (versions.VERBS,),
}
"""Verbs that a view keeps in a table."""
COMPARED: Final[dict[str, tuple[ModuleType, str]]] = {
    "match-do": (quarantine, "_act"),
    "match-result": (reporting, "_act"),
    "tournament-wishes": (constraints, "_act"),
    "tournament-draw-settings": (draw_settings, "_act"),
    "tournament-adjust": (adjusting, "adjust_page"),
    "tournament-results": (result_sheets, "sheet_page"),
    "challenge-do": (comparisons, "challenge_do"),
    "bot-follow": (acting, "bot_follow"),
    "follow-do": (pages, "follow_do"),
    "ops-worker": (ops, "worker_do"),
}
"""Verbs that a view compares: the function that does."""
CHOSEN: Final[dict[str, tuple[ModuleType, str]]] = {"calendar-do": (exports, "calendar_do")}
"""Verbs that a view keeps in a table of its own: the function that does."""


def patterns(resolver: URLResolver | None = None) -> Iterator[URLPattern]:
    """Return every address of the site: not the admin's, nor the API's own."""
    for each in (resolver or get_resolver()).url_patterns:
        if isinstance(each, URLResolver):
            if str(each.pattern) not in ("admin/", "api/"):
                yield from patterns(each)
        else:
            yield each


def methods_of(pattern: URLPattern) -> set[str]:
    """Return the methods that the view behind an address takes, as it says when asked for one that nobody takes."""
    if pattern.name == "set_language":  # Django's own: it acts on any POST and redirects
        return {"POST"}
    of_class: Any = getattr(pattern.callback, "view_class", None)
    if of_class is not None:
        return {method.upper() for method in of_class.http_method_names if hasattr(of_class, method)}
    request = RequestFactory().generic("PURGE", "/")
    request.user = User(username="somebody", is_staff=True)
    given = dict.fromkeys(pattern.pattern.converters, 0)
    answer: HttpResponse = pattern.callback(request, **given)
    assert answer.status_code == 405, f"{pattern.name} does not say which methods it takes"
    return {method.strip() for method in answer["Allow"].split(",")}


def compared(module: ModuleType, function: str) -> set[str]:
    """The words that a function compares a verb with."""
    tree = ast.parse(inspect.getsource(inspect.unwrap(getattr(module, function))))
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and "verb" in ast.dump(node.left):
            for right in node.comparators:
                found |= {each.value for each in ast.walk(right) if isinstance(each, ast.Constant)}
    return {word for word in found if isinstance(word, str)}


def chosen(module: ModuleType, function: str) -> set[str]:
    """The keys of the tables in a function."""
    tree = ast.parse(inspect.getsource(inspect.unwrap(getattr(module, function))))
    keys = [key for node in ast.walk(tree) if isinstance(node, ast.Dict) for key in node.keys]
    return {str(key.value) for key in keys if isinstance(key, ast.Constant)}


def verbs_of(name: str) -> list[str]:
    """Return what is done at an address; [""] where it is one thing."""
    if name in TABLES:
        return [verb for table in TABLES[name] for verb in table]
    if name in CHOSEN:
        return sorted(chosen(*CHOSEN[name]))
    return sorted(compared(*COMPARED[name])) if name in COMPARED else [""]


def buttons() -> set[str]:
    """Return every button."""
    named = [str(pattern.name) for pattern in patterns() if pattern.name and "POST" in methods_of(pattern)]
    return {f"{name} {verb}".strip() for name in named for verb in verbs_of(name)}


@pytest.mark.thorough
def test_every_button_has_an_operation_or_a_reason() -> None:
    schema = Client().get("/api/schema").json()
    operations = {f"{method.upper()} {path}" for path, methods in schema["paths"].items() for method in methods}
    found = buttons()
    assert found - set(BUTTONS) == set(), "give these an operation, or a reason, in BUTTONS"
    assert set(BUTTONS) - found == set(), "these are no buttons any more"
    methods = ("POST ", "PUT ", "PATCH ", "DELETE ")
    assert {does for does in BUTTONS.values() if does.startswith(methods)} - operations == set()


def test_addresses_that_share_a_view_are_known_by_their_verbs() -> None:
    """An address with a verb in it has its verbs read, so that a new one is seen."""
    with_verb = {str(pattern.name) for pattern in patterns() if "verb" in pattern.pattern.converters}
    assert with_verb - set(TABLES) - set(COMPARED) - set(CHOSEN) == set()


@pytest.mark.thorough
def test_every_operation_says_what_it_is_and_what_its_fields_are() -> None:
    schema = Client().get("/api/schema").json()
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            assert operation.get("description", "").strip(), (method, path)
            if method != "get":
                words = operation["description"]
                assert "cope" in words or path in WITHOUT_SCOPE, (method, path, "which scope does it need?")


WITHOUT_SCOPE: Final = ("/api/v1/my-day:{verb}",)
"""Done by a private link alone."""
