"""The output of a command: text for a person, one JSON document on stdout for a program. Progress goes to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text


class Advance(Protocol):
    """Moves a progress bar on."""

    def __call__(self, by: int = 1, *, note: str = "") -> None: ...


WIDTH: Final = 120
"""Of tables that go into a file or a pipe."""


def _console() -> Console:
    console = Console(highlight=False, soft_wrap=True)
    return console if console.is_terminal else Console(highlight=False, soft_wrap=True, width=WIDTH)


@dataclass(slots=True)
class Output:
    """The streams that a command writes to. is_json: nothing but the final document may go to stdout."""

    is_json: bool = False
    console: Console = field(default_factory=_console)
    errors: Console = field(default_factory=lambda: Console(stderr=True, highlight=False, soft_wrap=True))

    def print(self, text: str = "", *, style: str = "") -> None:
        """A line for people."""
        if not self.is_json:
            # `Text`, not a string: rich would read [brackets] in a bot's message as markup.
            self.console.print(Text(text, style=style))

    def show(self, table: Table) -> None:
        """A table for people."""
        if not self.is_json:
            self.console.print(table)

    def warn(self, text: str) -> None:
        """A line that must be seen, however stdout is used."""
        self.errors.print(Text(text, style="bold red"))

    def finish(self, document: Mapping[str, Any]) -> None:
        """The result for programs: one line of JSON."""
        if self.is_json:
            sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")
            # A command may go on after its document (`replay --browser`), and a pipe is block-buffered.
            sys.stdout.flush()

    @contextmanager
    def progress(self, what: str, total: int) -> Iterator[Advance]:
        """A progress bar on a terminal; nothing elsewhere."""
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        bar = Progress(*columns, console=self.errors, transient=True, disable=not self.errors.is_terminal)
        with bar:
            task = bar.add_task(what, total=total)

            def advance(by: int = 1, *, note: str = "") -> None:
                bar.update(task, advance=by, description=note or what)

            yield advance
