"""A night of people on which anything that may be done is done in any order, and undone again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from bots.models import AuditEvent
from engine.deck import commitment
from engine.errors import DomainError
from tests.builders import events as a
from tests.builders.any_order_shapes import SHAPES
from tests.builders.clubs import NAMES, close_event, totals
from tests.builders.normal_form import Form, form_of
from tests.builders.soundness import SETTLED, faults_of, illegal_since
from tournaments.entries import people
from tournaments.events import roles
from tournaments.events.create import create_tournament
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as importing
from tournaments.interchange.imports.actions import import_event, plan_of
from tournaments.matches.report_bodies import Claim
from tournaments.models import Adjustment, Entry, Match, Round, Stage, Tournament
from tournaments.operations.quarantine import void_match
from tournaments.progress import rounds as calling
from tournaments.progress import run as life
from tournaments.progress import stage_actions, stations, undo
from tournaments.progress.corrections import adjustments
from tournaments.progress.corrections.level_decisions import draw_level_lots, rule_level, submit_extra
from tournaments.progress.corrections.results import correct_result, preview_correction
from tournaments.progress.draws import next_round
from tournaments.progress.stages import waiting as waiting_stages
from tournaments.scores.actions import Actor, accept_result, dispute_result, rule_result, submit_result

M, R, S, T = Match.State, Round.State, Stage.State, Tournament.State
NOT_UNDONE = frozenset({"undo.kept", "undo.never", "undo.moved", "undo.nothing"})
EVENT_ACTS = ("pause", "resume", "give", "take", "cancel", "take_back", "close", "start")
LEVEL = ("extra", "decide", "lots")
pick = st.integers(0, 11)
keeps = st.sampled_from([True, True, False])


@dataclass
class Night:
    """An event, its owner, and what was done: (id of the note, the event before, how often phones had sent)."""

    event: Tournament
    done: list[tuple[int, Form, int]] = field(default_factory=list)
    sent: int = 0


def a_night(size: int, changes: dict[str, Any]) -> Night:
    """Make a night with everybody entered and here."""
    by = a.a_user()
    event = create_tournament(by=by, plan=a.a_plan(**{"name": "Any order", "who": "people", **changes}))
    life.publish_tournament(tournament=event, by=by)
    life.open_registration(tournament=event, by=by)
    people.add_list(tournament=event, by=by, data="\n".join(NAMES[:size]).encode())
    people.check_in_all(tournament=event, by=by)
    make_repeatable(event)
    return Night(event)


def make_repeatable(event: Tournament) -> None:
    """Repeat the lots and the draws each time an example is tried."""
    for stage in event.stages.order_by("order"):
        secret = bytes([stage.order] * 32)
        Stage.objects.filter(pk=stage.pk).update(secret=secret, commitment=commitment(secret))
    for number, entry in enumerate(event.entries.order_by("pk")):
        Entry.objects.filter(pk=entry.pk).update(uuid=UUID(int=number + 1))


class AnyOrder(RuleBasedStateMachine):
    """Machine whose examples are nights of their own, each in a transaction that is rolled back."""

    shape: ClassVar[str] = "swiss"

    def __init__(self) -> None:
        super().__init__()
        self._transaction = transaction.atomic()
        self._transaction.__enter__()
        self.night = self._begin()
        self.event, self.by = self.night.event, self.night.event.created_by
        self.friend = a.a_user()
        self._form: Form | None = None
        self.first_line = AuditEvent.objects.order_by("-pk").values_list("pk", flat=True)[0]

    def _begin(self) -> Night:
        return a_night(*SHAPES[self.shape])

    def teardown(self) -> None:
        """Send what came of it through a file and back; then none of it has happened."""
        try:
            self._must(illegal_since(self.first_line, self.event))
            self._must(self._copied())
        finally:
            transaction.set_rollback(True)
            self._transaction.__exit__(None, None, None)

    def _copied(self) -> list[str]:
        """Keep what is over as a copy, make what is not a draft of the same set-up; then call it off."""
        self.event.refresh_from_db()
        found = []
        if self.event.state not in (T.FINISHED, T.ARCHIVED, T.CANCELLED):
            found += self._drafted()
            life.cancel_tournament(tournament=self.event, by=self.by, reason="It rains.")
            self._sound()
        data = event_json(self.event)
        copy = importing.write(importing.validate_event(data), by=self.by, slug="any-order-again")
        if event_json(copy) != data:
            found.append("the copy is another event")
        again = importing.write(importing.validate_event(event_json(copy)), by=self.by, slug="any-order-once-more")
        return found if event_json(again) == data else [*found, "the copy of the copy is another event"]

    def _drafted(self) -> list[str]:
        """Check that the same set-up comes out of the draft as went in."""
        judged = importing.validate_event(event_json(self.event))
        draft = import_event(by=a.a_user(), checked=judged)
        told = importing.validate_event(event_json(draft))
        return [] if plan_of(told.event) == plan_of(judged.event) else ["the draft is of another set-up"]

    @initialize(n=st.sampled_from([2, 2, 2, 1, 0]))
    def begin(self, n: int) -> None:
        """Let most nights run, with round 1 called."""
        for _step in range(n):
            self._step()

    # What organisers do.

    @rule()
    def go_on(self) -> None:
        """Take the next step of the night: results of all tables that are called, else a call, a draw, or the end."""
        called = Match.objects.filter(stage__tournament=self.event, state__in=(M.CALLED, M.PLAYING, M.REPORTED))
        for match in called.order_by("pk"):
            self._organise(partial(self._enter, match, match.table_no or 0))
        if not called:
            self._organise(self._step)

    @rule(n=pick, keep=keeps, score=st.integers(0, 3))
    def enter(self, n: int, keep: bool, score: int) -> None:
        """Enter a scorer's slip."""
        self._organise(lambda: self._enter(self._table(n), score), keep)

    @rule(n=pick, keep=keeps, verb=st.sampled_from(["accept", "dispute", "rule", "void", "absent", *LEVEL]))
    def judge(self, n: int, keep: bool, verb: str) -> None:
        """Let somebody who runs it look after one table."""
        self._organise(lambda: self._judge(self._table(n), verb), keep)

    @rule(n=pick, keep=keeps, score=st.integers(0, 3), then=st.sampled_from(["keep", "redo"]))
    def correct(self, n: int, keep: bool, score: int, then: str) -> None:
        """Correct a result."""
        self._organise(lambda: self._correct(self._table(n), self._claim(n, score), then), keep)

    @rule(n=pick, keep=keeps, units=st.sampled_from(["-50", "1/2", "500", ""]), then=st.sampled_from(["keep", "redo"]))
    def adjust(self, n: int, keep: bool, units: str, then: str) -> None:
        """Give or take somebody's points; without units revoke what was given last."""
        self._organise(lambda: self._adjust(n, units, then), keep)

    @rule(n=pick, keep=keeps, verb=st.sampled_from(["late", "leave", "leave", "here", "away", "all"]))
    def people(self, n: int, keep: bool, verb: str) -> None:
        """Change who is there."""
        self._organise(lambda: self._people(n, verb), keep)

    @rule(
        keep=keeps, verb=st.sampled_from(["pause", "resume", "give", "take", "cancel", "take_back", "close", "start"])
    )
    def run(self, keep: bool, verb: str) -> None:
        """Act on the event itself; called off it is only to be undone."""
        self._organise(lambda: self._run(verb), keep and verb != "cancel")

    @precondition(lambda self: self.shape.endswith("_flow"))
    @rule(n=pick, keep=keeps, verb=st.sampled_from(["tables", "alone", "uncounted", "free", "one"]))
    def hall(self, n: int, keep: bool, verb: str) -> None:
        """Count the tables of the hall, and call matches to them."""
        self._organise(lambda: self._hall(n, verb), keep)

    @precondition(lambda self: self.night.done)
    @rule()
    def undo_more(self) -> None:
        """Undo one more act, if what came since lets it."""
        found, before = undo.last_undoable(self.event), self._before()
        code = ""
        try:
            undo.undo(tournament=self.event, by=self.by, seen=found.id if found else 0)
        except DomainError as refusal:
            code = refusal.code
        if found is None or code:
            assert code in NOT_UNDONE
            assert form_of(self.event) == before
            return
        self._form = None
        self._sound()
        while self.night.done and self.night.done[-1][0] >= found.id:
            number, was, sent = self.night.done.pop()
            if number == found.id and sent == self.night.sent:
                assert form_of(self.event) == was

    # What phones do.

    @rule(n=pick, side=st.integers(0, 1), score=st.integers(0, 3))
    def report(self, n: int, side: int, score: int) -> None:
        """Let a side send its figures."""
        self._send(lambda: submit_result(match=self._table(n), actor=Actor(side=side), claim=self._claim(n, score)))

    @rule(n=pick, side=st.integers(0, 1), agrees=st.booleans())
    def answer(self, n: int, side: int, agrees: bool) -> None:
        """Let the other side say that it is so, or not."""
        act = accept_result if agrees else dispute_result
        self._send(lambda: act(match=self._table(n), actor=Actor(side=side)))

    # How it is done.

    def _organise(self, do: Callable[[], object], keep: bool = True) -> None:
        """Do it, look, undo it, look; and do it again if it is kept."""
        before, lines = self._before(), AuditEvent.objects.count()
        if not self._tried(do, before):
            return
        found = undo.last_undoable(self.event)
        if form_of(self.event) == before:
            self._form = before
            return
        assert found is not None
        assert AuditEvent.objects.count() > lines + 1, "the act has a line of its own besides the note"
        self._sound()
        undo.undo(tournament=self.event, by=self.by, seen=found.id)
        assert form_of(self.event) == before  # which was sound
        self._form = before
        if keep:
            self._form = None
            do()
            again = undo.last_undoable(self.event)
            assert again is not None
            self.night.done.append((again.id, before, self.night.sent))

    def _send(self, do: Callable[[], object]) -> None:
        if self._tried(do, self._before()):
            self.night.sent += 1
            self._sound()

    def _before(self) -> Form:
        """Return the event as it is before an act: as it was after the last one, if that was undone or refused."""
        if self._form is None:
            self._form = form_of(self.event)
        return self._form

    def _tried(self, do: Callable[[], object], before: Form) -> bool:
        """Return whether it was done; what is refused changes nothing."""
        try:
            do()
        except DomainError:
            assert form_of(self.event) == before
            return False
        self._form = None
        return True

    def _sound(self) -> None:
        self._must(faults_of(self.event))

    def _must(self, faults: list[str]) -> None:
        if faults:
            raise AssertionError("; ".join(faults))

    def _table(self, n: int) -> Match:
        """Return one of the tables, rather the last ones."""
        tables = list(
            Match.objects.filter(stage__tournament=self.event).order_by("-stage__order", "-round", "table_no")
        )
        if not tables:
            raise DomainError("Nothing is drawn.")
        return tables[n % min(len(tables), 6)]

    def _enter(self, match: Match, score: int) -> None:
        submit_result(match=match, actor=Actor(user=self.by), claim=self._claim_of(match, score % 4))

    def _claim(self, n: int, score: int) -> Claim:
        return self._claim_of(self._table(n), score)

    def _claim_of(self, match: Match, score: int) -> Claim:
        """Return figures that can be: somebody wins clearly, or all are level."""
        sides = len(set(match.seats.values_list("side", flat=True)))
        best = score % sides
        level = score == 3
        return totals(*(40 if level else 80 if side == best else 30 - 5 * side for side in range(sides)))

    def _step(self) -> None:
        self.event.refresh_from_db()
        if self.event.state == T.REGISTRATION:
            life.start_tournament(tournament=self.event, by=self.by)
            return
        ready = Round.objects.filter(stage__tournament=self.event, matches__state=M.READY).select_related("stage")
        if ready.exists():
            calling.call_round(round_row=ready.order_by("stage__order", "number")[0], by=self.by)
            return
        may_go_on = next_round.ready_to_go_on().filter(tournament=self.event)
        stage = may_go_on.select_related("tournament", "ruleset").first()
        if stage is not None and self._draw(stage):
            return
        waiting = waiting_stages().filter(tournament=self.event).order_by("order").first()
        if waiting is not None:
            stage_actions.draw_stage(tournament=self.event, by=self.by, order=waiting.order)
        else:
            close_event(tournament=self.event, by=self.by)

    def _draw(self, stage: Stage) -> bool:
        drawn = calling.preview_next(stage=stage, by=self.by)
        if drawn.plan is not None:
            calling.publish_next(stage=stage, by=self.by, seen=drawn.hash)
        return drawn.plan is not None

    def _judge(self, match: Match, verb: str) -> None:
        actor = Actor(user=self.by)
        if verb == "accept":
            accept_result(match=match, actor=actor)
        elif verb == "dispute":
            dispute_result(match=match, actor=actor)
        elif verb == "rule":
            rule_result(match=match, by=self.by, version=1, reason="Seen.")
        elif verb == "absent":
            submit_result(match=match, actor=actor, claim=Claim(absent=(0,)))
        elif verb in LEVEL:
            self._decide(match, verb)
        elif match.state not in SETTLED:
            void_match(match=match, by=self.by, reason="They left.")

    def _decide(self, match: Match, verb: str) -> None:
        """Decide who goes on from a level knock-out match."""
        if verb == "lots":
            draw_level_lots(match=match, by=self.by)
        elif verb == "decide":
            rule_level(match=match, by=self.by, sides=[0], reason="Tossed.")
        else:
            submit_extra(match=match, actor=Actor(user=self.by), claim=self._claim_of(match, 0))

    def _correct(self, match: Match, claim: Claim, then: str) -> None:
        seen = preview_correction(match=match, by=self.by, claim=claim, then=then).hash
        correct_result(match=match, by=self.by, claim=claim, reason="Misread.", seen=seen, then=then)

    def _adjust(self, n: int, units: str, then: str) -> None:
        given = Adjustment.objects.filter(stage_entry__stage__tournament=self.event).order_by("pk")
        if not units:
            last = given.filter(revoked_by=None).last()
            if last is not None:
                seen = adjustments.preview_revocation(adjustment=last, by=self.by, reason="Mild.", then=then).hash
                adjustments.revoke(adjustment=last, by=self.by, reason="Mild.", seen=seen, then=then)
            return
        stage = self.event.stages.order_by("order")[n % self.event.stages.count()]
        entries = list(Entry.objects.filter(stage_entries__stage=stage).order_by("pk")) or list(
            self.event.entries.all()
        )
        wanted: dict[str, Any] = {"stage": stage, "entry": entries[n % len(entries)], "by": self.by, "then": then}
        wanted |= {"units": units, "reason": "Late.", "round_number": n % 3 or None}
        adjustments.adjust(**wanted, seen=adjustments.preview_adjustment(**wanted).hash)

    def _people(self, n: int, verb: str) -> None:
        entries = list(self.event.entries.order_by("pk"))
        entry = entries[n % len(entries)]
        if verb == "late":
            people.add_person(tournament=self.event, by=self.by, name=f"Late {len(entries)}")
        elif verb == "all":
            people.check_in_all(tournament=self.event, by=self.by)
        elif verb == "leave":
            people.withdraw_person(entry=entry, by=self.by)
        else:
            people.check_in(entry=entry, by=self.by, is_here=verb == "here")

    def _hall(self, n: int, verb: str) -> None:
        if verb == "free":
            stations.call_free(tournament=self.event, by=self.by)
        elif verb == "one":
            stations.call_match(match=self._table(n), by=self.by)
        else:
            tables = None if verb == "uncounted" else 1 + n % 3
            stations.choose_tables(tournament=self.event, by=self.by, tables=tables, calls_alone=verb == "alone")

    def _run(self, verb: str) -> None:
        event, by = self.event, self.by
        if verb in ("give", "take"):
            act = roles.give_role if verb == "give" else roles.take_role
            act(tournament=event, by=by, username=self.friend.username, role="scorer")
        elif verb == "cancel":
            life.cancel_tournament(tournament=event, by=by, reason="It rains.")
        elif verb == "close":
            close_event(tournament=event, by=by)
        elif verb == "take_back":
            rounds = Round.objects.filter(stage__tournament=event).select_related("stage__tournament")
            row = rounds.order_by("stage__order", "number").last()
            if row is not None:
                calling.take_back_round(round_row=row, by=by)
        elif verb == "start":
            life.start_tournament(tournament=event, by=by)
        else:
            (life.pause_tournament if verb == "pause" else life.resume_tournament)(tournament=event, by=by)
