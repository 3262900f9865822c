"""Words of a game for its own things: sentences, names and figures as data, for replays and rule pages.

English messages; `gettext_noop` marks them, anyone who shows them translates. A replay says moves and events by these
words wherever it has none of its own, so a new game speaks without a change elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from engine.cards import CARDS, CardSet

Value: TypeAlias = Literal["text", "number", "card", "cards", "flower", "yaku", "seat", "seats", "side", "score"]

PRINTED: Final[Mapping[str, str]] = MappingProxyType({card.code: card.category for card in CARDS})
"""Category of every card as it is printed."""


def gettext_noop(message: str) -> str:
    """Mark a message for extraction; the engine translates nothing itself."""
    return message


@dataclass(frozen=True, slots=True)
class Counted:
    """A message that depends on a number: the English for one and for several."""

    one: str
    many: str
    n: int


def ngettext(one: str, many: str, n: int) -> Counted:
    """Mark a message with a plural for extraction; anyone who shows it translates it."""
    return Counted(one, many, n)


@dataclass(frozen=True, slots=True)
class LocalizedMessage:
    """A sentence without its full stop. `%(who)s` is the player who acts, other parameters are named in `values`.

    text: like "%(who)s bids %(bid)s"; values: parameter -> how its value is said; the value is the one of that key in
    the action or event (`bid`: 7). Kinds: `card` a code, `cards` a list of codes, `flower` a month 1..12, `seat` "p1"
    or 1, `seats` a list of those, `side` a number, `yaku` the id of a combination, `number`, `score` a list of numbers,
    said from the highest on, `text`. In an event `who` is its `by`.
    """

    text: str
    values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mark:
    """A note that stays on the table of a replay, from a move or an event on, until the deal is over.

    text, values: as in `LocalizedMessage`; a note whose values are not all there is left out. group: a later note of
    the same group replaces it, one without text takes it away; without group it stays. seats: the keys of the action
    or event that name the seats it stands beside (`by`: who acts; `*`: every seat); none: it stands beside the field.
    """

    text: str = ""
    values: Mapping[str, Value] = field(default_factory=dict)
    group: str = ""
    seats: tuple[str, ...] = ("by",)


@dataclass(frozen=True, slots=True)
class Clause:
    """A paragraph of a rules page. cards: pictures that go with it; source: of the rule.

    id: its address on the page, with hyphens (options have underscores); of several with the same id one holds.
    text: may name options, `%(rounds)s`. only: option -> the values with which it holds; all of them must.
    """

    id: str
    title: str
    text: str
    source: str
    ja: str = ""
    cards: CardSet = 0
    only: Mapping[str, tuple[str | int | bool, ...]] = field(default_factory=dict)

    def applies(self, options: object) -> bool:
        """Return whether it is so under these options."""
        return all(getattr(options, option) in values for option, values in self.only.items())


@dataclass(frozen=True, slots=True)
class Part:
    """Paragraphs of a rules page that belong together, under a heading."""

    title: str
    clauses: tuple[Clause, ...]


STARTING: Final = gettext_noop("Before the first card")
PLAYING: Final = gettext_noop("On your turn")
COUNTING: Final = gettext_noop("Points and the match")
"""The headings that every game has."""


@dataclass(frozen=True, slots=True)
class Combination:
    """A yaku, teyaku or dekiyaku. cards: those it needs (0: see `text`); worth: in the game's unit (points, kan).

    example: cards that make it, where no certain ones do; group: the heading it stands under. by_option: another worth
    with some values of an option, by option and value; 0 where it does not count. kind: of which cards it counts how
    many, where no certain ones do.
    """

    id: str
    name: str
    cards: CardSet
    worth: int
    source: str
    ja: str = ""
    text: str = ""
    example: CardSet = 0
    group: str = ""
    by_option: Mapping[str, Mapping[str | int | bool, int]] = field(default_factory=dict)
    kind: str = ""

    def worth_in(self, options: object) -> int:
        """Return what it is worth under these options."""
        found = (worths.get(getattr(options, option)) for option, worths in self.by_option.items())
        return next((worth for worth in found if worth is not None), self.worth)


@dataclass(frozen=True, slots=True, kw_only=True)
class Portrait:
    """A game for somebody who has never played it. Every text is a message.

    minute: how it is played, to be read in a minute; may name options, `%(rounds)s`. special: what sets a preset apart,
    in about six words, by preset id. cards: codes of three cards that stand for the game, in the order shown.
    deal_minutes: what people need for one deal; luck: from 1 (the stronger player wins) to 5 (chance decides), decision
    0124 says how it was measured; 0 where nobody has. lesson: name of the lesson that teaches it, "" for none.
    """

    minute: str = ""
    special: Mapping[str, str] = field(default_factory=dict)
    cards: tuple[str, ...] = ()
    deal_minutes: int = 5
    luck: int = 0
    lesson: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The words and figures of one game.

    moves: by `kind value` ("join play"), `kind again` (the seat does it once more in a row) or `kind` ("bid") of an
    action; `flip`: the card turned up after it. events: by `code key` (where the event has something under this key)
    or `code` of an engine event; lines: score lines by code, without the number, and `tie`, why one of equal scores has
    won; phases: by the observation's `phase`, what is to be decided. marks: by the same keys as moves and events.
    combinations: in the order in which they are always listed; the tracker of a replay shows those with cards.
    values: card points by code, empty if the game has none; categories: what a card counts as, by code; also: what a
    card is besides, by code ("ghost").
    unit: what combinations are counted in; unit_points: what one of it is in the points of the account.
    account: a sentence on what the points of a match are. title: what the game is called; ja: Japanese names by preset
    id; parts: how it is played, for its rules pages; portrait: what a newcomer reads first.
    """

    moves: Mapping[str, LocalizedMessage] = field(default_factory=dict)
    events: Mapping[str, LocalizedMessage] = field(default_factory=dict)
    marks: Mapping[str, tuple[Mark, ...]] = field(default_factory=dict)
    lines: Mapping[str, str] = field(default_factory=dict)
    phases: Mapping[str, str] = field(default_factory=dict)
    combinations: tuple[Combination, ...] = ()
    unit: str = gettext_noop("points")
    unit_points: int = 1
    values: Mapping[str, int] = field(default_factory=dict)
    categories: Mapping[str, str] = field(default_factory=lambda: PRINTED)
    also: Mapping[str, str] = field(default_factory=dict)
    account: str = ""
    title: str = ""
    ja: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[Part, ...] = ()
    portrait: Portrait = field(default_factory=Portrait)

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """How it is played, paragraph by paragraph."""
        return tuple(clause for part in self.parts for clause in part.clauses)
