"""Plain words: no riddles in what people and developers read, and no private name for a thing that has a usual one."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from scripts.compile_messages import LOCALE, entries
from tests.architecture.source import ROOMS, modules, name_of, trees_with
from tests.services.processes import ROOT

RIDDLES: Final = re.compile(r"\b(whoever|anew|so many|by itself|by themselves|whatever)\b", re.IGNORECASE)
FOREIGN: Final = ("docs/decisions/", "tests/data/", "tests/engine/mutants.md", "tests/attacks/own/corpus/",
                  "bots/licences/GPL-3.0-or-later.txt")  # fmt: skip
"""Records of their time, data of others, and lists that a program writes."""
THIS: Final = Path(__file__)
FORMER: Final = re.compile(
    r"(?:MOST|LONGEST|FEWEST|LEAST|LARGEST|SMALLEST)(?:_[A-Z_]+)?|AT_ONCE|FAR"  # MAX_, MIN_, BATCH_SIZE
    r"|_?ring_(?:soon|once|owed|on_commit|if_\w+|unless_rung|to_\w+)|bells?|_owed"  # wake-ups, notify
    r"|pulse|Pulse|Trade|TRADE|Went|Tail|is_behind|Kept|KeptQuerySet|KeptAsWritten|Hand|Fact|mishaps"
    r"|_?give_back\w*|fold_anew|fold_on|look_beside|another_like|renew_secrets|undo_move|tell_hooks|beneath"
    r"|BenchLine|bench_(?:lines?|of)|benched_of|(?:pair|club|with)_wishes|wishes_(?:of|page)|Book|SeatSaid|RoundSaid|LevelSaid"
    r"|judge_(?:walls|file|report|chain|stage|partners|rotation|mixed|boards|ladder)|Judged|JudgedReport"
    r"|tell_refusal|say_(?:deal|figure|knowledge|line|many|part|scores|step|value)|said_hash|UNTOLD|PAGES_TOLD|TOLD_S"
    r"|hold_(?:account|person|bot|versions|link|table)|links_held|requeue_held|kept_models|keep_password|kept_proof"
    r"|Wish|wish_of|WayPlan|VersionBenched|VersionUnbenched|BATCH_MOST|REST_MOST_S|is_resting|rests_until|count_anew"
    r"|note_(?:duration|fault|well|check|matches)|facts_of|drawn_anew"
    r"|forget_(?:answers|failed_logins|sessions|told|notices|mails|photos|deliveries|meters|ledgers|address)"
)
"""Private names of things that have a usual one (see docs/glossary.md), as whole identifiers."""


def _prose_of(path: Path) -> Iterator[tuple[int, str]]:
    """The comments and the texts with a space of a module that may hold a riddle, by their first line."""
    source = path.read_text(encoding="utf-8")
    if not RIDDLES.search(source):
        return  # cutting every module into tokens takes many times as long
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        is_text = token.type == tokenize.STRING and " " in token.string
        if token.type == tokenize.COMMENT or is_text:
            yield token.start[0], token.string


def _documents() -> Iterator[Path]:
    folders = [ROOT / name for name in (*ROOMS, "docs", "static", "templates")]
    found = [path for folder in folders for path in folder.rglob("*")]
    for path in [*found, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]:
        if path.suffix in (".md", ".html", ".txt", ".js", ".css") and not name_of(path).startswith(FOREIGN):
            yield path


def test_no_riddles_in_messages() -> None:
    found = [entry["msgid"] for entry in entries((LOCALE / "fr/LC_MESSAGES/django.po").read_text(encoding="utf-8"))]
    assert len(found) > 3000
    assert [text for text in found if RIDDLES.search(text)] == []


@pytest.mark.thorough
def test_no_riddles_in_comments_and_docstrings() -> None:
    found = [
        f"{name_of(path)}:{line}"
        for path in modules()
        if path != THIS
        for line, text in _prose_of(path)
        if RIDDLES.search(text)
    ]
    assert found == []


def test_no_riddles_in_pages_and_guides() -> None:
    found = [
        f"{name_of(path)}:{number}"
        for path in _documents()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if RIDDLES.search(line)
    ]
    assert found == []


def _names_of(tree: ast.Module) -> set[str]:
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    defined = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return names | {node.name for node in ast.walk(tree) if isinstance(node, defined)}


@pytest.mark.thorough
def test_no_private_names_in_code() -> None:
    parsed = trees_with(modules(), FORMER.fullmatch)
    found = {name_of(path): sorted(filter(FORMER.fullmatch, _names_of(tree))) for path, tree in parsed}
    assert {place: names for place, names in found.items() if names} == {}


@pytest.mark.parametrize("name", ["MOST_ROWS", "ring_on_commit", "give_back", "forget_mails", "KeptQuerySet"])
def test_a_private_name_is_found(name: str) -> None:
    assert FORMER.fullmatch(name)


@pytest.mark.parametrize("text", ["Draw it anew.", "Whoever has it", "It is sent by itself.", "after so many rounds"])
def test_a_riddle_is_found(text: str) -> None:
    assert RIDDLES.search(text)
