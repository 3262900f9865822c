"""Blocks of code of the guides and of the texts at the front door, with what the fence says of each."""

from __future__ import annotations

from dataclasses import dataclass

from guides.reading import CODE, markdown
from tests.services.processes import ROOT

COMMANDS = ("hanami ", "make ", "python manage.py ")
NOT_RUN = "not-run:"


@dataclass(frozen=True, slots=True)
class Block:
    """A block of code. where: "docs/09-the-kit.md:18"; kind: first word of the fence; live: it needs a service."""

    where: str
    kind: str
    live: bool
    reason: str
    content: str

    @property
    def file(self) -> str:
        return self.where.partition(":")[0]

    @property
    def is_bot(self) -> bool:
        return self.kind == "python" and self.content.startswith(("# bot.py", "def choose("))

    @property
    def fault(self) -> str:
        """Return how a bot of the guides is meant to fail; "" if it plays."""
        return self.content.partition("\n")[0].partition(" fails: ")[2].strip()


def texts() -> list[str]:
    """Everything that is read by people who are about to type something."""
    guides = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))
    return ["README.md", "CONTRIBUTING.md", *guides]


def blocks() -> list[Block]:
    """Return all of them, in order."""
    parser = markdown()
    found = []
    for name in texts():
        for token in parser.parse((ROOT / name).read_text(encoding="utf-8")):
            if token.type in CODE and token.map:
                before, _mark, reason = token.info.partition(NOT_RUN)
                kind, _space, more = before.strip().partition(" ")
                where = f"{name}:{token.map[0] + 1}"
                found.append(Block(where, kind, more.strip() == "live", reason.strip(), token.content))
    return found


def inline_commands() -> list[tuple[str, str]]:
    """Commands named within a sentence: (where, command)."""
    found: list[tuple[str, str]] = []
    for name in texts():
        for token in markdown().parse((ROOT / name).read_text(encoding="utf-8")):
            spans = [child.content for child in token.children or [] if child.type == "code_inline"]
            line = (token.map or [0])[0] + 1
            found += [(f"{name}:{line}", span) for span in spans if span.startswith(COMMANDS)]
    return found
