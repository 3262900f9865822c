"""Rule card: the rules of one stage on a sheet of A5, in pictures and words, with the options that this stage has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from bots.templatetags.hanami import card_name, month_name
from engine.cards import CARDS
from engine.games import GAMES
from tournaments.lifecycle.house_rules import house_rules
from tournaments.matches.deal_sets import rules_of
from tournaments.models import Stage
from tournaments.pages.rules.rules import ChartLine, YakuLine, chart_line, clause_text, yaku_groups


@dataclass(frozen=True, slots=True)
class CardMonth:
    """A month. flower: its name; cards: (code, points), 0 for a card that is worth nothing."""

    number: int
    flower: str
    cards: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class RuleCard:
    """Everything on a rule card.

    months: all twelve; has_worth: whether cards count points; clauses: (title, text); yaku: (heading, its
    combinations); other: rules that differ from the preset's: (rule, what holds here). penalty: what each yaku takes
    from every other side, 0 where it counts on its own.
    """

    seats: int
    dealt: ChartLine
    months: tuple[CardMonth, ...]
    has_worth: bool
    clauses: tuple[tuple[str, str], ...]
    yaku: tuple[tuple[str, list[YakuLine]], ...]
    penalty: int
    other: tuple[tuple[str, str], ...]

    @property
    def rows(self) -> list[list[tuple[str, int]]]:
        """Return the first, second, third and fourth cards of all months."""
        return [[month.cards[rank] for month in self.months] for rank in range(4)]


def rule_card(stage: Stage) -> RuleCard:
    """Return the card of a stage whose ruleset is at hand."""
    rules, seats = rules_of(stage), stage.seats_pref
    words, options = GAMES[rules.game].words, rules.options
    return RuleCard(
        seats=seats,
        dealt=chart_line(rules, seats),
        months=_months(words.values),
        has_worth=any(words.values.values()),
        clauses=tuple((_(each.title), clause_text(each, options)) for each in words.clauses if each.applies(options)),
        yaku=tuple(yaku_groups(words, options)),
        penalty=getattr(options, "yaku_penalty", 0),
        other=tuple((each.name, each.here) for each in house_rules(stage)),
    )


def _months(values: Mapping[str, int]) -> tuple[CardMonth, ...]:
    """Return the twelve months with the points of their cards."""
    found = []
    for number in range(1, 13):
        codes = [card.code for card in CARDS if card.month == number]
        cards = tuple((code, values.get(code, 0)) for code in codes)
        found.append(CardMonth(number, month_name(card_name(codes[0])), cards))
    return tuple(found)
