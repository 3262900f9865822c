"""UNSAFE: bots in this very process, with all its rights and without any clock. For tests and benchmarks only.

import-linter keeps web and worker code from importing this module. Never play an uploaded file with it.
"""

from __future__ import annotations

import builtins
import io
import json
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any, Final, cast

import bots.sdk
from bots.errors import BotFault
from bots.protocol.messages import ENTRY, LOG_CAP, Fault
from bots.runner.preload import ENGINE_NAMES, name_engine_twice
from bots.sdk.answer import mistake

if TYPE_CHECKING:
    from bots.runner.spec import Clock

_CODE: Final[dict[tuple[str, bytes], CodeType]] = {}
"""Compiled sources, since a benchmark loads the same bot thousands of times."""


class UnsafeInProcessPlayer:
    """One bot as a module of its own with its own `hanami`; faults become BotFault, budgets are not enforced."""

    def __init__(self) -> None:
        self.cpu_ms = 0.0
        self.spent_ms = 0.0
        self._log = io.StringIO()
        self._files: dict[str, bytes] = {}
        self._modules: dict[str, ModuleType] = {}
        self._session = bots.sdk.Session()
        self._choose: Callable[[dict[str, Any]], object] | None = None

    def load(self, hello: Mapping[str, object], files: Sequence[tuple[str, bytes]]) -> None:
        """Run bot.py and its `start(hello)`. Raises BotFault crash with the traceback in the log."""
        self._files = dict(files)
        self._session.begin(hello, self._files)
        self._modules["hanami"] = bots.sdk.module_for(self._session)
        self._guarded(self._load, json.loads(json.dumps(hello)))

    def _load(self, hello: dict[str, Any]) -> None:
        module = self._module("bot", ENTRY)
        if hasattr(module, "start"):
            module.start(hello)
        self._choose = module.choose

    def ask(self, q: int, obs: Mapping[str, object], allowance_ms: int) -> int:
        """The index the bot chose; it gets a copy of `obs`, as it would over the channel."""
        # Two bots at one table must not share a mutable observation; over the channel each gets its own.
        copy = json.loads(json.dumps(obs))
        return cast(int, self._guarded(self._ask, copy))

    def _ask(self, obs: dict[str, Any]) -> int:
        assert self._choose is not None
        self._session.note(obs)
        choice = self._choose(obs)
        index = bots.sdk.index_of(choice, obs["legal"])
        if index == bots.sdk.NO_SUCH_ACTION:
            self._log.write(mistake(choice, obs["legal"]))
        return index

    def _guarded(self, step: Callable[[dict[str, Any]], object], argument: dict[str, Any]) -> object:
        # CPU of this thread, the nearest to the CPU clock of a bot's own process.
        before = time.thread_time()
        try:
            return step(argument)
        except MemoryError as error:
            raise BotFault(Fault.MEMORY, "the bot ran out of memory") from error
        except (Exception, SystemExit) as error:
            traceback.print_exc(file=self._log)
            raise BotFault(Fault.CRASH, f"the bot raised {type(error).__name__}") from error
        finally:
            self.spent_ms = (time.thread_time() - before) * 1000
            self.cpu_ms += self.spent_ms

    def _module(self, name: str, path: str) -> ModuleType:
        """The module of one file of the bot, run once. Its imports look at the bot's own files first."""
        module = ModuleType(name)
        # A module's own builtins make its imports and prints its own, without touching sys.modules of this process.
        module.__dict__["__builtins__"] = {**builtins.__dict__, "__import__": self._import, "print": self._print}
        # Before the code runs, so that circular imports of the bot's files end, as in the interpreter.
        self._modules[name] = module
        source = self._files[path]
        code = _CODE.get((path, source))
        if code is None:
            code = _CODE[path, source] = compile(source, path, "exec")
        exec(code, module.__dict__)
        return module

    def _import(
        self,
        name: str,
        variables: Mapping[str, object] | None = None,
        scope: Mapping[str, object] | None = None,
        wanted: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        if name in self._modules:
            return self._modules[name]
        if f"{name}.py" in self._files:
            return self._module(name, f"{name}.py")
        if name.partition(".")[0] in ENGINE_NAMES:
            name_engine_twice()
        return builtins.__import__(name, variables, scope, wanted or (), level)

    def _print(self, *values: object, **options: Any) -> None:
        print(*values, **({"file": self._log} | options))  # noqa: T201 - a bot's print goes to its log

    def log(self) -> bytes:
        return self._log.getvalue().encode("utf-8", "replace")[:LOG_CAP]

    def log_size(self) -> int:
        return len(self.log())

    def close(self) -> None:
        self._choose = None
        self._modules.clear()


class UnsafeInProcessLauncher:
    """Launches players without a sandbox. UNSAFE: for tests and benchmarks only."""

    def launch(self, clock: Clock) -> UnsafeInProcessPlayer:
        return UnsafeInProcessPlayer()

    def close(self) -> None:
        """Do nothing: only memory is left behind in the process."""


InProcessLauncher = UnsafeInProcessLauncher
