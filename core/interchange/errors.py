"""Errors of a file that is read, or of an event that is to be written."""

from __future__ import annotations

from typing import Any

from core.errors import TournamentError


class InterchangeError(TournamentError):
    """A file or an event that cannot be carried over. Codes: "trf.*", "csv.*", "event.*"."""


def refusal(code: str, msgid: str, **shown: Any) -> InterchangeError:
    """A refusal whose sentence may be said in another language: `gettext(extra["msgid"]) % extra`.

    msgid: an English sentence with %(name)s places; shown: what stands there.
    """
    return InterchangeError(msgid % shown, code=code, extra={"msgid": msgid, **shown})
