"""How pytest-xdist spreads the tests over its processes."""

from typing import Final

from xdist.scheduler.loadscope import LoadScopeScheduling

TOLD_IN_ORDER: Final = ("tests/demo/",)


class Spreading(LoadScopeScheduling):  # type: ignore[misc]  # xdist's schedulers are untyped
    """Each test for itself, but the modules of `TOLD_IN_ORDER` whole: each is one installation's story.

    xdist's own `loadgroup` does not group under pytest 9.2 (its marks on node ids are ignored). Whole modules come
    first, so that the longest stories do not begin last.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return file if file.startswith(TOLD_IN_ORDER) else nodeid
