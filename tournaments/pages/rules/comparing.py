"""Rulesets side by side: only what differs, from the data the engine plays by."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import reduce
from itertools import groupby
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from engine.cards import codes
from engine.game import Preset
from engine.games import GAMES, PRESETS, option_table, ruleset
from engine.words import Combination
from tournaments.pages.rules.rules import clauses_of, deal_chart, option_of, worth_of
from web.page import render_page

MAXIMUM: Final = 4
NAMES: Final = ("a", "b", "c", "d")
"""Names of the choices in the query: /rules/compare/?a=hawaii&b=paradise"""
NOTHING: Final = "–"
SMALL: Final = frozenset({"a", "an", "the", "of", "to", "in", "is", "are", "le", "la", "les", "un", "une", "des", "du"})
"""Words that tell no rule from another: to mark them alone would mark nothing."""
SHOWN_FIRST: Final = ("hawaii", "french")
"""Two rulesets of one game that differ in much: what the page shows before anything is chosen."""


@dataclass(frozen=True, slots=True)
class Row:
    """One rule in each of the rulesets. id: of an option, for the link to its place on the ruleset's page.

    clauses: per ruleset the paragraph that says it, (id, title), None where there is none. cards: codes of the card
    that the rule is about, if any.
    """

    title: str
    cells: tuple[str, ...]
    id: str = ""
    clauses: tuple[tuple[str, str] | None, ...] = ()
    cards: tuple[str, ...] = ()

    @property
    def differs(self) -> bool:
        return len(set(self.cells)) > 1


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words of a cell in a row. differs: not all cells of the row have them."""

    text: str
    differs: bool


@dataclass(frozen=True, slots=True)
class Cell:
    """What one ruleset says. phrases: without the last word, which stands by the link and is never parted from it.

    anchor: where its page says more, "" where it does not; about: what is said there. is_apart: in a cell of its row
    more words differ than not, so that to mark them would mark nothing.
    """

    preset: Preset
    phrases: tuple[Phrase, ...]
    last: Phrase
    anchor: str
    about: str
    is_apart: bool


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """Show two to four rulesets. Without a choice: two that differ in much; with one: another of its game beside it."""
    chosen, unknown = chosen_in([request.GET.get(name, "") for name in NAMES])
    if NAMES[1] not in request.GET and not unknown:
        chosen = beside(chosen)
    found = tables_of(chosen) if len(chosen) > 1 else ()
    tables = [(title, [(row, cells_of(chosen, row)) for row in rows]) for title, rows in found if rows]
    context = {
        "chosen": chosen,
        "unknown": unknown,
        "choices": [(name, chosen[n].id if n < len(chosen) else "") for n, name in enumerate(NAMES)],
        "presets": PRESETS.values(),
        "tables": tables,
        "differing": sum(len(rows) for _, rows in tables),
        "widest": MAXIMUM,
    }
    return render_page(request, "pages/rules_compare.html", context)


def beside(chosen: Sequence[Preset]) -> list[Preset]:
    """Return the rulesets to compare where no second one was asked for."""
    if not chosen:
        return [PRESETS[each] for each in SHOWN_FIRST]
    first, *more = chosen
    others = [each for each in PRESETS.values() if each.game == first.game and each not in chosen]
    return [first, *(more or others[:1])]


def cells_of(chosen: Sequence[Preset], row: Row) -> list[Cell]:
    """Return a row's cells; each leads to the paragraph that says it, else to the option."""
    clauses = row.clauses or (None,) * len(chosen)
    texts = phrases_of(row.cells)
    is_apart = any(_is_apart(said) for said in texts)
    return [
        Cell(preset, *_parted(said), *(clause or (row.id, row.title)), is_apart)
        for preset, said, clause in zip(chosen, texts, clauses, strict=True)
    ]


def _is_apart(said: Sequence[Phrase]) -> bool:
    """Return whether more than half of the words of a cell differ."""
    words = [phrase.differs for phrase in said for _word in phrase.text.split()]
    return 2 * sum(words) > len(words)


def _parted(said: tuple[Phrase, ...]) -> tuple[tuple[Phrase, ...], Phrase]:
    """Return the phrases without the last word, and that word."""
    *first, end = said or (Phrase("", False),)
    before, _space, word = end.text.rpartition(" ")
    return (*first, *((Phrase(before, end.differs),) if before else ())), Phrase(word, end.differs)


def phrases_of(cells: Sequence[str]) -> list[tuple[Phrase, ...]]:
    """Return the texts of cells cut where they part: the words that all have, in one order, differ in none."""
    words = [cell.split() for cell in cells]
    common = reduce(_shared, words)
    return [tuple(_phrases(each, common)) for each in words]


def _shared(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """Return the words that both have, in the same order."""
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    return [word for block in blocks for word in one[block.a : block.a + block.size]]


def _phrases(words: Sequence[str], common: Sequence[str]) -> Iterable[Phrase]:
    blocks = SequenceMatcher(None, words, common, autojunk=False).get_matching_blocks()
    shared = {place for block in blocks for place in range(block.a, block.a + block.size)}
    for differs, group in groupby(enumerate(words), key=lambda each: each[0] not in shared):
        said = [word for _place, word in group]
        yield Phrase(" ".join(said), differs and not SMALL.issuperset(word.casefold() for word in said))


def chosen_in(wanted: Iterable[str]) -> tuple[list[Preset], list[str]]:
    """Return the rulesets that were named, each once, and the names that no ruleset has."""
    asked = list(dict.fromkeys(each.strip()[:40] for each in wanted if each.strip()))
    return [PRESETS[each] for each in asked if each in PRESETS], [each for each in asked if each not in PRESETS]


def tables_of(chosen: Sequence[Preset]) -> Iterable[tuple[str, list[Row]]]:
    """Yield the differences under their headings."""
    yield _("At the table"), differing(figures(chosen))
    yield _("What is dealt"), differing(deals(chosen))
    # Options of two games have no common names: a table of them would be empty cells.
    if len({preset.game for preset in chosen}) == 1:
        yield _("Rules"), differing(options(chosen))
    yield _("What cards are worth"), differing(values(chosen))
    yield _("Yaku"), differing(combinations(chosen))


def differing(rows: Iterable[Row]) -> list[Row]:
    """Return the rows that are not the same in all of them."""
    return [row for row in rows if row.differs]


def figures(chosen: Sequence[Preset]) -> Iterable[Row]:
    """Yield what a player asks first."""
    yield _row(_("Game"), chosen, lambda preset: str(_(GAMES[preset.game].words.title) or preset.game))
    yield _row(_("Players"), chosen, lambda preset: "{}–{}".format(*GAMES[preset.game].seat_range))
    yield _row(_("Deals per match"), chosen, lambda preset: str(ruleset(preset.id).options.rounds))
    yield _row(_("Counted by"), chosen, lambda preset: str(_(GAMES[preset.game].words.unit)))
    target = _("Points that win the match")
    yield _row(target, chosen, lambda preset: str(getattr(ruleset(preset.id).options, "target", 0) or NOTHING))


def deals(chosen: Sequence[Preset]) -> Iterable[Row]:
    """Yield what is dealt by the number of players, as "hand, field, pile"."""
    for seats in range(2, 8):
        title = _("%(n)d players: hand, field, pile") % {"n": seats}
        yield _row(title, chosen, lambda preset, seats=seats: _dealt(preset, seats))  # type: ignore[misc]  # mypy sees no default of a lambda


def _dealt(preset: Preset, seats: int) -> str:
    line = next((line for line in deal_chart(preset.id) if line.seats == seats), None)
    return f"{line.hand}, {line.field}, {line.pile}" if line else NOTHING


def options(chosen: Sequence[Preset]) -> Iterable[Row]:
    """Yield every option of the game that all of them are of."""
    for info in option_table(chosen[0].game):
        lines = [option_of(preset.id, info) for preset in chosen]
        clauses = tuple(line.clause for line in lines)
        cards = _cards_of([info.id, *(clause[0] for clause in clauses if clause)], chosen)
        yield Row(lines[0].name, tuple(line.meaning for line in lines), info.id, clauses, cards)


def _cards_of(ids: Iterable[str], chosen: Sequence[Preset]) -> tuple[str, ...]:
    """Return the cards of the paragraph that a word of these ids names: `gaji_wild` is about the Lightning.

    ids: of an option and of the paragraphs that say it.
    """
    words = {word for each in ids for word in each.replace("_", "-").split("-")}
    about = (each for preset in chosen for each in clauses_of(preset.id) if each.id in words and each.cards)
    return next((tuple(codes(each.cards)) for each in about), ())


def values(chosen: Sequence[Preset]) -> Iterable[Row]:
    """Yield how many cards have each value."""
    worths = [dict(worth_of(GAMES[preset.game].words.values)) for preset in chosen]
    for value in sorted({value for each in worths for value in each}, reverse=True):
        counts = tuple(str(len(each[value])) if value in each else NOTHING for each in worths)
        yield Row(_("Cards of %(n)d points") % {"n": value}, counts)


def combinations(chosen: Sequence[Preset]) -> Iterable[Row]:
    """Yield the worth of each combination, or what it takes, in each of them."""
    listed = [{each.name: each for each in GAMES[preset.game].words.combinations} for preset in chosen]
    for name in dict.fromkeys(name for each in listed for name in each):
        cells = (_worth(preset, each.get(name)) for preset, each in zip(chosen, listed, strict=True))
        yield Row(_(name), tuple(cells))


def _worth(preset: Preset, found: Combination | None) -> str:
    """Return the worth of a combination. Sakura's take from the others, as much as the ruleset says; others count for
    their holder.
    """
    options = ruleset(preset.id).options
    penalty = getattr(options, "yaku_penalty", 0)
    if found is None:
        return NOTHING
    return f"−{penalty}" if penalty else str(found.worth_in(options) or NOTHING)


def _row(title: str, chosen: Sequence[Preset], cell: Callable[[Preset], str]) -> Row:
    return Row(title, tuple(cell(preset) for preset in chosen))
