"""Forms that change something, sent by everybody: by the right person once, by others, forged or late never."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from bots.models import AuditEvent, Bot, BotVersion, Check
from bots.services import hide
from bots.views.versions import VERBS
from tests.builders import events as a
from tests.builders.event_forms import fields_of
from tests.builders.ladders import a_ladder
from tests.builders.registrations import an_event_with_registration, registered
from tests.web.scenes import Post, Scene
from tests.web.season_scenes import SEASON_POSTS, seasons_and_clubs
from tournaments.comparisons.actions import ChallengePlan, start_challenge
from tournaments.invitations.links import make_invitation_link
from tournaments.invitations.people import invite_person
from tournaments.models import Entry, Follow, Invitation, InvitationLink, Match, PrizeCategory, Role, Stage, Tournament
from tournaments.pages.clubs.clubs import VERBS as CLUB_VERBS
from tournaments.pages.lifecycle.acting import ACTS
from tournaments.pages.registration.organiser import VERBS as REGISTRATION_VERBS
from tournaments.pages.seasons.organising import EVENT_ACTS, OWN_ACTS
from tournaments.pages.seasons.people import ACTS as SEASON_ACTS
from tournaments.registration.decide import note_payment

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"
STAFF = ("owner", "director", "arbiter", "scorer")
EVERYBODY = frozenset({*STAFF, "author", "stranger", "operator"})
ORGANISERS = frozenset({"owner", "director"})


def a_scene(state: str, verb: str, fields: Callable[[Tournament], dict[str, str]] = lambda event: {}) -> Scene:
    """Something posted to an event in this state."""
    is_drawn = state in ("running", "paused", "finished")
    event = a.a_running_event() if is_drawn else a.an_open_event()
    if not is_drawn:
        a.entered(event, [a.a_bot(), a.a_bot()])
    Tournament.objects.filter(pk=event.pk).update(state=state)
    event.refresh_from_db()
    return Scene(_people(event), f"/t/{event.slug}/do/{verb}/", fields(event), event)


def _people(event: Tournament) -> dict[str, User]:
    author = Bot.objects.filter(player__entries__tournament=event).order_by("id")[0].owner
    people = {"owner": event.created_by, "author": author, "stranger": a.a_user()}
    people["operator"] = a.a_user(is_staff=True)
    for role in ("director", "arbiter", "scorer"):
        people[role] = a.a_user()
        Role.objects.create(user=people[role], tournament=event, role=role)
    return people


def _held(event: Tournament) -> dict[str, str]:
    Match.objects.filter(stage__tournament=event).update(state=Match.State.QUARANTINED)
    return {"match": str(a.matches_of(event)[0].uuid), "reason": "The hall burnt down."}


def of_match(verb: str) -> Scene:
    """Something posted to a held match."""
    scene = a_scene("running", "pause", _held)
    return Scene(scene.people, f"/m/{scene.form['match']}/do/{verb}/", scene.form, scene.event)


def entering(verb: str) -> Scene:
    """A bot that is not entered yet (enter), or is (withdraw)."""
    scene = a_scene("registration", verb)
    author = scene.people["author"]
    entry = Entry.objects.get(player__bot__owner=author)
    form = {"entry": str(entry.uuid)} if verb == "withdraw" else {"bot": a.a_bot(author).slug}
    return Scene(scene.people, scene.path, form, scene.event)


def of_bot(verb: str) -> Scene:
    """Something posted to a bot whose second version waits to be activated."""
    scene = a_scene("registration", "pause")
    bot = Bot.objects.filter(owner=scene.people["author"])[0]
    version = a.a_version(bot)
    if verb == "unhide":
        hide(version=version, by=bot.owner)
    form = {"n": str(version.n), "reason": "The note insults a player.", "of": "owner"}
    return Scene(scene.people, f"/b/{bot.slug}/do/{verb}/", form, scene.event)


def rechecking() -> Scene:
    """A held check."""
    scene = of_bot("retire")
    bot = Bot.objects.filter(owner=scene.people["author"])[0]
    Check.objects.filter(version__bot=bot).update(state=Check.State.QUARANTINED)
    return Scene(scene.people, f"/b/{bot.slug}/v/{scene.form['n']}/recheck/", {}, scene.event)


def following(verb: str) -> Scene:
    """A bot to follow, or one that everybody follows."""
    scene = a_scene("registration", "pause")
    bot = Bot.objects.filter(owner=scene.people["author"])[0]
    if verb == "unfollow":
        Follow.objects.bulk_create(Follow(user=user, bot=bot) for user in scene.people.values())
    return Scene(scene.people, f"/b/{bot.slug}/follow/{verb}/", {}, scene.event)


def unfollowing() -> Scene:
    """An event that everybody follows."""
    scene = a_scene("running", "unfollow")
    Follow.objects.bulk_create(Follow(user=user, tournament=scene.event) for user in scene.people.values())
    return scene


def clock() -> Scene:
    """Another clock for an event that takes entries."""
    scene = a_scene("registration", "pause")
    return Scene(scene.people, f"/t/{scene.event.slug}/clock/", {"clock": "quick"}, scene.event)


def editing() -> Scene:
    """The set-up of an announced event, with another number of places."""
    scene = a_scene("published", "pause")
    form = {**fields_of(scene.event), "max_entries": "30"}
    return Scene(scene.people, f"/t/{scene.event.slug}/edit/", form, scene.event)


def correcting() -> Scene:
    """The seed of an entry."""
    scene = a_scene("registration", "pause")
    entry = Entry.objects.filter(tournament=scene.event).order_by("pk")[0]
    return Scene(scene.people, f"/t/{scene.event.slug}/entries/{entry.uuid}/", {"seed": "9"}, scene.event)


def drawing_the_next_stage() -> Scene:
    """A chain whose second stage waits for its organiser."""
    event = a.an_event_whose_next_stage_waits()
    return Scene(_people(event), f"/t/{event.slug}/do/draw_stage/", {"stage": "2"}, event)


def ending_a_ladder() -> Scene:
    """A ladder that runs."""
    event = a_ladder()
    return Scene(_people(event), f"/t/{event.slug}/do/end_ladder/", {}, event)


def comparing(what: str) -> Scene:
    """A comparison of the author's, or their wishes about a bot."""
    scene = a_scene("registration", "pause")
    bot = Bot.objects.filter(owner=scene.people["author"])[0]
    if what == "policy":
        return Scene(scene.people, f"/b/{bot.slug}/policy/", {"challenges": "nobody", "in_ladders": ""}, scene.event)
    rival = a.a_bot().active_version
    assert rival is not None
    assert bot.active_version is not None
    plan = ChallengePlan(candidate=bot.active_version, reference=rival, preset="hawaii")
    challenge = start_challenge(by=bot.owner, plan=plan)
    return Scene(scene.people, f"/c/{challenge.uuid}/do/stop/", {}, scene.event)


def inviting(verb: str, fields: Callable[[Tournament], dict[str, str]]) -> Scene:
    """Something posted to the invitations of a private event that everybody may see."""
    scene = a_scene("registration", verb, fields)
    return Scene(scene.people, f"/t/{scene.event.slug}/invitations/{verb}/", scene.form, scene.event)


def _invitation(event: Tournament) -> dict[str, str]:
    made = invite_person(tournament=event, by=event.created_by, username=a.a_user().username)
    return {"invitation": str(made.uuid)}


def _invitation_link(event: Tournament) -> dict[str, str]:
    return {"link": str(make_invitation_link(tournament=event, by=event.created_by).uuid)}


def answering(verb: str) -> Scene:
    """An invitation of the author, for an event of somebody else."""
    scene = a_scene("registration", "pause")
    other, author = a.an_open_event(visibility="private"), scene.people["author"]
    made = invite_person(tournament=other, by=other.created_by, username=author.username)
    return Scene(scene.people, f"/me/invitations/{made.uuid}/{verb}/", {}, other)


def registering(verb: str) -> Scene:
    """Somebody who registered and waits for approval; or the form of registration."""
    event = an_event_with_registration(chosen={"needs_approval": True})
    row = registered(event, "Aiko")
    if verb == "unpaid":
        note_payment(tournament=event, by=event.created_by, wanted=[row], paid=True)
    people = {"owner": event.created_by, "author": a.a_user(), "stranger": a.a_user()}
    people["operator"] = a.a_user(is_staff=True)
    for role in ("director", "arbiter", "scorer"):
        people[role] = a.a_user()
        Role.objects.create(user=people[role], tournament=event, role=role)
    form = {"who": str(row.uuid), "reason": "Members only."}
    if verb == "form":
        form = {"q-TOTAL_FORMS": "1", "q-INITIAL_FORMS": "0", "q-0-words": "Food", "q-0-kind": "text"}
    return Scene(people, f"/t/{event.slug}/registrations/{verb}/", form, event)


def awarding(verb: str) -> Scene:
    """The prizes of an event, or the entries in one of its categories."""
    scene = a_scene("registration", "pause")
    here = f"/t/{scene.event.slug}/prizes/"
    if verb == "category":
        row = PrizeCategory.objects.create(tournament=scene.event, position=1, name="Novice")
        entry = Entry.objects.filter(tournament=scene.event).order_by("pk")[0]
        return Scene(scene.people, f"{here}{row.uuid}/", {"entry": str(entry.uuid)}, scene.event)
    form = {"ties": "each", "p-TOTAL_FORMS": "1", "p-INITIAL_FORMS": "0", "p-0-words": "A fan"}
    form |= {"c-TOTAL_FORMS": "1", "c-INITIAL_FORMS": "0", "c-0-name": "Novice", "c-0-kind": "hand"}
    return Scene(scene.people, here, form, scene.event)


POSTS: dict[str, Post] = {
    "publish": (lambda: a_scene("draft", "publish"), ORGANISERS),
    "open_registration": (lambda: a_scene("published", "open_registration"), ORGANISERS),
    "start": (lambda: a_scene("registration", "start"), ORGANISERS),
    "draw_stage": (drawing_the_next_stage, ORGANISERS),
    "end_ladder": (ending_a_ladder, ORGANISERS),
    "pause": (lambda: a_scene("running", "pause"), ORGANISERS),
    "resume": (lambda: a_scene("paused", "resume"), ORGANISERS),
    "cancel": (lambda: a_scene("running", "cancel", lambda event: {"reason": "It rains."}), frozenset({"owner"})),
    "archive": (lambda: a_scene("finished", "archive"), frozenset({"owner"})),
    "enter": (lambda: entering("enter"), frozenset({"author"})),
    "withdraw": (lambda: entering("withdraw"), ORGANISERS | {"author"}),
    "follow": (lambda: a_scene("running", "follow"), EVERYBODY),
    "unfollow": (unfollowing, EVERYBODY),
    "match.retry": (lambda: of_match("retry"), ORGANISERS | {"operator"}),
    "match.void": (lambda: of_match("void"), ORGANISERS | {"arbiter"}),
    "version.activate": (lambda: of_bot("activate"), frozenset({"author"})),
    "version.retire": (lambda: of_bot("retire"), frozenset({"author"})),
    "version.hide": (lambda: of_bot("hide"), frozenset({"author", "operator"})),
    "version.unhide": (lambda: of_bot("unhide"), frozenset({"author", "operator"})),
    "version.recheck": (rechecking, frozenset({"author", "operator"})),
    "bot.follow": (lambda: following("follow"), EVERYBODY),
    "bot.unfollow": (lambda: following("unfollow"), EVERYBODY),
    "clock": (clock, ORGANISERS),
    "edit": (editing, ORGANISERS),
    "entry.correct": (correcting, ORGANISERS),
    "invitation.person": (lambda: inviting("person", lambda event: {"user": a.a_user().username}), ORGANISERS),
    "invitation.withdraw": (lambda: inviting("withdraw", _invitation), ORGANISERS),
    "invitation.end": (lambda: inviting("end", _invitation_link), ORGANISERS),
    "invitation.accept": (lambda: answering("accept"), frozenset({"author"})),
    "invitation.decline": (lambda: answering("decline"), frozenset({"author"})),
    "bot.policy": (lambda: comparing("policy"), frozenset({"author"})),
    "challenge.stop": (lambda: comparing("stop"), frozenset({"author", "operator"})),
    **{f"registrations.{verb}": (partial(registering, verb), ORGANISERS) for verb in REGISTRATION_VERBS},
    "registration.form": (partial(registering, "form"), ORGANISERS),
    "prizes": (partial(awarding, "prizes"), ORGANISERS),
    "prizes.category": (partial(awarding, "category"), ORGANISERS),
    **SEASON_POSTS,
}
MAKING = frozenset({"season.new"})
"""Forms that make something each time they are sent."""
ROW_VERSION = ("publish", "open_registration", "start", "pause", "resume", "cancel")


def everything() -> list[Any]:
    """Return what these forms may change."""
    return [
        list(Tournament.objects.order_by("id").values("state", "row_version", "reason")),
        list(Stage.objects.order_by("id").values("state", "clock", "commitment", "ends_at")),
        list(Match.objects.order_by("id").values("state", "faults")),
        list(Entry.objects.order_by("id").values("state", "bot_version")),
        list(BotVersion.objects.order_by("id").values("state", "hidden_at", "benched_at")),
        list(Bot.objects.order_by("id").values("active_version")),
        list(Check.objects.order_by("id").values("state")),
        Follow.objects.count(),
        list(Invitation.objects.order_by("id").values("state", "user")),
        list(InvitationLink.objects.order_by("id").values("revoked_at", "uses")),
        list(PrizeCategory.objects.order_by("id").values("uuid", "name", "marked")),
        seasons_and_clubs(),
        AuditEvent.objects.count(),
    ]


def as_one(user: User | None, *, checks: bool = False) -> Client:
    """A client of its own; checks: that forms come from our pages, as the site does."""
    client = Client(enforce_csrf_checks=checks)
    if user is not None:
        client.force_login(user, backend=BACKEND)
    return client


def test_no_form_is_forgotten() -> None:
    of_events = {name for name in ACTS if not name.endswith("_match")}
    assert of_events <= set(POSTS)
    assert {f"version.{verb}" for verb in VERBS} <= set(POSTS)
    assert {f"season.{verb}" for verb in (*SEASON_ACTS, *EVENT_ACTS)} <= set(POSTS)
    assert {f"event.{verb}" for verb in OWN_ACTS} | {f"club.{verb}" for verb in CLUB_VERBS} <= set(POSTS)


@pytest.mark.thorough
@pytest.mark.parametrize("name", POSTS)
def test_the_wrong_hand_the_wrong_way_and_a_forged_form_change_nothing(name: str) -> None:
    make, allowed = POSTS[name]
    scene = make()
    before = everything()
    anonymous = as_one(None).post(scene.path, scene.form)
    assert anonymous.status_code in (302, 404)
    assert anonymous.headers.get("Location", "/login/").startswith("/login/")
    for role, person in scene.people.items():
        client = as_one(person)
        if role not in allowed:
            assert client.post(scene.path, scene.form).status_code in (302, 403, 404), role
            assert everything() == before, role
        assert client.get(scene.path).status_code in (200, 403, 404, 405), role
        assert client.put(scene.path, scene.form).status_code in (404, 405), role
    for role in allowed:
        forged = as_one(scene.people[role], checks=True).post(scene.path, scene.form)
        assert forged.status_code == 403
    assert everything() == before


@pytest.mark.thorough
@pytest.mark.parametrize("name", [name for name in POSTS if name not in MAKING])
def test_every_right_hand_does_it_and_a_second_click_changes_nothing(name: str) -> None:
    make, allowed = POSTS[name]
    for role in sorted(allowed)[:3]:
        scene = make()
        client, before = as_one(scene.people[role]), everything()
        assert client.post(scene.path, scene.form).status_code == 302, role
        done = everything()
        assert done != before, role
        # A 404 where the form itself took away the right to send it.
        assert client.post(scene.path, scene.form).status_code in (302, 404, 409), role
        assert everything() == done, role


@pytest.mark.thorough
@pytest.mark.parametrize("name", ROW_VERSION)
def test_a_page_that_is_out_of_date_changes_nothing(name: str) -> None:
    scene = POSTS[name][0]()
    before = everything()
    late = {**scene.form, "row_version": str(scene.event.row_version - 1)}
    answer = as_one(scene.people["owner"]).post(scene.path, late, follow=True)
    assert "tournament.changed" in answer.content.decode()
    assert everything() == before
