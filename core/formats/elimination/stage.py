"""Brackets as stage kinds: each draw hands out the matches that have become ready.

A service that keeps the whole graph (`bracket`, `advance`) shows more; this is the same bracket in the form that all
kinds share, drawn again from the entries, the seed and what is known: pods are named by `Pod.label`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from core.formats.elimination.advance import advance, chalk
from core.formats.elimination.draw import BracketShape, bracket, ordered, unmeasured
from core.formats.elimination.figures import double_by_draw, single_by_draw
from core.formats.elimination.late import join
from core.formats.elimination.model import Bracket, BracketMatch, Kind
from core.formats.elimination.places import consoled, places
from core.formats.elimination.replayed import drawn_of, ended_matches, taken_up
from core.formats.errors import FormatError
from core.formats.model import Entrant, Plan, Pod, Reason, Shape, StageSoFar
from core.formats.schedules.quality import certify, counter_of
from core.formats.stage_format import Format
from engine.words import Counted, gettext_noop, ngettext

# Of four the two who lose in the first round play for third place.
FOUR = 4
WAITING = gettext_noop("No bye is left for %(entries)d late entries: they wait.")


class Elimination(Format):
    """The common part of both kinds."""

    kind: Kind
    needs_results = True
    is_bracket = True
    ranks_by_bracket = True
    honours_clubs = True

    def rounds(self, entries: int, shape: Shape) -> int:
        """Return the number of draws if the better always wins; a second final is one more."""
        try:
            now = unmeasured([f"{number:05}" for number in range(entries)], self._shape(shape))
        except FormatError:
            return 0
        strength = {entry: number for number, entry in enumerate(now.entries)}
        count = 0
        while now.ready:
            played = [match for match in now.ready if count or match.round == "W1"]
            now = advance(now, [*now.finished, *(chalk(match, strength) for match in played)])
            count += 1
        return count

    def schedule(self, stage: StageSoFar, rng: Random) -> list[Plan]:
        """The matches that are ready and were not drawn before, as one round; none if nothing is ready.

        Draw when the rounds of `history` are complete: `replayed` says what a match without an end then means. The
        first draw is of the first round alone, so that byes stay open for late entries. Pass withdrawn entries too,
        not active: they lose what was not drawn yet. Raises as `bracket`, and FormatError "bracket.level" while a match
        that ended level waits for a decision.
        """
        history = stage.history
        now, waiting = self.bracket(stage, rng)
        if now.level:
            names = ", ".join(match.id for match in now.level)
            raise FormatError(f"{names} ended level: decide who goes on, then draw", code="bracket.level")
        listed = drawn_of(history)
        ready = [match for match in now.ready if match.id not in listed and (history or match.round == "W1")]
        pods = [Pod(number, match.entries, _why(match), label=match.id) for number, match in enumerate(ready, start=1)]
        if not pods:
            return []
        byes = () if history else _byes(now, pods)
        reasons = () if history else now.reasons
        if waiting:
            reasons = (*reasons, Reason("bracket.waiting", WAITING, (("entries", waiting),)))
        tally = counter_of(history)
        tally.add(pods, byes)
        drawn = [*((plan.pods, plan.byes) for plan in history), (tuple(pods), byes)]
        quality, certificate = tally.quality(stage.constraints), certify(drawn, "bracket")
        return [Plan(len(history) + 1, tuple(pods), byes, quality, certificate, reasons)]

    def bracket(self, stage: StageSoFar, rng: Random) -> tuple[Bracket, int]:
        """Return (the bracket as it stands, how many late entries found no bye)."""
        history = stage.history
        # First from the generator: the same seed gives the same lots at every draw of the stage.
        lots = f"{rng.getrandbits(128):032x}"
        known = _known(history)
        members = [replace(item, is_active=True) for item in stage.entries if _is_member(item, known)]
        # The figures are those of the draw, which its stored plan has; later rounds need not count them again.
        draw = unmeasured if history else bracket
        now = draw(ordered(members), self._shape(stage.shape), constraints=stage.constraints, lots=lots)
        late = [item for item in stage.entries if not _is_member(item, known) and 1 < item.joined <= len(history) + 1]
        waiting = 0
        # In the order in which they came, each into the bracket as it was then: later results must not move their
        # place.
        for item in sorted(late, key=lambda item: (item.joined, item.seed, item.entry)):
            # Rounds that grow tell nothing of then: there the table that it was drawn at says where it came in.
            before = [plan for plan in history if stage.shape.flows or plan.round < item.joined]
            at = _first_table(history, item.entry) if stage.shape.flows else ""
            try:
                then = advance(now, ended_matches(before, stage.finished))
                now = join(then, item.entry, [pod.label for plan in before for pod in plan.pods], at=at)
            except FormatError:
                waiting += 1
        gone = sorted(item.entry for item in stage.entries if not item.is_active)
        return taken_up(now, history, stage.finished, gone, stage.open or ()), waiting

    def places(self, stage: StageSoFar, rng: Random) -> Mapping[str, int]:
        """Return the best place each can still have; an entry that found no bye is not in the bracket."""
        now, _waiting = self.bracket(stage, rng)
        found = consoled(now) | {item.entry: item.best for item in places(now)}
        return found | {entry: 1 for entry in now.entries if entry not in found}

    def _shape(self, shape: Shape) -> BracketShape:
        return BracketShape(self.kind, shape.seats, shape.advance, shape.third_place, shape.consolation)


class SingleElimination(Elimination):
    """See the module."""

    id = "single_elim"
    name = "Single elimination"
    label = gettext_noop("single elimination")
    description = "A loss means elimination; the best of each table advance until one table is left."
    kind = Kind.SINGLE
    has_third_place = True

    def estimate(self, entries: int, shape: Shape) -> int:
        """Estimate the tables from how many entries each puts out."""
        # Half of the entries lose in the first round, and all of those but one once more.
        again = max(0, entries // 2 - 1) if shape.consolation and entries > FOUR else 0
        return _tables_once(entries, shape) + again

    def tables_by_round(self, entries: int, shape: Shape) -> tuple[int, ...]:
        """Return the tables of each draw; the match for third place is drawn with the final."""
        found = single_by_draw(entries, shape.seats, shape.advance)
        return (*found[:-1], found[-1] + int(shape.third_place)) if found else ()

    def sentence(self, shape: Shape) -> Counted:
        """Return how many of a table go on."""
        return ngettext("%(advance)d advances from each table", "%(advance)d advance from each table", shape.advance)


class DoubleElimination(Elimination):
    """See the module."""

    id = "double_elim"
    name = "Double elimination"
    label = gettext_noop("double elimination")
    description = "Two losses mean elimination: a second bracket gives everybody another chance."
    kind = Kind.DOUBLE

    def estimate(self, entries: int, shape: Shape) -> int:
        """Estimate the tables: everybody is put out twice, and there may be a second final."""
        return 2 * _tables_once(entries, shape) + 1

    def tables_by_round(self, entries: int, shape: Shape) -> tuple[int, ...]:
        """Return the tables of each draw, with the second final that is played only if it is needed."""
        return double_by_draw(entries, shape.seats, shape.advance)

    def sentence(self, shape: Shape) -> str:
        """Return who is out."""
        return gettext_noop("entries that lose twice are out")


def _tables_once(entries: int, shape: Shape) -> int:
    """Return how many tables put everybody but one out."""
    return -(-(entries - 1) // max(1, shape.seats.pref - shape.advance)) + int(shape.third_place)


def _known(history: Sequence[Plan]) -> frozenset[str]:
    """Return who was in the first draw."""
    if not history:
        return frozenset()
    first = history[0]
    return frozenset(first.byes) | {entry for pod in first.pods for entry in pod.seats}


def _is_member(item: Entrant, known: frozenset[str]) -> bool:
    return item.entry in known if known else item.is_active and item.joined <= 1


def _first_table(history: Sequence[Plan], entry: str) -> str:
    """Return the label of the first-round match at which a late entry was drawn; "" if it was not."""
    labels = (pod.label for plan in history for pod in plan.pods if entry in pod.seats)
    return next((label for label in labels if label.startswith("W1:")), "")


def _byes(now: Bracket, pods: Sequence[Pod]) -> tuple[str, ...]:
    playing = {entry for pod in pods for entry in pod.seats}
    return tuple(entry for entry in now.entries if entry not in playing)


def _why(match: BracketMatch) -> tuple[Reason, ...]:
    return (match.why,) if match.why else ()
