"""Swiss at two seats, our own: equal scores meet, nobody twice, by a matching of the whole field (`swiss_pairs`).

Unlike the FIDE systems it ranks by the main score of the stage, knows wishes (club mates apart) and pods set by hand,
and pairs thousands of entries. Where a rule cannot be kept the round says which one gave way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random

from core.formats.model import Constraint, Plan, Pod, Reason, Shape, StageSoFar
from core.formats.schedules.quality import certify, counter_of
from core.formats.stage_format import Format, TeamSeating
from core.formats.swiss.acceleration import accelerated, acceleration_reasons
from core.formats.swiss.pairs import Match, Rules, gets_uneven, match
from core.formats.swiss.scores import next_field, shown, two_seats
from core.formats.swiss.standing_order import Standing, by_score, numbered, standing
from engine.words import Counted, gettext_noop, ngettext

SAME = gettext_noop(
    "Paired because both have %(score)s: of the %(size)d with that score, number %(first)d meets number %(second)d."
)
FLOAT = gettext_noop("Paired across scores because no better round was possible: %(high)s meets %(low)s.")
AGAIN = gettext_noop("They meet again because no round was possible without a repeated meeting.")
AGAIN_WANTED = gettext_noop("They have met before.")
AGAIN_BEHIND = gettext_noop("They meet again: in this event something else comes before new opponents.")
LEADERS = gettext_noop("The leaders meet by rank in this round: %(high)s meets %(low)s.")
TOGETHER = gettext_noop("The organiser wanted these two to meet in this round.")
BROKEN = gettext_noop("They should not meet, but no round was possible without it.")
SEPARATED = gettext_noop("They should be kept apart, but every other round was worse.")
LEAN = gettext_noop("The first seat goes to the one who has had it less often.")
TURN = gettext_noop(
    "The first seat goes to the one who had the second seat in the last round in which the two sat differently."
)
LOT = gettext_noop("First seat: decided by the standings and the lot of the stage.")
LOCKED = gettext_noop("Set by hand.")
BYE = gettext_noop(
    "One has a bye, because the number of entries is odd: the one with the fewest byes (%(byes)d so far),"
    " then the lowest score (%(score)s)."
)
NO_ROUND = gettext_noop("Repeated meetings in this round: %(again)d; no round was possible without one.")
SOME_AGAIN = gettext_noop("Repeated meetings in this round: %(again)d.")
NO_RULE = gettext_noop("Forbidden pairings in this round: %(broken)d; no round was possible without one.")
NO_TURN = gettext_noop(
    "Players who have had one seat three times more often than the other: %(uneven)d; no round was possible"
    " without one."
)
FIGURES = gettext_noop("Pairings between different scores: %(floats)d of %(pods)d.")


class ByScore(Format):
    """The common part of every kind of Swiss."""

    needs_results = True
    takes_late_entries = True

    def rounds(self, entries: int, shape: Shape) -> int:
        """Return as many as asked for."""
        return shape.rounds if entries >= shape.seats.min else 0

    def sentence(self, shape: Shape) -> Counted:
        """Return how many rounds."""
        return ngettext("%(n)d Swiss round", "%(n)d Swiss rounds in which equal scores meet", shape.rounds)


def locked_pods(shape: Shape) -> list[Pod]:
    """The pods that were set by hand."""
    return [Pod(pod.table, pod.seats, (Reason("swiss.locked", LOCKED),), True) for pod in shape.locked]


class Swiss(ByScore):
    """See the module."""

    id = "swiss"
    name = gettext_noop("Swiss")
    label = gettext_noop("Swiss")
    description = gettext_noop(
        "Each round pairs equal scores at tables of two; nobody meets the same opponent twice if it can be avoided."
    )
    seat_range = (2, 2)
    honours_clubs = True
    counts_unplayed_as_fide = True
    fits_fide_report = True
    takes_draw_rules = True
    takes_forbidden_pairs = True
    teams = TeamSeating.MEETINGS

    def schedule(self, stage: StageSoFar, rng: Random) -> list[Plan]:
        """Pair the round after `history`; none after the last. Needs the entrants' scores as they are now.

        Raises FormatError "seats.range", "entries.too_few" or "plan.locked".
        """
        shape, history = stage.shape, stage.history
        two_seats("a Swiss of pairs", shape)
        # Before anything else is drawn: every round of a stage has the same lot.
        lot = rng.randrange(2)
        turn = len(history) + 1
        if turn > shape.rounds:
            return []
        wished = [item for item in stage.constraints if item.holds(turn)]
        order = by_score(accelerated(next_field(stage.entries, turn, shape, 2), stage, turn))
        field = standing(order, history, stage.finished, wished)
        rules = _rules(field, wished, shape, turn)
        # With all pods set by hand nobody is left to pair.
        found = match(field, rules) if order else Match((), None, 0)
        pods = [_pod(field, pair, lot, rules) for pair in found.pairs]
        if shape.draw.leader_first:
            pods.sort(key=lambda pod: min(map(field.entries.index, pod.seats)))
        locked = locked_pods(shape)
        byes = () if found.bye is None else (field.entries[found.bye],)
        reasons = (*_reasons(field, found, rules), *acceleration_reasons(stage, turn))
        return [planned(turn, numbered(pods, locked), byes, history, stage.constraints, reasons, "matching")]


def figures(scores: Sequence[tuple[Fraction, Fraction]]) -> Reason:
    """Return how many pairings are between different scores (and over how many levels). scores: of each pod."""
    level = {score: at for at, score in enumerate(sorted({score for two in scores for score in two}))}
    apart = [abs(level[one] - level[other]) for one, other in scores]
    counted = (("floats", sum(map(bool, apart))), ("pods", len(apart)), ("levels", sum(apart)))
    return Reason("swiss.figures", FIGURES, counted)


def planned(
    turn: int,
    pods: tuple[Pod, ...],
    byes: tuple[str, ...],
    history: Sequence[Plan],
    constraints: Sequence[Constraint],
    reasons: tuple[Reason, ...],
    method: str,
) -> Plan:
    """Make the plan of a round with its figures counted."""
    tally = counter_of(history)
    tally.add(pods, byes)
    certificate = certify([*((plan.pods, plan.byes) for plan in history), (pods, byes)], method)
    return Plan(turn, pods, byes, tally.quality(constraints), certificate, reasons)


def _rules(field: Standing, constraints: Sequence[Constraint], shape: Shape, turn: int) -> Rules:
    """Return what the round is drawn by: those who must meet come first, then the leaders where they meet by rank."""
    partner: dict[int, int] = {}
    for one, other in field.together:
        # Of two wishes about one person the first one counts: nobody sits at two tables.
        if one not in partner and other not in partner:
            partner |= {one: other, other: one}
    forced = frozenset(partner)
    if turn > shape.rounds - shape.leaders:
        partner |= _leading(field, partner, shape.draw.leader_tables)
    return Rules(shape.draw.priorities, partner, turn == shape.rounds, frozenset(partner) - forced)


def _leading(field: Standing, taken: Mapping[int, int], tables: int) -> dict[int, int]:
    """Pair the leaders by rank, as many pairs as there are tables for (0: everybody); forbidden pairs are left out."""
    free = [at for at in range(len(field.entries)) if at not in taken]
    if len(free) % 2:
        # Whose turn it is to have the bye is not paired, or the bye would go to somebody who had one.
        free.remove(min(free, key=lambda at: (field.byes[at], -at)))
    found: dict[int, int] = {}
    while free and (not tables or len(found) < 2 * tables):
        one = free.pop(0)
        other = next((at for at in free if (one, at) not in field.forbidden), None)
        if other is not None:
            free.remove(other)
            found |= {one: other, other: one}
    return found


def _pod(field: Standing, pair: tuple[int, int], lot: int, rules: Rules) -> Pod:
    """Make a pod with seats and reasons; the table is numbered later."""
    first, about = _first(field, pair, lot)
    second = pair[0] + pair[1] - first
    return Pod(0, (field.entries[first], field.entries[second]), (*_why(field, pair, rules), about))


def _first(field: Standing, pair: tuple[int, int], lot: int) -> tuple[int, Reason]:
    """Return who sits first."""
    one, other = pair
    if field.lean[one] != field.lean[other]:
        return min(pair, key=lambda at: field.lean[at]), Reason("swiss.lean", LEAN)
    # Not strict: one of them may have had more rounds at a table.
    for here, there in zip(reversed(field.seats[one]), reversed(field.seats[other]), strict=False):
        if here != there:
            return (one if here else other), Reason("swiss.turn", TURN)
    # By position and one lot for the stage: down the list the first seat goes to the higher and the lower one in turn.
    return (one if one % 2 == lot else other), Reason("swiss.lot", LOT)


def _why(field: Standing, pair: tuple[int, int], rules: Rules) -> tuple[Reason, ...]:
    one, other = pair
    if one in rules.leaders:
        scores = (("high", shown(field.scores[one])), ("low", shown(field.scores[other])))
        reasons = [Reason("swiss.leaders", LEADERS, scores)]
    elif one in rules.partner:
        reasons = [Reason("swiss.together", TOGETHER)]
    elif field.level[one] == field.level[other]:
        start = field.start[one]
        numbers = (("first", one - start + 1), ("second", other - start + 1))
        scored = (("score", shown(field.scores[one])), ("size", field.size[one]))
        reasons = [Reason("swiss.same", SAME, (*scored, *numbers))]
    else:
        scores = (("high", shown(field.scores[one])), ("low", shown(field.scores[other])))
        reasons = [Reason("swiss.float", FLOAT, scores)]
    if field.met[pair] and one in rules.partner:
        reasons.append(Reason("swiss.again", AGAIN_WANTED))
    elif field.met[pair]:
        reasons.append(Reason("swiss.again", AGAIN if rules.repeats_are_dear else AGAIN_BEHIND))
    if pair in field.forbidden:
        reasons.append(Reason("swiss.broken", BROKEN))
    elif field.weights[pair]:
        reasons.append(Reason("swiss.wished", SEPARATED))
    return tuple(reasons)


def _reasons(field: Standing, found: Match, rules: Rules) -> tuple[Reason, ...]:
    """Return the reasons of the round: figures, the bye, rules that gave way."""
    reasons = [figures([(field.scores[one], field.scores[other]) for one, other in found.pairs])]
    if found.bye is not None:
        had = (("byes", field.byes[found.bye]), ("score", shown(field.scores[found.bye])))
        reasons.append(Reason("swiss.bye", BYE, had))
    if again := sum(field.met[pair] > 0 for pair in found.pairs):
        text = NO_ROUND if rules.repeats_are_dear and not rules.partner else SOME_AGAIN
        reasons.append(Reason("swiss.no_round", text, (("again", again),)))
    if broken := sum(pair in field.forbidden for pair in found.pairs):
        reasons.append(Reason("swiss.no_rule", NO_RULE, (("broken", broken),)))
    if uneven := sum(not rules.is_last and gets_uneven(field, *pair) for pair in found.pairs):
        reasons.append(Reason("swiss.no_turn", NO_TURN, (("uneven", uneven),)))
    return tuple(reasons)
