#!/usr/bin/env python3
"""Cut the site's two fonts out of their full files: static/site/fonts/*.woff2, and their block in static/site/site.css.

    pip install fonttools brotli
    npm pack inter-ui@4.1.1 @expo-google-fonts/shippori-mincho      (or the same files from rsms.me and Google Fonts)
    python scripts/make_fonts.py InterVariable.woff2 ShipporiMincho_600SemiBold.ttf

Done once, and again when a heading gets a new Japanese sign: the files it writes are committed, so that neither a build
nor a test needs these tools (decision 0119). Both fonts are under the SIL Open Font License 1.1, whose texts lie beside
them.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from engine.games import GAMES  # noqa: E402  # found only by the line above
from scripts.compile_messages import LOCALE, messages  # noqa: E402  # as the one before

FOLDER: Final = ROOT / "static" / "site" / "fonts"
SHEET: Final = ROOT / "static" / "site" / "site.css"
BLOCK: Final = re.compile(r"(/\* fonts: [^\n]*\*/\n).*?(\n/\* end of fonts \*/)", re.DOTALL)

# Latin-1 and Extended-A (the long vowels of Japanese names in Latin letters), and the signs that pages use.
TEXT: Final = (
    "U+0020-007E,U+00A0-017F,U+0192,U+0218-021B,U+02C6,U+02DA,U+02DC,U+2009,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,"
    "U+202F,U+2030,U+2032,U+2033,U+2039,U+203A,U+20AC,U+2122,U+2153,U+2154,U+2190-2193,U+2212,U+2248,U+2260,U+2264,U+2265,"
    "U+25B2,U+25BC,U+2605,U+2713,U+2715,U+00D7"
)
DISPLAY: Final = (
    "U+0020-007E,U+00A0-00FF,U+0100,U+0101,U+0112,U+0113,U+012A,U+012B,U+014C,U+014D,U+0152,U+0153,U+016A,U+016B,"
    "U+2010-2014,U+2018-201D,U+2026,U+202F"
)
OF_THE_GAME: Final = "花見花札松梅桜藤菖蒲牡丹萩芒菊紅葉柳桐光短冊種役月大会戦結果順位表規則対局待手引探検索"
JAPANESE: Final = "U+3000-9FFF,U+FF??"
"""The unicode-range of mincho-ja.woff2: a browser loads that file only where a heading has one of these characters."""
MAX_SIGNS: Final = 280
"""Japanese signs of headings that the display font holds, the most frequent first; others come from the device."""
FEATURES: Final = "kern,liga,calt,ccmp,locl,mark,mkmk,tnum,case"
FIGURES: Final = "0123456789+−"
FREQUENT: Final = (
    "aaaaaaaabbccccddddeeeeeeeeeeeefffgghhhhhhiiiiiiijkllllmmmnnnnnnnoooooooopprrrrrrsssssstttttttttuuuvwwyy" + 18 * " "
)
"""Letters about as often as English and French have them."""


@dataclass(frozen=True, slots=True)
class Fallback:
    """A font of devices that stands in while ours is on its way. width: mean advance of `FREQUENT`, in em."""

    name: str
    local: tuple[str, ...]
    width: float
    weight: str = ""


# Means of `FREQUENT` from the fonts' own advance widths.
SANS: Final = (
    Fallback("Inter like Arial", ("Arial", "Liberation Sans", "Arimo", "Helvetica"), 0.446),
    Fallback("Inter like Arial", ("Arial Bold", "Liberation Sans Bold", "Arimo Bold"), 0.4841, "600 700"),
    Fallback("Inter like DejaVu", ("DejaVu Sans",), 0.5125),
    Fallback("Inter like DejaVu", ("DejaVu Sans Bold",), 0.579, "600 700"),
)
SERIF: Final = (
    Fallback("Mincho like Times", ("Times New Roman", "Liberation Serif", "Tinos", "Times"), 0.4058),
    Fallback("Mincho like DejaVu", ("DejaVu Serif",), 0.5183),
)


def mean_width(path: Path, weight: int = 0) -> float:
    """Return the mean advance of `FREQUENT` in em. weight: of a variable font; 0 for its default."""
    from fontTools.ttLib import TTFont
    from fontTools.varLib.instancer import instantiateVariableFont

    font: Any = TTFont(path)
    if weight and "fvar" in font:
        font = instantiateVariableFont(font, {"wght": weight})
    names, widths = font.getBestCmap(), font["hmtx"].metrics
    advances = [widths[names[ord(letter)]][0] for letter in FREQUENT]
    return float(sum(advances) / len(advances) / font["head"].unitsPerEm)


def lines_of(path: Path) -> Mapping[str, float]:
    """Return ascent, descent and gap between lines of a font in em."""
    from fontTools.ttLib import TTFont

    font: Any = TTFont(path)
    em, line = font["head"].unitsPerEm, font["hhea"]
    return {"ascent": line.ascent / em, "descent": -line.descent / em, "line-gap": line.lineGap / em}


def signs_of_headings() -> str:
    """Return the Japanese signs that headings of pages use most, those of the game and of titles of rulesets first."""
    japanese = messages((LOCALE / "ja" / "LC_MESSAGES" / "django.po").read_text(encoding="utf-8"))
    heading = re.compile(r"<h1[^>]*>(.*?)</h1>", re.DOTALL)
    quoted = re.compile(r'\{% translate "([^"]+)"|\{% blocktranslate[^%]*%\}(.*?)\{% endblocktranslate', re.DOTALL)
    counts: dict[str, int] = {}
    for template in sorted((ROOT / "templates").rglob("*.html")):
        for inside in heading.findall(template.read_text(encoding="utf-8")):
            for found in quoted.findall(inside):
                for sign in set(japanese.get(" ".join("".join(found).split()), "")):
                    counts[sign] = counts.get(sign, 0) + 1
    frequent = [sign for sign, _n in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])) if sign >= "\u3000"]
    titles = "".join(sign for game in GAMES.values() for title in game.words.ja.values() for sign in title)
    return "".join(list(dict.fromkeys(OF_THE_GAME + titles + "".join(frequent)))[:MAX_SIGNS])


def cut(source: Path, target: Path, *options: str) -> None:
    """Write the subset of a font as WOFF2. Its layout rules are kept as far as `FEATURES` says."""
    given = [
        "--flavor=woff2",
        f"--layout-features={FEATURES}",
        "--no-hinting",
        "--desubroutinize",
        "--name-IDs=0,1,2,13,14",
    ]
    command = [sys.executable, "-m", "fontTools.subset", str(source), f"--output-file={target}", *given, *options]
    subprocess.run(command, check=True)


def limited(source: Path, target: Path) -> Path:
    """Write the variable font with the weights that pages use, and one optical size. Return it."""
    axes = ["wght=400:700", "opsz=14"]
    command = [sys.executable, "-m", "fontTools.varLib.instancer", str(source), *axes, "-o", str(target)]
    subprocess.run(command, check=True)
    return target


def leave_words_alone(path: Path) -> Path:
    """Let tabular figures change figures and their signs alone, in place. Return the path.

    Inter widens spaces, hyphens and full stops, too, and pages ask for tabular figures everywhere: words would drift
    apart.
    """
    from fontTools.ttLib import TTFont

    font: Any = TTFont(path)
    names = font.getBestCmap()
    figures = {names[ord(sign)] for sign in FIGURES}
    table = font["GSUB"].table
    features = [each.Feature for each in table.FeatureList.FeatureRecord if each.FeatureTag == "tnum"]
    for index in {index for feature in features for index in feature.LookupListIndex}:
        for part in table.LookupList.Lookup[index].SubTable:
            mapping = getattr(part, "ExtSubTable", part).mapping
            for name in set(mapping) - figures:
                del mapping[name]
    font.save(path)
    return path


def face(name: str, file: str, weight: str, signs: str = "") -> str:
    """Return the rule of a font of ours. signs: its unicode-range, "" for all characters."""
    told = {"font-family": f'"{name}"', "font-weight": weight, "font-display": "swap", "src": f'url("fonts/{file}")'}
    return written({**told, "unicode-range": signs})


def like(fallback: Fallback, width: float, lines: Mapping[str, float]) -> str:
    """Return the rule of a device's font that takes the room of ours. width, lines: of ours."""
    scale = width / fallback.width
    source = ", ".join(f'local("{name}")' for name in fallback.local)
    told = {"font-family": f'"{fallback.name}"', "font-weight": fallback.weight, "src": source}
    room = {f"{what}-override": f"{round(100 * size / scale, 1):g}%" for what, size in lines.items()}
    return written({**told, "size-adjust": f"{scale:.1%}", **room})


def written(descriptors: Mapping[str, object]) -> str:
    """Return a rule of a sheet, a descriptor a line; empty ones are left out."""
    lines = "".join(f"  {name}: {value};\n" for name, value in descriptors.items() if value)
    return f"@font-face {{\n{lines}}}\n"


def rules(sans: Path, serif: Path) -> str:
    """Return the block of the sheet: both fonts and what stands in for them."""
    found = face("Inter", "inter.woff2", "400 700") + face("Shippori Mincho", "mincho.woff2", "500 700")
    found += face("Shippori Mincho", "mincho-ja.woff2", "500 700", JAPANESE)
    for each in SANS:
        found += like(each, mean_width(sans, 600 if each.weight else 400), lines_of(sans))
    return found + "".join(like(each, mean_width(serif), lines_of(serif)) for each in SERIF)


def main(arguments: list[str]) -> int:
    """Return 0, or 2 without the two full fonts."""
    if len(arguments) != 2:
        print(__doc__)
        return 2
    sans, serif = (Path(each) for each in arguments)
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        variable = leave_words_alone(limited(sans, Path(folder) / "inter.ttf"))
        cut(variable, FOLDER / "inter.woff2", f"--unicodes={TEXT}")
    cut(serif, FOLDER / "mincho.woff2", f"--unicodes={DISPLAY}")
    cut(serif, FOLDER / "mincho-ja.woff2", f"--text={signs_of_headings()}")
    block = rules(FOLDER / "inter.woff2", FOLDER / "mincho.woff2")
    sheet = SHEET.read_text(encoding="utf-8")
    SHEET.write_text(BLOCK.sub(lambda found: found[1] + block + found[2], sheet), encoding="utf-8")
    for each in sorted(FOLDER.glob("*.woff2")):
        print(f"{each.name}: {each.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
