"""People who share a side: entered as teams, drawn by a seed that was committed to, put together by hand."""

from __future__ import annotations

from collections import Counter

import pytest

from bots.models import AuditEvent
from core.formats.partners import Person, Rule, committed, draw_partners
from engine.errors import DomainError
from tests.builders import events as a
from tests.builders.clubs import NAMES, person, round_of, tables_of, totals
from tests.builders.teams import a_drawn_night, a_pairs_night, called, teams
from tournaments.entries import partners as service
from tournaments.entries.people import add_list, add_person, check_in, withdraw_person
from tournaments.entries.substitutes import substitute
from tournaments.entries.teams import break_team, make_team, rename_team
from tournaments.events.create import create_tournament
from tournaments.models import Entry, Match, PartnerDraw, Role, Seat, Standing, Tournament
from tournaments.progress.rounds import call_round
from tournaments.progress.run import start_tournament
from tournaments.scores.actions import Actor, accept_result, submit_result
from tournaments.scores.slips import read_slip, slip_token

pytestmark = pytest.mark.django_db
E = Entry.State


def refused(code: str) -> pytest.RaisesExc[DomainError]:
    """The refusal with this code."""
    return pytest.RaisesExc(DomainError, check=lambda error: error.code == code)


def draw_of(event: Tournament, number: int) -> PartnerDraw:
    """A draw, read again."""
    return PartnerDraw.objects.get(tournament=event, number=number)


def test_the_draw_is_committed_to_before_and_anybody_can_derive_it_again() -> None:
    event = a_pairs_night()
    shown = draw_of(event, 1)
    assert (shown.drawn_at, shown.listed) == (None, [])
    service.draw_partners(tournament=event, by=event.created_by, seen=1)
    draw = draw_of(event, 1)
    assert draw.commitment == shown.commitment == committed(bytes(draw.secret))
    again = draw_partners([Person(item["entry"], item["club"]) for item in draw.listed], 2, bytes(draw.secret))
    assert [list(team) for team in again.teams] == draw.teams
    names = {item["entry"]: item["name"] for item in draw.listed}
    assert sorted(names.values()) == list(NAMES)
    assert [called(team) for team in teams(event).values()] == [[names[entry] for entry in team] for team in draw.teams]
    assert Counter(Entry.objects.filter(tournament=event).values_list("state", flat=True)) == {
        E.PARTNERED: 8,
        E.ACTIVE: 4,
    }
    assert draw_of(event, 2).drawn_at is None


@pytest.mark.thorough
def test_a_second_click_draws_nothing_twice_and_a_new_draw_says_why() -> None:
    event = a_drawn_night()
    by = event.created_by
    before = {name: called(team) for name, team in teams(event).items()}
    with refused("partners.already_drawn"):
        service.draw_partners(tournament=event, by=by, seen=1)
    with refused("partners.reason_needed"):
        service.draw_partners(tournament=event, by=by, seen=2, redraw=True)
    assert {name: called(team) for name, team in teams(event).items()} == before
    service.draw_partners(tournament=event, by=by, seen=2, redraw=True, reason="Hana came with her own partner")
    assert len(teams(event)) == 4
    assert draw_of(event, 1).undone_at is not None
    assert draw_of(event, 1).reason == "Hana came with her own partner"
    said = list(AuditEvent.objects.filter(verb="partners.draw").order_by("pk").values_list("after", flat=True))
    assert [each["number"] for each in said] == [1, 2]
    assert said[0]["seed"] == bytes(draw_of(event, 1).secret).hex()


@pytest.mark.thorough
def test_a_draw_taken_back_leaves_everybody_as_they_were() -> None:
    event = a_pairs_night(names="Aiko\nBen\nChiyo\nDai")
    by = event.created_by
    check_in(entry=person(event, "Dai"), by=by, is_here=False)
    before = set(Entry.objects.filter(tournament=event).values_list("uuid", "state"))
    service.draw_partners(tournament=event, by=by, seen=1, who="all")
    service.undo_partner_draw(tournament=event, by=by, number=1, reason="The wrong list")
    assert set(Entry.objects.filter(tournament=event).values_list("uuid", "state")) == before
    service.undo_partner_draw(tournament=event, by=by, number=1, reason="The wrong list")
    with refused("partners.nothing_drawn"):
        service.undo_partner_draw(tournament=event, by=by, number=2, reason="Which one?")


@pytest.mark.thorough
def test_whoever_is_over_is_named_and_nothing_starts_without_them() -> None:
    event = a_pairs_night(names="\n".join(NAMES[:7]))
    by = event.created_by
    service.draw_partners(tournament=event, by=by, seen=1)
    (left,) = draw_of(event, 1).left
    single = Entry.objects.select_related("player").get(uuid=left)
    assert single.state == E.ACTIVE
    with refused("partners.singles_left") as caught:
        start_tournament(tournament=event, by=by)
    assert single.player.name in str(caught.value)
    late = add_person(tournament=event, by=by, name="Ike")
    team = make_team(tournament=event, by=by, people=[single, late])
    assert team.player.name == f"{single.player.name} & Ike"
    assert team.state == E.ENTERED
    check_in(entry=team, by=by)
    start_tournament(tournament=event, by=by)
    assert Match.objects.filter(stage__tournament=event).count() == 6


def test_partners_of_one_club_are_kept_apart_if_asked() -> None:
    names = "name,club\nAiko,Kyoto\nBen,Kyoto\nChiyo,Kyoto\nDai,Lyon\nEmi,\nFumi,"
    event = a_pairs_night(names=names)
    service.draw_partners(tournament=event, by=event.created_by, seen=1, rule=Rule.CLUBS)
    for team in teams(event).values():
        clubs = list(team.members.values_list("person__player__club", flat=True))
        assert clubs.count("Kyoto") == 1


@pytest.mark.thorough
def test_members_sit_opposite_each_other_in_every_match() -> None:
    event = a_drawn_night()
    start_tournament(tournament=event, by=event.created_by)
    matches = list(Match.objects.filter(stage__tournament=event).prefetch_related("seats__player", "seats__entry"))
    assert len(matches) == 6
    for match in matches:
        seats = sorted(match.seats.all(), key=lambda seat: seat.index)
        assert [seat.side for seat in seats] == [0, 1, 0, 1]
        for side in (0, 1):
            own = [seat for seat in seats if seat.side == side]
            assert len({seat.entry_id for seat in own}) == 1
            assert own[0].entry is not None
            assert [seat.player.name for seat in own if seat.player] == called(own[0].entry)
    people = Counter(Seat.objects.filter(match__in=matches).values_list("player__name", flat=True))
    assert people == dict.fromkeys(NAMES, 3)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("shape", "seats", "size", "sides"), [("3x2", 6, 2, 3), ("2x3", 6, 3, 2)])
def test_three_pairs_and_two_trios_sit_as_the_rules_say(shape: str, seats: int, size: int, sides: int) -> None:
    people = "\n".join(f"Person {number}" for number in range(size * sides))
    event = a_pairs_night(names=people, teams=shape, seats=seats, kind="tables")
    service.draw_partners(tournament=event, by=event.created_by, seen=1)
    start_tournament(tournament=event, by=event.created_by)
    match = Match.objects.get(stage__tournament=event)
    rows = list(match.seats.order_by("index").select_related("entry", "player"))
    assert [seat.side for seat in rows] == list(range(sides)) * size
    for seat in rows:
        assert seat.entry is not None
        assert seat.player is not None
        assert seat.player.name == called(seat.entry)[seat.index // sides]


def test_lists_hold_teams_in_three_ways() -> None:
    event = a_pairs_night(names="")
    by = event.created_by
    add_list(tournament=event, by=by, data=b"Aiko & Ben, Kyoto, 2\nChiyo + Dai\nEmi")
    add_list(tournament=event, by=by, data=b"name,partner,club\nFumi,Goro,Lyon\nHana,,Hilo")
    add_list(tournament=event, by=by, data=b"name,team,seed\nIke,Plum,1\nJun,plum,\nKei,,")
    found = teams(event)
    assert {name: called(team) for name, team in found.items()} == {
        "Aiko & Ben": ["Aiko", "Ben"],
        "Chiyo & Dai": ["Chiyo", "Dai"],
        "Fumi & Goro": ["Fumi", "Goro"],
        "Plum": ["Ike", "Jun"],
    }
    assert [found[name].seed for name in ("Aiko & Ben", "Plum")] == [2, 1]
    assert {person(event, name).player.club for name in ("Fumi", "Goro")} == {"Lyon"}
    singles = Entry.objects.filter(tournament=event, state=E.ENTERED, members=None)
    assert sorted(singles.values_list("player__name", flat=True)) == ["Emi", "Hana", "Kei"]


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"Aiko & Ben & Chiyo", "csv.team_size"),
        (b"name,team\nAiko,Plum\nBen,Kiri", "csv.team_size"),
        (b"Aiko & Ben\nChiyo & Ben", "csv.name_twice"),
        (b"name,partner\nAiko," + b"x" * 61, "csv.partner"),
        (b"Aiko & " + b"x" * 61, "csv.name"),
    ],
)
def test_a_list_that_is_wrong_enters_nobody(data: bytes, code: str) -> None:
    event = a_pairs_night(names="")
    with refused(code):
        add_list(tournament=event, by=event.created_by, data=data)
    assert not event.entries.exists()


@pytest.mark.thorough
def test_a_team_by_hand_is_made_named_and_taken_apart() -> None:
    event = a_pairs_night()
    by = event.created_by
    pair = [person(event, "Ben"), person(event, "Aiko")]
    team = make_team(tournament=event, by=by, people=pair, name=" The  Plums ")
    assert make_team(tournament=event, by=by, people=pair) == team
    assert (team.player.name, called(team), team.state) == ("The Plums", ["Ben", "Aiko"], E.ACTIVE)
    with refused("team.not_single"):
        make_team(tournament=event, by=by, people=[person(event, "Ben"), person(event, "Dai")])
    with refused("team.size"):
        make_team(tournament=event, by=by, people=[person(event, "Dai")])
    with refused("team.name_taken"):
        make_team(tournament=event, by=by, people=[person(event, "Dai"), person(event, "Emi")], name="the plums")
    with refused("entry.in_team"):
        withdraw_person(entry=person(event, "Ben"), by=by)
    with refused("entry.in_team"):
        check_in(entry=person(event, "Ben"), by=by)
    rename_team(team=team, by=by, name="Kiri")
    people = break_team(team=teams(event)["Kiri"], by=by)
    assert [each.player.name for each in people] == ["Ben", "Aiko"]
    assert {person(event, name).state for name in ("Aiko", "Ben")} == {E.ACTIVE}
    with refused("team.gone"):
        break_team(team=team, by=by)


@pytest.mark.thorough
def test_a_team_that_leaves_takes_its_people_along() -> None:
    event = a_drawn_night()
    team = next(iter(teams(event).values()))
    names = called(team)
    withdraw_person(entry=team, by=event.created_by)
    assert {person(event, name).state for name in names} == {E.WITHDRAWN}
    start_tournament(tournament=event, by=event.created_by)
    assert Match.objects.filter(stage__tournament=event).count() == 3


@pytest.mark.thorough
def test_only_organisers_touch_teams_and_only_before_the_start() -> None:
    event = a_drawn_night()
    by, stranger, scorer = event.created_by, a.a_user(), a.a_user()
    Role.objects.create(user=scorer, tournament=event, role="scorer")
    team = next(iter(teams(event).values()))
    for user in (stranger, scorer):
        for call in (
            lambda user=user: service.draw_partners(tournament=event, by=user, seen=2),
            lambda user=user: service.undo_partner_draw(tournament=event, by=user, number=1, reason="No"),
            lambda user=user: break_team(team=team, by=user),
            lambda user=user: rename_team(team=team, by=user, name="Kiri"),
            lambda user=user: make_team(tournament=event, by=user, people=[]),
            lambda user=user: substitute(team=team, by=user, member=team, name="Ike"),
        ):
            with refused("tournament.not_organiser"):
                call()
    start_tournament(tournament=event, by=by)
    with refused("partners.started"):
        service.draw_partners(tournament=event, by=by, seen=2)
    with refused("partners.started"):
        service.undo_partner_draw(tournament=event, by=by, number=1, reason="Too late")
    with refused("team.drawn"):
        break_team(team=team, by=by)


def test_where_nobody_has_partners_there_is_nothing_to_draw() -> None:
    event = a_pairs_night(names="", partners="")
    with refused("team.not_here"):
        service.draw_partners(tournament=event, by=event.created_by, seen=1)
    assert not event.partner_draws.exists()
    wrong: list[dict[str, object]] = [{"options": {}}, {"who": "bots"}, {"partners": "perhaps"}]
    for changes in wrong:
        plan = a.a_plan(**{"who": "people", "partners": "drawn", "seats": 4, "options": {"teams": "2x2"}, **changes})
        with refused("tournament.bad_partners"):
            create_tournament(by=a.a_user(), plan=plan)


def report_all(event: Tournament, number: int) -> None:
    """Both sides of every table of a round send the same result."""
    for match in tables_of(event, number):
        submit_result(match=match, actor=Actor(side=0), claim=totals(130, 110))
        accept_result(match=match, actor=Actor(side=1))


@pytest.mark.thorough
def test_slips_of_a_team_report_and_a_substitute_sits_from_the_next_round() -> None:
    event = a_drawn_night()
    by = event.created_by
    start_tournament(tournament=event, by=by)
    call_round(round_row=round_of(event, 1), by=by)
    assert read_slip(slip_token(tables_of(event)[0], 1)) == (tables_of(event)[0], 1)
    report_all(event, 1)
    name, team = next(iter(teams(event).items()))
    captain, partner = called(team)
    with refused("team.round_begun"):
        substitute(team=team, by=by, member=person(event, partner), name="Ike", from_round=1)
    substitute(team=team, by=by, member=person(event, partner), name="Ike")
    assert called(team) == [captain, "Ike"]
    assert person(event, partner).state == E.WITHDRAWN
    seats = Seat.objects.filter(entry=team, match__stage__tournament=event).order_by("match__round__number", "index")
    names = list(seats.values_list("player__name", flat=True))
    sitting = list(zip(names[::2], names[1::2], strict=True))
    assert sitting == [(captain, partner), (captain, "Ike"), (captain, "Ike")]
    with refused("team.no_member"):
        substitute(team=team, by=by, member=person(event, partner), name="Jun")
    back = substitute(team=team, by=by, member=person(event, "Ike"), person=person(event, partner))
    assert substitute(team=team, by=by, member=person(event, "Ike"), person=person(event, partner)) == back
    assert called(team) == [captain, partner]
    assert Standing.objects.filter(stage__tournament=event, after_round=0, entry__player__name=name).exists()
