"""The files of decisions, brought up to date once an hour by the sender. What an outage left undone is done then."""

from __future__ import annotations

import structlog

from bots.jobs.process import is_stopping
from core.errors import TournamentError
from engine.errors import BadData
from tournaments.dataset.catalogue import folder
from tournaments.dataset.export import export
from tournaments.operations.steps import do_all

log = structlog.get_logger(__name__)


def publish_dataset() -> int:
    """Make what is missing or out of date; returns how many days that were. A failure is told to operators.

    A sender that is told to stop leaves the rest to the next one.
    """
    return do_all("dataset", {"files": _bring_up_to_date})["files"]


def _bring_up_to_date() -> int:
    try:
        return len(export(folder(), may_go_on=lambda: not is_stopping()).written)
    except BadData as lacking:
        # A laptop may do without the library; its page says so.
        log.info("dataset.not_made", code=lacking.code)
    except TournamentError as busy:
        log.info("dataset.not_made", code=busy.code)
    return 0
