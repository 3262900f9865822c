"""The compiled engine: the same source translated to machine code, where somebody has translated it.

`scripts/compile_engine.py` writes extension modules to `engine/_compiled/<fingerprint>/`, named by the Python they are
for and by a hash of the source they come from. What was translated from other source is never loaded: anyone who edits
a module plays by the edit at once. HANAMI_ENGINE=pure plays in plain Python no matter what is there. Both play alike:
the same tests run on both.
"""

from __future__ import annotations

import hashlib
import os
import sys
import sysconfig
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final

HERE: Final = Path(__file__).resolve().parent
BUILT: Final = HERE / "_compiled"
SUFFIX: Final = sysconfig.get_config_var("EXT_SUFFIX") or ".so"
MODULES: Final = (
    "cards",
    "deck",
    "tensors",
    "shuffling",
    "rewards",
    "batch",
    "episode",
    "environments/explicit",
    *(
        f"games/sakura/{name}"
        for name in (
            "yaku", "plays", "rules", "position", "scoring", "start", "state", "turn", "plies", "gaji", "hiki",
            "transfer", "legal", "refusal", "observation", "features", "trace",
        )
    ),
    *(
        f"games/koikoi/{name}"
        for name in (
            "yaku", "rules", "position", "scoring", "deal", "state", "turn", "plies", "legal", "refusal", "observation",
            "features", "trace",
        )
    ),
)  # fmt: skip
"""What is worth translating: what runs at every ply, and nothing that defines a slotted dataclass."""
SWITCH: Final = "HANAMI_ENGINE"
"""Read here and not in config/env.py, which tells of it: the engine is imported before Django is, and without it."""


class CompiledFinder(MetaPathFinder):
    """Finds the translated modules before their source is found."""

    def __init__(self, files: dict[str, Path]) -> None:
        self._files = files

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module as PathFinder does, but only a translated one."""
        file = self._files.get(fullname)
        if file is None:
            return None
        return spec_from_file_location(fullname, file, loader=ExtensionFileLoader(fullname, str(file)))


def fingerprint() -> str:
    """Stands for the engine's whole source and the Python: a translation holds constants of other modules too."""
    digest = hashlib.sha256(SUFFIX.encode())
    for file in sorted(HERE.rglob("*.py")):
        digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()[:24]


def built() -> dict[str, Path]:
    """The translated modules for this source and this Python, by name; empty if there are none."""
    # A folder for each fingerprint: a translation of other source is never found, and several Pythons can share the
    # tree.
    found = BUILT / fingerprint()
    return {".".join(file.relative_to(found).parts).removesuffix(SUFFIX): file for file in found.rglob(f"*{SUFFIX}")}


def prefer_compiled() -> None:
    """Let `import` find the translated modules, unless plain Python is asked for or they are not there."""
    if os.environ.get(SWITCH) == "pure":
        return
    files = built() if BUILT.is_dir() else {}
    if files:
        # Before the usual finders, which would find the source first.
        sys.meta_path.insert(0, CompiledFinder(files))


def is_compiled() -> bool:
    """Return whether this process plays with the translated engine."""
    module = sys.modules.get("engine.games.sakura.plies")
    return module is not None and str(getattr(module, "__file__", "")).endswith(SUFFIX)
