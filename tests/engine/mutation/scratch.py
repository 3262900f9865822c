"""The scratch folder of a mutation run: copies of the engine and its tests, and what mutmut remembers between runs."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[3]
SCRATCH: Final = ROOT / "var" / "mutants"
SETTINGS: Final = Path(__file__).with_name("pyproject.toml")
OTHERS: Final = frozenset({"__pycache__", ".md", SETTINGS.parent.name})
OF_TESTS: Final = "tests.sha256"


def sources(folder: Path, pattern: str = "*") -> dict[str, Path]:
    """Relative path -> file, for all files of a folder but compiled ones, texts and those of this package."""
    found = sorted(path for path in folder.rglob(pattern) if path.is_file() and not OTHERS & {*path.parts, path.suffix})
    return {str(path.relative_to(ROOT)): path for path in found}


def copied() -> dict[str, Path]:
    """Everything a run needs, by its path inside the scratch folder."""
    tests = ROOT / "tests"
    data = sources(tests / "data" / "records") | sources(tests / "data" / "koikoi_records")
    data |= {f"tests/data/{name}": tests / "data" / name for name in ("vectors.json", "koikoi.json")}
    data |= sources(tests / "data" / "engine") if (tests / "data" / "engine").exists() else {}
    own = {"tests/__init__.py": tests / "__init__.py", "pyproject.toml": SETTINGS}
    return sources(ROOT / "engine", "*.py") | sources(tests / "engine") | data | own


def refresh() -> bool:
    """Bring the copies up to date, touching only what changed. Returns whether tests changed since the last run.

    A file that kept its time keeps its mutants and their results; mutmut looks no further.
    """
    wanted = copied()
    _forget_others(set(wanted))
    for name, source in wanted.items():
        target = SCRATCH / name
        if not target.exists() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    shutil.rmtree(SCRATCH / "mutants" / "tests", ignore_errors=True)
    return _tests_changed(wanted)


def _forget_others(wanted: set[str]) -> None:
    for folder in ("engine", "tests"):
        for path in sorted((SCRATCH / folder).rglob("*")):
            if path.is_file() and str(path.relative_to(SCRATCH)) not in wanted:
                path.unlink()
    for path in sorted((SCRATCH / "mutants" / "engine").rglob("*.py")):
        if str(path.relative_to(SCRATCH / "mutants")) not in wanted:
            for made in (path, Path(f"{path}.meta"), Path(f"{path}.spans")):
                made.unlink(missing_ok=True)


def _tests_changed(wanted: dict[str, Path]) -> bool:
    digest = hashlib.sha256()
    for name, path in wanted.items():
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    note = SCRATCH / OF_TESTS
    changed = not note.exists() or note.read_text(encoding="ascii") != digest.hexdigest()
    note.write_text(digest.hexdigest(), encoding="ascii")
    return changed


Results = dict[str, int | None]


def results() -> dict[str, Results]:
    """Source file -> exit code of each of its mutants (None: not run yet), as mutmut keeps them."""
    metas = sorted((SCRATCH / "mutants" / "engine").rglob("*.py.meta"))
    return {
        str(meta.relative_to(SCRATCH / "mutants")).removesuffix(".meta"): _meta(meta)["exit_code_by_key"]
        for meta in metas
    }


def set_results(file: str, changed: Results) -> None:
    """Overwrite the exit codes of some mutants of a source file."""
    path = SCRATCH / "mutants" / f"{file}.meta"
    meta = _meta(path)
    meta["exit_code_by_key"] |= changed
    path.write_text(json.dumps(meta, indent=4), encoding="utf-8")


def _meta(path: Path) -> dict[str, Results]:
    found: dict[str, Results] = json.loads(path.read_text(encoding="utf-8"))
    return found
