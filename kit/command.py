"""Options and checks that all commands share: `--json`, `--unsafe`, and how players, presets and seeds are typed."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import click

from bots.runner.spec import CLOCKS
from kit.launching import BANNER
from kit.output import Output

Function = TypeVar("Function", bound=Callable[..., Any])
SEED_BYTES = 6


def with_output(function: Callable[..., int]) -> Callable[..., int]:
    """Add `--json`; the command gets its Output first."""

    @click.option("--json", "is_json", is_flag=True, help="One JSON document on stdout, for programs.")
    @wraps(function)
    def command(*args: Any, is_json: bool, **named: Any) -> int:
        return function(Output(is_json), *args, **named)

    return command


def with_unsafe(function: Function) -> Function:
    """Add `--unsafe`."""
    text = "UNSAFE, for your own code, where this machine has no sandbox: plays with all your rights, without clocks."
    return click.option("--unsafe", is_flag=True, help=text)(function)


def with_contest(function: Function) -> Function:
    """Add what `play`, `ab` and `watch` know of a contest."""
    options = (
        click.option("--preset", help="Rules to play by; the first that all players play, if omitted."),
        click.option(
            "--seats", type=click.IntRange(2, 7), help="Seats at the table; the other bots fill the remaining seats."
        ),
        click.option(
            "--rounds",
            type=click.IntRange(0),
            help="Deals a match: 1 if omitted, 0 for as many as the preset has. Some games have no such number.",
        ),
        click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the rules."),
        click.option("--clock", type=click.Choice(list(CLOCKS)), help="The longest that a bot declares if omitted."),
        click.option("--seed", help="Any text: the same seed gives the same cards. Drawn and shown if omitted."),
        click.option("--jobs", type=click.IntRange(1), help="Processes that play; all processors if omitted."),
    )
    # As decorators would stand above the function: the first one is applied last, and help lists them in this order.
    for option in reversed(options):
        function = option(function)
    return function


def pairs(options: tuple[str, ...]) -> dict[str, str]:
    """`("teams=2x2",)` as a dict. Raises UsageError."""
    found = {}
    for text in options:
        name, sign, value = text.partition("=")
        if not sign:
            raise click.UsageError(f"--option {text}: write it like --option teams=2x2.")
        found[name.strip()] = value.strip()
    return found


def some_seed(seed: str | None) -> str:
    """Return what was typed, else a new one. Raises UsageError for one that cannot name files."""
    if seed is not None and not all(sign.isalnum() or sign in "-_." for sign in seed):
        raise click.UsageError("--seed: letters, digits, dot, dash and underscore only.")
    return seed or secrets.token_hex(SEED_BYTES)


def warn_if(unsafe: bool, out: Output) -> None:
    """Say loudly that there is no sandbox."""
    if unsafe:
        out.warn(BANNER)
