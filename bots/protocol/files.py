"""A bot's files as everybody hands them on: uploads make them, the house has its own, a match spec holds them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BotFiles:
    """One bot version: its files (path, content), `bot.py` among them, and its version hash (hex)."""

    files: tuple[tuple[str, bytes], ...]
    version_hash: str
