"""Acts of organisers and authors, and every refusal by its stable code."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from bots.models import AuditEvent, Bot, Outbox
from core.errors import TournamentError
from engine.deck import commitment, match_seed
from engine.errors import DomainError
from tests.builders import events as a
from tests.services.forging import forge
from tournaments.entries.bots import enter_bot, withdraw_entry
from tournaments.events.create import create_tournament
from tournaments.models import DealSet, Entry, Follow, Match, Role, Round, Ruleset, Seat, Stage, Tournament
from tournaments.notifications.follow import follow, unfollow
from tournaments.operations.quarantine import retry_match, void_match
from tournaments.progress.draws import draw
from tournaments.progress.run import (
    cancel_tournament,
    open_registration,
    pause_tournament,
    possible_verbs,
    publish_tournament,
    resume_tournament,
    start_tournament,
)


def refused(code: str, call: Callable[[], object]) -> TournamentError:
    """The refusal, which names the code, says something, and left no trace."""
    counted = {model: model._default_manager.count() for model in (Tournament, Entry, Match, AuditEvent, Outbox)}
    with pytest.raises(DomainError) as caught:
        call()
    assert caught.value.code == code, str(caught.value)
    assert len(str(caught.value)) > 15
    assert counted == {model: model._default_manager.count() for model in counted}
    assert isinstance(caught.value, TournamentError)
    return caught.value


@pytest.mark.django_db
def test_a_draft_has_its_ruleset_stage_owner_and_story() -> None:
    by = a.a_user()
    event = create_tournament(by=by, plan=a.a_plan(options={"rounds": 3}))
    stage = event.stages.get()
    assert event.state == Tournament.State.DRAFT
    assert Ruleset.objects.get() == stage.ruleset
    assert '"rounds":3' in stage.ruleset.canonical
    assert Role.objects.get(tournament=event).role == Role.Kind.OWNER
    assert AuditEvent.objects.get().verb == "tournament.create"
    assert stage.secret is None


@pytest.mark.django_db
def test_two_drafts_of_one_name_have_two_addresses_and_one_ruleset() -> None:
    by = a.a_user()
    slugs = {create_tournament(by=by, plan=a.a_plan()).slug for _ in range(3)}
    assert slugs == {"plum-league", "plum-league-2", "plum-league-3"}
    assert Ruleset.objects.count() == 1
    assert create_tournament(by=by, plan=a.a_plan(name="New")).slug != "new"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("tournament.name_invalid", {"name": "ab"}),
        ("tournament.name_invalid", {"name": "Plum\u202eleague"}),
        ("tournament.bad_preset", {"preset": "poker"}),
        ("tournament.bad_option", {"options": {"jokers": 2}}),
        ("tournament.bad_option", {"options": {"rounds": 0}}),
        ("tournament.bad_option", {"options": {"rounds": "many"}}),
        ("tournament.bad_seating", {"seats": 3, "kind": "round_robin"}),
        ("tournament.bad_seating", {"seats": 9, "kind": "tables"}),
        ("tournament.bad_kind", {"kind": "gauntlet"}),
        ("tournament.bad_legs", {"legs": "half"}),
        ("tournament.bad_scoring", {"scoring": "luck"}),
        ("tournament.bad_clock", {"clock": "bullet"}),
        ("tournament.bad_tie_breaks", {"tie_breaks": ("beauty",)}),
        ("tournament.bad_visibility", {"visibility": "secret"}),
        ("tournament.bad_bye_policy", {"bye_policy": "nothing"}),
        ("tournament.bad_time_zone", {"time_zone": "Mars/Olympus"}),
        ("tournament.bad_rounds", {"rounds": 0}),
        ("tournament.bad_max_entries", {"max_entries": 1}),
        ("tournament.bad_entries_per_owner", {"entries_per_owner": 0}),
        ("tournament.bad_entries_close_at", {"entries_close_at": timezone.now() - timedelta(hours=1)}),
    ],
)
def test_a_plan_with_a_mistake_is_refused_whole(code: str, changes: dict[str, object]) -> None:
    by = a.a_user()
    refused(code, lambda: create_tournament(by=by, plan=a.a_plan(**changes)))


@pytest.mark.django_db
def test_the_secret_is_committed_to_before_entries() -> None:
    event = a.an_open_event()
    stage = event.stages.get()
    assert stage.commitment == commitment(bytes(stage.secret or b""))
    assert stage.revealed_at is None


@pytest.mark.django_db
def test_only_organisers_act() -> None:
    event = a.an_open_event()
    stranger = a.a_user()
    refused("tournament.not_organiser", lambda: start_tournament(tournament=event, by=stranger))
    refused("tournament.not_organiser", lambda: cancel_tournament(tournament=event, by=stranger, reason="x"))
    Role.objects.create(tournament=event, user=stranger, role=Role.Kind.SCORER)
    refused("tournament.not_organiser", lambda: start_tournament(tournament=event, by=stranger))
    Role.objects.create(tournament=event, user=stranger, role=Role.Kind.DIRECTOR)
    refused("tournament.too_few_entries", lambda: start_tournament(tournament=event, by=stranger))
    refused("tournament.not_organiser", lambda: cancel_tournament(tournament=event, by=stranger, reason="x"))


@pytest.mark.django_db
def test_verbs_are_those_of_role_and_state() -> None:
    event = a.an_open_event()
    assert possible_verbs(event, event.created_by) == ("start", "cancel")
    assert possible_verbs(event, a.a_user()) == ()
    assert possible_verbs(event, None) == ()


@pytest.mark.django_db
def test_a_step_at_the_wrong_time_is_refused() -> None:
    by = a.a_user()
    event = create_tournament(by=by, plan=a.a_plan())
    refused("tournament.wrong_state", lambda: start_tournament(tournament=event, by=by))
    refused("tournament.wrong_state", lambda: open_registration(tournament=event, by=by))
    publish_tournament(tournament=event, by=by)
    refused("tournament.already_published", lambda: publish_tournament(tournament=event, by=by))
    open_registration(tournament=event, by=by)
    refused("tournament.already_open", lambda: open_registration(tournament=event, by=by))
    refused("tournament.reason_needed", lambda: cancel_tournament(tournament=event, by=by, reason=" "))


@pytest.mark.django_db
def test_somebody_else_changed_it_meanwhile() -> None:
    event = a.an_open_event()
    seen = event.row_version - 1
    a.entered(event, [a.a_bot(), a.a_bot()])
    refused(
        "tournament.changed",
        lambda: start_tournament(tournament=event, by=event.created_by, expected_version=seen),
    )


@pytest.mark.django_db
def test_entries_are_refused_before_and_after_their_time() -> None:
    by, bot = a.a_user(), a.a_bot()
    event = create_tournament(by=by, plan=a.a_plan(entries_close_at=timezone.now() + timedelta(hours=1)))
    refused("entry.not_open", lambda: enter_bot(tournament=event, bot=bot, by=bot.owner))
    publish_tournament(tournament=event, by=by)
    refused("entry.not_open", lambda: enter_bot(tournament=event, bot=bot, by=bot.owner))
    open_registration(tournament=event, by=by)
    Tournament.objects.update(entries_close_at=timezone.now() - timedelta(seconds=1))
    refused("entry.closed", lambda: enter_bot(tournament=event, bot=bot, by=bot.owner))


@pytest.mark.django_db
def test_a_late_entry_is_refused() -> None:
    event, bot = a.a_running_event(), a.a_bot()
    refused("entry.closed", lambda: enter_bot(tournament=event, bot=bot, by=bot.owner))


@pytest.mark.django_db
def test_bots_that_may_not_enter() -> None:
    event, bot = a.an_open_event(entries_per_owner=1), a.a_bot()
    owner = bot.owner
    refused("entry.not_owner", lambda: enter_bot(tournament=event, bot=bot, by=a.a_user()))
    refused("entry.nonce_invalid", lambda: enter_bot(tournament=event, bot=bot, by=owner, nonce="a b"))
    unready = a.a_bot(owner, ready=False)
    refused("entry.no_version", lambda: enter_bot(tournament=event, bot=unready, by=owner))
    version = bot.active_version
    assert version is not None
    version.benched_at = timezone.now()
    version.save()
    refused("entry.benched", lambda: enter_bot(tournament=event, bot=bot, by=owner))
    version.benched_at = None
    version.save()
    forge(bot.versions.all(), plays=["paradise"])
    refused("entry.preset_not_played", lambda: enter_bot(tournament=event, bot=bot, by=owner))
    forge(bot.versions.all(), plays=["hawaii"])
    enter_bot(tournament=event, bot=bot, by=owner)
    refused("entry.duplicate", lambda: enter_bot(tournament=event, bot=bot, by=owner))
    refused("entry.limit", lambda: enter_bot(tournament=event, bot=a.a_bot(owner), by=owner))


@pytest.mark.django_db
def test_a_full_event_has_a_waiting_list_that_moves_up() -> None:
    event = a.an_open_event(max_entries=2)
    entries = a.entered(event, [a.a_bot() for _ in range(4)])
    assert [entry.state for entry in entries] == ["entered", "entered", "waitlisted", "waitlisted"]
    first, owner = entries[0], entries[0].entered_by
    refused("entry.not_owner", lambda: withdraw_entry(entry=first, by=a.a_user()))
    withdraw_entry(entry=first, by=owner)
    refused("entry.already_withdrawn", lambda: withdraw_entry(entry=first, by=owner))
    states = [Entry.objects.get(pk=entry.pk).state for entry in entries]
    assert states == ["withdrawn", "entered", "entered", "waitlisted"]
    again = enter_bot(tournament=event, bot=Bot.objects.get(player=first.player), by=owner)
    assert (again.pk, again.state) == (first.pk, "waitlisted")
    withdraw_entry(entry=entries[1], by=event.created_by)  # the organiser may
    assert Entry.objects.get(pk=entries[3].pk).state == "entered"


@pytest.mark.thorough
@pytest.mark.django_db
def test_a_start_pins_draws_and_queues() -> None:
    event = a.an_open_event(legs="cyclic", rounds=2)
    a.entered(event, [a.a_bot() for _ in range(4)])
    start_tournament(tournament=event, by=event.created_by)
    stage = Stage.objects.get()
    entries = list(Entry.objects.order_by("seed"))
    assert [entry.seed for entry in entries] == [1, 2, 3, 4]
    assert all(entry.state == "active" and entry.bot_version_id for entry in entries)
    assert (event.state, stage.state, Round.objects.filter(state="published").count()) == ("running", "active", 6)
    matches = a.matches_of(event)
    assert len(matches) == 2 * 6 * 2 == 2 * DealSet.objects.count()
    assert all(match.state == "queued" and match.queued_at for match in matches)
    assert len({match.priority for match in matches}) == len(matches)
    for deal_set in DealSet.objects.all():
        seed = match_seed(bytes(stage.secret or b""), bytes(stage.mix or b""), deal_set.uuid.bytes)
        assert deal_set.commit == commitment(seed)
        lines = [list(leg.seats.values_list("entry", flat=True)) for leg in deal_set.matches.order_by("leg")]
        assert lines[0] == lines[1][::-1]
    assert not Seat.objects.filter(bot_version=None).exists()


@pytest.mark.django_db
def test_every_seat_once_in_cyclic_legs_and_both_seats_of_a_team() -> None:
    event = a.an_open_event(legs="cyclic", seats=4, options={"rounds": 1, "teams": "2x2"})
    a.entered(event, [a.a_bot(), a.a_bot()])
    start_tournament(tournament=event, by=event.created_by)
    legs = [list(match.seats.values_list("side", "entry")) for match in a.matches_of(event)]
    one, other = (entry.pk for entry in Entry.objects.order_by("seed"))
    assert legs == [[(0, one), (1, other)] * 2, [(0, other), (1, one)] * 2]


@pytest.mark.django_db
def test_a_nonce_changes_the_decks() -> None:
    event = a.an_open_event()
    bots = [a.a_bot(), a.a_bot()]
    enter_bot(tournament=event, bot=bots[0], by=bots[0].owner, nonce="kanoke")
    enter_bot(tournament=event, bot=bots[1], by=bots[1].owner)
    start_tournament(tournament=event, by=event.created_by)
    mix = bytes(Stage.objects.get().mix or b"")
    assert len(mix) == 32
    assert mix != bytes(32)


@pytest.mark.django_db
def test_a_bot_that_cannot_play_any_more_makes_room() -> None:
    event = a.an_open_event(max_entries=2)
    bots = [a.a_bot() for _ in range(3)]
    entries = a.entered(event, bots)
    assert bots[0].active_version is not None
    bots[0].active_version.benched_at = timezone.now()
    bots[0].active_version.save()
    start_tournament(tournament=event, by=event.created_by)
    assert [Entry.objects.get(pk=entry.pk).state for entry in entries] == ["withdrawn", "active", "active"]


@pytest.mark.thorough
@pytest.mark.django_db
def test_two_events_share_the_workers_evenly() -> None:
    long = a.a_running_event(bots=5)
    short = a.a_running_event(bots=3)
    order = Match.objects.order_by("priority", "id").values_list("stage__tournament", flat=True)
    assert set(order[:6]) == {long.pk, short.pk}


@pytest.mark.thorough
@pytest.mark.django_db
def test_a_click_that_draws_after_another_one_has_started_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    event = a.an_open_event()
    a.entered(event, [a.a_bot() for _ in range(4)])
    draw_stage = draw.draw_stage

    def after_the_other_click(tournament: Tournament) -> draw.Draw:
        monkeypatch.setattr(draw, "draw_stage", draw_stage)
        start_tournament(tournament=Tournament.objects.get(pk=event.pk), by=event.created_by)
        return draw_stage(tournament)

    monkeypatch.setattr(draw, "draw_stage", after_the_other_click)
    with pytest.raises(TournamentError) as refusal:
        start_tournament(tournament=event, by=event.created_by)
    assert refusal.value.code == "tournament.already_running"


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_a_double_click_on_start_starts_once() -> None:
    event = a.an_open_event()
    a.entered(event, [a.a_bot() for _ in range(4)])

    def click(_each: int) -> str:
        try:
            start_tournament(tournament=Tournament.objects.get(pk=event.pk), by=event.created_by)
        except TournamentError as refusal:
            return refusal.code
        finally:
            connection.close()
        return "started"

    with ThreadPoolExecutor(4) as pool:
        answers = sorted(pool.map(click, range(4)))
    assert answers == ["started", *["tournament.already_running"] * 3]
    assert Match.objects.count() == 6
    assert AuditEvent.objects.filter(verb="tournament.start").count() == 1
    assert Entry.objects.filter(state="active").count() == 4


@pytest.mark.django_db(transaction=True)
def test_entering_one_bot_many_times_at_once_enters_it_once() -> None:
    event, bot = a.an_open_event(), a.a_bot()

    def click(_each: int) -> str:
        try:
            return enter_bot(tournament=event, bot=bot, by=bot.owner).state
        except TournamentError as refusal:
            return refusal.code
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        answers = sorted(pool.map(click, range(4)))
    assert answers == ["entered", *["entry.duplicate"] * 3]
    assert Entry.objects.count() == 1


@pytest.mark.django_db
def test_pause_resume_and_cancel() -> None:
    event = a.a_running_event()
    by = event.created_by
    pause_tournament(tournament=event, by=by)
    refused("tournament.already_paused", lambda: pause_tournament(tournament=event, by=by))
    resume_tournament(tournament=event, by=by)
    refused("tournament.already_running", lambda: resume_tournament(tournament=event, by=by))
    cancel_tournament(tournament=event, by=by, reason="the hall burnt down")
    assert set(Match.objects.values_list("state", flat=True)) == {"void"}
    assert event.reason == "the hall burnt down"
    refused("tournament.already_cancelled", lambda: cancel_tournament(tournament=event, by=by, reason="x"))


@pytest.mark.thorough
@pytest.mark.django_db
def test_a_held_match_is_retried_or_voided_by_an_organiser() -> None:
    event = a.a_running_event(bots=3)
    by, (match, other, third) = event.created_by, a.matches_of(event)
    refused("match.already_queued", lambda: retry_match(match=match, by=by))
    Match.objects.filter(pk=match.pk).update(state="quarantined", faults=4, suspects=[1])
    refused("tournament.not_organiser", lambda: retry_match(match=match, by=a.a_user()))
    retry_match(match=match, by=by)
    assert (match.state, match.faults, match.suspects) == ("queued", 0, [])
    refused("match.reason_needed", lambda: void_match(match=other, by=by, reason=""))
    void_match(match=other, by=by, reason="seated wrongly")
    refused("match.already_void", lambda: void_match(match=other, by=by, reason="again"))
    Match.objects.filter(pk=third.pk).update(state="confirmed")
    refused("match.wrong_state", lambda: void_match(match=third, by=by, reason="too late"))


@pytest.mark.django_db
def test_following_twice_is_following() -> None:
    user, event, bot = a.a_user(), a.an_open_event(), a.a_bot()
    for _ in range(2):
        follow(user=user, tournament=event)
        follow(user=user, bot=bot)
    assert Follow.objects.count() == 2
    refused("follow.one_thing", lambda: follow(user=user))
    for _ in range(2):
        unfollow(user=user, bot=bot)
    assert Follow.objects.get().tournament == event


@pytest.mark.django_db
def test_every_act_is_told_in_order_on_the_event_s_channel() -> None:
    event = a.a_running_event()
    versions = list(Outbox.objects.filter(channel=event.channel).order_by("id").values_list("version", flat=True))
    assert versions == list(range(1, len(versions) + 1))
    verbs = AuditEvent.objects.filter(channel=event.channel).order_by("id").values_list("verb", flat=True)
    assert list(verbs) == [
        "tournament.create",
        "tournament.publish",
        "tournament.open_registration",
        "entry.enter",
        "entry.enter",
        "tournament.start",
        "stage.seed",
        "stage.activate",
    ]
