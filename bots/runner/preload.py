"""The modules that the fork server imports before it locks itself; a bot can import these and its own files alone.

The project's own modules are loaded under neutral names ("hanami/loop.py"), so that a traceback shows no path of the
machine.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import platform
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Final

_TRANSLATED: Final = "__mypyc"
"""The end of the name of the library behind a translated engine (engine/compiled.py)."""
_SHOWN: Final = {"bots.sdk": "hanami"}

STDLIB: Final = """
    abc array ast base64 binascii bisect builtins calendar cmath codecs collections.abc colorsys concurrent.futures
    contextlib contextvars copy copyreg csv ctypes dataclasses datetime decimal difflib dis enum errno faulthandler
    fractions functools gc glob graphlib hashlib heapq hmac html.parser inspect io ipaddress itertools json keyword
    linecache locale logging math mmap multiprocessing.shared_memory numbers opcode operator os pathlib pickle
    pickletools platform pprint queue random re reprlib resource sched secrets select shutil signal socket statistics
    string stringprep struct subprocess sys sysconfig tempfile textwrap threading time timeit token tokenize traceback
    tracemalloc types typing unicodedata unittest urllib.parse uuid warnings weakref zlib zoneinfo
    _strptime encodings.ascii encodings.cp1252 encodings.cp437 encodings.hex_codec encodings.base64_codec
    encodings.idna encodings.latin_1 encodings.punycode encodings.raw_unicode_escape encodings.unicode_escape
    encodings.utf_16 encodings.utf_16_be encodings.utf_16_le encodings.utf_32 encodings.utf_8_sig
"""
# numpy loads some of these at the first use of an attribute, when a locked process cannot open files any more.
NUMPY: Final = """
    numpy numpy.random numpy.linalg numpy.fft numpy.ma numpy.polynomial numpy.char numpy.rec numpy.strings numpy.dtypes
    numpy.exceptions numpy.lib.format numpy.lib.stride_tricks numpy.lib.scimath
"""
OWN: Final = """
    engine.match engine.record engine.record_compact engine.notation engine.deck engine.games engine.actions
    engine.batch engine.data engine.data_rows engine.episode engine.rewards engine.shuffling engine.tensors bots.sdk
    bots.runner.child
"""
"""Without `engine.environments`: those are for other projects' libraries, which no bot has."""
_OWN: Final = tuple(dict.fromkeys(name.partition(".")[0] for name in OWN.split()))
"""The top-level packages of the project; installed as the kit they have other names than in the repository."""
ENGINE_NAMES: Final = ("engine", "hanafuda")
"""A bot imports the engine by either: the name that the service has for it, and that of the published package."""


class NeutralFinder(MetaPathFinder):
    """Finds the project's packages in the folders `roots`, and only those, and gives their code neutral file names."""

    def __init__(self, *roots: str) -> None:
        self._roots = list(roots)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """As PathFinder, for names below the project's packages."""
        if fullname.partition(".")[0] not in _OWN:
            return None
        spec = PathFinder.find_spec(fullname, self._roots if path is None else path)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = NeutralLoader(fullname, spec.loader.path)
        return spec


class NeutralLoader(SourceFileLoader):
    """Loads source or cache as usual and then renames the code."""

    def get_code(self, fullname: str) -> CodeType | None:
        """The module's code, every function of it under the neutral name."""
        code = super().get_code(fullname)
        return None if code is None else _renamed(code, neutral_name(fullname))


def neutral_name(fullname: str) -> str:
    """Return what tracebacks show for a module of the project: "bots.sdk.loop" is "hanami/loop.py"."""
    for prefix, shown in _SHOWN.items():
        if fullname == prefix or fullname.startswith(f"{prefix}."):
            fullname = shown + fullname.removeprefix(prefix)
    return f"{fullname.replace('.', '/')}.py"


def _renamed(code: CodeType, filename: str) -> CodeType:
    constants = tuple(_renamed(each, filename) if isinstance(each, CodeType) else each for each in code.co_consts)
    return code.replace(co_filename=filename, co_consts=constants)


def load_everything() -> None:
    """Import all of it and let the numeric library set itself up, so that forks share the memory."""
    for name in f"{STDLIB} {NUMPY} {OWN}".split():
        importlib.import_module(name)
    name_engine_twice()
    _warm_up_numpy()


def name_engine_twice() -> None:
    """Make every loaded module of the engine importable by both of its names: the same module, not a second one."""
    for name, module in list(sys.modules.items()):
        root, dot, rest = name.partition(".")
        for other in ENGINE_NAMES if root in ENGINE_NAMES else ():
            sys.modules.setdefault(f"{other}{dot}{rest}", module)


def _warm_up_numpy() -> None:
    # One call of each kind makes LAPACK, the FFT and the generators set up their tables before the fork.
    numpy = importlib.import_module("numpy")
    square = numpy.eye(64)
    numpy.linalg.svd(square @ square)
    numpy.fft.fft(square)
    repr(square)
    numpy.random.default_rng(0).random()
    # Last: the calls above have OpenBLAS map work space.
    _release_buffers()


def _release_buffers() -> None:
    """Have OpenBLAS unmap its work space, 32 MiB each; it maps what it needs again.

    All but untouched it would count as memory that every bot has beside its own, for who knows how to find it.
    """
    with open("/proc/self/maps", encoding="utf-8") as maps:
        paths = {line.split(maxsplit=5)[-1].strip() for line in maps if "openblas" in line}
    for path in paths:
        shutdown = getattr(ctypes.CDLL(path), "blas_shutdown", None)
        if shutdown is not None:
            shutdown()


def forget_paths() -> None:
    """Drop all install paths and every way to import more. It is the last step before the lock."""
    for name, module in sys.modules.items():
        if name.partition(".")[0] in _OWN or name.endswith(_TRANSLATED):
            module.__file__, module.__loader__ = neutral_name(name), None
            module.__spec__ = ModuleSpec(name, None)
            if hasattr(module, "__path__"):
                module.__path__ = []
    # In place: other modules hold these very lists. Without a finder on meta_path nothing more can be imported from
    # disk; the finder of a bot's own files is put there by `bots.sdk.source`.
    sys.path[:], sys.meta_path[:], sys.argv[:], sys.orig_argv[:] = [], sys.meta_path[:0], ["bot"], ["bot"]
    sys.path_importer_cache.clear()
    # The program of control.py keeps the root folder and its arguments as strings.
    program = vars(sys.modules["__main__"])
    for name in [name for name, word in program.items() if isinstance(word, str) and not name.startswith("__")]:
        del program[name]
    for name in ("prefix", "exec_prefix", "base_prefix", "base_exec_prefix"):
        setattr(sys, name, "/python")
    _forget_host()
    sys.executable = sys._base_executable = ""  # type: ignore[attr-defined]  # private, and full of path
    # Collected and frozen: a child's collector does not touch the shared objects, so their pages stay shared.
    gc.collect()
    gc.freeze()


def _forget_host() -> None:
    """Drop the host's name and kernel, which `platform` keeps; bots may know the kind of machine."""
    machine = platform.machine()
    platform._uname_cache = platform.uname_result("Linux", "", "", "", machine)  # type: ignore[attr-defined]  # its cache
    platform._platform_cache = {}  # type: ignore[attr-defined]  # both are the module's own caches
