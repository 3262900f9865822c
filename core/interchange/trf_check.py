"""Remarks on a report, line by line, about what is left out; and the event without what contradicts its results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final

from core.interchange.model import HALF, Event, Game, Mark, Player, UnplayedRound
from core.printable import JOINERS

WORTH: Final = {"W": Fraction(1), "D": HALF, "L": Fraction(0)}
RECORDS: Final = {
    "013": "a team",
    "022": "the town",
    "032": "the country",
    "102": "the arbiter",
    "112": "further arbiters",
    "122": "the time for a game",
    "132": "the days of the rounds",
    "172": "the method of the starting order",
    "182": "the program that paired",
    "192": "the encoded type",
    "222": "the encoded time for a game",
    "240": "byes asked for in advance",
    "250": "accelerated rounds",
    "260": "who must not meet",
    "299": "points given or taken",
    "310": "a team",
    "XXA": "accelerated rounds",
    "XXP": "who must not meet",
    "XXZ": "who is away in the next round",
    "XXS": "points for a result",
}
"""Records that Hanami has no place for."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something of the report that is not kept, or not as it is written. line: 0 if about the whole file.

    text: an English sentence with %(name)s places for `shown`, for gettext.
    """

    code: str
    line: int
    text: str
    shown: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text % self.shown


def remarks_of(
    event: Event,
    fields: Mapping[str, tuple[int, str]],
    others: Mapping[str, tuple[int, int]],
    at: Mapping[int, int],
    claimed: Mapping[int, str],
    personal: Sequence[int],
) -> list[Remark]:
    """Collect all remarks, in the order of the lines."""
    found = [*_of_sections(event, fields), *_of_others(others)]
    if personal:
        text = "Left out: sex, title, country, number, birthday (players: %(n)s). Only name and rating are kept."
        found.append(Remark("trf.personal", personal[0], text, {"n": len(personal)}))
    found += [*_of_players(event, at), *_of_results(event, at, claimed)]
    # As a reader goes through the file; remarks on the whole of it have line 0 and come first.
    return sorted(found, key=lambda remark: (remark.line, remark.code))


def _of_sections(event: Event, fields: Mapping[str, tuple[int, str]]) -> Iterator[Remark]:
    if not event.name:
        yield Remark("trf.no_name", 0, "The report names no event (012): enter a name.")
    if not event.rounds:
        text = (
            "The report does not say how many rounds are planned (142, XXR): enter the number, or the event "
            "ends with the rounds in the report."
        )
        yield Remark("trf.no_rounds", 0, text)
    elif event.rounds < event.last_round:
        line, _text = fields.get("142") or fields.get("XXR") or (0, "")
        shown = {"planned": event.rounds, "told": event.last_round}
        yield Remark("trf.rounds", line, "%(planned)s rounds are planned, and %(told)s are told: these count.", shown)
    line, text = fields.get("062", (0, str(len(event.players))))
    if text.split()[:1] != [str(len(event.players))]:
        counted = {"said": text[:20], "n": len(event.players)}
        yield Remark("trf.count", line, "“%(said)s” players are announced, and %(n)s are told: these count.", counted)
    line, text = fields.get("162", (0, ""))
    if text and not _is_usual(text):
        yield Remark("trf.scores", line, "A win counts 1 here, a draw ½: other points for results are left out.")


def _is_usual(record: str) -> bool:
    """Return whether a record 162 gives results what they always give here."""
    words = record.split()
    given = {letter: value for letter, value in pairwise(words) if letter in WORTH}
    try:
        return all(Fraction(value) == WORTH[letter] for letter, value in given.items())
    except ValueError:
        return False


def _of_others(others: Mapping[str, tuple[int, int]]) -> Iterator[Remark]:
    for code, (count, line) in others.items():
        shown = {"code": code, "n": count, "what": RECORDS.get(code, "")}
        if code in RECORDS:
            yield Remark(f"trf.left_out.{code}", line, "Left out: record %(code)s, %(what)s (lines: %(n)s).", shown)
        elif code:
            yield Remark(f"trf.left_out.{code}", line, "Left out: record %(code)s (lines: %(n)s).", shown)
        else:
            yield Remark("trf.left_out", line, "Left out: lines that are not records (%(n)s).", shown)


def _of_players(event: Event, at: Mapping[int, int]) -> Iterator[Remark]:
    for place, player in enumerate(event.players, start=1):
        if player.number != place:
            text = "The numbers of the players are not 1, 2, 3 …: they get new numbers, in the same order."
            yield Remark("trf.numbers", 0, text)
            break
    nameless = [player.number for player in event.players if not player.name]
    if nameless:
        shown = {"n": len(nameless)}
        yield Remark("trf.nameless", at[nameless[0]], "%(n)s players have no name: their number stands for it.", shown)


def _of_results(event: Event, at: Mapping[int, int], claimed: Mapping[int, str]) -> Iterator[Remark]:
    both = [game for game in event.games if game.marks == (Mark.LOST, Mark.LOST)]
    if both:
        text = "%(n)s games that both lost count as if nobody had come: nobody gets a point."
        yield Remark("trf.both_lose", at[both[0].first], text, {"n": len(both)})
    points = event.points()
    others = [number for number in at if claimed.get(number) and not _is(claimed[number], points[number])]
    if others:
        text = "Players whose points are not the sum of their results: %(n)s. The results count."
        yield Remark("trf.points", at[others[0]], text, {"n": len(others)})
    wrong = _first_wrong_rank(event)
    if wrong is not None:
        yield Remark("trf.ranks", at[wrong], "The ranks do not follow from the points: they are recalculated.")
    late = [rest for rest in event.unplayed if rest.round > max(event.rounds, event.last_round)]
    if late:
        yield Remark("trf.late_rests", at[late[0].player], "Byes after the last round are left out.")


def _is(text: str, value: Fraction) -> bool:
    try:
        return Fraction(text.replace(",", ".")) == value
    except (ValueError, ZeroDivisionError):
        return False


def _first_wrong_rank(event: Event) -> int | None:
    """The first player whose rank contradicts the points; None if ranks are whole, or none is given."""
    points = event.points()
    ranked = sorted((player for player in event.players if player.rank), key=lambda player: player.rank)
    # Half a list of ranks orders nobody: all ranks are left out then.
    if ranked and len(ranked) < len(event.players):
        return next(player.number for player in event.players if not player.rank)
    for before, player in pairwise(ranked):
        if points[player.number] > points[before.number] or (
            player.rank == before.rank and points[player.number] != points[before.number]
        ):
            return player.number
    return None


def sound(event: Event) -> Event:
    """Return the event as it can be kept: numbers 1 to n, everybody named, ranks only where they fit the points.

    A game that both lost is one to which nobody came; byes after the last round are gone.
    """
    last = max(event.rounds, event.last_round)
    new = {player.number: place for place, player in enumerate(event.players, start=1)}
    # All or none: ranks that contradict the points in one place are not to be trusted in the others.
    has_ranks = _first_wrong_rank(event) is None
    games = tuple(_game(game, new) for game in event.games)
    byes = tuple(
        UnplayedRound(rest.round, new[rest.player], rest.kind) for rest in event.unplayed if rest.round <= last
    )
    players = tuple(
        Player(new[player.number], _clean(player), player.rank if has_ranks else 0, player.rating)
        for player in event.players
    )
    return replace(event, players=players, games=games, unplayed=byes)


def _clean(player: Player) -> str:
    """A name that pages can show."""
    return (
        "".join(each if each.isprintable() or each in JOINERS else "?" for each in player.name) or f"#{player.number}"
    )


def _game(game: Game, new: Mapping[int, int]) -> Game:
    # No result of ours gives both sides nothing, except that nobody came.
    marks = (Mark.NO_SHOW, Mark.NO_SHOW) if game.marks == (Mark.LOST, Mark.LOST) else game.marks
    return Game(game.round, new[game.first], new[game.second], marks)
