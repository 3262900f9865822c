"""The card pictures: files are what the code draws, they are light, and no two cards look alike without colour."""

import re
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from playwright.sync_api import Page

from accounts.models import User
from engine.cards import CARDS
from scripts.cardart.pen import INKS, PAPER
from scripts.cardart.restyle import LOUD, WHITE
from scripts.make_cards import FOLDER, THEMES, Theme, card_ids, emblem_sprite, main, sprite

MAX_BYTES = 90_000
MIN_DIFFERENT = MappingProxyType({"classic": 0.08, "pictures": 0.08, "contrast": 0.08, "text": 0.035, "emblems": 0.08})
"""Share of the pixels that differ clearly (by 48 of 255) between any two cards of a theme, for every kind of sight.

A picture fills its card; two of the text theme may differ in one digit alone, black on white, and that is 3.5 %.
"""
BY_THEME = pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
MARKED = pytest.mark.parametrize("theme", [each for each in THEMES if each.has_kinds], ids=lambda theme: theme.name)
"""The themes with pictures and with marks on them."""

ACTIVE = re.compile(r"<script|<style|style=|on\w+=|https?://(?!www\.w3\.org/2000/svg)")
COMPARE = """
async ({sprite, ids, width, height}) => {
  const file = new DOMParser().parseFromString(sprite, 'image/svg+xml').documentElement;
  const filters = {
    grey: [[.299, .587, .114], [.299, .587, .114], [.299, .587, .114]],
    protanopia: [[.152, 1.053, -.205], [.115, .786, .099], [-.004, -.048, 1.052]],
    deuteranopia: [[.367, .861, -.228], [.280, .673, .047], [-.012, .043, .969]],
    tritanopia: [[1.256, -.077, -.179], [-.078, .931, .148], [.005, .691, .304]],
  };
  const draw = async (id) => {
    file.setAttribute('width', width); file.setAttribute('height', height);
    const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
    use.setAttribute('href', '#' + id); file.append(use);
    const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(file)], {type: 'image/svg+xml'}));
    use.remove();
    const image = new Image(); image.src = url; await image.decode();
    const canvas = new OffscreenCanvas(width, height), pen = canvas.getContext('2d');
    pen.drawImage(image, 0, 0, width, height);
    return pen.getImageData(0, 0, width, height).data;
  };
  const pictures = [];
  for (const id of ids) pictures.push(await draw(id));
  const far = (a, b) => a - b > 48 || b - a > 48;
  const result = {};
  for (const [name, rows] of Object.entries(filters)) {
    const seen = pictures.map((data) => {
      const out = new Float32Array(data.length / 4 * 3);
      for (let p = 0; p < data.length / 4; p += 1)
        for (let c = 0; c < 3; c += 1)
          out[p * 3 + c] = rows[c][0] * data[p * 4] + rows[c][1] * data[p * 4 + 1] + rows[c][2] * data[p * 4 + 2];
      return out;
    });
    let least = [2, '', ''];
    for (let i = 0; i < seen.length; i += 1)
      for (let j = 0; j < i; j += 1) {
        let differ = 0;
        const one = seen[i], two = seen[j];
        for (let p = 0; p < one.length; p += 3)
          if (far(one[p], two[p]) || far(one[p + 1], two[p + 1]) || far(one[p + 2], two[p + 2])) differ += 1;
        const share = differ / (seen[i].length / 3);
        if (share < least[0]) least = [share, ids[j], ids[i]];
      }
    result[name] = least;
  }
  return result;
}
"""


def symbols(text: str) -> list[str]:
    return re.findall(r'<symbol id="([^"]+)"', text)


def test_an_account_may_choose_every_theme_and_no_other() -> None:
    assert [theme.name for theme in THEMES] == User.Cards.values
    assert {path.name for path in FOLDER.iterdir()} == {"emblems.svg", *(f"{theme.name}.svg" for theme in THEMES)}


@BY_THEME
def test_the_file_is_what_the_code_draws(theme: Theme) -> None:
    file = FOLDER / f"{theme.name}.svg"
    assert file.read_bytes() == sprite(theme).encode(), "run: python scripts/make_cards.py"


def test_the_rings_of_a_back_end_within_its_frame() -> None:
    back = sprite(THEMES[0]).partition('<symbol id="back"')[2].partition("</symbol>")[0]
    (rings,) = re.findall(r'<path[^>]* d="(M[^"]+)"', back)
    ends = [float(left) for left in re.findall(r"M(-?[\d.]+)", rings)]
    assert ends
    assert min(ends) >= 1, "beyond the round corners they would be specks on the table"


def test_every_sprite_is_light() -> None:
    sizes = {path.name: path.stat().st_size for path in FOLDER.iterdir()}
    assert {name: size for name, size in sizes.items() if size > MAX_BYTES} == {}


def test_emblems_are_what_the_code_draws_and_take_their_colour_from_the_page() -> None:
    text = emblem_sprite()
    assert (FOLDER / "emblems.svg").read_text() == text, "run: python scripts/make_cards.py"
    assert symbols(text) == [f"e{card.code.replace('.', '0')}" for card in CARDS]
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(re.findall(r' id="([^"]+)"', text))
    assert 'fill="currentColor"' in text
    assert not ACTIVE.search(text)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_pictures_without_numbers_wear_no_mark(theme: Theme) -> None:
    cards = sprite(theme).partition('<symbol id="g-')[0]
    marks = set(re.findall(r'href="#((?:tab|pip|m-)\w*)"', cards))
    assert bool(marks) == (theme.name in ("classic", "contrast"))


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("theme", THEMES[:3], ids=lambda theme: theme.name)
def test_ribbons_carry_what_real_decks_write_on_them(theme: Theme) -> None:
    """あかよろし on pine and plum, みよしの on cherry; blue ribbons are plain where their colour can be seen."""
    worn = {
        card.code: re.findall(r'href="#(akayoroshi|miyoshino|red-slip|blue-slip)"', content)
        for card, content in zip(CARDS, sprite(theme).split("<symbol ")[1:], strict=False)
        if card.category == "ribbon"
    }
    texts = {"01.2": "akayoroshi", "02.2": "akayoroshi", "03.2": "miyoshino"}
    blue = dict.fromkeys(("06.2", "09.2", "10.2"), "blue-slip")
    assert worn == {code: [(texts | blue).get(code, "red-slip")] for code in worn}
    slip = sprite(theme).split('<g id="blue-slip">')[1].partition("</g>")[0]
    assert (slip.count("<path") > 2) == (theme.name == "contrast")


@BY_THEME
def test_every_card_has_its_symbol_and_so_has_all_else(theme: Theme) -> None:
    found = symbols(sprite(theme))
    assert found[:48] == [f"c{card.code.replace('.', '0')}" for card in CARDS]
    kinds = ("bright", "animal", "ribbon", "chaff")
    assert set(found[48:]) == {*(f"{part}-{kind}" for part in "gi" for kind in kinds), "back", "back-dark"}
    assert list(card_ids()) == [(card.month, card.rank) for card in CARDS]


@BY_THEME
def test_what_a_symbol_uses_is_there(theme: Theme) -> None:
    text = sprite(theme)
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(re.findall(r' id="([^"]+)"', text))


@MARKED
def test_printed_glyphs_follow_the_engine(theme: Theme) -> None:
    for card, content in zip(CARDS, sprite(theme).split("<symbol ")[1:], strict=False):
        assert re.findall(r'href="#m-(\w+)"', content) == [card.category], card.code


@MARKED
def test_twin_chaff_carries_pips(theme: Theme) -> None:
    for card, content in zip(CARDS, sprite(theme).split("<symbol ")[1:], strict=False):
        pips = re.findall(r'href="#pip(\d)"', content)
        assert pips == ([str(card.rank - 2)] if card.rank > 2 and card.month != 11 else []), card.code


@BY_THEME
def test_eight_inks_on_one_paper(theme: Theme) -> None:
    colours = set(re.findall(r"#[0-9A-Fa-f]{3,6}\b(?=\")", re.sub(r'href="[^"]+"', "", sprite(theme))))
    assert len(INKS) == 8
    if theme.name in ("classic", "pictures"):
        assert colours == {*INKS, PAPER}
    else:
        assert colours <= set(LOUD.values())
        assert WHITE in colours


@BY_THEME
def test_outlines_are_as_wide_as_the_theme_says(theme: Theme) -> None:
    width = {"contrast": 3, "text": 3}.get(theme.name, 2)
    found = re.search(r'id="c0101".*?stroke-width="(\d+)"', sprite(theme))
    assert found is not None
    assert int(found[1]) == 2 * width, "inside the sprite a unit is half a pixel"


@BY_THEME
def test_nothing_in_the_sprite_is_active(theme: Theme) -> None:
    assert not ACTIVE.search(sprite(theme))


def require_different(page: Page, name: str, text: str, width: int, height: int) -> None:
    """Compare the 48 pictures of a sprite, drawn this large, with each other in every kind of sight."""
    sent = {"sprite": text, "ids": symbols(text)[:48], "width": width, "height": height}
    found: dict[str, Any] = page.evaluate(COMPARE, sent)
    assert set(found) == {"grey", "protanopia", "deuteranopia", "tritanopia"}
    for sight, (share, one, other) in found.items():
        least = MIN_DIFFERENT[name]
        assert share > least, f"{sight}: {one} and {other} differ in {share:.1%} of the pixels"


@pytest.mark.slow
@pytest.mark.parametrize("width", [64, 40, 24])
@BY_THEME
def test_all_cards_are_told_apart_by_shape(page: Page, theme: Theme, width: int) -> None:
    require_different(page, theme.name, sprite(theme), width, round(width * 104 / 64))


@pytest.mark.slow
@pytest.mark.parametrize("width", [64, 20])
def test_all_emblems_are_told_apart_by_shape(page: Page, width: int) -> None:
    require_different(page, "emblems", emblem_sprite(), width, width)


@pytest.mark.thorough
def test_the_script_writes_and_compares(tmp_path: Path) -> None:
    assert main(["--out", str(tmp_path)]) == 0
    assert main(["--check", "--out", str(tmp_path)]) == 0
    changed = tmp_path / "contrast.svg"
    changed.write_bytes(changed.read_bytes() + b" ")
    assert main(["--check", "--out", str(tmp_path)]) == 1
    changed.unlink()
    assert main(["--check", "--out", str(tmp_path)]) == 1
