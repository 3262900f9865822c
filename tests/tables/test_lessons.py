"""Lessons: their moments occur, every step of every way is explained, and nothing of them is stored."""

from __future__ import annotations

import re
from html import unescape
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bots.runner.inprocess import UnsafeInProcessPlayer
from engine.games import GAMES
from tables.lessons.choosing import advice_of, house_choice, view_of
from tables.lessons.course import HOUSE, LEARNER, Course, course_of
from tables.lessons.shelf import LESSONS
from tables.models import LiveTable

pytestmark = pytest.mark.django_db
ADVISED = re.compile(r'name="a" value="([\d.]+)"[^>]*data-advised')
CHOICE = re.compile(r'name="a" value="([\d.]+)"')


def as_advised(name: str) -> list[Course]:
    """A lesson whose learner does what is advised: every step of it."""
    lesson = LESSONS[name]
    steps = [course_of(lesson, [])]
    while not steps[-1].is_over:
        match = steps[-1].fold.match
        index = advice_of(view_of(match, LEARNER, lesson.preset)).index
        steps.append(course_of(lesson, [*steps[-1].answers, index]))
    return steps


def phases(steps: list[Course]) -> set[str]:
    found = [view_of(each.fold.match, LEARNER, each.lesson.preset).phase for each in steps if not each.is_over]
    return set(found)


def test_a_learner_who_follows_the_advice_meets_every_moment_of_koi_koi() -> None:
    steps = as_advised("koi-koi")
    assert steps[0].fold.match.move == 0, "the learner plays the first card"
    assert "decision" in phases(steps)
    outcome = steps[-1].fold.match.last_outcome
    assert outcome is not None
    assert outcome.winner == LEARNER
    moves = [(seat, action.word) for seat, action in steps[-1].fold.match.deals[0].moves]
    assert (LEARNER, "koikoi") in moves
    assert outcome.score[LEARNER] >= 7, "more came of it than the yaku before"


@pytest.mark.parametrize("name", LESSONS)
def test_what_a_game_is_about_is_told_in_two_steps(name: str, client: Client) -> None:
    lesson = LESSONS[name]
    answers = as_advised(name)[2].answers
    pages = [
        unescape(
            client.get(f"/learn/{name}/", {"a": ".".join(map(str, answers[:step]))} if step else {}).content.decode()
        )
        for step in range(3)
    ]
    found = [[step for step, page in enumerate(pages) if str(text) in page] for part in lesson.intro for text in part]
    assert found == [[0], [0], [1]]


def test_a_learner_who_follows_the_advice_meets_every_moment_of_sakura() -> None:
    steps = as_advised("sakura")
    match = steps[-1].fold.match
    outcome: Any = match.last_outcome
    assert steps[0].fold.match.move == 0
    assert outcome.winner == LEARNER
    assert outcome.yaku[LEARNER]
    assert any(action.card == 43 for seat, action in match.deals[0].moves if seat == LEARNER), "the Lightning"


@pytest.mark.parametrize("name", LESSONS)
def test_cards_match_and_do_not(name: str) -> None:
    """Both halves of a turn take something and leave something, with the advice."""
    played = as_advised(name)[-1].fold.match.deals[0]
    own = [one for (seat, action), one in zip(played.moves, played.played, strict=True) if seat == LEARNER]
    assert {len(one.steps) for one in own} >= {2, 3, 4}


@pytest.mark.parametrize("name", LESSONS)
def test_the_house_plays_as_its_bot_greedy_does(name: str) -> None:
    from bots.house import house_files

    lesson, asked = LESSONS[name], 0
    for seed in range(12):
        course = course_of(lesson, [])
        rng = Random(f"{name}{seed}")
        while not course.is_over:
            question = course.fold.question
            assert question is not None
            match = course.fold.match
            obs = match.observation(LEARNER, match_id="", preset=lesson.preset, since=0, ms_left=0)
            player = UnsafeInProcessPlayer()
            hello = {"rng": "0", "ruleset": match.ruleset.to_json(), "seats": 2}
            player.load(hello, list(house_files("greedy").files))
            assert player.ask(1, obs, 10_000) == house_choice(view_of(match, LEARNER, lesson.preset))
            asked += 1
            course = course_of(lesson, [*course.answers, rng.randrange(len(question.legal))])
    assert asked > 50


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("language", ["en", "ja", "fr"])
@pytest.mark.parametrize("name", LESSONS)
def test_every_way_through_a_lesson_is_explained(client: Client, name: str, language: str) -> None:
    rng = Random(f"{name}{language}")
    for _each in range(3):
        address = f"/learn/{name}/"
        for _step in range(60):
            html = client.get(address, headers={"Accept-Language": language}).content.decode()
            coach = html.split('id="lesson-coach"')[1].split("</section>")[0]
            assert len(re.sub(r"<[^>]+>|\s", "", coach)) > 30
            assert "%(" not in coach
            found = CHOICE.findall(html)
            if not found:
                break
            assert len(ADVISED.findall(html)) == 1
            address = f"/learn/{name}/?a={rng.choice(found)}"
        assert "rp-end match" in html
        assert 'action="/play/open/"' in html


def test_a_lesson_stores_nothing(client: Client) -> None:
    html = client.get("/learn/koi-koi/").content.decode()
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(f"/learn/koi-koi/?a={CHOICE.findall(html)[0]}")
    assert len(asked) <= 2, [query["sql"] for query in asked]
    assert "sessionid" not in answer.cookies
    assert not LiveTable.objects.exists()
    assert len(answer.content) < 60_000


def test_a_script_gets_the_moves_and_the_part_of_the_page(client: Client) -> None:
    html = client.get("/learn/koi-koi/").content.decode()
    after = re.search(r'data-after="(\d+)"', html)
    assert after is not None
    given = ADVISED.findall(html)[0]
    view = client.get(f"/learn/koi-koi/?a={given}&part=1&after={after[1]}").json()
    assert view["address"] == f"/learn/koi-koi/?a={given}"
    assert [move["told"] for move in view["moves"]] == list(range(int(after[1]) + 1, view["told"] + 1))
    assert view["moves"][0]["seat"] == LEARNER
    assert 'name="a"' in view["part"]["body"]
    assert "Our advice" in view["part"]["told"]


def test_the_hand_of_the_house_is_not_sent(client: Client) -> None:
    course = course_of(LESSONS["koi-koi"], [])
    seen: dict[str, Any] = course.fold.match.observation(
        HOUSE, match_id="", preset="koikoi_nintendo", since=0, ms_left=0
    )
    html = client.get("/learn/koi-koi/").content.decode()
    view = client.get("/learn/koi-koi/?part=1").json()
    table = html.split('class="rp-table"')[1].split('class="rp-fly"')[0]
    assert seen["hand"]
    for card in seen["hand"]:
        assert f'data-card="{card}"' not in table
        assert card not in [code for code, *_way in view["deals"][-1]["fx0"]]


@pytest.mark.parametrize("given", ["99", "x", "0.0.0.99", "1." * 50, "-1", "0" * 300])
def test_an_address_that_fits_no_deal_leads_to_the_beginning(client: Client, given: str) -> None:
    answer = client.get("/learn/koi-koi/", {"a": given})
    assert (answer.status_code, answer.headers.get("Location")) == (302, "/learn/koi-koi/")


@pytest.mark.thorough
def test_lessons_are_found_from_the_first_page_the_lobby_and_the_rules(client: Client) -> None:
    for path in ("/", "/play/"):
        assert 'href="/learn/"' in client.get(path).content.decode()
    for game in GAMES.values():
        for preset in game.presets:
            html = client.get(f"/rules/{preset.id}/").content.decode()
            assert ('href="/learn/' in html) is bool(game.words.portrait.lesson)
    taught = {game.words.portrait.lesson: game.id for game in GAMES.values() if game.words.portrait.lesson}
    assert taught == {name: lesson.rules.game for name, lesson in LESSONS.items()}
    assert client.get("/learn/poker/").status_code == 404
