"""Events in every state for the tests of pages, one of them played to its end in the real sandbox."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from django.utils import timezone

from accounts.models import User
from bots.jobs import checks
from bots.jobs.process import Process
from bots.models import Bot, BotVersion, Worker
from bots.services import upload_version
from tests.builders import events as a
from tests.services.keeping import BuiltOnce
from tournaments.entries.bots import enter_bot
from tournaments.events.create import create_tournament
from tournaments.matches import play as playing
from tournaments.models import Delivery, Hook, Match, Tournament
from tournaments.progress import derive
from tournaments.progress.run import open_registration, publish_tournament, start_tournament
from tournaments.webhooks.actions import HookPlan, make_hook, rotate_secret, send_test
from tournaments.webhooks.event_types import webhook_kinds

SECRET_WORD = "peony-in-the-rain"
SPY_SOURCE = f"# {SECRET_WORD}\ndef choose(obs):\n    print('{SECRET_WORD} said')\n    return 0\n".encode()
LAST = b'def choose(obs):\n    return obs["legal"][-1]\n'
BROKEN = f"def choose(obs):\n    return 0\n\nprint('{SECRET_WORD} said')\nraise ValueError('{SECRET_WORD}')\n".encode()

LITTLE_S: Final = 5.0
"""Seconds that a match counts as: anyone who played the league claims one at a time from then on."""


@dataclass(frozen=True, slots=True)
class League:
    """People, bots and events. finished, running (half played), open, draft, private: tournaments."""

    organiser: User
    owner: User
    rival: User
    bot: Bot
    failed: BotVersion
    finished: Tournament
    running: Tournament
    open: Tournament
    draft: Tournament
    private: Tournament

    @property
    def events(self) -> tuple[Tournament, ...]:
        """Return the events that everybody may see."""
        return (self.finished, self.running, self.open)

    def match(self) -> Match:
        """Return a finished match of the finished event."""
        return Match.objects.filter(stage__tournament=self.finished, state="confirmed").order_by("id")[0]


def play(process: Process, *, most: int = 1000) -> int:
    """Play and fold until the queue is empty or about `most` matches are played."""
    played = 0
    while played < most and (tried := playing.play_batch(process)):
        played += tried
    derive.derive_waiting()
    return played


def check_all(process: Process) -> None:
    """Play every waiting check of an upload."""
    while checks.play_waiting(process):
        pass


def a_league(process: Process | Callable[[], Process]) -> League:
    """Return everything that pages can show; played by the first test of this process that wants it.

    process: who plays it; a function makes one only then.
    """
    league = _PLAYED.get(lambda: _played(process if isinstance(process, Process) else process()))
    Worker.objects.update(seen_at=timezone.now())
    if isinstance(process, Process):
        process.seconds = LITTLE_S
    return league


_PLAYED: Final[BuiltOnce[League]] = BuiltOnce(frozenset({"bots_worker"}))  # the worker that plays it


def _played(process: Process) -> League:
    organiser, owner, rival = a.a_user("organiser"), a.a_user("kiri"), a.a_user("rival")
    bot = a.a_bot(owner, name="Plum", source=SPY_SOURCE)
    field = [bot, *(a.a_bot(owner if n == 1 else rival, source=LAST) for n in range(1, 4))]
    failed = upload_version(owner=owner, filename="bot.py", data=BROKEN, name="Broken")
    check_all(process)
    failed.refresh_from_db()
    finished = _started(organiser, field, name="Spring league", legs="cyclic")
    play(process)
    finished.refresh_from_db()
    running = _started(organiser, field, name="Hawaii tables", seats=3, kind="tables", rounds=3, min_entries=3)
    process.seconds = LITTLE_S
    play(process, most=1)
    opened = _open(organiser, name="Autumn open", seats=4, kind="tables", entries_per_owner=4)
    enter_bot(tournament=opened, bot=field[3], by=rival)
    draft = create_tournament(by=organiser, plan=a.a_plan(name="Draft of mine"))
    private = _open(organiser, name="Among ourselves", visibility="private")
    _a_hook_that_fails(organiser)
    return League(organiser, owner, rival, bot, failed, finished, running, opened, draft, private)


def _a_hook_that_fails(owner: User) -> None:
    """Make a hook with a delivery that waits for its next try and one that waits for the first."""
    plan = HookPlan("My statistics", "https://statistics.example.org/hanami", tuple(webhook_kinds()))
    hook, _secret = make_hook(user=owner, plan=plan)
    rotate_secret(hook=hook, by=owner)
    tried = send_test(hook=hook, by=owner)
    said = {"status": 502, "error": "answer.refused", "answer": "Bad gateway " * 20, "tries": 2, "ms": 1234}
    Delivery.objects.filter(pk=tried.pk).update(tried_at=timezone.now(), kind="match.finished", **said)
    send_test(hook=hook, by=owner)
    Hook.objects.filter(pk=hook.pk).update(failing_since=timezone.now(), failures=2, left_out=1)


def _open(by: User, **changes: object) -> Tournament:
    event = create_tournament(by=by, plan=a.a_plan(**changes))
    publish_tournament(tournament=event, by=by)
    return open_registration(tournament=event, by=by)


def _started(by: User, bots: list[Bot], **changes: object) -> Tournament:
    event = _open(by, entries_per_owner=8, **changes)
    a.entered(event, bots)
    return start_tournament(tournament=event, by=by)


def public_paths(league: League) -> list[str]:
    """Return every kind of page that anonymous readers may open."""
    paths = [
        "/",
        "/search/",
        "/search/?q=plum",
        "/search/?q=plum&kind=bots",
        "/t/",
        "/t/?when=live&preset=hawaii",
        "/b/",
        "/b/?q=plum",
        "/ladder/",
        "/ladder/hawaii/",
    ]
    paths += ["/ladder/paradise/", "/queue/", "/rules/", "/rules/hawaii/", "/rules/french/", "/about/", "/fairness/"]
    paths += ["/rules/compare/", "/rules/compare/?a=hawaii&b=paradise&c=poka5"]
    paths += ["/rules/hawaii/gaji-block/", "/rules/french/first_dealer_tie/", "/rules/nuki88/who-plays/?d=1&m=1"]
    paths += ["/docs/", "/docs/?q=deal+set", "/docs/decisions/", "/docs/bot-reference/", "/docs/read-the-standings/"]
    paths += ["/m/", "/m/?state=over&preset=hawaii&bot=plum&event=spring-league", "/u/", "/u/?q=kiri", "/privacy/"]
    paths += ["/kit/", "/login/", "/signup/", "/reset/", "/reset/sent/", "/api/docs/", "/api/docs/tournaments/"]
    paths += ["/u/kiri/", "/u/organiser/"]
    tabs = ("", "entries/", "rounds/", "standings/", "crosstable/", "feed/")
    paths += [f"/t/{event.slug}/{tab}" for event in league.events for tab in tabs]
    paths += [f"/b/{league.bot.slug}/", f"/b/{league.bot.slug}/v/1/", f"/m/{league.match().uuid}/"]
    paths += [f"/b/{league.bot.slug}/{tab}/" for tab in ("matches", "versions", "events")]
    paths += [f"/b/{league.failed.bot.slug}/", f"/b/{league.failed.bot.slug}/v/1/"]
    entry = league.finished.entries.order_by("id")[0]
    paths += [f"/m/{league.match().uuid}/verify/?check=server", f"/m/{league.match().uuid}/embed/", "/fairness/verify/"]
    paths += ["/m/newest/", f"/t/{league.running.slug}/share/"]
    paths.append(f"/t/{league.finished.slug}/standings/?explain={entry.uuid}")
    return paths


def own_paths(league: League) -> list[str]:
    """Return pages for signed-in people."""
    slug = league.failed.bot.slug
    return [
        "/me/",
        "/me/display/",
        "/me/first-bot/",
        "/me/password/",
        "/me/data/",
        "/me/delete/",
        "/me/follow/",
        "/me/hooks/",
        "/me/follow/?unread=1",
        "/me/follow/list/",
        "/me/follow/list/?q=plum&kind=bot",
        "/me/notices/",
        "/me/mail/",
        "/b/new/",
        f"/b/new/?bot={slug}",
        "/t/new/",
        "/t/new/?seats=2",
        "/t/new/?for=bots",
        "/t/new/?for=both",
        "/t/new/?for=people&people=22&hours=2.5&tables=6&preset=hawaii&company=alone&format=swiss_final",
        "/t/import/",
        "/t/import/report/",
    ]
