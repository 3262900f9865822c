"""The next round paired by hand: each change is checked, what is impossible is refused, what is worse is said."""

from __future__ import annotations

import pytest

from tests.builders import events as a
from tests.tournaments.pages.floor.test_desk import as_one
from tests.tournaments.pairing.test_draw_settings import SWISS, a_swiss
from tests.tournaments.pairing.test_draw_wishes import person
from tests.tournaments.progress.test_people import refused, with_role
from tests.tournaments.progress.test_people_chains import a_night, enter_round, stage_no
from tournaments.models import Match, Round, Seat, Stage, Tournament
from tournaments.pairing.pair_rules import add_pair_rule
from tournaments.progress import undo
from tournaments.progress.by_hand import preview_by_hand, publish_by_hand
from tournaments.progress.run import start_tournament
from tournaments.standings import store

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage() -> Stage:
    """A Swiss of eight after its first round."""
    event = a_swiss()
    start_tournament(tournament=event, by=event.created_by)
    enter_round(stage_no(event, 1), 1)
    return stage_no(event, 1)


def repeated(stage: Stage) -> dict[str, int]:
    """The tables of round 1 once more."""
    rows = Seat.objects.filter(match__stage=stage, match__round__number=1).values_list("entry__uuid", "match__table_no")
    return {str(entry): table or 0 for entry, table in rows}


@pytest.mark.thorough
def test_the_draw_itself_is_the_first_proposal_and_has_no_faults(stage: Stage) -> None:
    found = preview_by_hand(stage=stage, by=stage.tournament.created_by)
    assert (found.plan, found.errors, found.warnings) == (found.drawn, (), ())


@pytest.mark.thorough
def test_a_round_by_hand_is_checked_published_and_undone(stage: Stage) -> None:
    event, by = stage.tournament, stage.tournament.created_by
    one, other = (str(person(event, number).uuid) for number in (1, 2))
    add_pair_rule(tournament=event, by=by, kind="together", one=one, other=other, round_number=2)
    seating = repeated(stage)
    found = preview_by_hand(stage=stage, by=by, seating=seating)
    assert found.errors == ()
    assert sum("also meet in round 1" in line for line in found.warnings) == 4
    assert found.cost is not None
    assert (found.cost.again, found.cost_drawn.again) == (4, 0)
    with refused("round.draw_changed"):
        publish_by_hand(stage=stage, by=by, seating=seating, seen="another")
    row = publish_by_hand(stage=stage, by=by, seating=seating, seen=found.hash)
    assert row.state == Round.State.PUBLISHED
    assert row.plan["certificate"]["method"] == "hand"
    assert row.quality["again"] == 4
    assert {match.why for match in Match.objects.filter(round=row)} == {"Set by hand."}
    assert store.differences(stage) == []
    with refused("round.not_complete"):
        publish_by_hand(stage=stage, by=by, seating=seating, seen=found.hash)
    offered = undo.offered(event, by)
    assert offered is not None
    undo.undo(tournament=event, by=by, seen=offered.id)
    assert stage.rounds.count() == 1


@pytest.mark.thorough
def test_what_no_round_can_have_is_refused_in_words(stage: Stage) -> None:
    by, seating = stage.tournament.created_by, repeated(stage)
    first, second = sorted(seating)[:2]
    for wrong, words in (
        ({**seating, first: seating[first] + 50}, "tables here have 2 to 2"),
        ({entry: table for entry, table in seating.items() if entry != first}, "no table and no bye"),
        ({**seating, "somebody": 1}, "does not play in this round"),
        ({entry: table if table > 1 else 1000 for entry, table in seating.items()}, "Enter tables from 1 to 999."),
    ):
        found = preview_by_hand(stage=stage, by=by, seating=wrong)
        assert found.plan is None
        assert words in " ".join(found.errors)
        with refused("hand.not_possible"):
            publish_by_hand(stage=stage, by=by, seating=wrong, seen=found.hash)
    assert preview_by_hand(stage=stage, by=by, seating={**seating, first: 0, second: 0}).plan is None or (
        seating[first] == seating[second]
    )
    for role in ("arbiter", "scorer"):
        with refused("tournament.not_organiser"):
            preview_by_hand(stage=stage, by=with_role(stage.tournament, role))


def test_only_a_swiss_is_paired_by_hand() -> None:
    event = a_night()
    with refused("hand.format"):
        preview_by_hand(stage=stage_no(event, 1), by=event.created_by)


@pytest.mark.thorough
def test_the_page_works_without_javascript(stage: Stage) -> None:
    event: Tournament = stage.tournament
    here, client = f"/t/{event.slug}/by-hand/", as_one(event.created_by)
    text = client.get(here).content.decode()
    assert "Pair round 2 by hand" in text
    assert "Nobody meets again" in text
    sent = {f"t_{entry}": str(table) for entry, table in repeated(stage).items()}
    checked = client.post(here, {**sent, "verb": "check"})
    assert "also meet in round 1" in checked.content.decode()
    seen = checked.context["hand"].hash
    wrong = client.post(here, {**sent, f"t_{person(event, 1).uuid}": "many", "verb": "check"}).content.decode()
    assert "This must be put right first" in wrong
    stale = client.post(here, {**sent, "verb": "publish", "seen": "stale"})
    assert (stale.status_code, "also meet in round 1" in stale.content.decode()) == (409, True)
    assert client.post(here, {**sent, "verb": "publish", "seen": seen}).status_code == 302
    assert stage.rounds.count() == 2
    for role in ("arbiter", "scorer"):
        assert as_one(with_role(event, role)).get(here).status_code == 404
    assert as_one(a.a_user()).get(here).status_code == 404


@pytest.mark.thorough
def test_an_odd_field_keeps_its_bye_and_says_a_second_one() -> None:
    event = a_night(people=5, min_entries=5, **{**SWISS, "rounds": 3})
    stage = stage_no(event, 1)
    (bye,) = Round.objects.get(stage=stage, number=1).plan["byes"]
    enter_round(stage, 1)
    found = preview_by_hand(stage=stage, by=event.created_by)
    (now,) = [entry for entry, table in found.seating.items() if table == 0]
    seating = {**found.seating, bye: 0, now: found.seating[bye]}
    again = preview_by_hand(stage=stage, by=event.created_by, seating=seating)
    assert any("has a second bye" in line for line in again.warnings)
