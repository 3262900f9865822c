"""Emblems: from the name, or as the owner chose, on pages and by the API."""

from __future__ import annotations

import re
from collections import Counter
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.test import Client

from bots.emblems import INKS, Colour, emblem_of
from bots.errors import BotError
from bots.models import AuditEvent, Bot
from bots.services import choose_emblem, house_account, install_house_bot
from bots.templatetags.emblems import emblem, emblem_for
from engine.cards import CODES
from tests.builders import events as a
from tests.builders.keys import Caller, problem
from tournaments.management.commands.seed_demo import ENTRIES

PICTURE = re.compile(
    r'<svg class="em" width="(\d+)" height="\1" color="(#\w+)" aria-hidden="true"><use href="[^"]*#(e\d+)"/>'
)


def own(client: Client, bot: Bot) -> Client:
    client.force_login(bot.owner, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_a_name_has_one_emblem_however_it_is_written() -> None:
    assert emblem_of("Plum") == emblem_of(" plum") == emblem_of("ＰＬＵＭ")
    assert emblem_of("Plum") != emblem_of("Plum 2")


def test_names_spread_over_all_cards_and_colours() -> None:
    found = [emblem_of(f"bot {n}") for n in range(4_000)]
    cards, colours = Counter(each.card for each in found), Counter(each.colour for each in found)
    assert set(cards) == set(CODES)
    assert set(colours) == set(Colour) == set(INKS)
    assert len({(each.card, each.colour) for each in found}) > 550, "of 576"


def test_what_is_chosen_counts_and_what_is_unknown_does_not() -> None:
    chosen = emblem_of("Plum", "01.1", "moon")
    assert (chosen.card, chosen.colour, chosen.symbol, chosen.ink) == ("01.1", "moon", "e0101", INKS[Colour.MOON])
    assert emblem_of("Plum", "13.1", "mauve") == emblem_of("Plum")
    assert emblem_of("Plum", "12.4").colour == emblem_of("Plum").colour


def test_a_player_a_person_and_a_name_have_emblems_too() -> None:
    bot = Bot(name="Plum", emblem_card="01.1", emblem_colour="moon")
    assert emblem_for(bot) == emblem_for(SimpleNamespace(name="Plum", bot=bot)) == emblem_of("", "01.1", "moon")
    assert emblem_for(SimpleNamespace(name="Lani", bot=None)) == emblem_for("Lani") == emblem_of("Lani")
    assert emblem_for(SimpleNamespace(shown_name="Lani")) == emblem_of("Lani")
    assert PICTURE.match(emblem(bot)) is not None
    assert 'width="64"' in emblem(bot, 64)


@pytest.mark.django_db
def test_its_owner_chooses_it_and_the_audit_says_so() -> None:
    bot, other = a.a_bot(), a.a_user()
    for card, colour in (("13.1", ""), ("", "mauve")):
        with pytest.raises(BotError) as refused:
            choose_emblem(bot=bot, by=bot.owner, card=card, colour=colour)
        assert refused.value.code == "bot.bad_emblem"
    with pytest.raises(BotError) as stranger:
        choose_emblem(bot=bot, by=other, card="01.1", colour="pine")
    assert stranger.value.code == "bot.not_owner"
    before = AuditEvent.objects.count()
    for _twice in range(2):
        chosen = choose_emblem(bot=bot, by=bot.owner, card="01.1", colour="pine")
        assert (chosen.emblem_card, chosen.emblem_colour) == ("01.1", "pine")
    assert AuditEvent.objects.count() == before + 1
    assert choose_emblem(bot=bot, by=bot.owner, card="", colour="").emblem_card == ""


@pytest.mark.django_db
def test_it_is_chosen_on_a_page_of_its_own(client: Client) -> None:
    bot = a.a_bot(name="Plum")
    address = f"/b/{bot.slug}/emblem/"
    assert client.get(address).status_code == 302, "log in first"
    assert own(Client(), a.a_bot()).get(address).status_code == 404, "somebody else's"
    page = own(client, bot).get(address).content.decode()
    assert page.count('name="emblem_card"') == 49
    assert page.count('name="emblem_colour"') == 13
    answer = client.post(address, {"emblem_card": "08.1", "emblem_colour": "sky"})
    assert (answer.status_code, answer["Location"]) == (302, f"/b/{bot.slug}/")
    bot.refresh_from_db()
    assert (bot.emblem_card, bot.emblem_colour) == ("08.1", "sky")
    assert client.post(address, {"emblem_card": "8", "emblem_colour": "sky"}).status_code == 422
    shown = client.get(f"/b/{bot.slug}/").content.decode()
    ink = INKS[Colour.SKY]
    assert re.search(rf'class="portrait">\s*<svg class="card" [^>]*color="{ink}"[^>]*><use [^>]*#c0801"', shown)
    assert ("36", ink, "e0801") in PICTURE.findall(client.get("/b/").content.decode())


@pytest.mark.django_db
def test_it_is_chosen_with_an_upload(client: Client) -> None:
    owner = a.a_user()
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    sent = {"name": "Plum", "source": a.FIRST.decode(), "plays": ["hawaii"], "emblem_card": "02.1"}
    assert client.post("/b/new/", sent).status_code == 302
    made = Bot.objects.get(owner=owner)
    assert (made.emblem_card, made.emblem_colour) == ("02.1", "")
    again = {"bot": made.pk, "source": a.FIRST.decode() + "# more\n", "plays": ["hawaii"]}
    assert client.post("/b/new/", again).status_code == 302
    made.refresh_from_db()
    assert made.emblem_card == "02.1", "an upload that chooses none leaves it"
    third = {**again, "source": a.FIRST.decode() + "# and more\n", "emblem_colour": "sky"}
    assert client.post("/b/new/", third).status_code == 302
    made.refresh_from_db()
    assert (made.emblem_card, made.emblem_colour) == ("02.1", "sky"), "and one that chooses a colour leaves the card"


@pytest.mark.django_db
def test_programs_read_and_change_it() -> None:
    owner = a.a_user("ann")
    caller = Caller(owner, "bot:write")
    made = caller.post("/api/v1/bots", {"name": "Plum", "emblem": {"card": "03.1"}}).json()
    by_name = emblem_of("Plum").colour.value
    assert made["emblem"] == {"card": "03.1", "colour": by_name}
    changed = caller.patch("/api/v1/bots/plum", {"emblem": {"colour": "moon"}})
    assert changed.json()["emblem"] == {"card": "03.1", "colour": "moon"}
    assert Caller(None).get("/api/v1/bots/plum").json()["emblem"] == {"card": "03.1", "colour": "moon"}
    back = caller.patch("/api/v1/bots/plum", {"emblem": {"card": "", "colour": ""}}).json()
    assert back["emblem"] == {"card": emblem_of("Plum").card, "colour": by_name}
    assert caller.patch("/api/v1/bots/plum", {"emblem": {"card": "13.1"}}).status_code == 400
    assert problem(Caller(a.a_user("ben"), "bot:write").patch("/api/v1/bots/plum", {"emblem": {}})) == (
        404,
        "not_found",
    )
    assert problem(Caller(None).patch("/api/v1/bots/plum", {"emblem": {}})) == (401, "auth.needed")
    outdated = caller.patch("/api/v1/bots/plum", {"emblem": {"card": "01.1"}}, If_Match='"old"')
    assert outdated.status_code == 412


def test_the_bots_of_the_house_have_emblems_of_their_own() -> None:
    emblems = {strategy: emblem for strategy, (_name, _note, emblem) in ENTRIES.items()}
    cards, colours = ({each[part] for each in emblems.values()} for part in (0, 1))
    assert emblems["sampler"][0] == "01.1", "the crane"
    assert len(cards) == len(colours) == len(ENTRIES)
    assert cards <= set(CODES)
    assert colours <= set(Colour.values)


@pytest.mark.django_db
def test_a_house_bot_keeps_what_was_chosen_for_it() -> None:
    house, files = house_account(), [("bot.py", a.FIRST)]
    for emblem_ in (("09.1", "vermilion"), ("01.1", "pine")):
        bot = install_house_bot(owner=house, name="Greedy", files=files, plays=["hawaii"], emblem=emblem_)
    bot.refresh_from_db()
    assert (bot.emblem_card, bot.emblem_colour) == ("09.1", "vermilion")


@pytest.mark.django_db
def test_house_bots_of_before_get_their_emblems_where_none_was_chosen() -> None:
    migration = import_module("bots.migrations.0012_emblems_of_house_bots")
    house, files = house_account(), [("bot.py", a.FIRST)]
    rows = {
        name: install_house_bot(owner=house, name=name, files=files, plays=["hawaii"]) for name in ("Sampler", "Yaku")
    }
    Bot.objects.filter(name="Yaku").update(emblem_colour="ash")
    own_of_somebody = a.a_bot(name="Random")
    migration.choose(apps, None)
    found = dict(Bot.objects.values_list("name", "emblem_card"))
    assert (found[rows["Sampler"].name], found["Yaku"], found[own_of_somebody.name]) == ("01.1", "", "")
    emblems = {name: emblem_ for name, _note, emblem_ in ENTRIES.values()}
    # Those who came to the house since have had theirs from the beginning.
    assert {name: emblems[name] for name in migration.EMBLEMS} == migration.EMBLEMS
    migration.leave_to_the_name(apps, None)
    assert Bot.objects.get(name="Sampler").emblem_card == ""
