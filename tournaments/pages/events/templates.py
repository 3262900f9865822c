"""Events that are held often, as first values of the form of a new one: everything may be changed afterwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

MIN_PEOPLE: Final = 8
MAX_PEOPLE: Final = 416
"""People who fit into 26 pools of eight pairs."""
POOL: Final = 8
MIN_POOL: Final = 5
MAX_CUT: Final = 16
USUAL_ROOM: Final = 16
"""Most entries of an event unless more are expected."""
Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Template:
    """First values of the form. values: of its fields, for a number of people. needs_people: whether it asks for it.

    is_usual: whether it is among the few that are shown first where both bots and people may play.
    """

    name: str | Promise
    values: Callable[[int], Values]
    needs_people: bool = False
    is_usual: bool = False


@dataclass(frozen=True, slots=True)
class Room:
    """Plan of a number of people who play Hawaii 2016: pools of pairs, and the size of the double elimination.

    has_tables: how many tables the room has, 0 where nobody said; minutes: that a round takes.
    """

    people: int
    has_tables: int = 0
    minutes: int = 0

    @property
    def pairs(self) -> int:
        """Return the number of teams of two; one person may be over."""
        return self.people // 2

    @property
    def pools(self) -> int:
        """Return the number of pools, of one size from 5 to 8 if that is possible, as large as can be; else of at most
        8.
        """
        # From the largest: pools of one size are fair, and larger ones give everybody more matches.
        even = [size for size in range(POOL, MIN_POOL - 1, -1) if self.pairs % size == 0]
        return self.pairs // even[0] if even else -(-self.pairs // POOL)

    @property
    def cut(self) -> int:
        """Return the size of the knock-out: all winners and the best of the seconds, the largest power of two up to 16.

        Of one pool the first four.
        """
        places = max(2 * self.pools, 4)
        # The largest power of two that the places fill: a bracket without byes.
        return min(MAX_CUT, 1 << (places.bit_length() - 1))

    @property
    def matches(self) -> int:
        """Return the number of matches in the pools."""
        small, larger = divmod(self.pairs, self.pools)
        sizes = [small + 1] * larger + [small] * (self.pools - larger)
        return sum(size * (size - 1) // 2 for size in sizes)

    @property
    def rounds(self) -> int:
        """Return the number of rounds of the largest pool."""
        largest = -(-self.pairs // self.pools)
        # A round robin of n takes n - 1 rounds, and n where n is odd: one sits out in each.
        return largest - 1 + largest % 2

    @property
    def tables(self) -> int:
        """Return the number of tables at once."""
        small, larger = divmod(self.pairs, self.pools)
        return larger * ((small + 1) // 2) + (self.pools - larger) * (small // 2)

    def turns(self) -> int:
        """Return how often tables are laid for one round: once where the room has enough."""
        return -(-self.tables // self.has_tables) if self.has_tables else 1

    def of_the_room(self) -> str:
        """Return whether the tables are enough, and how long the pools take; "" where nobody asked."""
        sentences = []
        shown = {"n": self.has_tables, "needed": self.tables, "turns": self.turns()}
        if self.has_tables and self.turns() > 1:
            sentences.append(
                _now("With %(n)s tables a round needs %(turns)s turns: set up %(needed)s tables, or make fewer pools.")
                % shown
            )
        elif self.has_tables:
            sentences.append(_now("%(n)s tables are enough.") % shown)
        if self.minutes:
            hours, rest = divmod(self.rounds * self.turns() * self.minutes, 60)
            sentences.append(_now("The pools take %(hours)s h %(rest)s.") % {"hours": hours, "rest": f"{rest:02}"})
        return " ".join(sentences)

    def __str__(self) -> str:
        """Return the plan in a sentence or two."""
        shown = {
            name: getattr(self, name) for name in ("people", "pairs", "pools", "matches", "rounds", "tables", "cut")
        }
        shown |= {"size": -(-self.pairs // self.pools), "fewest": 2 * self.cut - 2, "most": 2 * self.cut - 1}
        return (
            _now(
                "%(people)s people: %(pools)s pools x %(size)s pairs, %(matches)s matches, %(rounds)s rounds, "
                "%(tables)s tables at once; then double elimination of %(cut)s, %(fewest)s to %(most)s matches."
            )
            % shown
        )


def _hawaii(people: int) -> Values:
    room = Room(people)
    chain = {"template": "pools", "groups": room.pools, "final": "double_elim"}
    if room.pools < 2:
        chain = {"template": ""}
    size = -(-room.pairs // room.pools)
    return {
        "name": "Hanafuda Hawaii",
        "preset": "hawaii",
        "seats": 4,
        "who": "people",
        "partners": "drawn",
        "option_teams": "2x2",
        "rounds": 1,
        "go_on": 2,
        "cut": room.cut,
        "final_waits": True,
        "min_entries": max(2, 2 * room.pools),
        "max_entries": room.pools * max(size, POOL),
        **chain,
    }


def _plain(values: Mapping[str, Any]) -> Callable[[int], Values]:
    return lambda people: dict(values)


PEOPLE: Final = {"who": "people"}
TEMPLATES: Final[dict[str, Template]] = {
    "hawaii2016": Template(_("Hanafuda Hawaii 2016: pairs drawn on the day"), _hawaii, needs_people=True),
    "paradise": Template(
        _("Paradise, everybody against everybody"),
        # Short matches: it is over in an afternoon.
        _plain({**PEOPLE, "preset": "paradise", "seats": 2, "option_rounds": 2}),
    ),
    "swiss4": Template(
        _("Swiss at tables of four"),
        _plain({**PEOPLE, "preset": "hawaii", "seats": 4, "kind": "pods", "rounds": 3}),
        is_usual=True,
    ),
    "rotating": Template(
        _("Rotating partners: everybody with everybody, ranked individually"),
        _plain(
            {
                **PEOPLE,
                "preset": "hawaii",
                "seats": 4,
                "option_teams": "2x2",
                "kind": "rotation",
                "rounds": 7,
                "option_rounds": 4,
                "min_entries": 4,
            }
        ),
    ),
    "teams": Template(
        _("Team match: four boards per team, Swiss"),
        _plain(
            {
                **PEOPLE,
                "preset": "hawaii",
                "seats": 2,
                "kind": "swiss",
                "rounds": 3,
                "option_rounds": 6,
                "partners": "entered",
                "boards": 4,
                "team_score": "meetings",
                "tie_breaks": ["place", "h2h", "wins"],
            }
        ),
    ),
    "teams4": Template(
        _("Teams at tables of four, team-mates apart"),
        _plain(
            {
                **PEOPLE,
                "preset": "hawaii",
                "seats": 4,
                "rounds": 3,
                "partners": "entered",
                "boards": 3,
                "team_score": "sum",
            }
        ),
    ),
    "poka": Template(
        _("Poka knock-out"),
        _plain({**PEOPLE, "preset": "poka5", "seats": 2, "kind": "single_elim", "third_place": True}),
        is_usual=True,
    ),
    "nuki": Template(_("Nuki league"), _plain({**PEOPLE, "preset": "nuki88", "seats": 3, "rounds": 3, "kind": "pods"})),
    "oibana": Template(_("Oi-bana evening"), _plain({**PEOPLE, "preset": "oibana", "seats": 4, "rounds": 3})),
    "bots": Template(
        _("League of bots"),
        _plain({"who": "bots", "preset": "hawaii", "seats": 2, "legs": "cyclic"}),
        is_usual=True,
    ),
    "bots_swiss": Template(
        _("Swiss of bots"), _plain({"who": "bots", "preset": "hawaii", "seats": 2, "kind": "swiss", "rounds": 5})
    ),
    "bots_cup": Template(
        _("Cup of bots"),
        _plain({"who": "bots", "preset": "hawaii", "seats": 2, "kind": "double_elim", "legs": "cyclic"}),
        is_usual=True,
    ),
    "bots_ladder": Template(
        _("Ladder of bots"),
        _plain({"who": "bots", "preset": "hawaii", "seats": 2, "kind": "ladder", "rounds": 12, "legs": "cyclic"}),
    ),
}


def initial_of(chosen: str, people: str, tables: str = "", minutes: str = "") -> tuple[Values, str]:
    """Return the first values of a template, and a sentence about what comes of it. Nothing for one that does not
    exist.

    people: as it was typed; what is no possible number counts as the 144 of 2016. tables, minutes (a round): as typed;
    what is no number is as if nobody had said.
    """
    template = TEMPLATES.get(chosen)
    if template is None:
        return {}, ""
    number = typed_number(people)
    # As many as played in 2016: a number that makes sense of the template.
    number = number if MIN_PEOPLE <= number <= MAX_PEOPLE else 144
    room = Room(number, typed_number(tables), typed_number(minutes))
    values = template.values(number)
    if not template.needs_people and number == typed_number(people):
        values["max_entries"] = max(USUAL_ROOM, number)
    if template.needs_people and room.minutes:
        values["round_minutes"] = room.minutes
    summary = f"{room} {room.of_the_room()}".strip()
    # One pool has no knock-out after it: the summary beside the form says all there is.
    return values, summary if template.needs_people and room.pools > 1 else ""


def typed_number(text: str) -> int:
    """Return a small number as it was typed; 0 for anything else."""
    # isascii: isdigit alone takes superscripts, which int() refuses.
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0


def audience_of(chosen: str) -> str:
    """Return for whom a template is; "" for one that does not exist."""
    template = TEMPLATES.get(chosen)
    return str(template.values(MIN_PEOPLE)["who"]) if template is not None else ""
