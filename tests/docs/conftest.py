"""A league on a real service, for the programs of the guides that ask one."""

from tests.site.conftest import live_league, process, sandbox

__all__ = ["live_league", "process", "sandbox"]
