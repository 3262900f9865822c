"""Recorded matches of Koi-Koi, played again by the engine; `--records PATH` runs others of the same form.

The form is that of tests/data/koikoi_records/README.md. Every card is a legal action of the seat on turn, every
capture, question, end, score and next dealer is as recorded, and the match ends after its last deal and not before.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from engine.action import UNNAMED, Action
from engine.cards import CODES, INDEX, CardSet
from engine.course import DealLog
from engine.game import Step
from engine.games import ruleset
from engine.games.koikoi.legal import DECLARATIONS
from engine.games.koikoi.outcome import KoiKoiOutcome
from engine.match import Match
from tests.engine.vector_option import RECORDS_KEY

KEPT: Final = Path(__file__).parents[1] / "data" / "koikoi_records" / "koikoi_zoo_001-100.jsonl.gz"
FORMAT: Final = "koikoi_records/1"
QUICK: Final = 6
"""Matches of the kept file that every run plays; the others are for the slow one."""
Record = dict[str, Any]


def read(path: Path) -> list[Record]:
    """The matches of a file, each knowing its preset."""
    data = path.read_bytes()
    text = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    head, *records = (json.loads(line) for line in text.decode().splitlines() if line)
    assert head["format"] == FORMAT, f"{path} is no file of records"
    return [{"preset": head["preset"], **record} for record in records]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for `record` gets every recorded match."""
    if "record" not in metafunc.fixturenames:
        return
    given = metafunc.config.stash[RECORDS_KEY]
    quick = None if given else QUICK
    records = [record for path in given or (KEPT,) for record in read(path)]
    metafunc.parametrize(
        "record",
        [
            pytest.param(one, id=f"{one['preset']}-{one['id']}", marks=pytest.mark.slow if _is_late(at, quick) else ())
            for at, one in enumerate(records)
        ],
    )


def _is_late(at: int, quick: int | None) -> bool:
    return quick is not None and at >= quick


class RecordedOrders:
    """The orders of a record; the earlier month is drawn by its first dealer."""

    def __init__(self, record: Record) -> None:
        self.deals: list[dict[str, Any]] = record["deals"]

    def drawing(self, number: int) -> Sequence[int]:
        assert number == 0, "the first dealer is found at once"
        drawn = [INDEX["06.1"], INDEX["06.1"]]
        drawn[self.deals[0]["dealer"]] = INDEX["01.1"]
        return drawn

    def order(self, deal: int, redeal: int) -> tuple[int, ...]:
        assert redeal == 0, f"deal {deal} is dealt again"
        assert deal <= len(self.deals), "the match goes on"
        return tuple(INDEX[code] for code in self.deals[deal - 1]["deck"])

    def further(self, label: str, deal: int, number: int, cards: CardSet) -> tuple[int, ...]:
        raise AssertionError("nothing is shuffled inside a deal")


def test_a_recorded_match_is_played_as_it_was(record: Record) -> None:
    match = Match(ruleset(record["preset"]), 2, b"", orders=RecordedOrders(record))
    for number, deal in enumerate(record["deals"], start=1):
        assert not match.is_over
        assert match.deal == number
        play_deal(match, deal)
    assert match.is_over
    assert match.totals == record["totals"]
    assert list(match.result().winners) == record["winners"]


def play_deal(match: Match, deal: dict[str, Any]) -> None:
    """Play one deal of the present match and compare it with what was recorded."""
    log = match.deals[-1]
    assert log.dealer == deal["dealer"]
    for number, move in enumerate(deal["moves"], start=1):
        assert log.outcome is None, f"the deal is over before turn {number}"
        play_turn(match, log, *move)
    found = log.outcome
    assert isinstance(found, KoiKoiOutcome)
    assert (found.reason, found.winner) == (deal["end"], deal["winner"])
    assert list(found.score) == deal["score"]
    assert deal["yaku"] == ({} if found.winner is None else found.yaku[found.winner])


def play_turn(
    match: Match,
    log: DealLog,
    seat: int,
    card: str,
    take: str,
    taken: list[str],
    flip: str,
    flipped: list[str],
    said: str,
) -> None:
    """Play a turn: the hand card, the choice for the flip if one is asked for, and what was said."""
    assert match.seat_to_act == seat
    act(match, Action.of("play", INDEX[card], INDEX[take] if take else UNNAMED))
    hand, turned = parts_of(log.played[-1].steps, card)
    assert log.played[-1].event["flip"] == flip
    if log.outcome is None and match.seat_to_act == seat and match.legal_actions()[0].kind == "draw_take":
        act(match, Action.of("draw_take", take=INDEX[flipped[0]]))
        turned = log.played[-1].steps
    assert from_field(hand) == sorted(taken)
    assert from_field(turned) == sorted(flipped)
    is_asked = log.outcome is None and match.seat_to_act == seat
    assert is_asked == (said in ("koikoi", "stop"))
    if is_asked:
        assert match.legal_actions() == DECLARATIONS
        act(match, Action.of("declare", word=said))
    assert (log.outcome is not None and log.outcome.reason == "shoubu") == (said in ("stop", "auto"))


def act(match: Match, action: Action) -> None:
    assert action in match.legal_actions(), f"{action} is not listed"
    match.apply(action)


def parts_of(steps: Sequence[Step], card: str) -> tuple[Sequence[Step], Sequence[Step]]:
    """The steps of the hand card, which are told first and end with the card itself, and those of the flip."""
    end = next(at for at, step in enumerate(steps, start=1) if CODES[step.card] == card)
    return steps[:end], steps[end:]


def from_field(steps: Sequence[Step]) -> list[str]:
    """Codes of the field cards that were taken."""
    return sorted(CODES[step.card] for step in steps if step.source == "f")
