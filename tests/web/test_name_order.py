"""Lists stand in one order on both databases: names where a person looks for them, what has no value at its end."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import timedelta
from urllib.parse import unquote

import pytest
from django.db.models import Value
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from accounts.alphabet import ByName, name_key
from accounts.models import User
from bots.models import Bot, Lease
from tests.builders import events as a
from tests.services.databases import on_both
from tournaments.entries import links_query
from tournaments.entries.people import add_list, check_in_all
from tournaments.floor import find_me
from tournaments.models import Entry, Match, RatingPool, Seat, Tournament
from tournaments.people import queries as people
from tournaments.progress.run import start_tournament
from tournaments.ratings import seeds
from tournaments.scores import tables

pytestmark = [on_both, pytest.mark.django_db]

IN_ORDER = ("Adam", "Åsa", "Elodie", "Élodie", "emil", "Łukasz", "O'Brien", "Ólafur", "Øyvind", "Zoë", "Ёлка", "花子")
"""Accents, small letters, letters that have no accent to lose, other scripts."""


def as_one(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def a_night_of(names: Iterable[str]) -> Tournament:
    event = a.an_open_event(name="Club night", who="people", kind="swiss", rounds=2)
    add_list(tournament=event, by=event.created_by, data="\n".join(names).encode())
    check_in_all(tournament=event, by=event.created_by)
    return event


def shown(page: str) -> list[str]:
    """The names in the order in which a page shows each for the first time."""
    at = {name: found.start() for name in IN_ORDER if (found := re.search(rf"(?<!\w){escaped(name)}(?!\w)", page))}
    return sorted(at, key=at.__getitem__)


def escaped(name: str) -> str:
    return re.escape(name).replace("'", "(?:'|&#x27;)")


@pytest.mark.thorough
def test_both_databases_compare_names_as_we_do() -> None:
    a.a_user("somebody")

    @given(st.text(st.characters(exclude_categories=["C"]), max_size=60))
    def holds(name: str) -> None:
        assert User.objects.values_list(ByName(Value(name)), flat=True)[0] == name_key(name)

    holds()


@pytest.mark.thorough(keep=1)
def test_everybody_without_a_seed_follows_those_who_have_one() -> None:
    event = a_night_of(reversed(IN_ORDER))
    for seed, name in enumerate(("Zoë", "Adam"), start=1):
        Entry.objects.filter(tournament=event, player__name=name).update(seed=seed)
    others = [name for name in IN_ORDER if name not in ("Zoë", "Adam")]
    assert [entry.player.name for entry in tables.people_of(event)] == ["Zoë", "Adam", *others]
    page = as_one(event.created_by).get(f"/t/{event.slug}/entries/").content.decode()
    assert shown(page[page.index("<main") :]) == ["Zoë", "Adam", *others]


@pytest.mark.thorough
def test_links_cards_and_the_search_are_in_the_order_of_names() -> None:
    event = a_night_of(reversed(IN_ORDER))
    organiser = as_one(event.created_by)
    assert [entry.player.name for entry in links_query.people_of(event)] == list(IN_ORDER)
    for path in ("links/", "links/cards/"):
        organiser.post(f"/t/{event.slug}/links/make/")
        page = organiser.get(f"/t/{event.slug}/{path}").content.decode()
        assert shown(page[page.index("<main") :]) == list(IN_ORDER), path
    assert [each.name for each in find_me.found_at(event, "a")] == ["Adam", "Åsa", "Łukasz", "Ólafur"]


def test_a_name_is_found_by_small_letters_and_capital_ones() -> None:
    event = a_night_of(("Élodie", "Ёлка", "Emil", "50% Emil"))
    for words, found in (("éLO", ["Élodie"]), ("ёлк", ["Ёлка"]), ("emil", ["50% Emil", "Emil"]), ("0%", ["50% Emil"])):
        assert [each.name for each in find_me.found_at(event, words)] == found, words
    assert Entry.objects.filter(tournament=event, player__name__iexact="éLODIE").count() == 1
    assert Entry.objects.filter(tournament=event, player__name__holds="éL").count() == 1


@pytest.mark.thorough
def test_the_printed_list_by_name_is() -> None:
    event = a_night_of(reversed(IN_ORDER))
    start_tournament(tournament=event, by=event.created_by)
    page = as_one(event.created_by).get(f"/t/{event.slug}/print/1/?sheet=names").content.decode()
    assert shown(page[page.index("<main") :]) == list(IN_ORDER)


@pytest.mark.thorough
def test_pages_of_people_go_on_where_the_one_before_ended() -> None:
    names = [f"{first}{number:02}" for first in ("zoe", "Ådel", "élan", "Emil", "adam") for number in range(12)]
    for name in names:
        a.a_bot(a.a_user(name))
    pages = [Client().get(f"/u/?page={number}").content.decode() for number in (1, 2)]
    found = [dict.fromkeys(re.findall(r'href="/u/([^"/?]+)/"', page)) for page in pages]
    assert all(len(page) > 1 for page in found)
    assert [unquote(name) for page in found for name in page] == sorted(names, key=name_key)


def test_seeds_by_rating_keep_the_order_of_entries_where_nobody_is_rated() -> None:
    event = a_night_of(("Adam", "Emil", "Zoë"))
    Entry.objects.filter(tournament=event, player__name="Zoë").update(seed=1)
    stage = event.stages.get()
    pool = RatingPool.objects.create(who=RatingPool.Who.PEOPLE, preset=stage.preset, seats=2, sides=2)
    shown = seeds.preview_ratings(stage=stage, by=event.created_by, pool=pool)
    assert [line.entry.player.name for line in shown.lines] == ["Zoë", "Adam", "Emil"]


@pytest.mark.thorough
def test_a_bots_page_begins_with_what_it_plays_now() -> None:
    event = a.a_running_event(bots=2, legs="cyclic")
    over, now = Match.objects.filter(stage__tournament=event).order_by("-pk")[:2]
    lease = Lease.objects.create(worker=a.a_worker(), expires_at=timezone.now() + timedelta(minutes=1))
    Match.objects.filter(pk=over.pk).update(state=Match.State.CONFIRMED, finished_at=timezone.now())
    Seat.objects.filter(match=over).update(outcome=Seat.Outcome.PLAYED, place=1)
    Match.objects.filter(pk=now.pk).update(state=Match.State.CLAIMED, lease=lease, attempt=1)
    slug = Bot.objects.filter(versions__seats__match=over).values_list("slug", flat=True)[0]
    page = people.bot_page(people.bots_for(None, [slug])[slug], None)
    assert [match.pk for match in page.matches] == [now.pk, over.pk]
