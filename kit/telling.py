"""What is told after a step: what plays now, where, and what to do next; and where this machine differs from the
service.
"""

from __future__ import annotations

import platform
from collections.abc import Collection, Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from bots.runner.spec import CLOCKS, STANDARD, suits
from kit.output import Output

OPEN: Final = ("entered", "active", "waitlisted")
OVER: Final = ("finished", "cancelled", "archived")
LIBRARIES: Final = ("python", "numpy")


def playing_in(entries: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the entries in events that go on or are to come."""
    return [one for one in entries if one["state"] in OPEN and one["tournament_state"] not in OVER]


def tell_entries(
    out: Output, active: Mapping[str, Any] | None, entries: Iterable[Mapping[str, Any]], ladders: Collection[str] | None
) -> None:
    """Say where a bot plays, one event a line, with the version that plays there; and why ladders do not take it.

    active: the version that plays; ladders: the presets of official ladders, None where the service does not say.
    """
    found, why = playing_in(entries), kept_out(active, ladders)
    if not found:
        out.print(f"It is entered nowhere. {why or 'Official ladders take a bot that is ready within a minute.'}")
    for one in found:
        number = one["version"] or (active["n"] if active else None)
        rank = f", rank {one['rank']}" if one["rank"] else ""
        playing = f"v{number}" if number else "nothing: no version is active"
        out.print(f"  {one['tournament']:32}  {one['tournament_state']:12}  {playing}{rank}")
    if active and why and any(one.get("official") for one in found):
        out.print(why)


def kept_out(active: Mapping[str, Any] | None, ladders: Collection[str] | None) -> str:
    """Say why official ladders draw nothing for a bot whose version `active` plays; "" if nothing stands against it."""
    if active is None:
        return "No version is active, so it plays nowhere. Let one that has passed its check play:  hanami activate"
    n, clock = active["n"], str(active.get("clock") or STANDARD.id)
    if active.get("benched"):
        return f"v{n} is suspended and gets no new matches. Repair it, or let it play again:  hanami activate {n}"
    if not suits(CLOCKS.get(clock, STANDARD), STANDARD):
        return (
            f"Official ladders are played with the clock {STANDARD.id}, and v{n} declares {clock}: it can play in "
            f"events with the clock {clock}, and in comparisons."
        )
    if ladders is not None and not set(active["plays"]) & set(ladders):
        return (
            f"No official ladder is played by rules that v{n} plays ({', '.join(active['plays'])}): it can play in "
            "other events, and in comparisons."
        )
    return ""


def tell_ready(out: Output, number: int, active: int | None) -> None:
    """Say what a version that has passed its check means for what plays."""
    if active == number:
        out.print(f"v{number} is ready, and it is the one that plays.", style="green")
        return
    plays = f"v{active} is still the one that plays." if active else "No version plays yet."
    out.print(f"v{number} is ready. {plays} To let it play:  hanami activate {number}", style="green")


def differences(runtime: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each version that is another one on the service."""
    here = own_versions()
    return [
        f"{name} is {here[name]} here and {runtime[name]} on the service: what works here may fail there."
        for name in LIBRARIES
        if runtime.get(name) and here[name] and _minor(here[name]) != _minor(str(runtime[name]))
    ]


def own_versions() -> dict[str, str]:
    """Return the versions of what bots run with on this machine; "" for what is not there."""
    try:
        numpy = version("numpy")
    except PackageNotFoundError:
        numpy = ""
    return {"python": platform.python_version(), "numpy": numpy}


def _minor(text: str) -> tuple[str, ...]:
    """Return the parts of a version in which behaviour changes: 3.11 of 3.11.9."""
    return tuple(text.split(".")[:2])


def warn_of_differences(out: Output, runtime: Mapping[str, Any]) -> None:
    """Say on stderr where this machine differs."""
    for sentence in differences(runtime):
        out.warn(sentence)
