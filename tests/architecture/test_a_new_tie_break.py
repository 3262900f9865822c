"""Adding a tie-break is a function and its line in the registry: it ranks, and it is a column wherever one is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse

from core.standings import tiebreaks
from core.standings.ledger import Account, Ledger
from core.standings.table import Term
from core.standings.tiebreaks import TieBreak
from tests.builders import events as a
from tests.builders.clubs import a_called_night, close_event, round_of, tables_of, totals
from tests.builders.keys import Caller
from tests.services.processes import ROOT
from tests.tournaments.progress.test_people import draw_next
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as importing
from tournaments.models import Tournament
from tournaments.progress.rounds import call_round
from tournaments.scores.actions import Actor, submit_result
from tournaments.standings import store

pytestmark = pytest.mark.django_db


def late_seeds(entry: str, tied: Sequence[str], ledger: Ledger) -> Account:
    """The seed, once for every table: who was seeded last is first."""
    seed = Fraction(ledger.seed(entry))
    terms = tuple(Term(result.round, result.match, seed) for result in ledger.results(entry))
    return sum((term.amount for term in terms), Fraction(0)), terms


TOY = TieBreak("toy_late", "Toy late seeds", "TLate", "Who was seeded later ranks higher", late_seeds)


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    """The toy tie-break, registered for one test."""
    tiebreaks.register(TOY)
    yield
    tiebreaks.withdraw(TOY)


def a_night() -> Tournament:
    """Two rounds of four in which every table ends level, so that only the tie-break ranks."""
    event = a_called_night(people=4, tie_breaks=(TOY.id, "lots"))
    for number in (1, 2):
        if number == 2:
            draw_next(event)
            call_round(round_row=round_of(event, 2), by=event.created_by)
        for match in tables_of(event, number):
            submit_result(match=match, actor=Actor(user=event.created_by), claim=totals(50, 50))
    return close_event(tournament=event, by=event.created_by)


@pytest.mark.thorough
def test_the_form_offers_it(client: Client) -> None:
    client.force_login(a.a_user())
    page = client.get("/t/new/?for=both").content.decode()
    assert f'<option value="{TOY.id}">{TOY.name}</option>' in page
    assert TOY.description in page


@pytest.mark.thorough
def test_it_ranks_and_is_a_column_of_page_api_and_file() -> None:
    event = a_night()
    page = Client().get(reverse("tournament-standings", args=[event.slug])).content.decode()
    words = f"placed by {TOY.name}"
    # Beside the name, and before the figure where there are no columns.
    assert page.count(f'<td class="num placed" data-label="{words}">') == page.count(words) / 2 == 3
    assert TOY.description in page
    assert store.differences(event.stages.get()) == []
    rows = Caller(event.created_by).get(f"/api/v1/tournaments/{event.slug}/standings").json()["items"]
    assert [row["key"][1] for row in rows] == ["8", "6", "4", "2"]
    shown = Client().get(reverse("tournament-file", args=[event.slug, "standings.csv"])).content.decode()
    assert TOY.id in shown
    data = event_json(event)
    assert event_json(importing.write(importing.validate_event(data), by=a.a_user(), slug="copy")) == data


def test_a_tie_break_is_registered_once() -> None:
    with pytest.raises(ValueError, match="registered already"):
        tiebreaks.register(TOY)


def test_contributing_says_what_a_tie_break_takes() -> None:
    said = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert "| `core/standings/tiebreaks.py`: function + its line in the registry |" in said
