"""Leaks: no answer of a page or of the API shows another owner's source, log or hidden hand, or our own
insides.
"""

from __future__ import annotations

import copy
import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from django.apps import apps
from django.contrib import admin
from django.core import mail
from django.core.mail import EmailMessage
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from accounts.models import WaitingLetter
from bots.jobs.process import Process
from bots.models import AuditEvent, BotVersion, Channel, Check, Lease, Outbox, Worker
from bots.runner.zygote import Zygote
from bots.selectors import check_of, source_of
from bots.services import activate, hide, retire
from core.errors import TournamentError
from engine.cards import code_of
from engine.deck import deck_order, match_seed
from tests.browser.crawling import Crawl, examples, route_of, routes
from tests.browser.guarded import World, a_world, hidden_stages
from tests.browser.registering import facts, held_links, keys_of_address
from tests.browser.secret_words import word
from tests.browser.watching import hands_of, watch_for, watch_of
from tests.builders.events import a_version, a_worker
from tests.builders.leagues import LAST
from tests.builders.registrations import letters
from tests.services.databases import on_sqlite
from tournaments.entries.bots import withdraw_entry
from tournaments.entries.captains import captain_token, captains_of
from tournaments.matches import play
from tournaments.models import Entry, Match, Rating, RegisteredTeam, Registration, RegistrationAnswer, TeamPlace
from tournaments.registration.letters import place_token, token_of

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]
BACKEND = "django.contrib.auth.backends.ModelBackend"
WALKERS = ("", "ben")
"""Readers who follow every link: a stranger, and an owner who is somebody's rival."""
ROLES = {
    "ann": 4,
    "organiser": 4,
    "operator": 4,
    "root": 3,
    "director": 2,
    "arbiter": 2,
    "scorer": 2,
    "follower": 2,
    "invited": 4,
}
"""At how many addresses of each kind the others ask; those that hold most secrets come first."""


@pytest.fixture(scope="module")
def built(database: str, django_db_setup: None, django_db_blocker: DjangoDbBlocker, sandbox: Zygote) -> Iterator[World]:
    """The world of this module: played once, inside a transaction that is rolled back at its end."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield a_world(Process(a_worker(), sandbox))
        transaction.set_rollback(True)


@pytest.fixture
def world(built: World, db: None) -> World:
    """The world; what a test changes in it is undone."""
    return copy.deepcopy(built)


@pytest.fixture
def crawl_as(world: World) -> Callable[[str], Crawl]:
    """`crawl_as("ben")`: a walk as one of the world's people, "" is nobody."""

    def begin(name: str) -> Crawl:
        reader = world.people.get(name)
        client = Client(enforce_csrf_checks=True, raise_request_exception=False)
        if reader is not None:
            client.force_login(reader, backend=BACKEND)
        return Crawl(client, watch_of(world, reader))

    return begin


def admin_paths() -> list[str]:
    """Return every page of the admin, with the first row of each model in its place."""
    paths = [reverse(f"admin:{name}") for name in ("index", "login", "logout", "password_change", "jsi18n")]
    paths += [reverse("admin:password_change_done"), reverse("admin:autocomplete"), "/admin/no/such/page/"]
    for model in admin.site._registry:
        meta = model._meta
        paths += [reverse("admin:app_list", args=[meta.app_label])]
        names = [f"admin:{meta.app_label}_{meta.model_name}_{page}" for page in ("changelist", "add")]
        paths += [reverse(name) for name in names]
        first = model._default_manager.first()
        key = first.pk if first else 1
        here = reverse(names[0]) + f"{key}/"
        paths += [here, *(f"{here}{page}/" for page in ("change", "history", "delete"))]
    return [*paths, "/admin/r/1/1/"]


@pytest.mark.slow
@pytest.mark.parametrize("reader", [*WALKERS, *ROLES])
def test_no_reader_is_shown_what_is_not_theirs(reader: str, world: World, crawl_as: Callable[[str], Crawl]) -> None:
    crawl = crawl_as(reader)
    walk(crawl, reader, world, most=ROLES.get(reader, 0))
    assert crawl.found == {}


@pytest.mark.slow
@on_sqlite
@pytest.mark.timeout(300)
@pytest.mark.parametrize("reader", [*WALKERS, *ROLES])
def test_every_address_is_served_on_sqlite_too(reader: str, world: World, crawl_as: Callable[[str], Crawl]) -> None:
    assert connection.vendor == "sqlite"
    assert Rating.objects.filter(pool__stage=None).exists()
    crawl = crawl_as(reader)
    # What a reader may see does not depend on the database: here the others ask once at each address.
    walk(crawl, reader, world, most=1)
    assert crawl.found == {}


def walk(crawl: Crawl, reader: str, world: World, *, most: int) -> None:
    """Open every address, at one thing of its kind at least; none fails. most: things of a kind that who does not
    follow links asks for.
    """
    paths = [*examples(world), *admin_paths()]
    if reader in WALKERS:
        crawl.everywhere(paths)
    else:
        crawl.at_some(paths, most=most)
    assert [path for path, status in crawl.seen.items() if status >= 500] == []
    assert set(routes()) - crawl.visited == set(), "give each new address an example in tests/browser/crawling.py"


WAYS: dict[str, tuple[str, dict[str, str]]] = {
    "as a fragment": ("GET", {"X-Fragment": "true"}),
    "as JSON": ("GET", {"Accept": "application/json"}),
    "as if from a proxy": ("GET", {"X-Forwarded-For": "127.0.0.1", "X-Http-Method-Override": "POST"}),
    "the head": ("HEAD", {}),
    "what is allowed": ("OPTIONS", {"Accept": "text/html, application/json"}),
    "without the form's token": ("POST", {}),
    "to remove": ("DELETE", {}),
    "a trace": ("TRACE", {"X-Echo": "plum"}),
}


QUICK_WAYS = ("without the form's token",)
"""The others ask for every page once more: they run with the slow tests, as the walks do."""


@pytest.mark.parametrize(
    "way", [way if way in QUICK_WAYS else pytest.param(way, marks=pytest.mark.slow) for way in WAYS]
)
def test_no_other_way_of_asking_shows_more(way: str, world: World, crawl_as: Callable[[str], Crawl]) -> None:
    method, headers = WAYS[way]
    crawl = crawl_as("ben")
    for path in one_of_each(examples(world)):
        crawl.ask(path, method, **headers)
    assert crawl.found == {}
    assert [path for path, status in crawl.seen.items() if status >= 500] == []


def one_of_each(paths: list[str]) -> list[str]:
    """The first address of each kind."""
    return list({route_of(path): path for path in reversed(paths)}.values())


def test_what_one_reader_has_in_store_answers_no_other(world: World, crawl_as: Callable[[str], Crawl]) -> None:
    match = world.finished()
    for path in (f"/m/{match.uuid}/", f"/m/{match.uuid}/record.json", f"/t/{world.events['private'].slug}/"):
        kept = crawl_as("ann").client.get(path, headers={"X-Fragment": "true"})
        assert kept.headers["ETag"]
        assert "private" in kept.headers["Cache-Control"]
        stored = {"X-Fragment": "true", "If-None-Match": kept.headers["ETag"]}
        for other in ("", "ben", "operator"):
            answer = crawl_as(other).ask(path, "GET", **stored)
            assert answer.status_code in (200, 404), (path, other)


@pytest.mark.thorough
def test_error_pages_say_nothing_of_our_insides(
    world: World, crawl_as: Callable[[str], Crawl], monkeypatch: pytest.MonkeyPatch
) -> None:
    private = word("ann", "source")
    crawl = crawl_as("ben")
    crawl.ask("/b/?q=%00")
    crawl.client.post("/b/new/", {"source": "x" * 4_000_000})
    crawl.ask("/b/new/", "POST", **{"Content-Length": "99999999"})

    def broken(*_args: object, **_kwargs: object) -> None:
        raise RuntimeError(f"{private} in {__file__}: SELECT * FROM bots_blob")

    monkeypatch.setattr("tournaments.pages.people.people.people.bot_page", broken)
    monkeypatch.setattr("tournaments.api.matches.matches.match_page", broken)
    version = world.plums["ann"]
    for path in (f"/b/{version.bot.slug}/", f"/api/v1/records/{world.claimed.uuid}"):
        assert crawl.ask(path).status_code == 500
    assert crawl.found == {}


def holders_of_links_see_their_own() -> None:
    """Open each link of a registration and of a place in a team, also the one of its mail, as nobody."""
    found: dict[str, list[str]] = {}
    links = list(held_links())
    for path, keys in links:
        crawl = Crawl(Client(), watch_for(keys))
        assert crawl.ask(path).status_code == 200, path
        found |= crawl.found
    assert len(links) > 20
    assert found == {}


def test_who_holds_a_link_of_a_registration_sees_their_own_alone(world: World) -> None:
    holders_of_links_see_their_own()


@pytest.mark.slow
@on_sqlite
def test_who_holds_a_link_of_a_registration_sees_their_own_alone_on_sqlite_too(world: World) -> None:
    holders_of_links_see_their_own()


def test_mails_of_registrations_tell_each_person_their_own_alone(world: World) -> None:
    assert f"{word('ines', 'asked')}@plum.example" in {address for address, _subject in letters()}
    assert len(mail.outbox) > 10
    for each in mail.outbox:
        text = "\n".join([str(each.subject), str(each.body), str(each.extra_headers), *map(str, alternatives_of(each))])
        assert watch_for(keys_of_address(each.to[0])).findings("", text) == [], each.to


def alternatives_of(each: EmailMessage) -> list[object]:
    """The further parts of a mail."""
    return [part[0] for part in getattr(each, "alternatives", [])]


OF_REGISTRATIONS = (Registration, RegistrationAnswer, RegisteredTeam, TeamPlace, WaitingLetter)


@pytest.mark.thorough
def test_no_other_table_holds_a_private_fact_of_a_registration(world: World) -> None:
    private = {fact.text: fact.what for fact in facts() if not fact.born and "private event" not in fact.what}
    for model in apps.get_models():
        if model not in OF_REGISTRATIONS:
            rows = json.dumps(list(model._default_manager.values()), default=str)
            assert [what for text, what in private.items() if text in rows] == [], model


@pytest.mark.thorough
def test_what_is_written_down_and_told_holds_no_private_word(world: World) -> None:
    # Numbers of rows may be anybody's age.
    watch = replace(watch_of(world, None), beside=())
    for model in (AuditEvent, Outbox, Channel, Worker, Lease):
        rows = json.dumps(list(model._default_manager.values()), default=str)
        hidden = [each for each in watch.findings("", rows) if not each.startswith(("a lease", "the name of"))]
        assert hidden == [], model


def test_whoever_read_a_finished_leg_cannot_change_who_sits_in_the_next(world: World) -> None:
    """State the reason why the replay of a leg may be shown before its siblings are played (docs/decisions/0013)."""
    _done, waits = world.half_done
    before = list(waits.seats.order_by("index").values("bot_version", "entry", "player"))
    for version in BotVersion.objects.filter(seats__match=waits).select_related("bot"):
        owner = version.bot.owner
        newer = a_version(version.bot, LAST)
        activate(version=newer, by=owner)
        retire(version=version, by=owner)
        hide(version=version, by=owner)
        with pytest.raises(TournamentError):
            withdraw_entry(entry=Entry.objects.get(seats__match=waits, player__bot=version.bot), by=owner)
    assert list(waits.seats.order_by("index").values("bot_version", "entry", "player")) == before
    row = play.in_full(Match.objects.filter(pk=waits.pk)).get()
    assert [files.version_hash for files in play.spec_of(row).bots] == [
        seat.bot_version.hash for seat in row.seats.all() if seat.bot_version
    ]


LEAKS: dict[str, Callable[[World], str]] = {
    "a source": lambda world: source_of(world.plums["ann"], world.people["ann"])[0][1].decode(),  # type: ignore[index]  # it has files
    "a file's name": lambda world: str(world.plums["ann"].files),
    "a log": lambda world: (check_of(world.failed["ann"], world.people["ann"])[1] or b"").decode(),
    "a finding": lambda world: str(list(Check.objects.filter(version__bot__owner__username="ann").values("result"))),
    "a secret as text": lambda world: hidden_stages()[0].secret.hex(),  # type: ignore[union-attr]  # it has a secret
    "a secret as base64": lambda world: b64encode(bytes(hidden_stages()[0].secret or b"")).decode(),
    "a seed": lambda world: seed_of(world.claimed).hex(),
    "a deck": lambda world: json.dumps([code_of(card) for card in deck_order(seed_of(world.claimed), 1)]),
    "a hand": lambda world: "</li><li>".join(hands_of(world.claimed)[1]),
    "the deck of a leg that waits": lambda world: str([code_of(x) for x in deck_order(seed_of(world.half_done[1]), 1)]),
    "an address of a letter": lambda world: world.people["ann"].email,
    "a password": lambda world: world.people["ann"].password,
    "a path": lambda world: f"in {__file__}",
    "a traceback": lambda world: "<pre>Traceback (most recent call last):",
    "SQL": lambda world: 'relation "bots_blob" does not exist',
    "a private event": lambda world: world.events["private"].name,
    "a draft": lambda world: world.events["draft"].name,
    "an answer of a registration": lambda world: RegistrationAnswer.objects.latest("pk").value,
    "an address of a registration": lambda world: Registration.objects.exclude(email="").latest("pk").email,
    "a link of a registration": lambda world: token_of(Registration.objects.latest("pk")),
    "a link of a place in a team": lambda world: place_token(TeamPlace.objects.latest("pk")),
    "a link in a mail about a team": lambda world: place_token(TeamPlace.objects.latest("pk"), mailed=True),
    "a captain's link": lambda world: captain_token(next(iter(captains_of(world.events["apart"]).values()))),
    "why somebody was refused": lambda world: Registration.objects.exclude(reason="").get().reason,
    "somebody who was asked": lambda world: TeamPlace.objects.exclude(email="").get().name,
    "a year of birth": lambda world: "{0.name} ({0.birth_year})".format(born_first()),
    "an age": lambda world: f"{born_first().name}</td><td>{timezone.now().year - (born_first().birth_year or 0)}",
}


def born_first() -> Registration:
    """The first registration with a year of birth."""
    return Registration.objects.exclude(birth_year=None).earliest("pk")


def seed_of(match: Match) -> bytes:
    """The seed that its decks are made from."""
    stage, deal_set = match.stage, match.deal_set
    assert deal_set is not None
    return match_seed(bytes(stage.secret or b""), bytes(stage.mix or b""), deal_set.uuid.bytes)


@pytest.mark.thorough
@pytest.mark.parametrize("what", LEAKS)
def test_the_walk_notices(what: str, world: World) -> None:
    """Put each kind of leak into a page by a view: the walk would fail."""
    watch = watch_of(world, None)
    path = f"/m/{world.half_done[1].uuid}/"
    assert watch.findings(path, f"<p>{LEAKS[what](world)}</p>") != []
    assert watch.findings(path, "<p>plum</p>") == []
