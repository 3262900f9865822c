"""Hanafuda games as pure functions of data: no I/O, no clock, no global randomness.

Importing the package fills the registry of games (`engine.games`), so that
`engine.game.Ruleset.from_json` knows every one of them.
"""

from typing import Final

from engine.compiled import is_compiled, prefer_compiled

prefer_compiled()

ENGINE_VERSION: Final = "1.0.0"
"""Major.minor.patch; the minor part rises with every fix that can change an outcome (architecture.md 3)."""

from engine import games as games  # noqa: E402  (the version must exist before the games that quote it)

__all__ = ["ENGINE_VERSION", "games", "is_compiled"]
