"""A bot that has played in no event yet: its comparisons, what ladders make of it, what it can be compared with."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from django.urls import reverse
from django.utils import timezone

from bots.models import Bot, BotVersion
from bots.services import house_account
from tests.builders import events as a
from tests.builders.challenges import GREEDY, LAST, a_bot_of_two_versions, a_challenge, matches_of
from tests.tournaments.pages.people.test_bot_pages import Become, a_match, a_night, read
from tournaments.models import BotPolicy, Challenge, Match
from tournaments.ratings.ladders import house

pytestmark = pytest.mark.django_db


def played(challenge: Challenge, matches: int) -> None:
    """Confirm that many matches of a comparison."""
    for match in matches_of(challenge)[:matches]:
        Match.objects.filter(pk=match.pk).update(state="confirmed", finished_at=timezone.now())


def test_matches_in_comparisons_are_counted_for_those_to_whom_lists_name_them(as_user: Become) -> None:
    bot = a_bot_of_two_versions()
    addresses = (f"/b/{bot.slug}/", f"/b/{bot.slug}/matches/")
    played(a_challenge(bot), 2)
    link = f'<a href="{reverse("challenge-list")}?q={quote(bot.name)}"> 2 matches in comparisons</a>'
    for address in addresses:
        assert link in read(as_user(bot.owner), address), address
        # Its owner's own A/B test is theirs alone.
        stranger = read(as_user(None), address)
        assert "This bot has not played a match in an event yet." in stranger
        assert "matches in comparisons" not in stranger
    rival = a.a_bot(name="Rival")
    played(a_challenge(bot, reference=rival.versions.get()), 1)
    for address in addresses:
        assert "3 matches in comparisons" in read(as_user(bot.owner), address)
        assert "1 match in comparisons" in read(as_user(None), address)
    assert "1 match in comparisons" in read(as_user(None), f"/b/{rival.slug}/matches/")


def test_the_matches_of_a_bot_in_events_lead_to_those_in_comparisons_and_to_the_filter(as_user: Become) -> None:
    event, (plum, *others) = a_night()
    a_match(event, dict(zip((plum, *others), ((1, 70), (2, 50), (3, 20)), strict=True)))
    second = a.a_version(plum, GREEDY)
    played(a_challenge(plum, candidate=second, reference=others[0].versions.get()), 1)
    page = read(as_user(None), f"/b/{plum.slug}/matches/")
    assert "1 match in comparisons" in page
    assert f'{reverse("matches")}?state=over&amp;bot={plum.slug}"' in page


def test_ladders_are_promised_only_to_what_they_take(as_user: Become) -> None:
    bot = a.a_bot(name="Thinker")
    address, version = f"/b/{bot.slug}/", BotVersion.objects.filter(bot=bot)
    no_rules = "No official ladder is played by rules that version 1 plays."
    house.open_ladder(house_account(), preset="french", seats=2)
    assert no_rules in read(as_user(None), address)
    house.open_ladder(house_account(), preset="hawaii", seats=2)
    assert "It joins the official ladders within a minute." in read(as_user(None), address)
    version.update(clock="deep")
    page = read(as_user(None), address)
    assert "Official ladders are played with the clock “Standard”, and version 1 asks for “Deep”." in page
    assert "It joins the official ladders" not in page
    version.update(clock="quick", benched_at=timezone.now())
    assert "It is suspended and gets no new matches." in read(as_user(None), address)
    version.update(benched_at=None)
    BotPolicy.objects.create(bot=bot, in_ladders=False)
    assert "It stays out of the official ladders." in read(as_user(None), address)


def test_the_active_version_is_compared_with_the_newest_one_before_it(as_user: Become) -> None:
    bot = a.a_bot(name="Plum")
    first, second, third = bot.versions.get(), a.a_version(bot, GREEDY), a.a_version(bot, LAST)
    address = f"/b/{bot.slug}/"

    def offered(active: BotVersion) -> str:
        Bot.objects.filter(pk=bot.pk).update(active_version=active)
        found = re.search(r"reference=([0-9a-f-]+)", read(as_user(bot.owner), address))
        return found[1] if found else ""

    assert offered(third) == str(second.uuid)
    assert offered(second) == str(first.uuid), "never a newer one"
    assert offered(first) == ""
    assert "Compare with another bot" in read(as_user(bot.owner), address)
    BotVersion.objects.filter(pk=second.pk).update(benched_at=timezone.now())
    assert offered(third) == str(first.uuid)
