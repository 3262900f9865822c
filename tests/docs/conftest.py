"""A league, and one on a real service, for the addresses and the programs of the guides."""

from tests.site.conftest import league, live_league, played_once, process, sandbox

__all__ = ["league", "live_league", "played_once", "process", "sandbox"]
