"""The files of bot versions, as a table wants them."""

from __future__ import annotations

from functools import lru_cache

from bots.models import BotVersion
from bots.runner.spec import BotFiles
from bots.uploads import unpack_files


def files_of(version: BotVersion) -> BotFiles:
    """The files of a version. A version never changes, so each process reads it once (64 are kept)."""
    return _read(version.pk, version.hash)


@lru_cache(maxsize=64)
def _read(version_id: int, digest: str) -> BotFiles:
    """Kept by the hash as well: after a backup was restored a number may mean another version."""
    version = BotVersion.objects.select_related("source").get(pk=version_id)
    return BotFiles(unpack_files(version.source.data()), digest)
