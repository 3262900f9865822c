"""Rule card: the rules of one stage on a sheet of paper, in words, with the options that this stage has."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from accounts.phrasing import listed
from bots.templatetags.hanami import card_name
from engine.cards import CardSet, codes
from engine.games import GAMES
from engine.options import Options
from engine.words import Combination
from tournaments.lifecycle.house_rules import house_rules
from tournaments.matches.deal_sets import rules_of
from tournaments.models import Stage
from tournaments.pages.rules.rules import ChartLine, chart_line, clause_text, worth_of, yaku_name


@dataclass(frozen=True, slots=True)
class CardYaku:
    """A combination. cards: their names, or in words what makes it. worth: in the game's unit."""

    name: str
    worth: int
    cards: str


@dataclass(frozen=True, slots=True)
class RuleCard:
    """Everything on a rule card. clauses: (title, text); worth: (points, names of cards), highest first; yaku:
    (heading, its combinations); other: rules that differ from the preset's: (rule, what holds here). penalty: what each
    yaku takes from every other side, 0 where it counts on its own.
    """

    seats: int
    dealt: ChartLine
    clauses: tuple[tuple[str, str], ...]
    worth: tuple[tuple[int, str], ...]
    yaku: tuple[tuple[str, tuple[CardYaku, ...]], ...]
    penalty: int
    unit: str
    other: tuple[tuple[str, str], ...]


def rule_card(stage: Stage) -> RuleCard:
    """Return the card of a stage whose ruleset is at hand."""
    rules, seats = rules_of(stage), stage.seats_pref
    words, options = GAMES[rules.game].words, rules.options
    return RuleCard(
        seats=seats,
        dealt=chart_line(rules, seats),
        clauses=tuple((_(each.title), clause_text(each, options)) for each in words.clauses if each.applies(options)),
        worth=tuple((value, _names(codes)) for value, codes in worth_of(words.values)),
        yaku=_yaku(words.combinations, options),
        penalty=getattr(options, "yaku_penalty", 0),
        unit=_(words.unit),
        other=tuple((each.name, each.here) for each in house_rules(stage)),
    )


def _names(codes: list[str]) -> str:
    return listed(card_name(code) for code in codes)


def _yaku(combinations: tuple[Combination, ...], options: Options) -> tuple[tuple[str, tuple[CardYaku, ...]], ...]:
    """Return the combinations that count, under their headings, both in the game's own order."""
    found: dict[str, list[CardYaku]] = {}
    for each in combinations:
        worth = each.worth_in(options)
        made = _cards(each.cards) or (_(each.text) if each.text else "")
        if worth:
            found.setdefault(each.group, []).append(CardYaku(yaku_name(each), worth, made))
    return tuple((_(group) if group else "", tuple(lines)) for group, lines in found.items())


def _cards(cards: CardSet) -> str:
    return _names(codes(cards))
