"""Sentences of the pure code as data: English messages with their values, so that anyone who shows them translates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


def gettext_noop(message: str) -> str:
    """Mark a message for extraction; the pure core translates nothing itself."""
    return message


@dataclass(frozen=True, slots=True)
class LocalizedMessage:
    """A sentence: its message, a format with named values, each of which may be a sentence again."""

    message: str
    values: Mapping[str, str | int | LocalizedMessage]


def say(said: LocalizedMessage, translate: Callable[[str], str] = str) -> str:
    """The sentence in the language of `translate`, English without."""
    shown = {
        name: say(one, translate) if isinstance(one, LocalizedMessage) else one for name, one in said.values.items()
    }
    return translate(said.message) % shown


def kept(said: LocalizedMessage) -> dict[str, object]:
    """The sentence as JSON keeps it, for readers of any language later on."""
    values = {name: kept(one) if isinstance(one, LocalizedMessage) else one for name, one in said.values.items()}
    return {"message": said.message, "values": values}


def read(told: Mapping[str, Any]) -> LocalizedMessage:
    """Return what `kept` wrote."""
    return LocalizedMessage(
        told["message"], {name: read(one) if isinstance(one, dict) else one for name, one in told["values"].items()}
    )


def sentence(message: str, /, **values: str | int | LocalizedMessage) -> LocalizedMessage:
    """A sentence. message: marked with `gettext_noop`."""
    return LocalizedMessage(message, values)
