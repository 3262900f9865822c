"""People who register, alone and in teams: each private fact of theirs is a word that nobody can guess, or a year.

What is hidden is read from the tables, so a registration that a test makes is watched, too.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from tests.browser.secret_words import word
from tests.builders import boards
from tests.builders.registrations import PAIRS, SENDER, an_event_with_registration, fresh, registered
from tournaments.entries.captains import captain_token, captains_of
from tournaments.entries.links import link_token, make_links
from tournaments.entries.people import check_in_all
from tournaments.lifecycle.transitions import ORGANISERS
from tournaments.models import EntryLink, Registration, RegistrationAnswer, Role, TeamPlace, Tournament
from tournaments.progress.run import start_tournament
from tournaments.registration.decide import approve_registrations, reject_registrations
from tournaments.registration.letters import path_of, path_of_place, place_token, token_of
from tournaments.registration.own import withdraw_registration
from tournaments.registration.register import Details, register
from tournaments.registration.set_up import Asked, questions_of
from tournaments.registration.teams import add_member, decline_place, join_team

S, P = Registration.State, TeamPlace.State
ASKED = (Asked("Food"), Asked("Membership number", "number"))


def _details(event: Tournament, who: str, born: int | None = None, *, has_account: bool = False) -> dict[str, Any]:
    """Return what somebody writes about themselves."""
    food, number = (str(each.uuid) for each in questions_of(event))
    digits = str(int(hashlib.sha256(who.encode()).hexdigest(), 16))[:8]
    return {
        "name": word(who, "called"),
        "email": "" if has_account else f"{word(who, 'registered')}@plum.example",
        "answers": {food: word(who, "answer"), number: f"7{digits}"},
        "born": born,
    }


def _join(place: TeamPlace, who: str, born: int | None = None, *, is_mailed: bool) -> Registration:
    place = TeamPlace.objects.select_related("team__captain", "team__tournament", "registration").get(pk=place.pk)
    details = Details(**_details(place.team.tournament, who, born))
    return join_team(place=place, person=None, details=details, sender=SENDER, is_mailed=is_mailed)


def registering(people: dict[str, User]) -> dict[str, Tournament]:
    """Make three events: one that is open, with somebody in every state; one that is played; a private one of teams
    that sit apart.
    """
    events = {"registering": _open_pairs(people), "registered": _played_pairs(), "apart": _apart()}
    for event in events.values():
        Tournament.objects.filter(pk=event.pk).update(created_by=people["organiser"])
        Role.objects.filter(tournament=event, role=Role.Kind.OWNER).update(user=people["organiser"])
        for role in ("director", "arbiter", "scorer"):
            Role.objects.create(user=people[role], tournament=event, role=role)
        event.refresh_from_db()
    return events


def _open_pairs(people: dict[str, User]) -> Tournament:
    """Make pairs that are whole, half and asked for; people to be approved, refused, withdrawn and unconfirmed."""
    event = an_event_with_registration(
        places=8, questions=ASKED, chosen={"needs_approval": True}, name="Pairs to come", age_gap=2, **PAIRS
    )
    by = event.created_by

    def one(who: str, born: int, *, accept: bool = True) -> Registration:
        person = people.get(who)
        details = _details(event, who, born, has_account=person is not None)
        name = details.pop("name")
        row = registered(event, name, person=person, **details)
        if accept:
            approve_registrations(tournament=event, by=by, wanted=[row])
        return fresh(row)

    ann, ben, gina = one("ann", 1903), one("ben", 1905), one("gina", 1907)
    decline_place(place=add_member(registration=ann, name=word("petra", "called")))
    add_member(registration=ann, name=word("ines", "called"), email=f"{word('ines', 'asked')}@plum.example")
    _join(add_member(registration=ben, name=word("olaf", "asked")), "olaf", 1911, is_mailed=False)
    asked = add_member(registration=gina, name="Hugo", email=f"{word('hugo', 'registered')}@plum.example")
    approve_registrations(tournament=event, by=by, wanted=[_join(asked, "hugo", 1913, is_mailed=True)])
    one("invited", 1917, accept=False)
    reject_registrations(
        tournament=event, by=by, wanted=[one("lars", 1919, accept=False)], reason=word("lars", "reason")
    )
    withdraw_registration(registration=one("mona", 1921))
    register(tournament=event, person=None, details=Details(**_details(event, "jun", 1923)), sender=SENDER)
    return event


def _pair(event: Tournament, first: str, second: str, born: tuple[int | None, int | None] = (None, None)) -> None:
    details = _details(event, first, born[0])
    captain = registered(event, details.pop("name"), **details)
    address = f"{word(second, 'registered')}@plum.example"
    _join(add_member(registration=captain, name=second, email=address), second, born[1], is_mailed=True)


def _played_pairs() -> Tournament:
    """Make an event that began: pairs with years, links of its people, a table that is played."""
    event = an_event_with_registration(questions=ASKED, name="Pairs who played", age_gap=2, **PAIRS)
    _pair(event, "rosa", "sven", (1903, 1907))
    _pair(event, "tessa", "udo", (1905, 1909))
    check_in_all(tournament=event, by=event.created_by)
    make_links(tournament=event, by=event.created_by)
    start_tournament(tournament=event, by=event.created_by)
    event.refresh_from_db()
    for match in boards.call(event, 1):
        boards.enter(event, match, 300, 240)
    return event


def _apart() -> Tournament:
    """Make a private event of teams whose captains give line-ups by a link."""
    event = an_event_with_registration(
        questions=ASKED,
        name=word("apart", "name"),
        visibility="private",
        seats=2,
        boards=2,
        team_score="sum",
        partners="entered",
        min_entries=2,
    )
    _pair(event, "vera", "wim")
    make_links(tournament=event, by=event.created_by)
    return event


@dataclass(frozen=True, slots=True)
class Secret:
    """A text that only those may read who have one of these keys: `user:1`, `organiser:1`, `row:…`, `mail:…`,
    `place:…` (who holds its link), `mailed:…` (who has the link of its mail), `event:1` (who holds a link of a private
    event). born: it is a year, secret where `text`, the name, stands, too.
    """

    text: str
    what: str
    keys: frozenset[str]
    born: int = 0


def keys_of(reader: User | None) -> frozenset[str]:
    """Return what a reader has by their account."""
    if reader is None:
        return frozenset()
    of_roles = Role.objects.filter(user=reader, role__in=ORGANISERS).values_list("tournament", flat=True)
    return frozenset({f"user:{reader.pk}", *(f"organiser:{event}" for event in of_roles)})


def words_of_registration(keys: frozenset[str]) -> dict[str, str]:
    """Return the texts that somebody with these keys must not be shown."""
    return {fact.text: fact.what for fact in facts() if not fact.born and not fact.keys & keys}


def beside_of(keys: frozenset[str]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return names, each with a pattern of the year or the age that must not stand behind it.

    Near it: further on a page the same number is somebody's points. A year may come later in a document than an age.
    """
    now = timezone.now().year
    found: list[tuple[str, re.Pattern[str]]] = []
    for fact in facts():
        if fact.born and not fact.keys & keys:
            ages = f"{now - fact.born}|{now - fact.born - 1}"
            near = rf".{{0,300}}?(?<![\w.:/#-]){fact.born}(?![\w.:/-])|.{{0,60}}?(?<![\w.:/#-])(?:{ages})(?![\w.:/-])"
            found.append((fact.text, re.compile(f"{re.escape(fact.text)}(?:{near})", re.DOTALL)))
    return tuple(found)


def facts() -> Iterator[Secret]:
    """Yield everything private of registrations, teams that register, and the links of their people."""
    for row in Registration.objects.select_related("tournament", "user"):
        yield from _of_row(row)
    places = TeamPlace.objects.select_related("team__captain", "team__tournament")
    for place in places:
        yield from _of_place(place)
    for link in EntryLink.objects.select_related("entry"):
        yield Secret(link_token(link), "a private link", frozenset({f"organiser:{link.entry.tournament_id}"}))
    for event in Tournament.objects.exclude(registered_teams=None):
        organisers = frozenset({f"organiser:{event.pk}"})
        for member in captains_of(event).values():
            yield Secret(captain_token(member), "a captain's link", organisers)
        if event.visibility == Tournament.Visibility.PRIVATE:
            roles = {f"user:{user}" for user in event.roles.values_list("user", flat=True)}
            yield Secret(event.name, "the name of a private event", frozenset({f"event:{event.pk}", *roles}))


def own_keys(row: Registration) -> frozenset[str]:
    """Return the keys of the person of a registration."""
    user = [f"user:{row.user_id}"] if row.user_id is not None else []
    return frozenset({f"row:{row.uuid}", f"mail:{row.email.lower()}", *user})


def _of_row(row: Registration) -> Iterator[Secret]:
    own = own_keys(row)
    organised = own | {f"organiser:{row.tournament_id}"}
    who = f"of {row.name}"
    yield Secret(token_of(row), f"the link of the registration {who}", own)
    if row.email:
        yield Secret(row.email, f"the address {who}", organised)
    if row.reason:
        yield Secret(row.reason, f"why the registration {who} was refused", organised)
    if row.birth_year is not None:
        yield Secret(row.name, f"the year {who}", organised, born=row.birth_year)
    if row.state == S.UNCONFIRMED:
        yield Secret(row.name, "the name of somebody who has not confirmed", own)
    elif row.entry_id is None:
        yield Secret(row.name, "the name of somebody who was not accepted", organised)
    for answer in RegistrationAnswer.objects.filter(registration=row):
        yield Secret(answer.value, f"an answer {who}", organised)


def _of_place(place: TeamPlace) -> Iterator[Secret]:
    captain = own_keys(place.team.captain)
    asked = {f"mailed:{place.uuid}", *([f"mail:{place.email.lower()}"] if place.email else [])}
    who = f"of the place {place.name}"
    yield Secret(place_token(place), f"the link {who}", captain | asked | {f"place:{place.uuid}"})
    yield Secret(place_token(place, mailed=True), f"the link in the mail {who}", frozenset(asked))
    if place.email:
        yield Secret(place.email, f"the address {who}", frozenset(asked))
    if place.state != P.CONFIRMED:
        yield Secret(place.name, "who was asked into a team", captain | asked | {f"place:{place.uuid}"})


def held_links() -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the path of every link of a registration and of a place in a team, and the keys of who holds it."""
    for row in Registration.objects.select_related("tournament"):
        yield path_of(row), own_keys(row) | {f"event:{row.tournament_id}"}
    for place in TeamPlace.objects.select_related("team__captain", "team__tournament"):
        keys = frozenset({f"place:{place.uuid}", f"event:{place.team.tournament_id}"})
        yield path_of_place(place), keys
        yield path_of_place(place, mailed=True), keys | {f"mailed:{place.uuid}"}


def keys_of_address(address: str) -> frozenset[str]:
    """Return what somebody has who reads the mail of an address."""
    keys = {f"mail:{address.lower()}"}
    for row in Registration.objects.filter(Q(email_key=address.lower()) | Q(user__email__iexact=address)):
        keys |= own_keys(row) | {f"event:{row.tournament_id}"}
    for place in TeamPlace.objects.filter(email__iexact=address):
        keys |= {f"mailed:{place.uuid}", f"event:{place.team.tournament_id}"}
    return frozenset(keys)
