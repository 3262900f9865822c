"""Acts on people by the API: lists, links and what they open, partners, line-ups, pairing constraints."""

from __future__ import annotations

import pytest

from tests.builders import events as a
from tests.builders.boards import a_running_night, a_team_night
from tests.builders.clubs import a_club_night, person
from tests.builders.keys import Caller, problem
from tests.builders.teams import a_pairs_night, called, teams
from tournaments.entries.captains import captain_token, captains_of
from tournaments.models import Entry, Member, PartnerDraw, Tournament
from tournaments.progress.run import start_tournament

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]


def at(event: Tournament) -> str:
    """The address of an event."""
    return f"/api/v1/tournaments/{event.slug}"


def test_a_list_is_entered_whole_or_not_at_all() -> None:
    event = a_club_night(people=2)
    ann, here = Caller(event.created_by), f"{at(event)}/entries:import"
    look = ann.post(here, {"list": "Emi\nFumi", "dry_run": True})
    assert [row["name"] for row in look.json()["items"]] == ["Emi", "Fumi"]
    assert event.entries.count() == 2
    wrong = ann.post(here, {"list": "Emi\nBen"}, Idempotency_Key="k")
    assert problem(wrong) == (422, "entry.duplicate")
    assert problem(ann.post(here, {"list": "Emi"})) == (400, "idem.key_missing")
    first, again = (ann.post(here, {"list": "Emi\nFumi"}, Idempotency_Key="k") for _ in range(2))
    assert (first.status_code, again.content) == (201, first.content)
    assert event.entries.count() == 4
    assert problem(Caller(a.a_user()).post(here, {"list": "Goro"}, Idempotency_Key="k"))[0] == 403
    here_now = ann.post(f"{at(event)}/entries:here", {"dry_run": True})
    assert here_now.status_code == 200
    assert ann.post(f"{at(event)}/entries:here").status_code == 200
    assert set(event.entries.values_list("state", flat=True)) == {"active"}


def test_links_are_made_shown_renewed_and_used() -> None:
    event = a_club_night(people=2)
    ann, here = Caller(event.created_by), f"{at(event)}/links"
    assert [row["has_link"] for row in ann.get(here).json()["items"]] == [False, False]
    made = ann.post(here).json()["items"]
    assert [(row["has_link"], row["address"]) for row in made] == [(True, None)] * 2
    aiko = f"{at(event)}/entries/{person(event, 'Aiko').uuid}/link"
    shown = ann.get(aiko)
    assert "no-store" in shown.headers["Cache-Control"]
    old = shown.json()["address"].rstrip("/").rpartition("/")[2]
    new = ann.post(f"{aiko}:renew").json()["address"].rstrip("/").rpartition("/")[2]
    phone = Caller(None)
    assert problem(phone.post("/api/v1/my-day:leave", {"link": old})) == (422, "link.ended")
    assert phone.post("/api/v1/my-day:leave", {"link": new}).json()["state"] == "withdrawn"
    assert phone.post("/api/v1/my-day:stay", {"link": new}).json()["state"] in ("entered", "active")
    assert phone.post("/api/v1/my-day:here", {"link": new}).json()["name"] == "Aiko"
    assert problem(phone.post("/api/v1/my-day:mine", {"link": new})) == (401, "auth.needed")
    assert problem(phone.post("/api/v1/my-day:here", {"link": "wrong"})) == (422, "link.unknown")
    assert ann.post(f"{aiko}:revoke").json()["has_link"] is False
    scorer = a.a_user("scorer")
    ann.post(f"{at(event)}/roles", {"user": "scorer", "role": "scorer"})
    assert problem(Caller(scorer).get(here)) == (404, "not_found")
    for stranger in (Caller(a.a_user()), Caller(None)):
        assert problem(stranger.get(here))[0] in (401, 404)
        assert problem(stranger.get(aiko))[0] in (401, 404)
    assert problem(Caller(event.created_by, "read").get(aiko)) == (403, "auth.scope_missing")


def test_partners_are_drawn_and_taken_back() -> None:
    event = a_pairs_night()
    ann, here = Caller(event.created_by), f"{at(event)}/partner-draws"
    (waits,) = Caller(None).get(here).json()["items"]
    assert (waits["number"], waits["seed"], waits["teams"], waits["drawn_at"]) == (1, None, [], None)
    dry = ann.post(here, {"seen": 1, "dry_run": True})
    assert (dry.status_code, dry.content) == (204, b"")
    assert not Member.objects.exists()
    assert problem(ann.post(here, {"seen": 2}))[0] == 409
    drawn = ann.post(here, {"seen": 1})
    assert (drawn.status_code, len(drawn.json()["teams"])) == (201, 4)
    assert len(drawn.json()["seed"]) == 64
    assert problem(ann.post(here, {"seen": 1})) == (409, "partners.already_drawn")
    undone = ann.post(f"{here}/1:undo", {"reason": "Somebody came late."})
    assert undone.json()["reason"] == "Somebody came late."
    assert PartnerDraw.objects.get(number=1).undone_at is not None
    assert problem(ann.post(f"{here}/{10**9}:undo", {"reason": "x"})) == (404, "not_found")
    assert problem(Caller(a.a_user()).post(here, {"seen": 2})) == (403, "tournament.not_organiser")


def test_a_substitute_plays_on() -> None:
    event = a_pairs_night()
    ann = Caller(event.created_by)
    ann.post(f"{at(event)}/partner-draws", {"seen": 1})
    start_tournament(tournament=event, by=event.created_by)
    name, team = next(iter(teams(event).items()))
    gone = Entry.objects.get(tournament=event, player__name=called(team)[1])
    here, wanted = f"{at(event)}/teams/{team.uuid}:substitute", {"member": str(gone.uuid), "name": "Ike"}
    look = ann.post(here, {**wanted, "dry_run": True})
    assert [row["name"] for row in look.json()["members"]][1] == "Ike"
    assert "Ike" not in called(team)
    done = ann.post(here, wanted)
    assert done.json()["name"] == name
    assert called(team)[1] == "Ike"
    assert ann.post(here, wanted).json() == done.json()
    assert problem(ann.post(here, {**wanted, "name": "Jin"})) == (422, "team.no_member")


def test_line_ups_are_looked_at_and_set_by_organiser_and_captain() -> None:
    event = a_team_night(people=4)
    ann = Caller(event.created_by)
    lines = ann.get(f"{at(event)}/lineups").json()["items"]
    first = lines[0]
    assert (first["round"], [row["board"] for row in first["boards"]]) == (1, [1, 2, 3])
    assert len(first["reserves"]) == 1
    here = f"{at(event)}/teams/{first['team']}/lineup"
    turned = [row["entry"] for row in reversed(first["boards"])]
    look = ann.send("PUT", here, {"people": turned, "dry_run": True}).json()
    assert [row["board"] for row in look["boards"]] == [1, 3]
    assert problem(ann.send("PUT", here, {"people": turned, "seen": "x"})) == (409, "lineup.changed")
    assert ann.send("PUT", here, {"people": turned, "seen": look["seen"]}).status_code == 200
    captain = captain_token(next(row for row in captains_of(event).values() if str(row.team.uuid) == first["team"]))
    phone, empty = Caller(None), [turned[0], None, turned[2]]
    seen = phone.send("PUT", here, {"people": empty, "captain": captain, "dry_run": True}).json()["seen"]
    told = phone.send("PUT", here, {"people": empty, "captain": captain, "seen": seen})
    assert told.status_code == 200, told.content
    another = f"{at(event)}/teams/{lines[1]['team']}/lineup"
    assert problem(phone.send("PUT", another, {"people": empty, "captain": captain})) == (404, "not_found")
    assert problem(phone.send("PUT", here, {"people": empty})) == (401, "auth.needed")
    assert problem(phone.send("PUT", here, {"people": empty, "captain": "x.y"})) == (422, "captain.unknown")
    assert problem(phone.get(f"{at(event)}/lineups")) == (404, "not_found")


def test_a_member_leaves_their_team() -> None:
    event = a_running_night(people=4)
    ann = Caller(event.created_by)
    member = Member.objects.filter(team__tournament=event, until_round=None).select_related("person")[1]
    here = f"{at(event)}/entries/{member.person.uuid}:part"
    assert ann.post(here, {"dry_run": True}).status_code == 200
    assert Member.objects.filter(pk=member.pk, until_round=None).exists()
    assert ann.post(here).status_code == 200
    assert not Member.objects.filter(person=member.person, until_round=None).exists()
    assert problem(ann.post(here)) == (422, "team.no_member")


def test_wishes_of_draws() -> None:
    event = a_club_night(people=4)
    ann = Caller(event.created_by)
    aiko, ben = (str(person(event, name).uuid) for name in ("Aiko", "Ben"))
    pairs = f"{at(event)}/pairs"
    assert ann.post(pairs, {"one": aiko, "other": ben, "dry_run": True}).status_code == 200
    assert ann.get(pairs).json()["items"] == []
    assert ann.post(pairs, {"one": aiko, "other": ben}).status_code == 201
    assert [set(row.values()) for row in ann.get(pairs).json()["items"]] == [{aiko, ben}]
    assert problem(ann.post(pairs, {"one": aiko, "other": aiko})) == (422, "wishes.same")
    assert ann.delete(f"{pairs}/{aiko}/{ben}").status_code == 204
    assert ann.get(pairs).json()["items"] == []
    seeding = f"{at(event)}/stages/1/seeding"
    assert ann.get(seeding).json()["by"] == ""
    set_by = ann.send("PUT", seeding, {"by": "hand", "numbers": {ben: 1, aiko: 2}})
    assert set_by.json()["numbers"] == {ben: 1.0, aiko: 2.0}
    assert ann.send("PUT", seeding, {"by": "draw", "dry_run": True}).json()["by"] == "draw"
    assert ann.get(seeding).json()["by"] == "hand"
    assert problem(ann.send("PUT", seeding, {"pool": 1})) == (422, "wishes.no_pool")
    assert ann.get(f"{seeding}/pools").json()["items"] == []
    assert problem(ann.send("PUT", seeding, {"by": "hand"})) == (422, "wishes.no_numbers")
    entry = f"{at(event)}/entries/{aiko}"
    assert ann.patch(entry, {"table": 2}).status_code == 200
    assert event.entries.get(uuid=aiko).fixed_table == 2
    assert problem(Caller(a.a_user()).get(pairs)) == (404, "not_found")
