"""Requests of every shape that the OpenAPI description allows: no server error, and every answer as it is described.

As nobody, as a user with bots, as an organiser, and as a remote program. Half of the requests name things that there
are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final
from uuid import uuid4

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from accounts.models import User
from tables.api import challenges
from tables.api.tables import TableAnswers, TableNonce
from tables.models import Program
from tables.play.shuffle import of_service
from tables.programs.challenges import challenge
from tables.programs.registry import sitter_for
from tests.builders.boards import a_team_night
from tests.builders.challenges import a_challenge
from tests.builders.clubs import a_called_night, tables_of
from tests.builders.keys import Caller
from tests.builders.leagues import League
from tests.builders.receivers import a_hook
from tests.builders.registrations import PAIRS, an_event_with_registration, registered
from tests.builders.seasons import a_long_season
from tests.tables.programs.building import a_plan, a_program, a_table_of, caller
from tournaments.entries.captains import captains_of
from tournaments.invitations.links import make_invitation_link
from tournaments.models import Match, Role, SeasonRole, Seat, Tournament
from tournaments.models.club import club_key
from web import throttles
from web.throttles import HOUR, MINUTE, Policy

pytestmark = [pytest.mark.slow, pytest.mark.django_db, pytest.mark.timeout(1800)]
CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
EXAMPLES: Final = 30
NAMED: Final = 6
"""Things of a kind that addresses may name at most."""
PLENTY: Final = 10**9


@pytest.fixture
def open_connection() -> Iterator[None]:
    """The application runs in this test's transaction: a request does not end its connection."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lift the limits, which have tests of their own and would answer most of these requests."""
    policies = {name: Policy(name, PLENTY, MINUTE) for name in ("read", "write")}
    monkeypatch.setattr(throttles, "TOKEN", policies)
    monkeypatch.setattr(throttles, "OTHERS", policies)
    monkeypatch.setattr(throttles, "UPLOAD", Policy("upload", PLENTY, HOUR))
    monkeypatch.setattr(challenges, "PER_HOUR", PLENTY)
    for each in (TableAnswers, TableNonce):
        monkeypatch.setattr(each, "policy", None)


def things(league: League, club: Tournament) -> dict[str, list[Any]]:
    """Return what addresses may name: of events, of bots, of everything else."""
    events = [league.finished, league.running, league.open, league.draft, club]
    matches = [*tables_of(club), *Match.objects.filter(state=Match.State.CONFIRMED)[:2]]
    own = an_event_with_registration()
    registered(own, "Kaede", person=club.created_by)
    events = [*events, own]
    season = a_long_season("League")
    SeasonRole.objects.create(season=season, user=club.created_by, role=SeasonRole.Kind.OWNER)
    somebody = season.people.order_by("row")[0]
    fault = Seat.objects.filter(fault__isnull=False).first()
    return {
        "event": [event.slug for event in events],
        "bot": [league.bot.slug, league.failed.bot.slug],
        "match": [str(match.uuid) for match in matches],
        "challenge": [str(a_challenge().uuid)],
        "hook": [str(a_hook(club.created_by, "https://example.org/hanami")[0].uuid)],
        "link": [str(make_invitation_link(tournament=club, by=club.created_by).uuid)],
        **teams_of(club.created_by),
        **programs_of(club.created_by, league.owner),
        "season": [season.slug],
        "person": [str(somebody.uuid)],
        "key": [club_key(somebody.club)],
        "record": [str(match.uuid) for match in matches[2:]],
        "entry": [str(getattr(event.entries.first(), "uuid", event.uuid)) for event in events],
        "id": [f"F{fault.pk}" if fault else "F1", f"C{league.failed.check_run.pk}"],
        "n": [1, 2],
        "order": [1],
        "number": [1, 2],
        "preset": ["hawaii", "paradise"],
        "kind": ["event", "bot"],
        "name": ["event.json", "standings.csv", "records.jsonl.zst"],
        "role": ["scorer", "owner"],
        "user": [league.owner.username, league.organiser.username],
        "one": [str(person.uuid) for person in club.entries.all()],
        "other": [str(person.uuid) for person in club.entries.order_by("-pk")],
        "day": ["2026-11-20"],
    }


def teams_of(person: User) -> dict[str, list[Any]]:
    """Return events of teams for somebody: one to which they register a team, and one of boards that they run."""
    pairs, night = an_event_with_registration(**PAIRS), a_team_night()
    registered(pairs, "Kaede", person=person)
    Role.objects.create(user=person, tournament=night, role=Role.Kind.OWNER)
    teams = [str(member.team.uuid) for member in captains_of(night).values()]
    return {"event of registered teams": [pairs.slug], "event of boards": [night.slug], "team": teams}


def programs_of(*owners: User) -> dict[str, list[Any]]:
    """Return a program of each person, a table at which they play, and challenges to each of them."""
    first, second = (a_program(f"Program of {owner.username}", owner) for owner in owners)
    asked = [
        challenge(sitter_for(by), [other], a_plan(), of_service(), program=by)
        for by, other in ((first, second), (second, first))
    ]
    table = a_table_of(first, second)
    return {
        "program": [first.bot.slug, second.bot.slug],
        "table": [str(each.uuid) for each in (table, *asked)],
        "table challenge": [str(each.challenges.get().uuid) for each in asked],
    }


def known(case: Any, found: dict[str, list[Any]], which: int) -> None:
    """Let the address name something that there is."""
    for name in case.path_parameters or {}:
        kind = name
        if name == "slug":
            kind = "bot" if "/bots/" in case.path else "season" if "/seasons/" in case.path else event_kind(case.path)
            kind = "program" if "/programs/" in case.path else kind
        if name == "uuid":
            kind = "entry" if "/entries/" in case.path or "/teams/" in case.path else "match"
            kind = "record" if "/records/" in case.path else "challenge" if "/challenges/" in case.path else kind
            kind = "hook" if "/hooks/" in case.path else kind
            kind = "person" if "/seasons/" in case.path else kind
            kind = "link" if "/invitation-links/" in case.path else kind
            kind = "team" if "/captain" in case.path else kind
            kind = of_program(case.path) or kind
        if name == "name" and "/people/" in case.path:
            kind = "user"
        if name == "id" and "/failures/" not in case.path:
            continue
        values = found.get(kind)
        if values:
            case.path_parameters[name] = values[which % len(values)]
    if "stage" in (case.query or {}):
        case.query["stage"] = found["order"][0]


def of_program(path: str) -> str:
    """Return what an address of remote programs is about; "" for any other."""
    if "/bot/tables/" in path:
        return "table"
    return "table challenge" if "/bot/challenges/" in path else ""


def event_kind(path: str) -> str:
    """Return which events an address is about: some of them answer for events of teams alone."""
    if "/mine/team" in path:
        return "event of registered teams"
    return "event of boards" if "/captain" in path else "event"


@pytest.mark.parametrize("who", ["nobody", "user", "organiser"])
def test_no_request_breaks_it_and_every_answer_is_as_described(
    who: str, league: League, open_connection: None, no_limits: None
) -> None:
    club = a_called_night(people=4)
    organiser: User = club.created_by
    for event in (league.finished, league.running, league.open, league.draft):
        Role.objects.get_or_create(user=organiser, tournament=event, role=Role.Kind.OWNER)
    person = {"nobody": None, "user": league.owner, "organiser": organiser}[who]
    headers = Caller(person).headers()
    schema = schemathesis.openapi.from_wsgi("/api/schema", get_wsgi_application())
    found, answered = things(league, club), {}
    for result in schema.get_all_operations():
        operation: Any = result.ok()  # type: ignore[union-attr]  # the description has no errors, or this raises
        answered[operation.label] = ask(operation, headers, found)
    assert len(answered) > 50
    if who == "organiser":
        unread = {label for label, seen in answered.items() if label.startswith("GET") and not seen & {200, 204}}
        assert unread - OF_OTHERS == set(), "nothing of these was ever read"
        done = [label for label, seen in answered.items() if not label.startswith("GET") and seen & {200, 201, 204}]
        assert len(done) >= 6, done


OF_OTHERS: Final = (
    {f"GET /api/v1/bots/{{slug}}/{part}" for part in ("failed-checks", "failures", "failures/{id}", "policy")}
    | {f"GET /api/v1/bots/{{slug}}/versions/{{n}}/{part}" for part in ("log", "source")}
    | {"GET /api/v1/tournaments/{slug}/teams/{uuid}", "GET /api/v1/matches/{uuid}/logs"}
)
"""Operations whose answers an organiser without bots is never shown; and nobody here plays in a team."""


def test_no_request_of_a_program_breaks_it(league: League, open_connection: None, no_limits: None) -> None:
    """Of a program that sits at a table, with a token that is for it alone."""
    found = things(league, a_called_night(people=4))
    program = Program.objects.select_related("bot__owner").get(bot__slug=found["program"][0])
    schema = schemathesis.openapi.from_wsgi("/api/schema", get_wsgi_application())
    answered: dict[str, set[int]] = {}
    for result in schema.get_all_operations():
        operation: Any = result.ok()  # type: ignore[union-attr]  # the description has no errors, or this raises
        if "/api/v1/bot/" in operation.path or "/api/v1/programs" in operation.path:
            answered[operation.label] = ask(operation, caller(program).headers(), found)
    done = {label for label, seen in answered.items() if seen & {200, 201}}
    assert {
        "GET /api/v1/bot/stream",
        "GET /api/v1/bot/tables/{uuid}/stream",
        "POST /api/v1/bot/challenges/{uuid}:{verb}",
        "POST /api/v1/bot/seeks",
        "POST /api/v1/bot/tables/{uuid}:leave",
        "GET /api/v1/programs/{slug}",
    } <= done


def ask(operation: Any, headers: dict[str, str], found: dict[str, list[Any]]) -> set[int]:
    """Send many requests of one kind; what each does is rolled back. Returns the statuses there were."""
    statuses: set[int] = set()

    def send(case: Any, is_known: bool, which: int) -> None:
        if is_known:
            known(case, found, which)
        # Inside one process nothing unpacks what is compressed.
        sent = headers | {"Accept-Encoding": "identity"} | ({"Idempotency-Key": uuid4().hex} if is_known else {})
        with transaction.atomic():
            statuses.add(case.call_and_validate(headers=sent, checks=CHECKS).status_code)
            transaction.set_rollback(True)

    cases = operation.as_strategy()
    for which in range(NAMED):  # the simplest request about each thing there is: chance may never ask for the one
        sending(1)(given(case=cases, is_known=st.just(True), which=st.just(which))(send))()
    sending(EXAMPLES)(given(case=cases, is_known=st.booleans(), which=st.integers(0, NAMED - 1))(send))()
    return statuses


def sending(examples: int) -> settings:
    """Settings of requests that are the same in every run."""
    checks = list(HealthCheck)
    return settings(max_examples=examples, deadline=None, derandomize=True, database=None, suppress_health_check=checks)
