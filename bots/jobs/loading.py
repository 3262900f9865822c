"""The files of bot versions, as a table wants them."""

from __future__ import annotations

from functools import lru_cache

from bots.models import BotVersion
from bots.runner.spec import BotFiles
from bots.uploads import unpack_files


@lru_cache(maxsize=64)
def files_of(version_id: int) -> BotFiles:
    """The files of a version. A version never changes, so each process reads it once (64 are kept)."""
    version = BotVersion.objects.select_related("source").get(pk=version_id)
    return BotFiles(unpack_files(version.source.data()), version.hash)
