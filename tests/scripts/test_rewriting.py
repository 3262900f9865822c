"""A module under another import root: what is renamed, what stays, and what nobody may guess."""

from __future__ import annotations

import pytest

from scripts.distributions.rewriting import CannotRewrite, Roots, rewrite
from scripts.distributions.rooms import CODES, DISTRIBUTIONS, ENGINE, RENAMED, modules, sources
from scripts.distributions.staging import version

MODULES = frozenset(
    ("engine", "engine.cards", "engine.games", "engine.games.koikoi", "bots", "bots.sdk", "bots.runner", "kit",
     "kit.service")
)  # fmt: skip
ROOTS = Roots(
    {"engine": "hanafuda", "bots": "hanami_kit.bots", "kit": "hanami_kit"}, MODULES, frozenset({"kit.service"})
)


def again(source: str) -> str:
    return rewrite(source, "a.py", ROOTS).source


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("from engine.cards import CODES", "from hanafuda.cards import CODES"),
        ("from engine import games", "from hanafuda import games"),
        ("from engine import (\n    games,  # all\n)", "from hanafuda import (\n    games,  # all\n)"),
        ("import engine.cards as cards, json", "import hanafuda.cards as cards, json"),
        ("import bots.sdk\nx = bots.sdk.points(1)", "import hanami_kit.bots.sdk\nx = hanami_kit.bots.sdk.points(1)"),
        ("if 1:\n    from  kit import home; import engine", "if 1:\n    from  hanami_kit import home; import hanafuda"),
        ("é = 'ü'; from engine import games", "é = 'ü'; from hanafuda import games"),
    ],
)  # fmt: skip
def test_imports_and_what_they_bind(old: str, new: str) -> None:
    assert again(old) == new


@pytest.mark.parametrize(
    "source",
    [
        "from . import engine",
        "from .engine import cards",
        "from ..kit import x",
        "import engineering\nfrom kitchen import bots",
        "engine = 3\nprint(engine, match.engine.cards)",
        'facts = {"engine": 1, "kit": "engine"}',
    ],
)
def test_relative_imports_and_other_things_of_these_names_stay(source: str) -> None:
    assert again(source) == source


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('import_module("engine.games.koikoi")', 'import_module("hanafuda.games.koikoi")'),
        ('SERVE = "bots.sdk.loop:serve"', 'SERVE = "hanami_kit.bots.sdk.loop:serve"'),
        ("run(['python', '-c', 'from bots.runner import x; x()'])",
         "run(['python', '-c', 'from hanami_kit.bots.runner import x; x()'])"),
        ('"""Begin with `python -m kit`."""', '"""Begin with `python -m hanami_kit`."""'),
        ('from importlib.resources import files\nfiles("kit").joinpath("templates")',
         'from importlib.resources import files\nfiles("hanami_kit").joinpath("templates")'),
        ("# see engine.cards\n", "# see hanafuda.cards\n"),
        ('"""One.\n\nThen `engine.games`, and\nengine.cards.\n"""',
         '"""One.\n\nThen `hanafuda.games`, and\nhanafuda.cards.\n"""'),
        ('code = f"engine.games {1}"', 'code = f"hanafuda.games {1}"'),
    ],
)  # fmt: skip
def test_modules_in_strings_and_prose(old: str, new: str) -> None:
    assert again(old) == new


@pytest.mark.parametrize(
    "source",
    [
        'code = "engine.error"',  # no module has this name
        'code = "kit.service"',  # one has, and this is the code of an error all the same
        'path = "tests/engine.cards"',
        'files("templates")',
    ],
)
def test_strings_that_only_look_like_modules_stay(source: str) -> None:
    assert again(source) == source


@pytest.mark.parametrize(
    "source",
    [
        "import engine\ndef play(engine): return engine.cards",
        "import engine.cards\nfor engine in (): pass",
        "import engine\nfrom other import engine",
        'x = "engine." "cards"',
        "x = 'a\\nengine.cards'",
    ],
)
def test_what_could_only_be_guessed_stops_the_build(source: str) -> None:
    with pytest.raises(CannotRewrite, match=r"^a\.py"):
        again(source)


def test_it_tells_which_modules_are_imported() -> None:
    source = "from engine import games, Foo\nimport bots.sdk, json\nfrom . import kit"
    assert rewrite(source, "a.py", ROOTS).imports == {"engine", "engine.games", "bots.sdk"}


@pytest.mark.thorough
def test_every_source_of_the_distributions_can_be_renamed_and_imports_what_is_there() -> None:
    roots, count = Roots(RENAMED, modules(), CODES), 0
    for source in (each for one in DISTRIBUTIONS for each in sources(one)):
        if source.as_it_is or not source.target.name.endswith((".py", ".py.txt")):
            continue
        text = source.path.read_text(encoding="utf-8")
        written = rewrite(text, str(source.target), roots)
        assert written.imports <= roots.modules, source.target
        assert written.source.count("\n") == text.count("\n"), "line numbers of a traceback stay"
        count += 1
    assert count > 200


def test_the_engine_is_shipped_whole_and_nothing_else_is_beside_the_promised_names() -> None:
    for distribution in DISTRIBUTIONS:
        tops = {each.target.parts[0] for each in sources(distribution)}
        assert tops == set(distribution.tops)
    shipped = {each.path for each in sources(ENGINE)}
    whole = {path for path in ENGINE_FOLDER.rglob("*.py") if "_compiled" not in path.parts}
    assert whole - shipped == set()
    assert not [path for path in shipped if path.suffix == ".md"]


ENGINE_FOLDER = next(each.path for each in sources(ENGINE) if each.target.name == "cards.py").parent


def test_the_version_is_the_projects() -> None:
    assert version().split(".")[0] == "0"
