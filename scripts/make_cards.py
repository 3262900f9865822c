#!/usr/bin/env python3
"""Draw the 48 cards in every theme, an SVG sprite each, and their emblems. The code gives the same bytes everywhere.

python scripts/make_cards.py            write static/cards/<theme>.svg and emblems.svg
python scripts/make_cards.py --check    exit 1 if a file differs from what the code draws
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scripts.cardart import emblems
from scripts.cardart.layouts import MONTHS
from scripts.cardart.marks import GLYPHS, back, frame, glyph, large_tab, numeral_tab, paper, pips
from scripts.cardart.pen import HEIGHT, INK, PAPER, RED, WIDTH
from scripts.cardart.plain import MIDDLE, SIGN_Y, plain
from scripts.cardart.restyle import OUTLINE, loud
from scripts.cardart.ribbons import slips
from scripts.cardart.stamps import STAMPS

FOLDER = Path(__file__).resolve().parent.parent / "static" / "cards"
BOX = f"0 0 {WIDTH} {HEIGHT}"
CATEGORIES = {
    1: {1: "bright", 2: "ribbon"},
    2: {1: "animal", 2: "ribbon"},
    3: {1: "bright", 2: "ribbon"},
    4: {1: "animal", 2: "ribbon"},
    5: {1: "animal", 2: "ribbon"},
    6: {1: "animal", 2: "ribbon"},
    7: {1: "animal", 2: "ribbon"},
    8: {1: "bright", 2: "animal"},
    9: {1: "animal", 2: "ribbon"},
    10: {1: "animal", 2: "ribbon"},
    11: {1: "bright", 2: "animal", 3: "ribbon"},
    12: {1: "bright"},
}


@dataclass(frozen=True, slots=True)
class Theme:
    """The dress of the cards. outline: px; marks: what lies over the picture of a month.

    picture: draws a card (month, rank); dress: what becomes of all that was drawn. glyph: where the roundel is that
    says a card's kind, None for none. has_kinds: it lies on each card, pips on twin chaff. has_stripes: blue ribbons
    are striped, for those who do not see that they are blue.
    """

    name: str
    outline: float
    picture: Callable[[int, int], str]
    marks: Callable[[int], str]
    glyph: tuple[float, float, float] | None
    dress: Callable[[str], str] = str
    has_kinds: bool = True
    has_stripes: bool = False


def card_ids() -> Iterator[tuple[int, int]]:
    """Yield (month, rank) of all cards in code order."""
    for month in range(1, 13):
        for rank in range(1, 5):
            yield month, rank


def twin(month: int, rank: int) -> int:
    """Return the number of pips of a card: twin chaff is numbered, every other card has none."""
    # November's ranks 3 and 4 are a ribbon and the Lightning, no twins.
    return rank - 2 if rank > 2 and month != 11 else 0


def category_of(month: int, rank: int) -> str:
    """Return what is printed on a card."""
    return CATEGORIES[month].get(rank, "chaff")


def drawn(month: int, rank: int) -> str:
    """The picture of plant and subject."""
    return MONTHS[month - 1](rank)


def in_words(month: int, rank: int) -> str:
    """The card of the text theme."""
    return plain(month, rank, category_of(month, rank), twin(month, rank))


def bare(_month: int) -> str:
    """No mark at all over the picture."""
    return ""


THEMES = (
    Theme("classic", 2, drawn, numeral_tab, (10.5, 27.5, 1)),
    Theme("pictures", 2, drawn, bare, None, has_kinds=False),
    Theme("contrast", OUTLINE, drawn, large_tab, (12, 91.5, 1.2), loud, has_stripes=True),
    Theme("text", OUTLINE, in_words, bare, (MIDDLE, SIGN_Y, 2.9), loud, has_kinds=False),
)


def symbol(name: str, content: str, outline: float, box: str = BOX) -> str:
    """Return one sprite entry with the outline every shape inherits; inside, one unit is half a pixel."""
    pen = f'transform="scale(.5)" fill="none" stroke="{INK}" stroke-width="{outline * 2:g}" '
    pen += 'stroke-linejoin="round" stroke-linecap="round"'
    return f'<symbol id="{name}" viewBox="{box}"><g {pen}>{content}</g></symbol>\n'


def part(name: str, content: str) -> str:
    """Something that several cards use, of more than one element.

    A single one stands in each card itself: a browser makes a tree of its own for each use in each card it shows.
    """
    return f'<g id="{name}">{content}</g>\n'


def use(name: str) -> str:
    """A shared part at its own place."""
    return f'<use href="#{name}"/>'


def card(theme: Theme, month: int, rank: int) -> str:
    """The symbol of one card: paper, picture, frame, marks."""
    marks = frame() + theme.marks(month)
    if theme.has_kinds:
        marks += use(f"m-{category_of(month, rank)}")
        marks += use(f"pip{twin(month, rank)}") if twin(month, rank) else ""
    return symbol(f"c{month:02d}{rank:02d}", paper() + theme.picture(month, rank) + marks, theme.outline)


def parts(theme: Theme) -> str:
    """Return all that cards share: glyphs, pips, flowers and leaves."""
    shared: dict[str, str] = {}
    if theme.glyph:
        x, y, size = theme.glyph
        shared |= {f"m-{name}": glyph(name, x=x, y=y, size=size) for name in GLYPHS}
    if theme.has_kinds:
        shared |= {"pip1": pips(1), "pip2": pips(2)}
    if theme.picture is drawn:
        shared |= {name: draw() for name, draw in (STAMPS | slips(is_striped=theme.has_stripes)).items()}
    return "".join(part(name, content) for name, content in shared.items())


def sprite(theme: Theme) -> str:
    """The whole file of a theme: c0101 .. c1204, a glyph per kind (g- on its card, i- alone), two backs."""
    line = theme.outline
    cards = "".join(card(theme, month, rank) for month, rank in card_ids())
    # Without a glyph of its own a card wears none either when a preset counts it as another kind.
    glyphs = "".join(symbol(f"g-{name}", use(f"m-{name}") if theme.glyph else "", line) for name in GLYPHS)
    glyphs += "".join(symbol(f"i-{name}", glyph(name, x=8, y=8), 2, "0 0 16 16") for name in GLYPHS)
    backs = symbol("back", back(RED, PAPER) + frame(), line)
    backs += symbol("back-dark", back(INK, PAPER) + frame(), line)
    body = theme.dress(f"<defs>\n{parts(theme)}</defs>\n{cards}{glyphs}{backs}")
    return f'<svg xmlns="http://www.w3.org/2000/svg">{body}</svg>\n'


def emblem_sprite() -> str:
    """Return the file of the emblems: e0101 .. e1204, which take their colour from the page."""
    shared = {"ground": emblems.ground()} | {name: draw() for name, draw in (STAMPS | slips(is_striped=False)).items()}
    box = f"0 0 {emblems.SIDE} {emblems.SIDE}"
    cards = "".join(
        symbol(
            f"e{month:02d}{rank:02d}",
            use("ground") + emblems.cut(drawn(month, rank), month, rank) + emblems.edge(),
            2,
            box,
        )
        for month, rank in card_ids()
    )
    defs = "".join(part(name, content) for name, content in shared.items())
    return f'<svg xmlns="http://www.w3.org/2000/svg"><defs>\n{defs}</defs>\n{cards}</svg>\n'


def main(arguments: list[str] | None = None) -> int:
    """Write the sprites, or compare them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the sprites")
    options = parser.parse_args(arguments)
    # All drawn before any is written: a mistake in one theme leaves the files as they were.
    made = {options.out / f"{theme.name}.svg": sprite(theme).encode() for theme in THEMES}
    made[options.out / "emblems.svg"] = emblem_sprite().encode()
    if options.check:
        return 0 if all(path.is_file() and path.read_bytes() == content for path, content in made.items()) else 1
    options.out.mkdir(parents=True, exist_ok=True)
    for path, content in made.items():
        path.write_bytes(content)
        print(f"{path.name}: {len(content):,} bytes, {len(list(card_ids()))} cards")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
