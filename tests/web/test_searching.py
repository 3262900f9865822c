"""Words in names: found as ever, by an index that knows at once what nobody is called."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client

from accounts.models import User
from bots.models import Bot
from tests.builders import events as a
from tests.tournaments.pairing.test_rated_seeds import a_pool, rated
from tournaments.comparisons.queries import listed
from tournaments.lifecycle import display_names
from tournaments.models import Challenge, Tournament

pytestmark = pytest.mark.django_db
NAMES = ("Plum", "plume d’été", "ÉTÉ", "花見の会", "100 % luck", "100 luck", "snake_case", "snakecase", "x", "")
WORDS = ("plum", "PLUM", "été", "Té", "花見", "花", "見の", "%", "0 %", "_c", "e_", "x", "nobody", "  ")


def test_words_are_found_in_the_names_that_hold_them() -> None:
    people = [User(username=f"user{n}", display_name=name) for n, name in enumerate(NAMES)]
    User.objects.bulk_create(people)
    for words in WORDS:
        wanted = {name for name in NAMES if words.upper() in name.upper()}
        found = set(User.objects.filter(display_name__holds=words).values_list("display_name", flat=True))
        assert found == wanted, words
        assert set(User.objects.filter(display_name__icontains=words).values_list("display_name", flat=True)) == found


@pytest.mark.parametrize(
    ("model", "column", "index"),
    [
        (User, "username", "accounts_user_username_pairs"),
        (User, "display_name", "accounts_user_display_name_pairs"),
        (Bot, "name", "bots_bot_name_pairs"),
        (Tournament, "name", "tournaments_tournament_name_pairs"),
    ],
)
def test_an_index_knows_what_nobody_is_called(model: type[User | Bot | Tournament], column: str, index: str) -> None:
    rows = model._base_manager.filter(**{f"{column}__holds": "nobody"})
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    assert index in rows.explain()
    assert index not in model._base_manager.filter(**{f"{column}__holds": "n"}).explain()


def test_a_leaderboard_is_searched_by_bot_and_owner_few_or_many(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = a_pool()
    for number, (owner, name) in enumerate((("ann", "Kite"), ("ann", "Plum"), ("bo", "Annual"), ("cy", "Zelkova"))):
        known = User.objects.filter(username=owner).first() or a.a_user(owner)
        bot = a.a_bot(known, name=name)
        rated(pool, bot.pk, 30 - number, 1, version=bot.active_version)
    for most in (display_names.MAXIMUM, 1):  # by their keys, and row by row
        monkeypatch.setattr(display_names, "MAXIMUM", most)
        page = client.get("/ladder/hawaii/?q=ann").content.decode()
        assert [name in page for name in ("Kite", "Plum", "Annual", "Zelkova")] == [True, True, True, False], most
        assert "Kite" not in client.get("/ladder/hawaii/?q=nobody").content.decode()


def test_comparisons_are_searched_by_either_bot_few_or_many(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.builders.challenges import a_bot_of_two_versions, a_challenge

    rival = a.a_bot(name="Evening plum")
    wanted = {a_challenge(reference=rival.active_version).pk}
    mine = a_bot_of_two_versions()
    Bot.objects.filter(pk=mine.pk).update(name="Plum")
    wanted.add(a_challenge(mine, reference=a.a_bot(name="Kite").active_version).pk)
    a_challenge(reference=a.a_bot(name="Pine").active_version)
    for most in (display_names.MAXIMUM, 1):
        monkeypatch.setattr(display_names, "MAXIMUM", most)
        assert {row.pk for row in listed(None, words="plum")} == wanted
    assert Challenge.objects.count() == 3
