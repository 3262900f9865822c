"""A record as text: the table at a place of the match, and every move in the words of the site's replay."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from core.replay import facts
from core.replay.book import book
from core.replay.document import Deal, Replay, read
from core.replay.marks import TABLE, board_at
from core.replay.reducer import Place, clamp, position_at
from core.replay.table import running
from core.replay.words import deal_text, fill, side_name
from kit.errors import BadCall

# Up to four digits: `clamp` takes what is too large to the last place there is.
PLACE: Final = re.compile(r"(?:d(?P<deal>\d{1,4}))?(?:m(?P<move>\d{1,4}))?(?:s(?P<seat>[1-7]))?")


def english(message: str) -> str:
    """Return the message as it is: the kit speaks English."""
    return message


@dataclass(frozen=True, slots=True)
class Wanted:
    """The place behind a `#`: `d3m17s2`. deal, move: None for the beginning; seat: from 0, whose view it is."""

    deal: int | None = None
    move: int | None = None
    seat: int | None = None

    @property
    def is_a_place(self) -> bool:
        """Return whether it names a deal or a move."""
        return self.deal is not None or self.move is not None


def wanted(text: str) -> Wanted:
    """Read `d3m17`, `m4`, `d2s1`. Raises BadCall."""
    found = PLACE.fullmatch(text)
    if found is None:
        raise BadCall(f"#{text} is no place. Write deal, move and seat like #d3m17 or #d3m17s2.")
    deal, move, seat = (None if each is None else int(each) for each in found.group("deal", "move", "seat"))
    return Wanted(deal, move, None if seat is None else seat - 1)


class Viewer:
    """A match to look at. Raises BadCall for a document without a view (a table of people has no moves)."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        # By deal: the words of a deal are asked for at every step, and its moves have to be replayed for them.
        self._texts: dict[int, list[str]] = {}
        try:
            self.replay: Replay = read(document)
            self.book: dict[str, Any] = book("en", english, self.replay.game)
            for deal in self.replay.deals:  # now: a file that anybody may have written breaks here or nowhere
                self.table(Place(deal.number, len(deal.moves)))
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise BadCall("This is no record of a match with moves. `hanami verify` says what is wrong.") from error

    def place(self, asked: Wanted) -> Place:
        """The nearest place there is."""
        return clamp(self.replay, asked.deal or 1, asked.move or 0)

    def texts_of(self, deal: Deal) -> list[str]:
        """Every move of a deal in words, first how it was dealt."""
        if deal.number not in self._texts:
            self._texts[deal.number] = deal_text(self.replay, self.book, deal)
        return self._texts[deal.number]

    def heading(self) -> list[str]:
        """Return who played what, and how it ended."""
        replay = self.replay
        deals = f"{len(replay.deals)} deal{'s' if len(replay.deals) != 1 else ''}"
        lines = [f"{replay.preset or replay.game}, {len(replay.sides)} seats, {deals}, {replay.match}"]
        for side in range(replay.side_count):
            names = side_name(replay, side)
            lines.append(f"  {replay.rank[side]}. {names}: {replay.score[side]} points")
        lines += [
            f"  {replay.called(one['seat'])} forfeited in deal {one['deal']}, move {one['move']}: {one['code']}"
            for one in replay.forfeits
        ]
        return lines

    def moves(self) -> list[str]:
        """The whole match in words."""
        lines: list[str] = []
        for deal in self.replay.deals:
            first, *rest = self.texts_of(deal)
            lines += ["", f"Deal {deal.number}. {first}"]
            lines += [f"  {number:>3}  {line}" for number, line in enumerate(rest, start=1)]
        return lines

    def table(self, place: Place, seat: int | None = None) -> list[str]:
        """The table after a move. seat: show that hand alone, None for all of them."""
        replay, deal = self.replay, self.replay.deals[place.deal - 1]
        position, words = position_at(replay, deal, place.move), self.book["interface"]
        board = board_at(replay, self.book, deal, place.move)
        values = {"deal": place.deal, "deals": len(replay.deals), "move": place.move, "moves": len(deal.moves)}
        lines = [fill(words["place"], {key: str(value) for key, value in values.items()}), ""]
        lines.append(f"  {words['field']}: {self.cards(position.on_field)}")
        lines.append("  " + fill(words["pile"], {"number": str(position.pile)}))
        if position.up:
            lines.append(f"  {words['turned_up']}: {self.cards([position.up])}")
        if position.discard:
            shown = fill(words["discard"], {"number": str(len(position.discard))})
            lines.append(f"  {shown}, {self.cards(position.discard[-1:])}")
        lines += [f"  {note}" for note in board.at(TABLE)]
        totals = running(replay, place, self.book)
        for who, hand in enumerate(position.hands):
            notes = ", ".join([*([words["dealer"]] if who == deal.dealer else []), *board.at(who)])
            shown = self.cards(hand) if seat in (None, who) else fill(words["hidden"], {"number": str(len(hand))})
            lines += ["", f"  p{who} {replay.called(who)}{f' ({notes})' if notes else ''}", f"     hand    {shown}"]
            side = replay.sides[who]
            if replay.seats_of(side)[0] == who:
                lines.append(f"     tray    {self._tray(position.trays[side])}")
                lines.append(f"     {totals[side]}")
        return [*lines, "", self.texts_of(deal)[place.move]]

    def _tray(self, cards: Sequence[str]) -> str:
        groups = facts.group(cards, self.replay.game)
        return "; ".join(f"{self.book['interface'][kind]}: {self.cards(own)}" for kind, own in groups) or "-"

    def cards(self, codes: Sequence[str]) -> str:
        """Cards by code and name."""
        return ", ".join(f"{code} {self.book['cards'].get(code, '')}".strip() for code in codes) or "-"
