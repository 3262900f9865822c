"""A bot's modules, held in memory: no file of it is ever on a disk."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType


class BotFinder(MetaPathFinder):
    """Finds `import search.tree` in `search/tree.py`. Tracebacks name a module by its path in the upload."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._sources = {path: data for path, data in files.items() if path.endswith(".py")}
        # Folders without __init__.py are packages, too, as in the interpreter.
        self._folders = {path.rsplit("/", n)[0] for path in self._sources for n in range(1, path.count("/") + 1)}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a module of this bot, or None: then it is the standard library's, or nobody's."""
        stem = fullname.replace(".", "/")
        for origin, is_package in ((f"{stem}/__init__.py", True), (f"{stem}.py", False)):
            if origin in self._sources:
                return self._spec(fullname, origin, self._sources[origin], is_package=is_package)
        if stem in self._folders:
            return self._spec(fullname, f"{stem}/__init__.py", b"", is_package=True)
        return None

    def _spec(self, fullname: str, origin: str, source: bytes, *, is_package: bool) -> ModuleSpec:
        spec = ModuleSpec(fullname, BotLoader(origin, source, is_package), origin=origin, is_package=is_package)
        # Else tracebacks name no file for the module.
        spec.has_location = True
        return spec


class BotLoader(InspectLoader):
    """Compiles one file. `get_source` lets tracebacks show the line."""

    def __init__(self, origin: str, source: bytes, is_package: bool) -> None:
        self._origin, self._source, self._is_package = origin, source, is_package

    def is_package(self, fullname: str) -> bool:
        return self._is_package

    def get_source(self, fullname: str) -> str:
        return self._source.decode(errors="replace")

    def get_code(self, fullname: str) -> CodeType:
        code: CodeType = compile(self._source, self._origin, "exec", dont_inherit=True)
        return code


def install(files: Mapping[str, bytes]) -> None:
    """Make these files importable, before anything else that is not loaded yet."""
    sys.meta_path.insert(0, BotFinder(files))
