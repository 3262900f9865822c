"""Web hooks: who hears of what, and who does not any more when it is sent."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone

from accounts.models import User
from bots.jobs.process import Process
from bots.models import BotVersion
from bots.services import hide
from core.errors import TournamentError
from tests.builders import events as a
from tests.builders.challenges import a_bot_of_two_versions, a_challenge
from tests.builders.clubs import a_called_night, tables_of, totals
from tests.builders.receivers import Receiver, a_hook, reported, the_delivery, told_and_sent
from tests.tournaments.matches.test_playing import all_played
from tournaments.comparisons.actions import stop_challenge
from tournaments.models import Delivery, Follow, Hook, Role, Tournament
from tournaments.notifications.follow import follow
from tournaments.progress import undo
from tournaments.progress.corrections.results import correct_result, preview_correction
from tournaments.webhooks import actions as services
from tournaments.webhooks import consumer as hooking
from tournaments.webhooks import sender
from tournaments.webhooks.consumer import delivery_of
from tournaments.webhooks.event_types import WebhookEvent
from tournaments.webhooks.payloads import document

pytestmark = pytest.mark.django_db
State = Delivery.State


@pytest.mark.thorough
def test_a_result_of_a_club_night_is_told_signed_and_once(receiver: Receiver) -> None:
    event = a_called_night()
    hook, secret = a_hook(event.created_by, receiver.url)
    reported(event)
    assert told_and_sent() == 2
    assert sorted(receiver.kinds) == ["match.finished", "report.confirmed"]
    assert told_and_sent() == 0
    for sent in receiver.sent:
        assert sent.is_signed_with(secret)
        assert not sent.is_signed_with(secret + "x")
        assert sent.headers["hf-id"] == sent.body["id"]
        assert sent.headers["content-type"].startswith("application/json")
    finished = next(sent.body for sent in receiver.sent if sent.body["kind"] == "match.finished")
    match = tables_of(event)[0]
    assert finished["url"].endswith(f"/api/v1/matches/{match.uuid}")
    what = finished["what"]
    assert (what["event"], what["table"], what["state"]) == (event.slug, 1, "confirmed")
    assert sorted(seat["points"] for seat in what["seats"]) == [90, 120]
    found = Delivery.objects.filter(hook=hook)
    assert {(row.state, row.status, row.tries) for row in found} == {(State.DELIVERED, 204, 1)}


@pytest.mark.thorough
def test_a_correction_and_an_undo_take_back_what_was_told(receiver: Receiver) -> None:
    event = a_called_night()
    a_hook(event.created_by, receiver.url, "report.confirmed", "report.undone")
    reported(event)
    match = tables_of(event)[0]
    seen = preview_correction(match=match, by=event.created_by, claim=totals(90, 120)).hash
    correct_result(match=match, by=event.created_by, claim=totals(90, 120), reason="turned", seen=seen)
    found = undo.preview(tournament=event, by=event.created_by).undoable
    undo.undo(tournament=event, by=event.created_by, seen=found.id)
    told_and_sent()
    told = sorted((each.body["at"], each.body["kind"], each.body["what"].get("why")) for each in receiver.sent)
    kinds = [(kind, why) for _at, kind, why in told]
    assert kinds.count(("report.undone", "corrected")) == 1
    assert kinds.count(("report.undone", "undone")) == 1
    assert kinds.count(("report.confirmed", None)) == 2
    undone = next(each.body["what"] for each in receiver.sent if each.body["what"].get("why") == "undone")
    assert undone["counts"] == 1, "the first report counts again"


@pytest.mark.thorough
def test_a_round_is_told_when_it_is_drawn_and_when_it_is_called(receiver: Receiver) -> None:
    user = a.a_user("organiser")
    a_hook(user, receiver.url, "round.published")
    event = a_called_night()
    Role.objects.create(user=user, tournament=event, role=Role.Kind.DIRECTOR)
    told_and_sent()
    told = [(each.body["what"]["rounds"], each.body["what"]["called"]) for each in receiver.sent]
    assert sorted(told) == [([1], False), ([1], True)]
    assert {each.body["what"]["tables"] for each in receiver.sent} == {3}


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_a_bot_that_forfeits_is_told_to_its_owner_and_a_decided_comparison_to_both(
    process: Process, receiver: Receiver
) -> None:
    event = a.a_running_event(sources=[a.CRASHES, a.FIRST])
    loser, winner = (entry.player.bot for entry in event.entries.order_by("id").select_related("player__bot__owner"))
    assert loser is not None
    a_hook(loser.owner, receiver.url, "bot.failed", watch="bot", thing=loser)
    follow(user=(fan := a.a_user("fan")), bot=winner)
    a_hook(fan, receiver.url + "?fan", "match.finished", "bot.failed", watch="followed")
    assert all_played(process)
    challenge = a_challenge()
    a_hook(challenge.by, receiver.url + "?c", "challenge.decided")
    stop_challenge(challenge=challenge, by=challenge.by)
    told_and_sent()
    told = {each.path.partition("?")[2]: each.body for each in receiver.sent}
    assert told[""]["what"] | {"bot": loser.slug, "why": "forfeit", "code": "crash"} == told[""]["what"]
    assert {each.body["kind"] for each in receiver.sent if "fan" in each.path} == {"match.finished"}
    assert told["c"]["what"] | {"state": "inconclusive", "reason": "stopped"} == told["c"]["what"]
    assert told["c"]["url"].endswith(f"/api/v1/challenges/{challenge.uuid}")


def give_away(event: Tournament) -> None:
    Role.objects.filter(tournament=event).delete()


def deactivate(event: Tournament) -> None:
    User.objects.filter(pk=event.created_by_id).update(is_active=False)


def switch_off(event: Tournament) -> None:
    hook = Hook.objects.get()
    services.switch_hook(hook=hook, by=hook.user, on=False)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("losing", "why"), [(give_away, "right.lost"), (deactivate, "right.lost"), (switch_off, "hook.off")]
)
def test_whoever_loses_the_right_before_it_is_sent_is_not_told(
    receiver: Receiver, losing: Callable[[Tournament], None], why: str
) -> None:
    event = a_called_night()
    a_hook(event.created_by, receiver.url, "match.finished", watch="event", thing=event)
    reported(event)
    hooking.enqueue_deliveries()
    losing(event)
    assert sender.send_waiting() == 0
    assert not receiver.sent
    delivery = the_delivery()
    assert (delivery.state, delivery.error) == (State.DROPPED, why)


@pytest.mark.thorough
@pytest.mark.parametrize("visibility", ["public", "unlisted", "private"])
def test_followers_hear_of_an_event_as_long_as_they_may_open_it(receiver: Receiver, visibility: str) -> None:
    event, fan = a_called_night(), a.a_user("fan")
    follow(user=fan, tournament=event)
    a_hook(fan, receiver.url, "match.finished", watch="followed")
    reported(event)
    hooking.enqueue_deliveries()
    Tournament.objects.filter(pk=event.pk).update(visibility=visibility)
    sender.send_waiting()
    assert len(receiver.sent) == (visibility != "private")
    Follow.objects.all().delete()
    reported(event, 1)
    told_and_sent()
    assert len(receiver.sent) == (visibility != "private")


@pytest.mark.thorough
def test_the_number_of_a_hidden_version_is_told_to_its_owner_alone(receiver: Receiver) -> None:
    bot = a_bot_of_two_versions()
    rival = a.a_bot()
    event = a.an_open_event()
    a.entered(event, [bot, rival])
    challenge = a_challenge(bot)
    hooking.enqueue_deliveries()
    hide(version=challenge.candidate, by=bot.owner, reason="not yet")
    a_hook(bot.owner, receiver.url, "challenge.decided")
    staff = a.a_user("watcher")
    hook, _secret = a_hook(staff, receiver.url + "?w", "challenge.decided")
    stop_challenge(challenge=challenge, by=challenge.by)
    told_and_sent()
    assert [each.body["what"]["candidate"]["version"] for each in receiver.sent] == [challenge.candidate.n]
    assert not Delivery.objects.filter(hook=hook).exists(), "somebody's own test is nobody else's"


def test_a_table_tells_the_number_of_a_hidden_version_to_its_owner_and_operators_alone() -> None:
    event = a.a_running_event(bots=2)
    match = a.matches_of(event)[0]
    mine, other = (seat.bot_version for seat in match.seats.order_by("index").select_related("bot_version__bot__owner"))
    assert mine is not None
    assert other is not None
    BotVersion.objects.filter(pk=mine.pk).update(hidden_at=timezone.now(), hidden_reason="not yet")
    hook, _secret = a_hook(mine.bot.owner, "https://example.org/")
    delivery = delivery_of(hook, WebhookEvent("match.finished", "any", timezone.now(), {"match": str(match.uuid)}))

    def numbers(reader: User) -> list[int | None]:
        return [seat["version"] for seat in document(delivery, reader)["what"]["seats"]]

    assert numbers(mine.bot.owner) == [1, 1]
    assert numbers(a.a_user(is_staff=True)) == [1, 1]
    assert numbers(other.bot.owner) == [None, 1]


@pytest.mark.thorough
def test_a_hook_for_one_thing_hears_of_nothing_else_and_only_of_ones_own(receiver: Receiver) -> None:
    event, other = a_called_night(), a_called_night()
    a_hook(event.created_by, receiver.url, "match.finished", watch="event", thing=event)
    reported(other)
    assert told_and_sent() == 0
    for thing in (other, a.a_bot()):
        watch = "event" if isinstance(thing, Tournament) else "bot"
        with pytest.raises(TournamentError) as refused:
            a_hook(event.created_by, receiver.url, watch=watch, thing=thing)
        assert refused.value.code == "hook.not_yours"
