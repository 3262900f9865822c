"""Make path data short: whole half pixels, each command absolute or relative, whichever takes fewer characters."""

import re

TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)")
TAKES = {"M": 2, "L": 2, "T": 2, "H": 1, "V": 1, "Q": 4, "S": 4, "C": 6, "A": 7}
Halves = tuple[int, ...]


def packed(values: Halves) -> str:
    """Whole numbers in a row; a space only where no minus sign parts them already."""
    out = ""
    for value in values:
        out += (" " if out and value >= 0 else "") + str(value)
    return out


def spelled(letter: str, values: Halves) -> str:
    """The numbers of one command; an arc's two flags need no spaces around them."""
    if letter in "Aa":
        return f"{packed(values[:3])} {values[3]}{values[4]}{packed(values[5:])}"
    return packed(values)


def halves(letter: str, tokens: list[str]) -> Halves:
    """The numbers of one command in half pixels; an arc's turn and flags are not lengths."""
    flat = letter in "Aa"
    return tuple(round(float(t)) if flat and 2 <= i <= 4 else round(float(t) * 2) for i, t in enumerate(tokens))


def commands(data: str) -> list[tuple[str, Halves]]:
    """Path data taken apart: one letter with one set of numbers (in half pixels) each."""
    out: list[tuple[str, Halves]] = []
    tokens = TOKEN.findall(data)
    letter, at = "", 0
    while at < len(tokens):
        if tokens[at].isalpha():
            letter, at = tokens[at], at + 1
        size = TAKES.get(letter.upper(), 0)
        out.append((letter, halves(letter, tokens[at : at + size])))
        at += size
        if letter in "Mm":
            # Further pairs after a move are lines (SVG 2, 9.3.3).
            letter = "L" if letter == "M" else "l"
    return out


def shift(letter: str, values: Halves, x: int, y: int) -> Halves:
    """The numbers of a command moved by (x, y); an arc's radii and flags stay."""
    kind = letter.upper()
    if kind == "A":
        return (*values[:5], values[5] + x, values[6] + y)
    if kind in "HV":
        return (values[0] + (x if kind == "H" else y),)
    return tuple(value + (y if i % 2 else x) for i, value in enumerate(values))


def ends(letter: str, values: Halves, x: int, y: int) -> tuple[int, int]:
    """Return where the pen stands after an absolute command."""
    if letter == "H":
        return values[0], y
    if letter == "V":
        return x, values[0]
    return values[-2], values[-1]


def compact(data: str) -> str:
    """The same path in fewer characters."""
    out, last = "", ""
    x = y = start_x = start_y = 0
    for letter, values in commands(data):
        if letter in "Zz":
            out, last, x, y = out + "z", "z", start_x, start_y
            continue
        kind = letter.upper()
        fixed = values if letter.isupper() else shift(kind, values, x, y)
        # In whole half pixels: relative numbers add up without an error, so the two forms draw the same.
        moved = shift(kind, fixed, -x, -y)
        choices = []
        for name, numbers in ((kind, fixed), (kind.lower(), moved)):
            text = spelled(name, numbers)
            # SVG lets a repeated letter be left out, but numbers after an M are read as L.
            silent = name == last and name not in "Mm"
            choices.append((("" if text.startswith("-") else " ") + text if silent else name + text, name))
        text, last = min(choices, key=lambda choice: len(choice[0]))
        out += text
        x, y = ends(kind, fixed, x, y)
        if kind == "M":
            start_x, start_y = x, y
    return out
