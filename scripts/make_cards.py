#!/usr/bin/env python3
"""Draw the 48 cards and write one SVG sprite; the same input gives the same bytes on every machine.

python scripts/make_cards.py            write static/cards/cards.svg
python scripts/make_cards.py --check    exit 1 if the file differs from what the code draws
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scripts.cardart.layouts import MONTHS
from scripts.cardart.marks import GLYPHS, back, frame, glyph, numeral_tab, pips, tab_shape
from scripts.cardart.pen import HEIGHT, INK, PAPER, RED, WIDTH, card_box
from scripts.cardart.stamps import STAMPS

TARGET = Path(__file__).resolve().parent.parent / "static" / "cards" / "cards.svg"
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


def card_ids() -> Iterator[tuple[int, int]]:
    """(month, rank) of all cards in code order."""
    for month in range(1, 13):
        for rank in range(1, 5):
            yield month, rank


def twin(month: int, rank: int) -> int:
    """How many pips a card wears: twin chaff is numbered, every other card has none."""
    return rank - 2 if rank > 2 and month != 11 else 0


def symbol(name: str, content: str) -> str:
    """One sprite entry with the outline every shape inherits; inside, one unit is half a pixel."""
    pen = f'transform="scale(.5)" fill="none" stroke="{INK}" stroke-width="4" '
    pen += 'stroke-linejoin="round" stroke-linecap="round"'
    return f'<symbol id="{name}" viewBox="{BOX}"><g {pen}>{content}</g></symbol>\n'


def part(name: str, content: str) -> str:
    """Something that several cards use."""
    return f'<g id="{name}">{content}</g>\n'


def card(month: int, rank: int) -> str:
    """The symbol of one card: paper, picture, frame, marks."""
    category = CATEGORIES[month].get(rank, "chaff")
    marks = use("edge") + numeral_tab(month) + use(f"m-{category}")
    if twin(month, rank):
        marks += use(f"pip{twin(month, rank)}")
    return symbol(f"c{month:02d}{rank:02d}", use("paper") + MONTHS[month - 1](rank) + marks)


def use(name: str) -> str:
    """A shared part at its own place."""
    return f'<use href="#{name}"/>'


def parts() -> str:
    """All that cards share: paper, edge, glyphs, pips, flowers and leaves."""
    shared = {"paper": card_box(PAPER, inset=1), "edge": frame(), "tab": tab_shape(), "pip1": pips(1), "pip2": pips(2)}
    shared |= {f"m-{name}": glyph(name) for name in GLYPHS}
    shared |= {name: draw() for name, draw in STAMPS.items()}
    return "".join(part(name, content) for name, content in shared.items())


def sprite() -> str:
    """The whole file."""
    cards = "".join(card(month, rank) for month, rank in card_ids())
    glyphs = "".join(symbol(f"g-{name}", use(f"m-{name}")) for name in GLYPHS)
    backs = symbol("back", back(RED, PAPER) + use("edge")) + symbol("back-dark", back(INK, PAPER) + use("edge"))
    return f'<svg xmlns="http://www.w3.org/2000/svg"><defs>\n{parts()}</defs>\n{cards}{glyphs}{backs}</svg>\n'


def main(arguments: list[str] | None = None) -> int:
    """Write the sprite, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("--out", type=Path, default=TARGET)
    options = parser.parse_args(arguments)
    drawn = sprite().encode()
    if options.check:
        return 0 if options.out.read_bytes() == drawn else 1
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_bytes(drawn)
    print(f"{options.out.name}: {len(drawn):,} bytes, {len(list(card_ids()))} cards")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
