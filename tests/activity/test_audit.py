"""Audit: every act of every service is written down with who did it, in the transaction that does it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Final

import pytest
from django.db import transaction
from django.utils import timezone

from accounts import services as accounts
from accounts.models import User
from bots import services as bots
from bots.models import AuditEvent, BotVersion, Check
from tests.activity.further_acts import FURTHER_ACTS, FURTHER_EXAMPLES, NOT_AUDITED, Deed, Example
from tests.builders import events as a
from tests.builders.challenges import a_bot_of_two_versions, a_challenge
from tests.builders.ladders import a_ladder
from tests.builders.registrations import REGISTRATION_ACTS, act_on_registration
from tournaments.events.plan_rows import plan_of
from tournaments.models import Entry, Match, Tournament

pytestmark = pytest.mark.django_db
PASSWORD = "cherry-rain-88"

ACTS_OF_EVENTS: Final = {
    "tournaments.comparisons.actions": (
        "ChallengePlan",
        "start_challenge",
        "stop_challenge",
    ),
    "tournaments.entries.bots": ("enter_bot", "withdraw_entry"),
    "tournaments.entries.corrections": ("correct_entry",),
    "tournaments.events.clocks": (
        "choose_clock",
        "read_clock",
    ),
    "tournaments.events.create": ("create_tournament",),
    "tournaments.events.set_up": ("change_plan", "preview_plan"),
    **FURTHER_ACTS,
    "tournaments.lifecycle.event_plan": (
        "EventPlan",
        "StagePlan",
        "AdvancementPlan",
    ),
    "tournaments.notifications.follow": (
        "follow",
        "unfollow",
    ),
    "tournaments.operations.quarantine": (
        "requeue_quarantined",
        "require_void",
        "retry_match",
        "ruling",
        "void_match",
    ),
    "tournaments.progress.run": (
        "archive_tournament",
        "cancel_tournament",
        "open_registration",
        "pause_tournament",
        "possible_verbs",
        "publish_tournament",
        "resume_tournament",
        "start_tournament",
    ),
    "tournaments.progress.stage_actions": ("draw_stage", "preview_stage"),
    "tournaments.ratings.bot_policies": ("choose_policy",),
    "tournaments.registration.decide": ("approve_registrations", "note_payment", "reject_registrations"),
    "tournaments.registration.set_up": ("set_up_registration",),
    "tournaments.ratings.ladders.actions": ("end_ladder",),
}
"""Acts of people on tournaments, by the module that does them."""
tournaments = SimpleNamespace(
    **{name: getattr(import_module(module), name) for module, names in ACTS_OF_EVENTS.items() for name in names}
)

NOT_WRITTEN_DOWN = {
    "bots.house_account": "makes an account that nobody can log in with",
    "tournaments.ChallengePlan": "no act: what is asked for",
    "bots.may_retry": "reads",
    "bots.plays_of": "reads",
    "tournaments.EventPlan": "no act: what is asked for",
    "tournaments.StagePlan": "no act: what is asked for",
    "tournaments.AdvancementPlan": "no act: what is asked for",
    "tournaments.follow": "a person's own list: nobody else sees it, and it changes nothing for anybody",
    "tournaments.unfollow": "as follow",
    "tournaments.possible_verbs": "reads",
    "tournaments.preview_plan": "reads",
    **NOT_AUDITED,
    "tournaments.preview_stage": "reads",
    "tournaments.read_clock": "reads",
    "tournaments.require_void": "reads",
    "tournaments.ruling": "reads",
}
"""Public names of the services that leave no trace, and why."""


def services() -> Iterator[str]:
    """Return every public function of the services, by its app."""
    here: dict[str, ModuleType] = {"accounts": accounts, "bots": bots}
    for app, module in here.items():
        defined = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
        listed = getattr(module, "__all__", [name for name in defined if not name.startswith("_")])
        yield from (f"{app}.{name}" for name in listed)
    yield from (f"tournaments.{name}" for names in ACTS_OF_EVENTS.values() for name in names)


def another_seed(event: Tournament, by: User) -> object:
    return tournaments.correct_entry(entry=event.entries.order_by("pk")[0], by=by, changes={"seed": 9})


def another_capacity(event: Tournament, by: User) -> object:
    return tournaments.change_plan(tournament=event, by=by, plan=replace(plan_of(event), max_entries=30))


def sign_up() -> tuple[User, Deed]:
    return User(), lambda: accounts.sign_up(username="kimo", password=PASSWORD)


def change_password() -> tuple[User, Deed]:
    user = a.a_user()
    return user, lambda: accounts.change_password(user=user, password=PASSWORD)


def sign_out_everywhere() -> tuple[User, Deed]:
    user = a.a_user()
    return user, lambda: accounts.sign_out_everywhere(user=user)


def set_operator() -> tuple[User, Deed]:
    by, user = a.a_user(), a.a_user()
    User.objects.filter(pk=by.pk).update(is_staff=True, is_superuser=True)
    return by, lambda: accounts.set_operator(user=user, by=by, staff=True)


def save_profile() -> tuple[User, Deed]:
    user = a.a_user()
    wanted = {"display_name": "Kimo", "language": "fr", "theme": "dark"}
    return user, lambda: accounts.save_profile(user=user, letter_keys=True, **wanted)


def choose_cards() -> tuple[User, Deed]:
    user = a.a_user()
    return user, lambda: accounts.choose_cards(user=user, cards="contrast")


def create_bot() -> tuple[User, Deed]:
    user = a.a_user()
    return user, lambda: bots.create_bot(owner=user, name="Plum")


def upload_version() -> tuple[User, Deed]:
    user = a.a_user()
    return user, lambda: bots.upload_version(owner=user, filename="bot.py", data=a.FIRST, name="Plum")


def install_house_bot() -> tuple[User, Deed]:
    user, files = a.a_user(), [("bot.py", a.FIRST)]
    return user, lambda: bots.install_house_bot(owner=user, name="Greedy", files=files, plays=["hawaii"])


def of_version(deed: Callable[[BotVersion, User], object], *, active: bool = True) -> Example:
    """Something its owner does to a version; not active: to one that another version plays for."""

    def example() -> tuple[User, Deed]:
        bot = a.a_bot()
        version = bot.versions.get() if active else a.a_version(bot)
        return bot.owner, lambda: deed(version, bot.owner)

    return example


def unhide() -> tuple[User, Deed]:
    version = a.a_bot().versions.get()
    owner = version.bot.owner
    bots.hide(version=version, by=owner)
    return owner, lambda: bots.unhide(version=version, by=owner)


def retry_check() -> tuple[User, Deed]:
    bot = a.a_bot(ready=False)
    Check.objects.update(state=Check.State.QUARANTINED)
    check = Check.objects.select_related("version__bot").get()
    return bot.owner, lambda: bots.retry_check(check=check, by=bot.owner)


def an_operator() -> User:
    return a.a_user("operator", is_staff=True)


def drain() -> tuple[User, Deed]:
    worker, by = a.a_worker(), an_operator()
    return by, lambda: bots.drain(worker=worker, by=by)


def go_on() -> tuple[User, Deed]:
    by = an_operator()
    worker = bots.drain(worker=a.a_worker(), by=by)
    return by, lambda: bots.go_on(worker=worker, by=by)


def suspend_bot() -> tuple[User, Deed]:
    bot, by = a.a_bot(), an_operator()
    return by, lambda: bots.suspend_bot(bot=bot, by=by, reason="A rude name.")


def lift_bot() -> tuple[User, Deed]:
    by = an_operator()
    bot = bots.suspend_bot(bot=a.a_bot(), by=by, reason="A rude name.")
    return by, lambda: bots.lift_bot(bot=bot, by=by)


def suspend_person() -> tuple[User, Deed]:
    person, by = a.a_bot().owner, an_operator()
    return by, lambda: bots.suspend_person(person=person, by=by, reason="Rude names.")


def lift_person() -> tuple[User, Deed]:
    by = an_operator()
    person = bots.suspend_person(person=a.a_bot().owner, by=by, reason="Rude names.")
    return by, lambda: bots.lift_person(person=person, by=by)


def requeue_quarantined() -> tuple[User, Deed]:
    a.a_running_event()
    Match.objects.update(state=Match.State.QUARANTINED)
    by = an_operator()
    return by, lambda: tournaments.requeue_quarantined(by=by)


def create_tournament() -> tuple[User, Deed]:
    user = a.a_user()
    return user, lambda: tournaments.create_tournament(by=user, plan=a.a_plan())


def of_event(state: str, deed: Callable[[Tournament, User], object]) -> Example:
    """Something its organiser does to an event in this state."""

    def example() -> tuple[User, Deed]:
        event = a.a_running_event() if state in ("running", "paused", "finished") else a.an_open_event()
        if state == "registration":
            a.entered(event, [a.a_bot(), a.a_bot()])
        Tournament.objects.filter(pk=event.pk).update(state=state)
        event.refresh_from_db()
        return event.created_by, lambda: deed(event, event.created_by)

    return example


def of_held_match(deed: Callable[[Match, User], object]) -> Example:
    """Something an organiser does about a held match."""

    def example() -> tuple[User, Deed]:
        event = a.a_running_event()
        Match.objects.update(state=Match.State.QUARANTINED)
        match = a.matches_of(event)[0]
        return event.created_by, lambda: deed(match, event.created_by)

    return example


def enter_bot() -> tuple[User, Deed]:
    event, bot = a.an_open_event(), a.a_bot()
    return bot.owner, lambda: tournaments.enter_bot(tournament=event, bot=bot, by=bot.owner)


def withdraw_entry() -> tuple[User, Deed]:
    bot = a.a_bot()
    a.entered(a.an_open_event(), [bot])
    entry = Entry.objects.get()
    return bot.owner, lambda: tournaments.withdraw_entry(entry=entry, by=bot.owner)


def draw_stage() -> tuple[User, Deed]:
    event = a.an_event_whose_next_stage_waits()
    return event.created_by, lambda: tournaments.draw_stage(tournament=event, by=event.created_by, order=2)


def end_ladder() -> tuple[User, Deed]:
    event = a_ladder()
    return event.created_by, lambda: tournaments.end_ladder(tournament=event, by=event.created_by)


def start_challenge() -> tuple[User, Deed]:
    bot = a_bot_of_two_versions()
    return bot.owner, lambda: a_challenge(bot)


def stop_challenge() -> tuple[User, Deed]:
    challenge = a_challenge()
    return challenge.by, lambda: tournaments.stop_challenge(challenge=challenge, by=challenge.by)


EXAMPLES: dict[str, Example] = {
    "accounts.sign_up": sign_up,
    "accounts.change_password": change_password,
    "accounts.set_operator": set_operator,
    "accounts.save_profile": save_profile,
    "accounts.choose_cards": choose_cards,
    "accounts.sign_out_everywhere": sign_out_everywhere,
    "bots.create_bot": create_bot,
    "bots.choose_emblem": of_version(
        lambda version, by: bots.choose_emblem(bot=version.bot, by=by, card="01.1", colour="pine")
    ),
    "bots.upload_version": upload_version,
    "bots.install_house_bot": install_house_bot,
    "bots.activate": of_version(lambda version, by: bots.activate(version=version, by=by), active=False),
    "bots.retire": of_version(lambda version, by: bots.retire(version=version, by=by)),
    "bots.hide": of_version(lambda version, by: bots.hide(version=version, by=by)),
    "bots.unhide": unhide,
    "bots.retry_check": retry_check,
    "bots.drain": drain,
    "bots.go_on": go_on,
    "bots.suspend_bot": suspend_bot,
    "bots.lift_bot": lift_bot,
    "bots.suspend_person": suspend_person,
    "bots.lift_person": lift_person,
    "tournaments.create_tournament": create_tournament,
    "tournaments.publish_tournament": of_event(
        "draft", lambda event, by: tournaments.publish_tournament(tournament=event, by=by)
    ),
    "tournaments.open_registration": of_event(
        "published", lambda event, by: tournaments.open_registration(tournament=event, by=by)
    ),
    "tournaments.start_tournament": of_event(
        "registration", lambda event, by: tournaments.start_tournament(tournament=event, by=by)
    ),
    "tournaments.pause_tournament": of_event(
        "running", lambda event, by: tournaments.pause_tournament(tournament=event, by=by)
    ),
    "tournaments.resume_tournament": of_event(
        "paused", lambda event, by: tournaments.resume_tournament(tournament=event, by=by)
    ),
    "tournaments.cancel_tournament": of_event(
        "running", lambda event, by: tournaments.cancel_tournament(tournament=event, by=by, reason="It rains.")
    ),
    "tournaments.archive_tournament": of_event(
        "finished", lambda event, by: tournaments.archive_tournament(tournament=event, by=by)
    ),
    "tournaments.change_plan": of_event("registration", another_capacity),
    "tournaments.correct_entry": of_event("registration", another_seed),
    "tournaments.choose_clock": of_event(
        "registration", lambda event, by: tournaments.choose_clock(tournament=event, by=by, clock="quick")
    ),
    "tournaments.requeue_quarantined": requeue_quarantined,
    "tournaments.retry_match": of_held_match(lambda match, by: tournaments.retry_match(match=match, by=by)),
    "tournaments.void_match": of_held_match(
        lambda match, by: tournaments.void_match(match=match, by=by, reason="The hall burnt down.")
    ),
    **FURTHER_EXAMPLES,
    "tournaments.draw_stage": draw_stage,
    "tournaments.end_ladder": end_ladder,
    "tournaments.enter_bot": enter_bot,
    "tournaments.start_challenge": start_challenge,
    "tournaments.stop_challenge": stop_challenge,
    "tournaments.choose_policy": of_version(
        lambda version, by: tournaments.choose_policy(bot=version.bot, by=by, challenges="nobody", in_ladders=False)
    ),
    "tournaments.withdraw_entry": withdraw_entry,
    **{f"tournaments.{name}": partial(act_on_registration, act) for name, act in REGISTRATION_ACTS.items()},
}


def test_no_service_is_forgotten() -> None:
    named = set(EXAMPLES) | set(NOT_WRITTEN_DOWN)
    assert set(services()) == named, "give a new service an example of its act, or say why it is not written down"


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_act_is_written_down_with_who_did_it(name: str) -> None:
    by, deed = EXAMPLES[name]()
    before = AuditEvent.objects.count()
    deed()
    written = list(AuditEvent.objects.order_by("id")[before:])
    assert (by if by.pk else User.objects.get(username="kimo")) in [event.actor for event in written]
    assert all(event.subject.partition(":")[2] for event in written)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_act_that_is_taken_back_is_not_written_down(name: str) -> None:
    _by, deed = EXAMPLES[name]()
    before = AuditEvent.objects.count()
    with transaction.atomic():
        deed()
        transaction.set_rollback(True)
    assert AuditEvent.objects.count() == before


def test_coming_back_from_the_bench_is_an_act_of_its_own() -> None:
    version = a.a_bot().versions.get()
    BotVersion.objects.update(benched_at=timezone.now())
    bots.activate(version=version, by=version.bot.owner)
    assert [event.verb for event in AuditEvent.objects.order_by("id")] == ["version.unbench", "version.activate"]
