"""A world full of things that somebody must not see: each holds a word that nobody can guess.

Everything comes from the real services and the real sandbox, so a word is wherever the project puts such text: in
sources, asset names, logs, tracebacks, findings of checks, reasons of our own faults, secrets of stages.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass

import pytest
from django.utils import timezone

from accounts.models import User
from bots.errors import BotError
from bots.jobs import claims
from bots.jobs.process import Process
from bots.models import Blob, Bot, BotVersion, Check
from bots.selectors import check_of
from bots.services import fork_version, hide, publish_source, retire, upload_version, withdraw_source
from tables.actions.sitters import Sitter
from tables.programs.registry import ProgramPlan, register
from tests.browser.registering import registering
from tests.browser.secret_words import word
from tests.builders import events as a
from tests.builders.leagues import check_all, play
from tests.builders.seasons import a_season
from tests.tables.players import a_table
from tournaments.comparisons.actions import ChallengePlan, start_challenge
from tournaments.entries.bots import enter_bot
from tournaments.events.create import create_tournament
from tournaments.invitations.answers import accept_link
from tournaments.invitations.links import make_invitation_link
from tournaments.invitations.people import invite_addresses
from tournaments.matches import play as playing
from tournaments.models import Challenge, Match, Role, Stage, Tournament
from tournaments.notifications.follow import follow
from tournaments.progress.run import (
    cancel_tournament,
    open_registration,
    pause_tournament,
    publish_tournament,
    start_tournament,
)
from tournaments.ratings import pools
from tournaments.seasons.events import add_event

# fmt: off
KINDS = ("source", "name", "asset", "said", "complained", "crash", "module", "loading", "refused", "held", "note",
         "mail")
# fmt: on
"""Places of a person's private words; see `plum_of` and its neighbours."""


def words_of(user: User) -> dict[str, str]:
    """Return the private words of a person by kind."""
    return {kind: word(user.username, kind) for kind in KINDS}


@dataclass(frozen=True, slots=True)
class World:
    """People by role, the owners' bots, events by what they are."""

    people: dict[str, User]
    plums: dict[str, BotVersion]
    failed: dict[str, BotVersion]
    events: dict[str, Tournament]

    @property
    def challenge(self) -> Challenge:
        """Return a comparison of ann's bot with ben's that waits for a worker."""
        return Challenge.objects.get()

    @property
    def claimed(self) -> Match:
        """Return a match that a worker plays now; no leg of its deal set is finished."""
        return Match.objects.get(state=Match.State.CLAIMED)

    @property
    def held(self) -> Match:
        """Return a match held for review because our side failed."""
        return Match.objects.get(state=Match.State.QUARANTINED)

    @property
    def half_done(self) -> tuple[Match, Match]:
        """Return a finished match and the leg of its deal set that waits."""
        stage = self.events["running"].stages.get()
        done = stage.matches.get(state=Match.State.CONFIRMED)
        return done, stage.matches.exclude(pk=done.pk).get(deal_set=done.deal_set)

    def finished(self) -> Match:
        """Return a finished match of the finished event."""
        matches = self.events["finished"].stages.get().matches
        return matches.filter(state=Match.State.CONFIRMED).order_by("id")[0]


def a_world(process: Process) -> World:
    """Make people, bots and events in every state that holds a secret."""
    people = _people()
    plums = {name: plum_of(people[name], process) for name in ("ann", "ben")}
    failed = {name: _failures(people[name], process) for name in ("ann", "ben")}
    crashers = [_crasher(people[name]) for name in ("ann", "ben")]
    _published(people, plums["ann"])
    field = [*(version.bot for version in plums.values()), *crashers]
    events = _events(people, field, process)
    for name in ("ann", "ben"):
        _waiting_check(people[name])
        follow(user=people["follower"], bot=plums[name].bot)
    plan = ChallengePlan(candidate=plums["ann"], reference=plums["ben"], preset="hawaii", cap=10)
    start_challenge(by=people["ann"], plan=plan)
    _seasons(people["organiser"], events)
    events |= registering(people)
    register(by=people["ann"], name="Kintaro", plan=ProgramPlan(presets=["hawaii"]))
    a_table(sitters=[Sitter(name.title(), user=people[name]) for name in ("ann", "ben")])
    pools.fold_stale()
    return World(people, plums, failed, events)


def _published(people: dict[str, User], taken_back: BotVersion) -> None:
    """Publish a source and fork it; of one that holds secrets take the publication back."""
    version = a.a_bot(people["follower"], name="Open").active_version
    assert version is not None
    publish_source(version=version, by=people["follower"], licence="MIT")
    fork_version(version=version, by=people["ben"], name="Open of ben")
    publish_source(version=taken_back, by=people["ann"], licence="CC0-1.0")
    withdraw_source(version=taken_back, by=people["ann"])


def _people() -> dict[str, User]:
    names = ("ann", "ben", "organiser", "director", "arbiter", "scorer", "follower", "invited", "operator", "root")
    people = {}
    for name in names:
        user = a.a_user(name, is_staff=name in ("operator", "root"))
        user.email, user.is_superuser = f"{word(name, 'mail')}@plum.example", name == "root"
        user.first_name, user.last_name = word(name, "note"), word(name, "note")
        user.save()
        people[name] = user
    return people


def plum_of(owner: User, process: Process) -> BotVersion:
    """Make a bot of several files whose source, asset, file name and prints are private words; active, checked."""
    said = words_of(owner)
    source = f'''# {said["source"]}
import sys
print("{said["loading"]}")
def choose(obs):
    print("{said["said"]}")
    print("{said["complained"]}", file=sys.stderr)
    return 0
'''
    files = {
        "bot.py": source,
        f"{said['name']}.json": f'["{said["asset"]}"]',
        "hanami.toml": f'# {said["source"]}\nname = "Plum of {owner.username}"\nprotocol = 1\nplays = ["hawaii"]\n',
    }
    version = upload_version(owner=owner, filename="plum.zip", data=zipped(files))
    check_all(process)
    version.refresh_from_db()
    assert version.state == BotVersion.State.READY, version.check_run.result
    return version


def zipped(files: dict[str, str]) -> bytes:
    """Make a .zip of these texts."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return packed.getvalue()


def _crasher(owner: User) -> Bot:
    said = words_of(owner)
    source = f"import sys\ndef choose(obs):\n    print('{said['said']}')\n    raise ValueError('{said['crash']}')\n"
    return a.a_bot(owner, name=f"Crasher of {owner.username}", source=source.encode())


def _failures(owner: User, process: Process) -> BotVersion:
    """Make uploads that went wrong: while loading, at the static check, at the door; and a check that is held."""
    said = words_of(owner)
    broken = a.FIRST + f"# {said['source']}\nprint('{said['loading']}')\nraise ValueError('{said['crash']}')\n".encode()
    failed = upload_version(owner=owner, filename="bot.py", data=broken, name=f"Broken of {owner.username}")
    upload_version(owner=owner, bot=failed.bot, filename="bot.py", data=f"import {said['module']}\n".encode())
    with pytest.raises(BotError, match="py"):
        upload_version(owner=owner, bot=failed.bot, filename=f"{said['refused']}.exe", data=said["refused"].encode())
    check_all(process)
    failed.refresh_from_db()
    assert failed.state == BotVersion.State.FAILED
    held = upload_version(
        owner=owner, bot=failed.bot, filename="bot.py", data=f"# {said['source']}\n".encode() + a.FIRST
    )
    assert said["crash"] in (check_of(failed, owner)[1] or b"").decode()
    reason = {"faults": 4, "fault_reason": f"OSError: no room for {said['held']}"}
    log = Blob.objects.put(said["said"].encode())
    Check.objects.filter(version=held).update(state=Check.State.QUARANTINED, log=log, **reason)
    for act in (retire, hide):
        act(version=a.a_version(failed.bot, f"# {said['source']}\n".encode() + a.FIRST), by=owner)
    return failed


def _waiting_check(owner: User) -> None:
    said = words_of(owner)
    source = f"# {said['source']}\n".encode() + a.FIRST
    upload_version(owner=owner, filename="bot.py", data=source, name=f"Fresh of {owner.username}")


def _events(people: dict[str, User], field: list[Bot], process: Process) -> dict[str, Tournament]:
    finished = _started(people, field, name="Spring league", legs="cyclic")
    play(process)
    finished.refresh_from_db()
    assert finished.state == Tournament.State.FINISHED
    private = _private(people, field[:1], process)
    events = {"running": _half_played(people, field, process), "private": private}
    events["draft"] = create_tournament(by=people["organiser"], plan=a.a_plan(name=word("draft", "name")))
    events["unlisted"] = _started(people, field, name="Unlisted league", visibility="unlisted")
    pause_tournament(tournament=events["unlisted"], by=people["organiser"])
    events |= {"finished": finished, "open": _open(people, name="Autumn open")}
    enter_bot(tournament=events["open"], bot=field[0], by=field[0].owner, nonce="plum")
    events["cancelled"] = _open(people, name="Rained off")
    cancel_tournament(tournament=events["cancelled"], by=people["organiser"], reason="It rains.")
    for event in events.values():
        for role in ("director", "arbiter", "scorer"):
            Role.objects.create(user=people[role], tournament=event, role=role)
        if event.visibility != Tournament.Visibility.PRIVATE and event.state != Tournament.State.DRAFT:
            follow(user=people["follower"], tournament=event)
    return events


def _seasons(by: User, events: dict[str, Tournament]) -> None:
    """Make a public and a private season of all events: what is private in them is for their people alone."""
    for name, visibility in (("The year", "public"), (word("draft", "name"), "private")):
        season = a_season(by, name=name, visibility=visibility)
        for event in events.values():
            add_event(season=season, by=by, slug=event.slug)


def _private(people: dict[str, User], field: list[Bot], process: Process) -> Tournament:
    """Make a private event that is over: ann's bots and nobody else's; even its records are for its people."""
    other = a.a_bot(people["ann"], name="Second of ann")
    event = _started(people, [*field, other], name=word("private", "name"), visibility="private")
    play(process)
    event.refresh_from_db()
    _invite(event, people)
    return event


def _invite(event: Tournament, people: dict[str, User]) -> None:
    """Let somebody see the event who neither runs it nor plays in it; others are invited and have not answered."""
    accept_link(link=make_invitation_link(tournament=event, by=people["organiser"]), user=people["invited"])
    address = f"{word('invitation', 'mail')}@plum.example"
    invite_addresses(tournament=event, by=people["organiser"], addresses=[address])


def _half_played(people: dict[str, User], field: list[Bot], process: Process) -> Tournament:
    """Make one finished leg whose sibling waits, one match in play, one held; the rest waits."""
    event = _started(people, field, name="Autumn league", legs="cyclic")
    process.seconds = 5.0
    play(process, most=1)
    stage = event.stages.get()
    done = stage.matches.get(state=Match.State.CONFIRMED)
    others = playing.queue().filter(stage=stage).exclude(deal_set=done.deal_set)
    claims.claim(others, rows=playing.in_full(Match.objects.all()), worker=process.worker, limit=1, on_claim=_nothing)
    in_play = stage.matches.get(state=Match.State.CLAIMED)
    held = others.filter(state=Match.State.QUEUED).exclude(deal_set=in_play.deal_set).order_by("id")[0]
    reason = 'OSError: [Errno 28] No space left on device: "/tmp/hanami/worker"'
    Match.objects.filter(pk=held.pk).update(state=Match.State.QUARANTINED, faults=4, fault_reason=reason)
    waits = others.filter(state=Match.State.QUEUED).order_by("-id")[0]
    reason = 'ProgrammingError: relation "bots_lease" does not exist LINE 1: SELECT "bots_lease"."id" FROM "bots_lease"'
    history = [{"attempt": 1, "worker": process.worker.name, "reason": reason, "at": timezone.now().isoformat()}]
    Match.objects.filter(pk=waits.pk).update(faults=1, fault_reason=reason, history=history)
    return event


def _nothing(rows: list[Match]) -> None:
    """Do nothing: nobody is told of a claim that this world makes."""


def _open(people: dict[str, User], **changes: object) -> Tournament:
    event = create_tournament(by=people["organiser"], plan=a.a_plan(entries_per_owner=8, **changes))
    publish_tournament(tournament=event, by=people["organiser"])
    return open_registration(tournament=event, by=people["organiser"])


def _started(people: dict[str, User], field: Iterable[Bot], **changes: object) -> Tournament:
    event = _open(people, **changes)
    for bot in field:
        BotVersion.objects.filter(bot=bot).update(benched_at=None, forfeits_in_a_row=0)
        enter_bot(tournament=event, bot=bot, by=bot.owner)
    return start_tournament(tournament=event, by=people["organiser"])


def hidden_stages() -> list[Stage]:
    """Return the stages whose secret is not public yet."""
    return list(Stage.objects.filter(revealed_at=None).exclude(secret=None))
