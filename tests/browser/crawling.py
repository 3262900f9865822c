"""Walks the whole site as one reader and looks in every answer, header and archive for what is not theirs.

`routes` lists every address the project has (the URL resolver's own patterns), so one without an example is noticed.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

from django.http import HttpResponseBase
from django.test import Client
from django.urls import Resolver404, URLResolver, get_resolver, resolve

from accounts.models import User
from tables.models import LiveTable
from tests.browser.guarded import World
from tests.browser.season_paths import NAMED, paths_of_seasons, season_slugs
from tests.browser.watching import Watch
from tournaments.models import Match, Seat, Tournament

LINK: Final = re.compile(r'(?:href|action|src|data-[a-z-]+)="(/[^"#]*)')
FILES: Final = ("event.json", "matches.csv", "deals.csv", "entries.csv", "report-1.trf", "calendar.ics")
KINTARO: Final = "kintaro-remote"
"""The address of the remote program that `guarded` registers."""
PER_KIND: Final = 1
"""Further links of one kind (the same address pattern, the same query fields) that are followed."""


def routes(resolver: URLResolver | None = None, prefix: str = "") -> Iterator[str]:
    """Return every address pattern of the project, as `resolve(..).route` names it."""
    for each in (resolver or get_resolver()).url_patterns:
        route = prefix + str(each.pattern).removeprefix("^" if prefix else "")
        if isinstance(each, URLResolver):
            yield from routes(each, route)
        else:
            yield route


def route_of(path: str) -> str:
    """Return the pattern that serves a path; the path itself where none does."""
    return _route_of(urlsplit(path).path)


@cache
def _route_of(path: str) -> str:
    try:
        return resolve(path).route
    except Resolver404:
        return path


def text_of(answer: HttpResponseBase) -> str:
    """Return everything an answer says: headers, cookies, body, and what an archive holds."""
    body = b"".join(answer) if answer.streaming else answer.content  # type: ignore[attr-defined]  # two kinds
    if body.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            body = b"\n".join(name.encode() + b"\n" + archive.read(name) for name in archive.namelist())
    headers = "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
    return headers + "\n\n" + body.decode("utf-8", "replace")


@dataclass(slots=True)
class Crawl:
    """One reader's walk. found: what was seen where; seen: status by path; visited: patterns that were served."""

    client: Client
    watch: Watch
    found: dict[str, list[str]] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)
    _kinds: Counter[tuple[str, ...]] = field(default_factory=Counter)

    @property
    def visited(self) -> set[str]:
        """Return the address patterns that were asked for."""
        return {route_of(path) for path in self.seen}

    def at_some(self, start: Iterable[str], *, most: int) -> None:
        """Open that many of these pages of each kind, without following their links."""
        opened: Counter[str] = Counter()
        for path in start:
            opened[route_of(path)] += 1
            if opened[route_of(path)] <= most:
                self.ask(path)

    def everywhere(self, start: Iterable[str]) -> None:
        """Open these pages and what they link to."""
        waiting = list(dict.fromkeys(start))
        named = set(waiting)
        while waiting:
            path = waiting.pop(0)
            if path in self.seen or not (path in named or self._is_new(path)):
                continue
            waiting += links_of(self.ask(path))

    def ask(self, path: str, method: str = "GET", **headers: Any) -> HttpResponseBase:
        """Send one request and look through its answer."""
        answer = self.client.generic(method, path, headers=headers)
        self.seen.setdefault(path, answer.status_code)
        findings = self.watch.findings(path, text_of(answer))
        if findings:
            self.found[f"{method} {path} {headers or ''}"] = findings
        return answer

    def _is_new(self, path: str) -> bool:
        kind = (route_of(path), *sorted(parse_qs(urlsplit(path).query)))
        self._kinds[kind] += 1
        return self._kinds[kind] <= PER_KIND and not path.startswith("/static/")


def links_of(answer: HttpResponseBase) -> list[str]:
    """Return the addresses of ours in a page, in a document of the API, or in a redirect."""
    kind = answer.headers.get("Content-Type", "")
    to = answer.headers.get("Location", "")
    if to.startswith("/"):
        return [to]
    if kind.startswith("text/html"):
        return [link.replace("&amp;", "&") for link in LINK.findall(text_of(answer))]
    if "json" in kind:
        return list(_paths_in(json.loads(answer.content)))  # type: ignore[attr-defined]  # never streamed
    return []


def _paths_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (path for each in value.values() for path in _paths_in(each))
    elif isinstance(value, list):
        yield from (path for each in value for path in _paths_in(each))
    elif isinstance(value, str):
        local = value.removeprefix("http://testserver")
        if local.startswith("/") and "{" not in local and " " not in local:
            yield local


# Sign-in, the search, lists of people and matches, one's own data, invitations, and pages that are none.
# fmt: off
OF_ACCOUNTS: Final = [
    "/login/", "/reset/", "/m/", "/m/?state=held", "/u/", "/privacy/", "/me/data/", "/me/data/copy/",
    "/me/sign-out/", "/me/delete/", "/me/sessions/00000000-0000-4000-8000-000000000000/end/", "/reset/sent/",
    "/reset/x/y/", "/signup/", "/logout/", "/i18n/setlang/", "/m/words/en-sakura.json", "/no/such/page/", "/i/",
    "/i/accept/", "/i/decline/", "/i/made-up/", "/me/invitations/", "/search/?q=a", "/search/?q=a&kind=tournaments",
]
# fmt: on


def examples(world: World) -> list[str]:
    """Return at least one address of every pattern, with the things that hold secrets in its place."""
    paths = ["/", "/t/", "/t/?when=mine", "/t/new/", "/b/", "/b/?mine=1", "/b/new/", "/queue/", "/rules/", "/about/"]
    paths += ["/kit/", "/kit/simple/", "/kit/simple/hanafuda/", f"/kit/files/{'0' * 16}/hanafuda-1-py3-none-any.whl"]
    paths += ["/docs/", "/docs/?q=seed", "/docs/the-kit/", "/docs/decisions/", "/docs/decisions/0001-own-user-model/"]
    paths += ["/rules/hawaii/", "/fairness/", "/ladder/", "/ladder/hawaii/", "/me/", "/me/password/", "/me/follow/"]
    paths += ["/me/follow/1/", "/me/follow/read/", "/me/follow/list/", "/me/follow/do/follow/", "/me/notices/"]
    paths += ["/me/push/on/", "/push-worker.js", "/push-icon.svg", f"/e/my/{world.claimed.uuid}/push/on/"]
    paths += ["/robots.txt", "/favicon.ico", "/data/", "/data/files/SHA256SUMS", "/play/", "/play/open/"]
    table = f"/play/{LiveTable.objects.get().uuid}/"
    paths += ["/learn/", "/learn/koi-koi/", "/learn/koi-koi/?a=0"]
    paths += [table, f"{table}view/", f"{table}do/leave/", "/play/alike/"]
    paths += ["/manifest.webmanifest", f"/e/my/{world.claimed.uuid}/manifest.webmanifest"]
    paths += ["/me/notices/stop/made-up/", "/me/mail/", "/me/mail/forget/", "/me/mail/confirm/made-up/"]
    paths += _of_programs(world.claimed.uuid)
    paths += OF_ACCOUNTS
    paths += ["/me/display/", "/me/first-bot/"]
    paths += ["/me/cards/", *(f"/rules/hawaii/gaji-block/{each}" for each in ("", "record.json"))]
    paths += ["/ops/", "/ops/requeue/", "/ops/worker/1/drain/", "/ops/suspension/lift/"]
    paths += ["/ops/audit/", "/ops/audit/?verb=version.&who=ann", "/ops/audit/?who=-"]
    paths += [
        "/t/import/report/",
        "/ladder/hawaii/ladder.csv",
        "/ladder/hawaii/seasons/",
        "/rules/compare/",
        "/t/import/",
    ]
    paths += paths_of_seasons()
    paths += ["/me/calendar/do/open/", "/me/calendar/plum.ics", "/schemas/hanafuda-tournament-1.json"]
    compared = f"/c/{world.challenge.uuid}/"
    paths += ["/c/", "/c/?whose=mine", "/c/new/", compared, f"{compared}data.csv", f"{compared}data.json"]
    paths += [f"{compared}do/stop/", f"/t/{world.challenge.stage.tournament.slug}/"]
    for event in world.events.values():
        paths += [*_of_event(event), *(f"/t/{event.slug}/files/{name}" for name in FILES)]
    uuid = world.claimed.uuid
    paths += ["/e/", "/e/made-up/", "/e/made:up/", *(f"/e/my/{uuid}/{way}" for way in ("", "leave/", f"table/{uuid}/"))]
    paths += ["/x/", f"/x/{uuid}/", f"/x/{uuid}/report/", f"/m/{uuid}/result/", f"/me/invitations/{uuid}/accept/"]
    paths += [f"/x/{uuid}/photo/1.jpg", f"/x/{uuid}/photo/1/remove/"]
    people = [path for name in ("ann", "ben", "follower") for path in (f"/u/{name}/", *_of_bots(world.people[name]))]
    return [*paths, *_of_matches(world), *people, *_of_api(world)]


def _of_matches(world: World) -> list[str]:
    tabs = ["", "record.json", "record.compact.json", "void/", "do/retry/", "verify/", "verify/?check=server", "embed/"]
    paths = ["/fairness/verify/", "/fairness/words/en.json", "/m/newest/"]
    for match in (*world.half_done, world.claimed, *_private_matches(world), world.held, world.finished()):
        paths += [f"/m/{match.uuid}/{tab}" for tab in tabs]
        paths += [f"/api/v1/matches/{match.uuid}", f"/api/v1/records/{match.uuid}"]
    return paths


def _of_programs(uuid: UUID) -> list[str]:
    """Return addresses of programs, tokens and hooks; the last two of nobody, by this uuid."""
    paths = ["/me/tokens/", f"/me/tokens/{uuid}/revoke/"]
    paths += ["/programs/", "/programs/?preset=hawaii", "/me/programs/"]
    paths += [f"{way}{KINTARO}/" for way in ("/programs/", "/me/programs/")]
    paths += [f"/programs/{KINTARO}/play/", f"/me/programs/{KINTARO}/retire/"]
    return [*paths, "/me/hooks/", f"/me/hooks/{uuid}/", f"/me/hooks/{uuid}/do/test/"]


def _private_matches(world: World) -> list[Match]:
    return list(Match.objects.filter(stage__tournament=world.events["private"])[:1])


def _of_event(event: Tournament) -> list[str]:
    tabs = ["", "entries/", "feed/", "audit/", "screen/", "desk/", "roles/", "print/1/", "next/", "desk/call/"]
    tabs += ["grid/", "grid/1/", "ranking/", "ranking/poster-a4/", "prizes/", f"prizes/{event.uuid}/", "certificates/"]
    tabs += ["share/"]
    tabs += ["bracket/", "results/1/", "results/1.csv", "swap/1/", "partners/", "partners/draw/", "draws/", "by-hand/"]
    tabs += ["by-hand/1/", "by-hand/9/"]
    tabs += ["lineups/", "lineups/part/", "lineups/renew/", "lineups/made-up/", "lineups/made:up/", "presence/"]
    tabs += ["links/", "links/cards/", "links/make/", "time-zone/", "another/", "details/", "edit/", "rules/"]
    cards = [*event.invitation_links.values_list("uuid", flat=True), event.uuid]  # the last is nobody's link
    tabs += ["invitations/", "invitations/link/", *(f"invitations/{link}/" for link in cards)]
    tabs += ["register/", "register/sent/", "register/link/", "register/mine/", "register/made-up/", "registrations/"]
    tabs += [f"registrations/{each}" for each in ("form/", "answers.csv", "approve/")]
    tabs += ["register/team/made-up/", "seasons/", "seasons/year/accept/"]
    tabs += ["undo/", "rehearsal/", "wishes/", "draw/2/", "stage/2/void/", "standings/?stage=all", "adjust/"]
    if event.state not in (Tournament.State.REGISTRATION, Tournament.State.CANCELLED):
        tabs += ["rounds/", "standings/", "crosstable/", "cancel/", "clock/", "do/publish/"]
    tabs += [f"entries/{one.uuid}/{way}" for one in event.entries.order_by("pk")[:1] for way in ("", "presence/")]
    return [f"/play/events/{event.slug}/", *(f"/t/{event.slug}/{tab}" for tab in tabs)]


def _of_bots(owner: User) -> list[str]:
    paths = []
    for bot in owner.bots.prefetch_related("versions"):
        paths += [
            f"/b/{bot.slug}/",
            f"/b/{bot.slug}/do/activate/",
            f"/b/{bot.slug}/follow/follow/",
            f"/b/{bot.slug}/audit/",
            f"/b/{bot.slug}/policy/",
            *(f"/b/{bot.slug}/{act}/" for act in ("emblem", "name", "delete")),
            *(f"/b/{bot.slug}/{tab}/" for tab in ("matches", "versions", "events")),
            f"/b/{bot.slug}/failures/",
            f"/b/{bot.slug}/failures/{_failure()}/",
        ]
        for version in bot.versions.all():
            here = f"/b/{bot.slug}/v/{version.n}/"
            paths += [here, f"{here}source/", f"{here}source/?file=bot.py", f"{here}recheck/"]
            paths += [f"{here}{page}" for page in ("source.zip", "changes/", "changes.diff")]
            paths += [f"{here}{page}/" for page in ("publish", "withdraw", "fork")]
            paths += [f"{here}source/{way}?file={each[0]}" for way in ("", "file/") for each in version.files]
    return paths


def _failure() -> str:
    """Return the first forfeit there is, as the API names it."""
    first = Seat.objects.filter(fault__isnull=False).order_by("pk").first()
    return f"F{first.pk if first else 1}"


def _of_api(world: World) -> list[str]:
    """Return every address of the schema with every event and some matches in its place, in every format."""
    slugs = [event.slug for event in world.events.values()]
    paths = ["/api/schema", "/api/docs/", "/api/docs/bots/", "/api/schema?format=json", "/api/v1/no-such-thing"]
    bots = [bot.slug for name in ("ann", "ben") for bot in world.people[name].bots.all()]
    for path in _paths_of_the_api():
        named = {"one": world.claimed.uuid, "other": world.claimed.uuid, "side": 1} | {
            "uuid": world.claimed.uuid,
            "name": "event.json",
            "preset": "hawaii",
            "kind": "bot",
            "day": "2026-01-01",
            "role": "scorer",
            "rule": 1,
            "user": "scorer",
            "id": 1 if "/adjustments/" in path or "/workers/" in path else _failure(),
        }
        of = bots if "/bots/" in path else season_slugs() if path.startswith("/api/v1/seasons") else slugs
        of = [KINTARO] if path.startswith("/api/v1/programs") else of
        paths += [path.format(slug=slug, n=1, order=1, number=1, verb="start", **named, **NAMED) for slug in of]
    paths += [f"/api/v1/tournaments/{slug}/matches?limit=200&format=api" for slug in slugs]
    paths += [f"/api/v1/tournaments/{slug}/standings?explain=1" for slug in slugs]
    return paths


@cache
def _paths_of_the_api() -> tuple[str, ...]:
    """Return every address of the schema, the same for everybody; making it takes a second."""
    return tuple(Client().get("/api/schema").json()["paths"])
