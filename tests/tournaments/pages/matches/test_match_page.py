"""The match page without a browser: every state in words, the record when there is one, nothing before its time."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from bots.models import Blob
from bots.templatetags.emblems import emblem_for
from core.replay.book import book
from core.replay.document import read
from core.replay.words import deal_text
from engine.deck import commitment
from engine.game import game_of
from engine.games import PRESETS
from engine.record import verify
from engine.record_compact import expand
from tests.builders.matches_on_show import a_finished_match, a_match, a_stage, finish
from tournaments.models import DealSet, Match, Player, Seat, Tournament

BACKEND = "django.contrib.auth.backends.ModelBackend"
pytestmark = pytest.mark.django_db


def html_of(client: Client, match: Match, query: str = "", **headers: str) -> str:
    reply = client.get(f"/m/{match.uuid}/{query}", headers=headers)
    assert reply.status_code == 200
    return reply.content.decode()


def record_of(client: Client, match: Match) -> dict[str, Any]:
    reply = client.get(f"/m/{match.uuid}/record.json")
    assert reply.status_code == 200
    document: dict[str, Any] = json.loads(reply.content)
    return document


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("pending", "can be played once its round begins"),
        ("ready", "can be played once its round begins"),
        ("queued", "next in the queue"),
        ("claimed", "A worker is playing this match"),
        ("quarantined", "Held for review"),
        ("void", "This match counts for nobody"),
    ],
)
def test_a_match_that_is_not_finished_says_where_it_is(client: Client, state: str, words: str) -> None:
    match = a_match(a_stage(), state=state, claimed_at=timezone.now())
    html = html_of(client, match)
    assert words in html
    assert "Plum" in html
    # Who will play sits at the table, each by the emblem of their bot and with a link to it.
    for seat in match.seats.select_related("bot_version__bot"):
        assert seat.bot_version is not None
        sits = html.partition(f'<li class="seat-{seat.index}">')[2].partition("</li>")[0]
        assert f'href="/b/{seat.bot_version.bot.slug}/"' in sits
        assert f"#{emblem_for(seat.bot_version.bot).symbol}" in sits
    assert "Kiri" in html
    assert "hanami-replay" not in html
    assert client.get(f"/m/{match.uuid}/record.json").status_code == 404


def test_the_place_in_the_queue_counts_those_before(client: Client) -> None:
    stage = a_stage()
    a_match(stage, priority=1)
    match = a_match(stage, priority=2)
    assert "1 match before this one" in html_of(client, match)


def test_an_open_match_follows_its_channel_and_a_finished_one_does_not(client: Client) -> None:
    match = a_match(a_stage(rounds=1))
    assert f'data-live="m:{match.uuid}@0"' in html_of(client, match)
    assert "data-live" not in html_of(client, finish(match))


def test_the_fragment_of_an_unchanged_match_is_not_sent_twice(client: Client) -> None:
    match = a_match(a_stage())
    first = client.get(f"/m/{match.uuid}/", headers={"X-Fragment": "true"})
    again = client.get(f"/m/{match.uuid}/", headers={"X-Fragment": "true", "If-None-Match": first["ETag"]})
    assert (first.status_code, again.status_code) == (200, 304)
    Match.objects.filter(pk=match.pk).update(state="claimed", claimed_at=timezone.now())
    moved = client.get(f"/m/{match.uuid}/", headers={"X-Fragment": "true", "If-None-Match": first["ETag"]})
    assert moved.status_code == 200


def test_the_record_is_the_proven_one_with_the_names_of_today(client: Client) -> None:
    match = a_finished_match(seats=3, rounds=1)
    document = record_of(client, match)
    assert verify(document, seed=bytes.fromhex(document["view"]["seed"])).ok
    assert document["view"]["names"] == ["Plum", "Kiri", "Lani"]
    assert all(bot.endswith(" v1") for bot in document["view"]["bots"])
    assert commitment(bytes.fromhex(document["view"]["seed"])) == document["record"]["fair"]["commit"]


def test_the_seed_is_shown_only_once_the_deal_set_is_revealed(client: Client) -> None:
    match = a_finished_match(rounds=1)
    DealSet.objects.filter(matches=match).update(revealed_at=None)
    assert record_of(client, match)["view"]["seed"] is None
    html = html_of(client, match)
    assert "Shown once every leg of this deal set is finished." in html


FACTS = {"oibana": " bids ", "nuki88": " kan", "poka5": " discards ", "poka3": " discards "}


@pytest.mark.thorough
@pytest.mark.parametrize("preset", PRESETS)
def test_the_replay_of_every_preset_tells_its_moves_without_script(client: Client, preset: str) -> None:
    match = a_finished_match(seats=game_of(PRESETS[preset].game).seat_range[0], preset=preset, rounds=4)
    document = record_of(client, match)
    assert verify(document).ok
    replay = read(document)
    words = [deal_text(replay, book("en", str, replay.game), deal) for deal in replay.deals]
    assert FACTS.get(preset, "") in " ".join(sentence for said in words for sentence in said)
    deal, said = replay.deals[0], words[0]
    for move in (0, 1, len(deal.moves) // 2, len(deal.moves)):
        # What ends a deal is small where no card moved with it.
        page = unescape(re.sub("</?small>", "", html_of(client, match, f"?d=1&m={move}")))
        assert said[move] in page


def test_an_unchanged_record_is_not_sent_twice(client: Client) -> None:
    match = a_finished_match(rounds=1)
    first = client.get(f"/m/{match.uuid}/record.json")
    again = client.get(f"/m/{match.uuid}/record.json", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304


def test_a_viewer_keeps_the_record_that_its_page_was_made_of(client: Client) -> None:
    match = a_finished_match(rounds=1)
    for page in ("embed/", ""):
        (record,) = re.findall(r'data-record="([^"]+)"', client.get(f"/m/{match.uuid}/{page}").content.decode())
        kept = client.get(record)
        assert kept["Cache-Control"] == "private, max-age=3600"
        assert kept.json() == client.get(f"/m/{match.uuid}/record.json").json()
    Player.objects.filter(entries__seats__match=match).update(name="Another")
    today = client.get(record)
    assert today["Cache-Control"] == "private, no-cache"
    assert "Another" in today.json()["view"]["names"]


def test_downloading_names_the_file(client: Client) -> None:
    match = a_finished_match(rounds=1)
    reply = client.get(f"/m/{match.uuid}/record.json?download")
    assert reply["Content-Disposition"] == f'attachment; filename="hanami-{match.uuid}.json"'


def test_a_forfeit_is_told_in_words_with_the_place(client: Client) -> None:
    match = a_finished_match(seats=4, rounds=2, forfeit={"deal": 2, "move": 5, "code": "timeout.cpu"})
    html = html_of(client, match)
    assert "Forfeit: the bot used up its computing time" in html
    assert "?d=2&amp;m=5#replay" in html
    assert "has forfeited (timeout.cpu)" in html_of(client, match, "?d=2&m=5")


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("query", ["?d=99&m=999&s=9", "?d=x&m=-1&s=", "?d=1e9", "?d=99999999999999999999"])
def test_a_place_that_does_not_exist_shows_the_nearest(client: Client, query: str) -> None:
    assert "rp-words" in html_of(client, a_finished_match(rounds=1), query)


def test_names_are_escaped(client: Client) -> None:
    match = finish(a_match(a_stage(rounds=1), names=("<b>x</b>", '%(who)s & "co"')))
    html = html_of(client, match, "?d=1&m=1")
    assert "<b>x</b>" not in html
    assert "&lt;b&gt;x&lt;/b&gt;" in html


@pytest.mark.thorough
def test_a_seat_view_shows_no_other_hand(client: Client) -> None:
    match = a_finished_match(seats=4, rounds=1)
    hands: dict[int, set[str]] = {}
    for effect in record_of(client, match)["view"]["deals"][0]["fx0"]:
        if effect[2][0] == "h":
            hands.setdefault(int(effect[2][1:]), set()).add(effect[0])
    for view in range(1, 5):
        table = html_of(client, match, f"?d=1&m=0&s={view}").split('data-rp="table"')[1].split("rp-bar")[0]
        for seat, cards in hands.items():
            shown = {card for card in cards if f'data-card="{card}"' in table}
            assert shown == (cards if seat == view - 1 else set())


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("seats", [2, 7])
def test_queries_are_few_and_do_not_grow(client: Client, seats: int, django_assert_max_num_queries: Any) -> None:
    match = a_finished_match(seats=seats, rounds=3)
    client.get(f"/m/{match.uuid}/")
    with django_assert_max_num_queries(10):
        html_of(client, match)
    with django_assert_max_num_queries(10):
        record_of(client, match)


def test_the_page_stays_light_at_the_biggest_table(client: Client) -> None:
    match = a_finished_match(seats=7, rounds=12)
    assert len(html_of(client, match, "?d=12&m=20").encode()) < 60_000


@pytest.mark.parametrize("change", [{"state": "draft"}, {"visibility": "private"}])
def test_strangers_do_not_learn_of_matches_they_may_not_see(client: Client, change: dict[str, str]) -> None:
    match = a_finished_match(rounds=1)
    Tournament.objects.filter(pk=match.stage.tournament_id).update(**change)
    assert client.get(f"/m/{match.uuid}/").status_code == 404
    assert client.get(f"/m/{match.uuid}/record.json").status_code == 404


def test_a_match_nobody_has_is_404(client: Client) -> None:
    assert client.get("/m/00000000-0000-0000-0000-000000000000/").status_code == 404


@pytest.mark.parametrize("language", ["en", "ja", "fr"])
def test_the_word_file_is_small_and_public(client: Client, language: str) -> None:
    reply = client.get(f"/m/words/{language}-sakura.json")
    assert "public" in reply["Cache-Control"]
    assert len(reply.content) < 12_000
    assert json.loads(reply.content)["book"]["language"] == language


def test_words_of_an_unknown_language_are_404(client: Client) -> None:
    assert client.get("/m/words/xx-sakura.json").status_code == 404


def with_log(match: Match, text: bytes, marks: list[list[int]]) -> Seat:
    seat = match.seats.get(index=1)
    seat.log, seat.log_marks = Blob.objects.put(text), marks
    seat.save()
    return seat


def test_a_log_is_for_its_owner_only(client: Client) -> None:
    match = a_finished_match(rounds=1)
    seat = with_log(match, b"loaded\nsecret plan\n<i>odd\x1b[2J", [[0, 0, 7], [1, 1, 19], [1, 3, 29]])
    assert seat.bot_version is not None
    owner, rival = seat.bot_version.bot.owner, User.objects.create_user("rival", password="plum-blossom-77")
    for reader in (None, rival):
        if reader:
            client.force_login(reader, backend=BACKEND)
        assert "secret plan" not in html_of(client, match)
        assert "secret plan" not in json.dumps(record_of(client, match))
    client.force_login(owner, backend=BACKEND)
    html = html_of(client, match)
    assert re.search(r"While loading\s.*?<pre>loaded</pre>", html, re.DOTALL)
    assert re.search(r"[?]d=1&amp;m=1&amp;s=2#replay\">\s*deal 1, move 1</a>\s*<pre>secret plan</pre>", html)
    assert "&lt;i&gt;odd\N{REPLACEMENT CHARACTER}[2J" in html


def test_a_long_log_shows_its_end(client: Client) -> None:
    match = a_finished_match(rounds=1)
    seat = with_log(match, b"begin " + b"x" * 60_000 + b" end", [])
    assert seat.bot_version is not None
    client.force_login(seat.bot_version.bot.owner, backend=BACKEND)
    html = html_of(client, match)
    assert "x end" in html
    assert "begin" not in html
    assert "only its end is shown" in html


def test_queries_are_few_for_an_owner_too(client: Client, django_assert_max_num_queries: Any) -> None:
    match = a_finished_match(rounds=1)
    seat = with_log(match, b"hello", [[1, 1, 5]])
    assert seat.bot_version is not None
    client.force_login(seat.bot_version.bot.owner, backend=BACKEND)
    with django_assert_max_num_queries(10):
        html_of(client, match)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("language", "name"), [("ja", "松に鶴"), ("fr", "grue japonaise"), ("en", "Crane")])
def test_cards_are_named_in_the_language_of_the_reader(client: Client, language: str, name: str) -> None:
    html = html_of(client, a_finished_match(rounds=1), **{"Accept-Language": language})
    assert f'lang="{language}"' in html
    assert name in html


def test_points_are_shown_in_the_games_own_unit_too(client: Client) -> None:
    match = a_finished_match(seats=2, preset="nuki88", rounds=2)
    for seat in match.seats.all():
        shown = f"{(seat.points or 0) / 10:g} kan".replace("-", "\N{MINUS SIGN}")
        assert f'<span class="sub">{shown}</span>' in html_of(client, match)
    assert " kan<" not in html_of(client, a_finished_match(seats=2, rounds=2))


def test_a_team_has_the_letter_of_its_replay(client: Client) -> None:
    html = html_of(client, a_finished_match(seats=4, preset="french", teams="2x2", rounds=1))
    assert html.count("team A") == html.count("team B") == 2
    assert '<span class="rp-letter">B</span>' in html


def test_who_plays_both_seats_of_a_pair_is_named_once_in_the_title(client: Client) -> None:
    match = a_match(a_stage(seats=4, preset="french", teams="2x2"))
    seats = list(match.seats.order_by("index"))
    for seat, partner in ((seats[2], seats[0]), (seats[3], seats[1])):
        seat.entry, seat.player = partner.entry, partner.player
        seat.save()
    html = html_of(client, match)
    assert "<title>Plum – Kiri · Hanami</title>" in html
    assert '<span class="whole">Plum <i>–</i></span> <span class="whole">Kiri</span> </h1>' in " ".join(html.split())


def test_the_title_of_a_match_of_pairs_has_the_letters_of_the_felt(client: Client) -> None:
    html = html_of(client, a_finished_match(seats=4, preset="french", teams="2x2"))
    head = html[html.index("<h1") : html.index("</h1>")]
    assert re.findall(r'class="rp-letter">(.)<', head) == ["A", "B", "A", "B"]
    alone = html_of(client, a_finished_match(seats=4))
    assert "rp-letter" not in alone[alone.index("<h1") : alone.index("</h1>")]


def test_the_line_of_results_takes_the_place_of_the_title(client: Client) -> None:
    """In one part of the page: who watches a match until its end has one of the two."""
    over = html_of(client, a_finished_match(seats=4)).partition('id="match-replay" data-part')[2]
    title, _h1, rest = over.partition("</h1>")
    assert '<div class="sr">' in title
    assert "data-goes" not in title
    assert rest.index('class="rp-line"') < rest.index("data-goes") < rest.index("</ol>"), "the winner goes along"
    assert rest.count("data-goes") == 1
    waits = html_of(client, a_match(a_stage(), state="queued")).partition('id="match-replay" data-part')[2]
    assert 'class="head slim"' in waits.partition("</h1>")[0]
    assert "data-goes" in waits.partition("</h1>")[0]


def test_the_compact_record_comes_with_the_seed_and_plays_again(client: Client) -> None:
    match = a_finished_match()
    DealSet.objects.update(revealed_at=None)
    assert "compact, to replay" not in html_of(client, match)
    assert client.get(f"/m/{match.uuid}/record.compact.json").status_code == 404
    DealSet.objects.update(revealed_at=timezone.now())
    assert "compact, to replay" in html_of(client, match)
    reply = client.get(f"/m/{match.uuid}/record.compact.json")
    small = json.loads(reply.content)
    document = expand(small)
    assert document["record"] == record_of(client, match)["record"]
    assert verify(document, seed=bytes.fromhex(small["seed"])).ok
    again = client.get(f"/m/{match.uuid}/record.compact.json", headers={"If-None-Match": reply["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(("preset", "sign"), [("hawaii", "+"), ("paradise", "")])
def test_points_of_a_deal_that_goes_on_have_a_sign_where_they_are_added(client: Client, preset: str, sign: str) -> None:
    """Beside a total of the deals before they would read as a part of it; victories they are not added to."""
    shown = html_of(client, a_finished_match(seats=2, preset=preset, rounds=2), "?d=2&m=9")
    found = re.findall(r'<span data-of="(\S+) pts">(\S+) so far</span>', shown)
    assert len(found) == 2
    assert all(short == whole and re.fullmatch(rf"{re.escape(sign)}\d+", whole) for short, whole in found), found
