"""Units given and taken by hand: who may, what follows, what is refused, and that a revoked one leaves no trace."""

from __future__ import annotations

import re
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from bots.jobs.process import Process
from bots.models import AuditEvent, Outbox
from tests.builders import events as a
from tests.builders.clubs import a_called_night, close_event, person
from tests.builders.normal_form import form_of
from tests.tournaments.progress.test_people import draw_next, finish_round, refused, stage_of, with_role
from tests.tournaments.progress.test_people_chains import a_night, play_and_close, stage_no
from tournaments.matches import play
from tournaments.models import Adjustment, Entry, Match, Round, Stage, Standing, Tournament
from tournaments.progress import derive, rounds, undo
from tournaments.progress.corrections import adjustments
from tournaments.progress.corrections.adjustments import (
    Adjusting,
    adjust,
    exact_units,
    preview_adjustment,
    preview_revocation,
)
from tournaments.progress.run import cancel_tournament, pause_tournament
from tournaments.progress.stage_actions import draw_stage
from tournaments.standings import ledger_cache, store

pytestmark = pytest.mark.django_db
Rows = list[tuple[Any, ...]]


def table_of(stage: Stage) -> Rows:
    """Every stored row, also of the rounds before."""
    rows = Standing.objects.filter(stage=stage).order_by("after_round", "row")
    return list(rows.values_list("after_round", "row", "rank", "entry", "key", "explanation"))


def seen_of(stage: Stage, entry: Entry, units: str = "-50", by: User | None = None, **more: Any) -> Adjusting:
    """Preview giving them."""
    by = by or stage.tournament.created_by
    return preview_adjustment(stage=stage, entry=entry, by=by, units=units, reason="late", **more)


def give(stage: Stage, entry: Entry, units: str = "-50", by: User | None = None, **more: Any) -> Adjustment:
    """Look, then do it."""
    by = by or stage.tournament.created_by
    seen = seen_of(stage, entry, units, by, **more).hash
    return adjust(stage=stage, entry=entry, by=by, units=units, reason="late", seen=seen, **more)


def revoke(row: Adjustment, by: User | None = None) -> Adjustment:
    """Look, then do it."""
    by = by or row.by
    seen = preview_revocation(adjustment=row, by=by, reason="a mistake").hash
    return adjustments.revoke(adjustment=row, by=by, reason="a mistake", seen=seen)


def a_night_with_results(**changes: Any) -> Tournament:
    """Round 1 of a Swiss of six is over, round 2 drawn."""
    event = a_called_night(**changes)
    finish_round(event)
    draw_next(event)
    return event


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("-50", "-50"),
        ("1/2", "1/2"),
        ("2/4", "1/2"),
        ("0.5", "1/2"),
        ("+7", "7"),
        (" −10 ", "-10"),
        ("100000", "100000"),
    ],
)
def test_amounts_are_exact(text: str, exact: str) -> None:
    assert exact_units(text) == exact
    assert Fraction(exact_units(text)) == Fraction(exact)


@pytest.mark.parametrize(
    "text",
    ["", "0", "0/5", "1/0", "1/00", "100001", "nan", "1e9", "1_0", "٣", "1/2/3", "--1", "9" * 99, "1\n2", "1/1001"],
)
def test_what_is_no_amount_is_refused(text: str) -> None:
    with refused("adjust.bad_units"):
        exact_units(text)


@pytest.mark.thorough
def test_the_preview_changes_nothing_and_lists_what_then_changes() -> None:
    event = a_night_with_results()
    stage, ben, before = stage_of(event), person(event, "Ben"), form_of(event)
    shown = seen_of(stage, ben, "-5000")
    assert form_of(event) == before
    assert (Adjustment.objects.count(), store.differences(stage)) == (0, [])
    now = {row.entry.player.name: row.rank for row in Standing.objects.filter(stage=stage, after_round=0)}
    row = give(stage, ben, "-5000")
    then = {row.entry.player.name: row.rank for row in Standing.objects.filter(stage=stage, after_round=0)}
    listed = {each.name: (int((each.before or ("0",))[0]), int((each.after or ("0",))[0])) for each in shown.moves}
    assert listed["Ben"] == (now["Ben"], 6)
    assert {name for name in now if now[name] != then[name]} <= set(listed)
    assert all(listed[name] == (now[name], then[name]) for name in listed)
    assert (row.units, row.by, row.reason) == ("-5000", event.created_by, "late")
    assert store.differences(stage) == []


@pytest.mark.slow
def test_it_is_a_line_of_the_log_and_of_the_events_channel() -> None:
    event = a_night_with_results()
    ben = person(event, "Ben")
    row = give(stage_of(event), ben, round_number=1)
    line = AuditEvent.objects.get(verb="adjustment.give")
    assert (line.subject, line.actor, line.channel) == (f"entry:{ben.uuid}", event.created_by, event.channel)
    assert (line.after["units"], line.after["reason"], line.after["round"]) == ("-50", "late", 1)
    assert Outbox.objects.filter(channel=event.channel, topic="adjustment.give").count() == 1
    revoke(row)
    assert AuditEvent.objects.filter(verb="adjustment.revoke", after__reason="a mistake").count() == 1
    assert Outbox.objects.filter(channel=event.channel, topic="standings.change").exists()


@pytest.mark.slow
def test_a_second_click_gives_nothing_twice() -> None:
    event = a_night_with_results()
    stage, ben, by = stage_of(event), person(event, "Ben"), event.created_by
    seen = seen_of(stage, ben).hash
    once, twice = (adjust(stage=stage, entry=ben, by=by, units="-50", reason="late", seen=seen) for _click in "ab")
    assert once == twice
    assert Adjustment.objects.count() == 1
    row = give(stage, ben)  # meant, and looked at again
    assert row != once
    shown = preview_revocation(adjustment=row, by=by, reason="a mistake").hash
    adjustments.revoke(adjustment=row, by=by, reason="a mistake", seen=shown)
    with refused("adjust.already_revoked"):
        adjustments.revoke(adjustment=row, by=by, reason="a mistake", seen=shown)


@pytest.mark.slow
def test_what_moved_since_is_a_conflict_and_nothing_is_given() -> None:
    event = a_night_with_results()
    stage, ben, by = stage_of(event), person(event, "Ben"), event.created_by
    seen = seen_of(stage, ben).hash
    give(stage, person(event, "Aiko"))
    before = form_of(event)
    with refused("adjust.moved"):
        adjust(stage=stage, entry=ben, by=by, units="-50", reason="late", seen=seen)
    others: tuple[dict[str, Any], ...] = ({"units": "-60"}, {"reason": "loud"}, {"round_number": 1}, {"then": "redo"})
    seen = seen_of(stage, ben).hash
    known: dict[str, Any] = {"stage": stage, "entry": ben, "by": by, "units": "-50", "reason": "late", "seen": seen}
    for other in others:
        with refused("adjust.moved"):
            adjust(**known | other)
    assert (form_of(event), store.differences(stage)) == (before, [])


@pytest.mark.slow
def test_only_owner_director_and_arbiter_may_and_after_the_end_no_arbiter() -> None:
    event = a_night_with_results()
    stage, ben = stage_of(event), person(event, "Ben")
    roles = {role: with_role(event, role) for role in ("director", "arbiter", "scorer")}
    for role in ("director", "arbiter"):
        revoke(give(stage, ben, by=roles[role]), by=roles[role])
    for other in (roles["scorer"], a.a_user()):
        with refused("tournament.not_organiser"):
            seen_of(stage, ben, by=other)
        with refused("tournament.not_organiser"):
            adjust(stage=stage, entry=ben, by=other, units="-1", reason="late", seen="")
    rounds.call_round(round_row=Round.objects.get(stage=stage, number=2), by=event.created_by)
    finish_round(event, 2)
    close_event(tournament=event, by=event.created_by)
    with refused("tournament.not_organiser"):
        seen_of(stage, ben, by=roles["arbiter"])
    give(stage, ben, by=roles["director"])
    again = AuditEvent.objects.get(verb="tournament.sign_again")
    assert again.after["standings"] == Standing.objects.filter(stage=stage, after_round=0)[0].input_hash
    assert store.differences(stage) == []


@pytest.mark.thorough
def test_what_cannot_be_adjusted() -> None:
    event, other = a_called_night(), a_called_night()
    stage, ben = stage_of(event), person(event, "Ben")
    with refused("adjust.not_in_stage"):
        seen_of(stage, person(other, "Ben"))
    for number in (2, 99):
        with refused("adjust.no_round"):
            seen_of(stage, ben, round_number=number)
    with refused("adjust.bad_then"):
        seen_of(stage, ben, then="perhaps")
    for reason in ("", " \n "):
        with refused("adjust.reason_needed"):
            preview_adjustment(stage=stage, entry=ben, by=event.created_by, units="1", reason=reason)
    pause_tournament(tournament=event, by=event.created_by)
    give(stage, ben)
    cancel_tournament(tournament=event, by=event.created_by, reason="It rains.")
    with refused("adjust.not_running"):
        seen_of(stage, ben)


@pytest.mark.slow
def test_a_stage_in_which_nothing_began_is_left_alone() -> None:
    event = a_night()
    play_and_close(event, 1)
    for order, code in ((1, ""), (2, "adjust.not_running")):
        stage = stage_no(event, order)
        entry = Entry.objects.filter(tournament=event, stage_entries__isnull=False)[0]
        if code:
            with refused(code):
                seen_of(stage, entry)
        else:
            revoke(give(stage, entry))
    fresh = a_called_night()
    Match.objects.filter(stage__tournament=fresh).update(state=Match.State.READY)
    with refused("adjust.not_begun"):
        seen_of(stage_of(fresh), person(fresh, "Ben"))


@pytest.mark.slow
def test_the_table_after_a_round_has_what_was_given_by_then() -> None:
    event = a_night_with_results()
    stage, ben = stage_of(event), person(event, "Ben")
    before = table_of(stage)
    late = give(stage, ben, "-5000", round_number=2)
    assert [row for row in table_of(stage) if row[0] == 1] == [row for row in before if row[0] == 1]
    early = give(stage, ben, "-5000", round_number=1)
    assert Standing.objects.get(stage=stage, after_round=1, entry=ben).rank == 6
    revoke(late)
    assert store.differences(stage) == []
    revoke(early)
    assert (table_of(stage), store.differences(stage)) == (before, [])


@pytest.mark.thorough
def test_undo_takes_it_back_and_back_again() -> None:
    event = a_night_with_results()
    stage, ben, by = stage_of(event), person(event, "Ben"), event.created_by
    before = form_of(event)
    row = give(stage, ben)
    given = form_of(event)
    revoke(row)
    for expected in (given, before):
        found = undo.last_undoable(event)
        assert found is not None
        assert "Ben" in found.what
        assert "-50" in found.what
        undo.undo(tournament=event, by=by, seen=found.id)
        assert form_of(event) == expected
    assert store.differences(stage) == []
    assert give(stage, ben).pk != row.pk  # the same again, though its line of the log is there already


@pytest.mark.slow
def test_a_round_that_nobody_was_called_for_is_drawn_again_if_asked() -> None:
    event = a_night_with_results()
    stage, leader = stage_of(event), Standing.objects.filter(after_round=0).order_by("row")[0].entry
    plan = Round.objects.get(stage=stage, number=2).plan
    assert seen_of(stage, leader, "-5000").others == ()
    assert seen_of(stage, leader, "-5000", then="redo").others
    give(stage, leader, "-5000", then="redo")
    assert Round.objects.get(stage=stage, number=2).plan != plan
    assert store.differences(stage) == []


@pytest.mark.slow
def test_who_goes_on_follows_from_it() -> None:
    event = a_night()
    first = play_and_close(event, 1)
    second = stage_no(event, 2)
    draw_stage(tournament=event, by=event.created_by, order=2)
    leader = Standing.objects.filter(stage=first, after_round=0).order_by("row")[0].entry
    assert second.stage_entries.filter(entry=leader).exists()
    shown = seen_of(first, leader, "-5000")
    assert {row.kind for row in shown.others} >= {"goes_on"}
    give(first, leader, "-5000")
    assert not second.stage_entries.filter(entry=leader).exists()
    assert [line for order in (1, 2) for line in store.differences(stage_no(event, order))] == []


def play_all(process: Process) -> None:
    """Until no match waits."""
    process.seconds = 5.0
    while play.play_batch(process):
        pass


@pytest.mark.slow
def test_bots_too_while_they_play_and_after_it(process: Process) -> None:
    event = a.a_running_event(bots=3)
    process.seconds = 0.0
    play.play_batch(process)
    stage = stage_of(event)
    entry = event.entries.order_by("pk")[0]
    row = give(stage, entry, "-5000")
    assert store.differences(stage) == []
    play_all(process)
    derive.derive_waiting()
    event.refresh_from_db()
    stage = stage_of(event)
    assert (event.state, stage.state) == ("finished", "closed")
    last = Standing.objects.filter(stage=stage, after_round=0).order_by("-row")[0]
    assert last.entry == entry
    assert store.differences(stage) == []
    revoke(row)
    assert store.differences(stage) == []
    found = undo.last_undoable(event)
    assert found is not None
    assert "Give the same points again" in found.why_not


amounts = st.one_of(st.integers(-500, 500).filter(bool).map(str), st.sampled_from(["1/2", "-1/3", "0.5", "-5000"]))
acts = st.tuples(st.integers(0, 5), amounts, st.sampled_from([None, 1, 2]), st.booleans())


@pytest.fixture
def night() -> Tournament:
    """One for all examples: each takes back what it did."""
    return a_night_with_results()


@pytest.mark.slow
@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(acts, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_any_list_of_them_given_and_revoked_leaves_the_table_as_it_was(
    night: Tournament, listed: list[Any], rng: Random
) -> None:
    stage, entries = stage_of(night), list(night.entries.order_by("pk"))
    before, rows = table_of(stage), []
    with transaction.atomic():
        for n, units, number, at_once in listed:
            rows.append(give(stage, entries[n], units, round_number=number))
            assert store.differences(stage) == []
            if at_once:
                revoke(rows.pop())
        rng.shuffle(rows)
        for row in rows:
            revoke(row)
            assert store.differences(stage) == []
        assert table_of(stage) == before
        transaction.set_rollback(True)
    ledger_cache.discard([stage.uuid])


@pytest.mark.slow
def test_a_decider_tells_those_apart_who_are_level_and_counts_in_no_total() -> None:
    event = a_called_night(tie_breaks=("decider",))
    finish_round(event)
    stage, by = stage_of(event), event.created_by
    ben, emi = person(event, "Ben"), person(event, "Emi")
    before = {row.entry_id: row.key[0] for row in Standing.objects.filter(stage=stage, after_round=0)}
    give(stage, ben, "35", counts_in="decider")
    give(stage, emi, "20", counts_in="decider")
    rows = {row.entry_id: row for row in Standing.objects.filter(stage=stage, after_round=0)}
    assert {entry: row.key[0] for entry, row in rows.items()} == before
    assert [rows[entry.pk].key[1] for entry in (ben, emi)] == ["35", "20"]
    line = next(each for each in rows[ben.pk].explanation if each["tie_break"] == "decider")
    assert [(term["amount"], term["note"]) for term in line["terms"]] == [("35", "decider")]
    assert store.differences(stage) == []
    revoke(Adjustment.objects.get(stage_entry__entry=ben, stage_entry__stage=stage))
    assert Standing.objects.get(stage=stage, after_round=0, entry=ben).key[1] == "0"
    assert AuditEvent.objects.filter(verb="adjustment.give", after__counts_in="decider", actor=by).count() == 2


@pytest.mark.thorough
def test_a_decider_is_refused_where_the_stage_knows_none() -> None:
    event = a_night_with_results()
    for counts_in in ("decider", "penalty"):
        with refused("adjust.no_decider"):
            seen_of(stage_of(event), person(event, "Ben"), counts_in=counts_in)


@pytest.mark.thorough
def test_a_decider_through_the_page(client: Client) -> None:
    event = a_called_night(tie_breaks=("decider",))
    finish_round(event)
    ben, here = person(event, "Ben"), f"/t/{event.slug}/adjust/"
    client.force_login(event.created_by)
    sent = {"stage": "1", "entry": str(ben.uuid), "units": "35", "round": "", "reason": "extra deal 35 : 20"}
    assert 'value="decider"' in client.get(f"{here}?stage=1").content.decode()
    page = client.post(here, {**sent, "counts_in": "decider", "verb": "preview"}).content.decode()
    seen = re.search(r'name="seen" value="([0-9a-f]{32})"', page)
    assert seen is not None
    assert "(decider)" in page
    client.post(here, {**sent, "counts_in": "decider", "verb": "do", "seen": seen[1]})
    assert Adjustment.objects.get().counts_in == "decider"
    standings = client.get(f"/t/{event.slug}/standings/?stage=1&entry={ben.uuid}").content.decode()
    assert "extra deal 35 : 20" in standings
