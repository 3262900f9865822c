"""Private links: made once, stored as a hash, renewed and taken away; what their people do by them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.test import override_settings

from bots.models import AuditEvent
from core.errors import TournamentError
from tests.builders import events as a
from tests.builders.clubs import a_called_night, a_club_night, person, round_of, tables_of, totals
from tests.builders.teams import a_drawn_night, a_pairs_night, teams
from tournaments.entries.link_tokens import MAX_WRONG
from tournaments.entries.links import link_token, make_links, read_link, renew_link, revoke_link
from tournaments.entries.people import add_person
from tournaments.floor.player_actions import Leaving, come, come_back, drop_out, leaving_of, team_of
from tournaments.models import Entry, EntryLink, Match, Role, StageEntry, Tournament
from tournaments.progress.rounds import call_round, preview_next, publish_next
from tournaments.progress.run import start_tournament
from tournaments.scores.actions import Actor, submit_result

pytestmark = pytest.mark.django_db
E = Entry.State


@contextmanager
def refused(code: str) -> Iterator[None]:
    with pytest.raises(TournamentError) as caught:
        yield
    assert caught.value.code == code


def link_of(event: Tournament, name: str) -> EntryLink:
    """Return somebody's open link; links are made where there are none."""
    make_links(tournament=event, by=event.created_by)
    rows = EntryLink.objects.select_related("entry__tournament", "entry__player")
    return rows.get(entry=person(event, name), ended_at=None)


def opened(token: str) -> EntryLink:
    return read_link(token, network="hall")


def test_everybody_has_one_link_and_it_opens_their_day() -> None:
    event = a_club_night()
    assert make_links(tournament=event, by=event.created_by) == 6
    assert make_links(tournament=event, by=event.created_by) == 0
    add_person(tournament=event, by=event.created_by, name="Late")
    assert make_links(tournament=event, by=event.created_by) == 1
    tokens = {link.entry.player.name: link_token(link) for link in EntryLink.objects.all()}
    assert len(set(tokens.values())) == 7
    for name, token in tokens.items():
        assert opened(token).entry.player.name == name
    assert opened(tokens["Ben"].replace("-", "").lower()).opened_at is not None


def test_teams_and_bots_have_no_link_of_their_own() -> None:
    event = a_drawn_night()
    assert make_links(tournament=event, by=event.created_by) == 8
    assert not EntryLink.objects.filter(entry__in=teams(event).values()).exists()


def test_the_database_holds_no_link() -> None:
    link = link_of(a_club_night(), "Aiko")
    token = link_token(link).replace("-", "").lower()
    row = " ".join(str(value) for value in EntryLink.objects.filter(pk=link.pk).values_list()[0])
    assert token not in row.lower()
    assert link.digest.lower() != token
    for line in AuditEvent.objects.all():
        assert token not in str(line.after).lower()


def test_a_renewed_link_and_one_taken_away_are_dead() -> None:
    event = a_club_night()
    link = link_of(event, "Aiko")
    old = link_token(link)
    new = renew_link(entry=link.entry, by=event.created_by)
    with refused("link.ended"):
        opened(old)
    assert opened(link_token(new)).entry == link.entry
    revoke_link(entry=link.entry, by=event.created_by)
    revoke_link(entry=link.entry, by=event.created_by)
    with refused("link.ended"):
        opened(link_token(new))
    verbs = AuditEvent.objects.filter(verb__startswith="link.").order_by("pk").values_list("verb", flat=True)
    assert list(verbs) == ["link.make", "link.renew", "link.revoke"]


def test_only_who_runs_it_makes_links() -> None:
    event = a_club_night()
    scorer = a.a_user()
    Role.objects.create(user=scorer, tournament=event, role=Role.Kind.SCORER)
    for by in (scorer, a.a_user()):
        with refused("tournament.not_organiser"):
            make_links(tournament=event, by=by)
        with refused("tournament.not_organiser"):
            renew_link(entry=person(event, "Aiko"), by=by)
        with refused("tournament.not_organiser"):
            revoke_link(entry=person(event, "Aiko"), by=by)
    assert not EntryLink.objects.exists()


@pytest.mark.thorough
def test_guesses_are_counted_and_right_links_open_all_the_same() -> None:
    token = link_token(link_of(a_club_night(), "Aiko"))
    for _guess in range(MAX_WRONG):
        with refused("link.unknown"):
            opened("aaaaa-aaaaa-aaaaa-aaaaa")
    with refused("link.rate"):
        opened("bbbbb")
    assert opened(token).entry.player.name == "Aiko"
    with refused("link.unknown"):
        read_link("bbbbb", network="elsewhere")


def test_a_link_outlives_the_servers_key_but_is_not_shown_again() -> None:
    link = link_of(a_club_night(), "Aiko")
    token = link_token(link)
    with override_settings(SECRET_KEY="another key of the server", SECRET_KEY_FALLBACKS=[]):
        assert opened(token) == link
        assert link_token(link) == ""


def test_a_person_checks_in_and_drops_out_before_it_starts() -> None:
    event = a_club_night()
    Entry.objects.filter(tournament=event).update(state=E.ENTERED)
    link = link_of(event, "Aiko")
    assert [come(link=link).state for _twice in range(2)] == [E.ACTIVE, E.ACTIVE]
    assert drop_out(link=link) is Leaving.NOW
    drop_out(link=link)
    assert person(event, "Aiko").state == E.WITHDRAWN
    with refused("entry.gone"):
        come(link=link)
    assert come_back(link=link).state == E.ENTERED
    assert come_back(link=link).state == E.ENTERED
    lines = AuditEvent.objects.filter(verb__in=("link.check_in", "link.leave", "link.stay")).order_by("pk")
    assert [line.verb for line in lines] == ["link.check_in", "link.leave", "link.stay"]
    assert {line.actor for line in lines} == {None}


@pytest.mark.thorough
def test_who_drops_out_while_it_runs_is_not_drawn_again_and_may_come_back_until_then() -> None:
    event = a_called_night()
    link = link_of(event, "Aiko")
    assert leaving_of(link.entry, None) is Leaving.NEXT
    drop_out(link=link)
    assert StageEntry.objects.get(entry=link.entry).left_round == 2
    come_back(link=link)
    assert StageEntry.objects.get(entry=link.entry).left_round is None
    assert person(event, "Aiko").state == E.ACTIVE
    drop_out(link=link)
    for match in tables_of(event):
        submit_result(match=match, actor=Actor(user=event.created_by), claim=totals(130, 110))
    stage = event.stages.get()
    publish_next(stage=stage, by=event.created_by, seen=preview_next(stage=stage, by=event.created_by).hash)
    assert not Match.objects.filter(round=round_of(event, 2), seats__entry=link.entry).exists()
    with refused("entry.too_late"):
        come_back(link=link)


@pytest.mark.thorough
def test_before_the_start_a_member_leaves_and_the_partner_is_single_again() -> None:
    event = a_drawn_night()
    link = link_of(event, "Aiko")
    team = team_of(link.entry)
    assert team is not None
    partner = team.members.exclude(person=link.entry).get().person
    assert drop_out(link=link) is Leaving.TEAM
    partner.refresh_from_db()
    assert partner.state == E.ACTIVE
    assert person(event, "Aiko").state == E.WITHDRAWN
    assert not Entry.objects.filter(pk=team.pk).exists()
    assert come_back(link=link).state == E.ENTERED


@pytest.mark.thorough
def test_once_it_runs_a_member_asks_and_the_team_plays_on() -> None:
    event = a_drawn_night()
    start_tournament(tournament=event, by=event.created_by)
    call_round(round_row=round_of(event, 1), by=event.created_by)
    link = link_of(event, "Aiko")
    team = team_of(link.entry)
    assert drop_out(link=link) is Leaving.ASK
    assert team_of(link.entry) == team
    link.refresh_from_db()
    assert link.leaving_at is not None
    renewed = renew_link(entry=link.entry, by=event.created_by)
    assert renewed.leaving_at == link.leaving_at
    come_back(link=renewed)
    renewed.refresh_from_db()
    assert renewed.leaving_at is None


def test_a_team_is_checked_in_by_one_of_it() -> None:
    event = a_pairs_night(names="Aiko & Ben\nChiyo & Dai")
    Entry.objects.filter(members__isnull=False).update(state=E.ENTERED)
    assert come(link=link_of(event, "Ben")).state == E.ACTIVE
    assert {team.state for name, team in teams(event).items() if "Ben" in name} == {E.ACTIVE}
    assert person(event, "Ben").state == E.PARTNERED


def test_what_is_over_makes_no_links_and_lets_nobody_leave() -> None:
    event = a_club_night()
    link = link_of(event, "Aiko")
    Tournament.objects.update(state=Tournament.State.FINISHED)
    Entry.objects.update(state=E.ENTERED)
    with refused("link.event_over"):
        make_links(tournament=event, by=event.created_by)
    with refused("entry.closed"):
        drop_out(link=link)
    with refused("entry.closed"):
        come(link=link)
    revoke_link(entry=link.entry, by=event.created_by)
    with refused("link.ended"):
        drop_out(link=link)
