"""Queries about bots: they read and never write."""

from bots.selectors.owned import bots_of, check_of, version_of, versions_of
from bots.selectors.published import source_of
from bots.selectors.workers import idle_processes, live_workers

__all__ = [
    "bots_of",
    "check_of",
    "idle_processes",
    "live_workers",
    "source_of",
    "version_of",
    "versions_of",
]
