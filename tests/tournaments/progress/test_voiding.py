"""A stage that has begun is called off: nothing of it counts, it is drawn again, and undoing it is the state before."""

from __future__ import annotations

import hashlib
from fractions import Fraction

import pytest

from tests.builders import events as a
from tests.builders.clubs import totals
from tests.builders.normal_form import form_of
from tests.tournaments.progress.test_cascade import turned
from tests.tournaments.progress.test_people import refused, with_role
from tests.tournaments.progress.test_people_chains import a_night, by_strength, enter_round, play_and_close, stage_no
from tests.tournaments.progress.test_undo import undo_last
from tournaments.events.log import feed_lines, feed_of
from tournaments.matches.byes import requested_byes_in
from tournaments.models import Match, RequestedBye, ResultReport, Seat, Stage, Standing, Tournament
from tournaments.progress.corrections.affected import rows_of
from tournaments.progress.corrections.results import correct_result, preview_correction
from tournaments.progress.corrections.voiding import preview_void, void_stage
from tournaments.progress.rounds import close_stage, preview_next, publish_next
from tournaments.progress.stage_actions import draw_stage
from tournaments.standings import store

pytestmark = pytest.mark.django_db
S, M = Stage.State, Match.State


def a_knock_out_begun() -> Tournament:
    """Pools that are signed; of the knock-out after them one round is played."""
    event = a_night(people=8)
    play_and_close(event, 1)
    draw_stage(tournament=event, by=event.created_by, order=2)
    enter_round(stage_no(event, 2), 1)
    return event


def void(event: Tournament, order: int = 2) -> Stage:
    """Look, then call it off; what was shown is what changes."""
    by, stage = event.created_by, stage_no(event, order)
    before = rows_of(event)
    seen = preview_void(stage=stage, by=by)
    assert rows_of(event) == before, "looking changes nothing"
    fresh = void_stage(stage=stage, by=by, reason="The pools were wrong.", seen=seen.hash)
    after = rows_of(event)
    changed = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
    assert {(row.kind, row.stage, row.round, row.table, row.name) for row in seen.changes} == {
        (*key[:4], key[5]) for key in changed
    }
    return fresh


@pytest.mark.slow
def test_nothing_of_it_counts_and_it_is_drawn_anew_from_the_corrected_sources() -> None:
    event = a_knock_out_begun()
    old = stage_no(event, 2)
    first = Match.objects.filter(stage__order=1, stage__tournament=event).order_by("pk").first()
    assert first is not None
    turned(first)
    assert stage_no(event, 2).state == S.ACTIVE, "it began, so a correction leaves it"
    fresh = void(event)
    old.refresh_from_db()
    assert (old.state, old.order, old.number, old.reason) == (S.VOID, 102, 2, "The pools were wrong.")
    assert (fresh.pk, fresh.state, fresh.order) == (stage_no(event, 2).pk, S.PLANNED, 2)
    assert set(old.matches.values_list("state", flat=True)) == {M.VOID}
    assert set(old.rounds.values_list("state", flat=True)) <= {"complete", "locked"}
    assert not ResultReport.objects.filter(match__stage=old, state="confirmed").exists()
    assert not Seat.objects.filter(match__stage=old).exclude(points=None, place=None).exists()
    assert not Standing.objects.filter(stage=old).exists()
    secret = bytes(old.secret or b"")
    assert old.revealed_at is not None
    assert old.commitment == f"sha256:{hashlib.sha256(secret).hexdigest()}"
    assert bytes(fresh.secret or b"") != secret
    assert fresh.revealed_at is None
    assert fresh.commitment == f"sha256:{hashlib.sha256(bytes(fresh.secret or b'')).hexdigest()}"
    draw_stage(tournament=event, by=event.created_by, order=2)
    again = play_and_close(event, 2)
    event.refresh_from_db()
    assert (event.state, again.pk) == ("finished", fresh.pk)
    for stage in event.stages.select_related("tournament", "ruleset"):
        assert store.differences(stage) == []


@pytest.mark.slow
def test_it_is_undone_like_any_act_and_the_secret_it_showed_is_followed_by_another() -> None:
    event = a_knock_out_begun()
    old = stage_no(event, 2)
    entry = old.stage_entries.order_by("pk")[0].entry
    RequestedBye.objects.create(stage=old, entry=entry, round_number=9, worth="1/2")
    secret, before = bytes(old.secret or b""), form_of(event)
    fresh = void(event)
    assert requested_byes_in(fresh) == {str(entry.uuid): {9: Fraction(1, 2)}}
    assert form_of(event) != before
    undo_last(event)
    assert form_of(event) == before
    back = stage_no(event, 2)
    assert (back.pk, back.state, back.revealed_at) == (old.pk, S.ACTIVE, None)
    assert bytes(back.secret or b"") != secret
    assert [(bytes(row.secret), row.commitment) for row in back.earlier_secrets.all()] == [(secret, old.commitment)]
    assert store.differences(back) == []
    void(event)
    draw_stage(tournament=event, by=event.created_by, order=2)
    undo_last(event)
    undo_last(event)
    assert form_of(event) == before
    enter_rest(event)


def enter_rest(event: Tournament) -> None:
    """The knock-out goes on by the draw that it has, to its end."""
    stage, by = stage_no(event, 2), event.created_by
    while True:
        drawn = preview_next(stage=stage, by=by)
        if drawn.plan is None:
            break
        row = publish_next(stage=stage, by=by, seen=drawn.hash)
        enter_round(stage, row.number)
    close_stage(stage=stage, by=by)
    event.refresh_from_db()
    assert event.state == "finished"


@pytest.mark.slow
def test_who_when_and_why() -> None:
    event = a_knock_out_begun()
    by, stage = event.created_by, stage_no(event, 2)
    seen = preview_void(stage=stage, by=by).hash
    for person in (with_role(event, "director"), a.a_user()):
        with refused("tournament.not_organiser"):
            preview_void(stage=stage, by=person)
    with refused("stage.reason_needed"):
        void_stage(stage=stage, by=by, reason=" ", seen=seen)
    with refused("stage.not_begun"):
        preview_void(stage=stage_no(event, 1), by=by)
    match = stage.matches.filter(state=M.CONFIRMED).order_by("pk").first()
    assert match is not None
    claim = totals(*reversed(by_strength(match)))
    found = preview_correction(match=match, by=by, claim=claim)
    correct_result(match=match, by=by, claim=claim, reason="Misread.", seen=found.hash)
    with refused("stage.moved"):
        void_stage(stage=stage, by=by, reason="Late.", seen=seen)
    seen = preview_void(stage=stage, by=by).hash
    void_stage(stage=stage, by=by, reason="The pools were wrong.", seen=seen)
    with refused("stage.already_void"):
        void_stage(stage=Stage.objects.get(pk=stage.pk), by=by, reason="Again.", seen=seen)
    with refused("stage.not_begun"):
        preview_void(stage=stage_no(event, 2), by=by)


@pytest.mark.slow
def test_the_log_says_it_and_a_finished_event_says_what_to_do_first() -> None:
    event = a_knock_out_begun()
    enter_rest(event)
    with refused("stage.event_over"):
        preview_void(stage=stage_no(event, 2), by=event.created_by)
    undo_last(event)
    void(event)
    said = " ".join(f"{line.what} {line.about}" for line in feed_lines(list(feed_of(event)[:10])))
    assert "The pools were wrong." in said
    assert "committed to a new secret" in said
