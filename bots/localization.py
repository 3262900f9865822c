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


def render_message(message: LocalizedMessage, translate: Callable[[str], str] = str) -> str:
    """The sentence in the language of `translate`, English without."""
    shown = {
        name: render_message(one, translate) if isinstance(one, LocalizedMessage) else one
        for name, one in message.values.items()
    }
    return translate(message.message) % shown


def to_stored(message: LocalizedMessage) -> dict[str, object]:
    """The sentence as JSON keeps it, for readers of any language later on."""
    values = {
        name: to_stored(one) if isinstance(one, LocalizedMessage) else one for name, one in message.values.items()
    }
    return {"message": message.message, "values": values}


def from_stored(stored: Mapping[str, Any]) -> LocalizedMessage:
    """Return what `kept` wrote."""
    return LocalizedMessage(
        stored["message"],
        {name: from_stored(one) if isinstance(one, dict) else one for name, one in stored["values"].items()},
    )


def localized(message: str, /, **values: str | int | LocalizedMessage) -> LocalizedMessage:
    """A sentence. message: marked with `gettext_noop`."""
    return LocalizedMessage(message, values)
