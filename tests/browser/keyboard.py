"""Hands without a mouse: Tab until the wanted thing has focus, which must be seen; a trap never gets there."""

from __future__ import annotations

from typing import Final, Literal

from playwright.sync_api import Locator, Page

MAXIMUM: Final = 220
"""Presses that reach everything on any page of ours."""
Role = Literal["button", "checkbox", "combobox", "link", "textbox"]
HAS_IT: Final = "each => each === document.activeElement"
IS_SEEN: Final = """() => {
  const at = document.activeElement;
  const style = getComputedStyle(at);
  const box = at.getBoundingClientRect();
  const ring = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
  const inside = box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  return ring && inside;
}"""


class Hands:
    """The keyboard of one page. acts: how often something was opened, sent or begun to be filled in."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.acts = 0

    def to(self, role: Role, name: str, *, exact: bool = True) -> None:
        """Focus by Tab alone."""
        self.reach(self.page.get_by_role(role, name=name, exact=exact).first, name)

    def reach(self, wanted: Locator, name: str) -> None:
        """Do the same to something found otherwise. name: for the message."""
        wanted.wait_for()
        for _press in range(MAXIMUM):
            self.page.keyboard.press("Tab")
            if wanted.evaluate(HAS_IT):
                assert self.page.evaluate(IS_SEEN), f"the focus on {name!r} is not seen"
                return
        raise AssertionError(f"Tab does not lead to {name!r}: a trap, or it takes no focus")

    def press(self, role: Role, name: str, *, exact: bool = True) -> None:
        """Go there and press Enter; the next page is there afterwards."""
        self.to(role, name, exact=exact)
        self.acts += 1
        self.page.keyboard.press("Enter")
        self.page.wait_for_load_state()

    def write(self, name: str, text: str, *, exact: bool = True) -> None:
        """Go to a box and put this in it in place of what is there."""
        self.to("textbox", name, exact=exact)
        self.type(text)

    def type(self, text: str) -> None:
        """Type in place of what is in the box that has the focus."""
        self.acts += 1
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(text)

    def choose(self, name: str, text: str) -> None:
        """Go to a list and type the first letters of a choice."""
        self.to("combobox", name)
        self.acts += 1
        self.page.keyboard.type(text)
