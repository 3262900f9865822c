"""Swiss at two seats by the FIDE Dutch system (Handbook C.04.3): paired by the gacrux library, in process.

Hanami maps entries to pairing numbers, results, byes, absences and first seats to the library's event and its pairs
back to pods. Scores are those of the matches (1, 1/2, 0) and byes, no matter what the stage ranks by; adjustments do
not count. What the library decides, it is not decided again here (docs/decisions/0028).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any, Final

from gacrux.gacruxexeptions import GacruxNoLegalPairing
from gacrux.pairingdutch import pairing_dutch

from core.formats.errors import FormatError
from core.formats.model import (
    Constraint,
    ConstraintKind,
    Entrant,
    Plan,
    Pod,
    Reason,
    Shape,
    StageSoFar,
)
from core.formats.swiss.scores import HALF, Meeting, in_order, meetings, next_field, shown, two_seats
from core.formats.swiss.stage import ByScore, Swiss, figures, locked_pods, planned
from core.formats.swiss.standing_order import numbered
from engine.words import gettext_noop

SAME = gettext_noop(
    "Paired because both have %(score)s and the Dutch system puts numbers %(first)d and %(second)d together."
)
FLOAT = gettext_noop("Paired because number %(down)d with %(high)s floats down to number %(up)d with %(low)s.")
BYE = gettext_noop(
    "Number %(number)d has the bye: the number of entries is odd, and the Dutch system chooses this one."
)
SEATS: Final[Mapping[str, str]] = {
    "E.1": gettext_noop("First seat: both get the seat that is due to them."),
    "E.2": gettext_noop("First seat: the one with the stronger claim to it."),
    "E.3": gettext_noop("First seat: the two exchange the seats of the last round in which theirs differed."),
    "E.4": gettext_noop("First seat: the higher-ranked one gets the seat that is due to them."),
    "E.5": gettext_noop("First seat: decided by number and the lot of round 1."),
}
SCORES: Final = {"W": Decimal("1.0"), "D": Decimal("0.5"), "L": Decimal("0.0"), "Z": Decimal("0.0")}
LETTER: Final = {Fraction(1): "W", HALF: "D", Fraction(0): "Z"}
MAX_REHEARSED: Final = 64
"""Larger fields are rehearsed with the plain Swiss, which is quick: this one takes 20 s a run at 512 entries."""
Pairs = list[dict[str, Any]]


class Dutch(ByScore):
    """See the module."""

    id = "dutch"
    name = gettext_noop("Swiss (FIDE Dutch)")
    label = gettext_noop("Swiss, FIDE Dutch")
    description = gettext_noop(
        "Each round pairs equal scores at tables of two by the rules of FIDE; nobody meets anybody twice."
    )
    seat_range = (2, 2)
    counts_unplayed_as_fide = True
    fits_fide_report = True
    takes_forbidden_pairs = True
    rehearsed_as = (Swiss.id, MAX_REHEARSED)

    def schedule(self, stage: StageSoFar, rng: Random) -> list[Plan]:
        """Pair the round after `history`; none after the last. Pass withdrawn entries too, not active.

        Raises FormatError "seats.range", "entries.too_few", "plan.locked", "constraint.unsupported" for anything but
        FORBID, and "dutch.no_pairing" if nobody can be paired without breaking a rule.
        """
        shape, history = stage.shape, stage.history
        two_seats("the Dutch system", shape)
        if any(item.kind is not ConstraintKind.FORBID for item in stage.constraints):
            message = "the Dutch system knows only who must not meet; forbid the pairings or take the plain Swiss"
            raise FormatError(message, code="constraint.unsupported")
        # Drawn in every round, though only the first one uses it: the generator is then at the same place in each.
        top = "w" if rng.random() < 0.5 else "b"
        turn = len(history) + 1
        if turn > shape.rounds:
            return []
        field = next_field(stage.entries, turn, shape, 2)
        order = in_order(stage.entries)
        number = {item.entry: at for at, item in enumerate(order, start=1)}
        met = meetings(history, stage.finished)
        present = {item.entry for item in field}
        _check_worth([shape.bye, *(worth for item in order for _turn, worth in item.excused)])
        event = _event(order, number, present, history, met, shape)
        # From round 2 on the lot is read off the boards, so that a first round set by hand is followed.
        event["topColor"] = _top(met, number) or top
        wished = [item for item in stage.constraints if item.holds(turn)]
        event["prohibited"] = _forbidden(wished, number, turn)
        pairs = _paired(event, turn) if present else []
        return [_plan(pairs, [item.entry for item in order], history, stage.constraints, shape, _points(event))]


def _check_worth(values: Sequence[Fraction]) -> None:
    if not set(values) <= LETTER.keys():
        message = "in the Dutch system a round without an opponent is worth 0, 1/2 or 1; change the bye's worth"
        raise FormatError(message, code="entries.excused")


def _top(met: Sequence[Meeting], number: Mapping[str, int]) -> str | None:
    """Return the lot of round 1, read off its top board; None before round 1."""
    boards = [tuple(number[entry] for entry in item.seats) for item in met if item.round == 1]
    return ("w" if (board := min(boards, key=min))[0] < board[1] else "b") if boards else None


def _event(
    order: Sequence[Entrant],
    number: Mapping[str, int],
    present: set[str],
    history: Sequence[Plan],
    met: Sequence[Meeting],
    shape: Shape,
) -> dict[str, Any]:
    """Return the event so far as the library reads it."""
    competitors = [
        # The library's own tie-breaking numbers are the starting numbers: nothing in it is left to chance.
        {"cid": number[item.entry], "rank": number[item.entry], "random": number[item.entry], "rating": None}
        | {"present": item.entry in present}
        for item in order
    ]
    games = [_game(item, number) for item in met]
    for plan in history:
        games += [_alone(plan.round, number[entry], "P", True) for entry in plan.byes]
    for item in order:
        for turn, worth in item.excused:
            if turn <= len(history):
                games.append(_alone(turn, number[item.entry], LETTER[worth], False))
    bye = LETTER[shape.bye]
    return {
        "teamTournament": False,
        "tournamentType": "Swiss",
        "teamSize": 0,
        "maxMeets": 1,
        "numRounds": shape.rounds,
        "currentRound": len(history),
        "scoreSystem": {"game": {**SCORES, "F": "W", "H": "D", "P": bye, "A": "D", "U": "Z"}},
        "competitors": competitors,
        "gameList": games,
        "matchList": [],
    }


def _game(item: Meeting, number: Mapping[str, int]) -> dict[str, Any]:
    """Return a match for the library. Nobody's loss in an unplayed match is a zero."""
    letters = [LETTER[worth] if worth or not item.is_played else "L" for worth in item.worth]
    sides = [{"cid": number[entry], "result": letter} for entry, letter in zip(item.seats, letters, strict=True)]
    played = {"played": item.is_played, "rated": item.is_played}
    return {"id": 0, "round": item.round, "white": sides[0], "black": sides[1], **played}


def _alone(turn: int, number: int, letter: str, is_bye: bool) -> dict[str, Any]:
    """Return a round without an opponent; the library takes the pairing's own bye as played."""
    side = {"cid": number, "result": letter}
    return {"id": 0, "round": turn, "white": side, "black": None, "played": is_bye, "rated": False}


def _forbidden(constraints: Sequence[Constraint], number: Mapping[str, int], turn: int) -> list[dict[str, Any]]:
    groups = [[number[entry] for entry in item.entries if entry in number] for item in constraints]
    return [{"firstRound": turn, "lastRound": turn, "competitors": group} for group in groups]


def _paired(event: dict[str, Any], turn: int) -> Pairs:
    """Return the library's pairs by board: "w" and "b" are numbers (b 0 = the bye), "sa" and "sb" score levels."""
    engine = pairing_dutch(event, turn, {"experimental": [], "verbose": 0, "top_color": event["topColor"]})
    try:
        brackets = engine.compute_pairing(False, 0)
    except GacruxNoLegalPairing as none:
        message = f"round {turn} cannot be paired by the Dutch rules ({none}); end the stage or take the plain Swiss"
        raise FormatError(message, code="dutch.no_pairing") from none
    pairs: Pairs = [pair for bracket in brackets for pair in bracket["pairs"]]
    return sorted(pairs, key=lambda pair: int(pair["board"]))


def _points(event: Mapping[str, Any]) -> dict[int, Fraction]:
    """Sum up results by number."""
    worth = {**SCORES, "P": SCORES[event["scoreSystem"]["game"]["P"]]}
    points = {item["cid"]: Fraction(0) for item in event["competitors"]}
    for game in event["gameList"]:
        for side in (game["white"], game["black"]):
            if side is not None:
                points[side["cid"]] += Fraction(worth[side["result"]])
    return points


def _plan(
    pairs: Pairs,
    names: Sequence[str],
    history: Sequence[Plan],
    constraints: Sequence[Constraint],
    shape: Shape,
    points: Mapping[int, Fraction],
) -> Plan:
    """Make pods in board order around those set by hand, with what the library says about them."""
    scores = [(points[int(pair["w"])], points[int(pair["b"])]) for pair in pairs if pair["b"]]
    pods, byes, reasons = [], [], [figures(scores)]
    for pair in pairs:
        first, second = int(pair["w"]), int(pair["b"])
        if second:
            why = (_why(first, second, points), *_seat_rule(str(pair["colorrule"])))
            pods.append(Pod(0, (names[first - 1], names[second - 1]), why))
        else:
            byes.append(names[first - 1])
            reasons.append(Reason("dutch.bye", BYE, (("number", first),)))
    fixed = locked_pods(shape)
    seated = numbered(pods, fixed)
    return planned(len(history) + 1, seated, tuple(byes), history, constraints, tuple(reasons), "dutch")


def _why(first: int, second: int, points: Mapping[int, Fraction]) -> Reason:
    if points[first] == points[second]:
        numbers = (("score", shown(points[first])), ("first", first), ("second", second))
        return Reason("dutch.same", SAME, numbers)
    down, up = (first, second) if points[first] > points[second] else (second, first)
    scores = (("high", shown(points[down])), ("low", shown(points[up])))
    return Reason("dutch.float", FLOAT, (("down", down), ("up", up), *scores))


def _seat_rule(rule: str) -> tuple[Reason, ...]:
    return (Reason(f"dutch.{rule}", SEATS[rule]),) if rule in SEATS else ()
