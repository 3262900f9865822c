"""The card pictures: the file is what the code draws, it is light, and no two cards look alike without colour."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from engine.cards import CARDS
from scripts.cardart.pen import INKS, PAPER
from scripts.make_cards import TARGET, card_ids, main, sprite

MOST_BYTES = 90_000
LEAST_DIFFERENT = 0.08
"""Share of the pixels that differ clearly between any two cards."""

COMPARE = """
async ({sprite, ids, width}) => {
  const height = Math.round(width * 104 / 64);
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


def test_the_file_is_what_the_code_draws() -> None:
    assert TARGET.read_bytes() == sprite().encode(), "run: python scripts/make_cards.py"


def test_the_sprite_is_light() -> None:
    assert TARGET.stat().st_size <= MOST_BYTES


def test_every_card_has_its_symbol() -> None:
    expected = [f"c{card.code.replace('.', '0')}" for card in CARDS]
    assert symbols(sprite())[:48] == expected
    assert list(card_ids()) == [(card.month, card.rank) for card in CARDS]


def test_printed_glyphs_follow_the_engine() -> None:
    for card, content in zip(CARDS, sprite().split("<symbol ")[1:], strict=False):
        assert re.findall(r'href="#m-(\w+)"', content) == [card.category], card.code


def test_twin_chaff_carries_pips() -> None:
    for card, content in zip(CARDS, sprite().split("<symbol ")[1:], strict=False):
        pips = re.findall(r'href="#pip(\d)"', content)
        assert pips == ([str(card.rank - 2)] if card.rank > 2 and card.month != 11 else []), card.code


def test_eight_inks_on_one_paper() -> None:
    colours = set(re.findall(r"#[0-9A-Fa-f]{3,6}\b(?=\")", re.sub(r'href="[^"]+"', "", sprite())))
    assert colours == {*INKS, PAPER}
    assert len(INKS) == 8


def test_nothing_in_the_sprite_is_active() -> None:
    assert not re.search(r"<script|<style|style=|on\w+=|https?://(?!www\.w3\.org/2000/svg)", sprite())


@pytest.mark.parametrize("width", [64, 40])
def test_all_cards_are_told_apart_by_shape(page: Page, width: int) -> None:
    ids = symbols(sprite())[:48]
    found: dict[str, Any] = page.evaluate(COMPARE, {"sprite": sprite(), "ids": ids, "width": width})
    assert set(found) == {"grey", "protanopia", "deuteranopia", "tritanopia"}
    for sight, (share, one, other) in found.items():
        assert share > LEAST_DIFFERENT, f"{sight}: {one} and {other} differ in {share:.1%} of the pixels"


def test_the_script_writes_and_compares(tmp_path: Path) -> None:
    target = tmp_path / "cards.svg"
    assert main(["--out", str(target)]) == 0
    assert main(["--check", "--out", str(target)]) == 0
    target.write_bytes(target.read_bytes() + b" ")
    assert main(["--check", "--out", str(target)]) == 1
