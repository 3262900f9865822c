"""Bounds for an event's policies where pages and folds read them: judged before a copy keeps them."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from core.interchange.errors import refusal
from core.printable import is_printable

Named = Annotated[str, Meta(max_length=40)]
Worth = Literal["0", "1/2", "1"]
Number = Annotated[str, Meta(pattern="^[0-9]{1,5}$")]


class Seeding(Struct):
    """The seeding of a stage."""

    by: Named = ""
    hand: list[Named] = []
    ratings: dict[Named, float] = {}


class DrawRules(Struct, forbid_unknown_fields=True):
    """How the rounds of a stage are drawn."""

    priorities: Literal[
        "",
        "repeats,clubs,scores",
        "repeats,scores,clubs",
        "clubs,repeats,scores",
        "clubs,scores,repeats",
        "scores,repeats,clubs",
        "scores,clubs,repeats",
    ] = ""
    leader_rounds: Annotated[int, Meta(ge=0, le=3)] | None = None
    leader_tables: Annotated[int, Meta(ge=0, le=99)] = 1
    leader_first: bool = False
    accelerated_rounds: Annotated[int, Meta(ge=0, le=9)] = 0


class RuleOfTwo(Struct, forbid_unknown_fields=True):
    """A rule about two entries. round: 0 where they never meet."""

    kind: Literal["never", "later", "together"]
    one: Named
    other: Named
    round: Annotated[int, Meta(ge=0, le=64)]
    stage: Annotated[int, Meta(ge=1, le=99)] | None

    def __post_init__(self) -> None:
        """Raise ValueError, which msgspec makes a ValidationError, at a round that the kind does not have."""
        if (self.kind == "never") == bool(self.round):
            raise ValueError("a rule with another round than its kind has")


class Report(Struct):
    """Figures that came with a FIDE report."""

    ranks: dict[Named, Annotated[int, Meta(ge=0, le=9999)]] = {}
    hashes: list[Annotated[str, Meta(max_length=80)]] = []
    silent: list[Named] = []


class FormQuestion(Struct, forbid_unknown_fields=True):
    """A question that people are asked when they register."""

    words: Annotated[str, Meta(min_length=1, max_length=200)]
    kind: Literal["text", "choice", "tick", "number"] = "text"
    choices: Annotated[list[Annotated[str, Meta(min_length=1, max_length=60)]], Meta(max_length=20)] = []
    required: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError, which msgspec makes a ValidationError, at a question that nobody could answer."""
        is_choice = self.kind == "choice"
        if is_choice != bool(self.choices) or len(set(self.choices)) < len(self.choices):
            raise ValueError("a question without the answers that its kind has")
        if not all(map(is_printable, (self.words, *self.choices))):
            raise ValueError("a question that cannot be printed")


class RegistrationForm(Struct, forbid_unknown_fields=True):
    """The registration form of an event: whether organisers approve, what people agree to, what they are asked."""

    approval: bool = False
    consent: Annotated[str, Meta(max_length=1000)] = ""
    questions: Annotated[list[FormQuestion], Meta(max_length=20)] = []

    def __post_init__(self) -> None:
        """Raise ValueError at a text that cannot be printed."""
        if not is_printable(self.consent):
            raise ValueError("a text that cannot be printed")


class PrizeOfFile(Struct, forbid_unknown_fields=True):
    """A prize for each place from first to last. category: its number in the list; None: everybody."""

    words: Annotated[str, Meta(min_length=1, max_length=120)]
    category: Annotated[int, Meta(ge=1, le=20)] | None
    first: Annotated[int, Meta(ge=1, le=999)]
    last: Annotated[int, Meta(ge=1, le=999)]
    amount: Annotated[str, Meta(pattern=r"^(?!0*(\.0*)?$)[0-9]{1,10}(\.[0-9]{1,2})?$")] | None

    def __post_init__(self) -> None:
        """Raise ValueError, which msgspec makes a ValidationError, at places in another order and at no words."""
        if self.last < self.first or not is_printable(self.words):
            raise ValueError("a prize for no place, or without words")


class CategoryOfFile(Struct, forbid_unknown_fields=True):
    """A category of prizes, with those who win in it. name: "" where pages do not name it."""

    name: Annotated[str, Meta(max_length=60)]
    entries: Annotated[list[Named], Meta(max_length=2_000)]

    def __post_init__(self) -> None:
        """Raise ValueError at a name that cannot be printed."""
        if not is_printable(self.name):
            raise ValueError("a name that cannot be printed")


class PrizesOfFile(Struct, forbid_unknown_fields=True):
    """The prizes of an event."""

    publish: Literal["end", "now"]
    ties: Literal["each", "divided"]
    one_each: bool
    withdrawn_win: bool
    currency: Annotated[str, Meta(max_length=8)]
    categories: Annotated[list[CategoryOfFile], Meta(max_length=20)]
    prizes: Annotated[list[PrizeOfFile], Meta(max_length=60)]

    def __post_init__(self) -> None:
        """Raise ValueError at a prize of a category that is not there."""
        if any((each.category or 0) > len(self.categories) for each in self.prizes) or not is_printable(self.currency):
            raise ValueError("a prize of no category, or a currency that cannot be printed")


class Presence(Struct, forbid_unknown_fields=True):
    """What a round away from the tables is worth, and what a no-show leads to."""

    bye_worth: Worth = "1/2"
    bye_limit: Annotated[int, Meta(ge=0, le=20)] = 1
    bye_until: Annotated[int, Meta(ge=0, le=999)] = 0
    byes_by_players: bool = False
    late_worth: Worth = "0"
    walkover: Literal["mean", "full", "share"] = "mean"
    walkover_share: Annotated[int, Meta(ge=0, le=100)] = 50
    no_show_limit: Annotated[int, Meta(ge=0, le=9)] = 0
    substitutes_keep_points: bool = True


SHAPES: Final[dict[str, Any]] = {
    "pairs": Annotated[list[tuple[Named, Named]], Meta(max_length=200)],
    "tables": dict[Named, Annotated[int, Meta(ge=1, le=99_999)]],
    "seeding": dict[Number, Seeding],
    "excused": dict[Number, dict[Named, dict[Number, Worth]]],
    "presence": Presence,
    "registration": RegistrationForm,
    "prizes": PrizesOfFile,
    "draw_rules": dict[Number, DrawRules],
    "pair_rules": Annotated[list[RuleOfTwo], Meta(max_length=200)],
    "report": Report,
    "rated": bool,
    "age_gap": Annotated[int, Meta(ge=1, le=80)],
    "boards": Annotated[int, Meta(ge=1, le=7)],
    "team_score": Literal["sum", "best", "boards", "meetings"],
    "board_by": Literal["points", "victories"],
    "team_best": Annotated[int, Meta(ge=1, le=7)],
}


def check(policies: dict[str, Any]) -> None:
    """Raise InterchangeError "event.value" at a policy that is not as it is written here."""
    for name, shape in SHAPES.items():
        if name not in policies:
            continue
        try:
            msgspec.convert(policies[name], shape)
        except msgspec.ValidationError as wrong:
            message = "At %(where)s: “%(value)s” is not known here. A newer version of this service may know it."
            raise refusal("event.value", message, where=f"tournament.policies.{name}", value=str(wrong)[:60]) from wrong
