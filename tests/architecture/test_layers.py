"""Imports and foreign keys point down, and the contracts that say so can fail."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.apps import apps
from django.db.models import ForeignKey, ManyToManyField, OneToOneField

from tests.services.processes import ROOT

HEIGHT = {"accounts": 0, "bots": 1, "tournaments": 2, "tables": 3}
LINTER = "from importlinter.cli import lint_imports_command; lint_imports_command()"
PLANTED = {
    "engine/planted.py": "import django\n",
    "bots/runner/planted.py": "from bots.sdk import loop\n",
    "bots/models/planted.py": "import bots.services\n",
    "accounts/planted.py": "import tournaments.models\n",
    "core/formats/planted.py": "import tournaments.models\n",
    "activity/planted.py": "import bots.models\n",
    "web/planted.py": "import bots.models\n",
    "core/standings/planted.py": "import core.interchange\n",
    "core/ratings/planted.py": "import accounts.models\n",
    "tournaments/models/planted.py": "import tournaments.matches.play\n",
    "tournaments/matches/planted.py": "import tournaments.standings.store\n",
    "tournaments/scores/planted.py": "import bots.runner.inprocess\n",
    "tournaments/webhooks/planted.py": "import tournaments.pages.webhooks.webhooks\n",
    "bots/trials/planted.py": "import django\n",
    "guides/planted.py": "import tournaments.models\n",
    "packages/planted.py": "import guides.shelf\n",
    "tournaments/floor/planted.py": "import tables.models\n",
    "tables/play/planted.py": "import django\n",
    "tables/actions/planted.py": "import tables.view.state\n",
    "kit/planted.py": "import bots.models\n",
    "kit/commands/planted.py": "import core.standings\n",
}


def lint_imports(folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", LINTER, "--no-cache", "--no-logo"], cwd=folder, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip


@pytest.mark.thorough
def test_the_contracts_hold() -> None:
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_foreign_key_points_down() -> None:
    upward = []
    seen = 0
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.get_fields():
            if isinstance(field, ForeignKey | OneToOneField | ManyToManyField) and model._meta.app_label in HEIGHT:
                target = field.related_model
                assert not isinstance(target, str)
                label = target._meta.app_label
                seen += 1
                if HEIGHT.get(label, -1) > HEIGHT[model._meta.app_label]:
                    upward.append(f"{model.__name__}.{field.name} -> {label}")
    assert seen > 20
    assert not upward, upward


@pytest.mark.thorough
def test_each_forbidden_import_breaks_a_contract(tmp_path: Path) -> None:
    """The contracts run on a copy of the code in which forbidden imports are planted; each one is reported."""
    rooms = "config core engine activity web bots accounts guides kit packages tournaments tables"
    for room in rooms.split():
        _copy_modules(ROOT / room, tmp_path / room)
    (tmp_path / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    for where, line in PLANTED.items():
        (tmp_path / where).write_text(line, encoding="utf-8")
    done = lint_imports(tmp_path)
    assert done.returncode != 0, done.stdout
    unseen = [where for where in PLANTED if where.removesuffix(".py").replace("/", ".") not in done.stdout]
    assert not unseen, done.stdout + done.stderr


def _copy_modules(source: Path, target: Path) -> None:
    for path in source.rglob("*.py"):
        copy = target / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
