"""Names in the boxes of a bracket: cut to what fits, and in no browser over their figure or the edge."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

import tests.builders.clubs
from tests.builders.clubs import a_called_night, tables_of, totals
from tournaments.pages.standings.bracket_letters import fitted
from tournaments.scores.actions import Actor, submit_result

NAMES = (
    "name,club",
    "Élodie Marchand-Wallenstein,Lyon",
    "Mmmmmm Wwwwwwwww,Hilo",
    "Grace Nakamura,Honolulu",
    "勅使河原 宏之介太郎,京都",
    "OLIVIER MONTGOMERY,Paris",
    "Fillil Tillifilli,Lyon",
    "Gwenhwyfar Mwangi,Hilo",
    "Al,Kyoto",
)
OVER = """() => [...document.querySelectorAll('.bracket .who:not(.champion)')].flatMap(who => {
  const [name, figure] = [who.querySelector('text:not(.seed, .figure)'), who.querySelector('.figure')];
  const end = figure ? figure.getBBox().x - 3 : who.parentNode.querySelector('.case').getBBox().width - 3;
  const box = name.getBBox();
  return box.x + box.width > end ? [`${name.textContent.trim()}: ${box.x + box.width} of ${end}`] : [];
})"""


@pytest.mark.parametrize(
    ("name", "room", "shown"),
    [
        ("Aiko", 600, "Aiko"),
        ("Wim Mwangi", 600, "Wim…"),
        ("illi fill", 600, "illi fill"),
        ("勅使河原", 580, "勅使河…"),
        ("勅使河原", 600, "勅使河原"),
    ],
)
def test_a_name_is_cut_by_the_width_of_its_letters(name: str, room: int, shown: str) -> None:
    assert fitted(name, room) == shown


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("more", [(), ("Daniel Kealoha,Hilo", "Bo,Hilo", "Wm,Kyoto", "Leilani Akana,Hilo")])
def test_no_name_of_a_bracket_reaches_its_figure_or_the_edge(
    page: Page, live_site: str, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    """Of eight, and of twelve in the narrower boxes of five columns."""
    names = (*NAMES, *more)
    monkeypatch.setattr(tests.builders.clubs, "EVERYBODY", names)
    event = a_called_night(people=len(names), kind="single_elim", rounds=1, seats=2, options={"rounds": 6})
    for table in tables_of(event):
        submit_result(match=table, actor=Actor(user=event.created_by), claim=totals(840, 600))
    page.goto(f"{live_site}/t/{event.slug}/bracket/")
    assert page.locator(".bracket .figure").count() == 8
    assert page.locator(".bracket.dense").count() == bool(more)
    page.evaluate("document.fonts.ready")
    assert page.evaluate(OVER) == []
