"""Bytes kept by their own hash: sources, logs, match records. Insert-only; they can be erased, never exchanged."""

import hashlib
from collections.abc import Collection
from datetime import datetime
from typing import Final, Self

import zstandard
from django.db import connection, models
from django.utils import timezone

from activity.append_only import AppendOnly, AppendOnlyQuerySet

PUT: Final = (
    "INSERT INTO bots_blob (sha256, packed, size, created_at) VALUES (%s, %s, %s, %s) "
    # A conflict with a row that still has its bytes changes nothing and returns no row; one that was erased gets them
    # back.
    "ON CONFLICT (sha256) DO UPDATE SET packed = excluded.packed WHERE length(bots_blob.packed) = 0"
)


def _packed(data: bytes) -> tuple[str, bytes, int, datetime]:
    """The columns of a row: hash, packed bytes, size, when."""
    # A compressor for each call: zstandard's objects may not be shared between threads.
    packed = zstandard.ZstdCompressor(level=6).compress(data)
    return hashlib.sha256(data).hexdigest(), packed, len(data), timezone.now()


class BlobQuerySet(AppendOnlyQuerySet["Blob"]):
    """Blobs as rows that are put in once and erased, never changed."""

    def put(self, data: bytes) -> "Blob":
        """Keep `data` (any bytes) once; the same bytes give the same row. One statement if they are new, or erased."""
        row = _packed(data)
        digest = str(row[0])
        with connection.cursor() as cursor:
            cursor.execute(f"{PUT} RETURNING id", row)
            inserted = cursor.fetchone()
        if inserted is None:
            return self.get(sha256=digest)
        names = ("id", "sha256", "packed", "size", "created_at")
        return self.model.from_db(connection.alias, names, (inserted[0], *row))

    def put_by_hash(self, data: bytes) -> models.Subquery:
        """The same without a look at the row: what names it in a later statement. For `activity.round_trips`."""
        row = _packed(data)
        with connection.cursor() as cursor:
            cursor.execute(PUT, row)
        return models.Subquery(self.filter(sha256=row[0]).values("pk"))

    def erase(self, blobs: Collection[int]) -> int:
        """Take the bytes out of these rows for good; hash and size stay. The caller knows that nobody else has them."""
        # Past AppendOnlyQuerySet, whose own update() refuses; the trigger of bots/guards.py lets through just this
        # change.
        return models.QuerySet.update(self.filter(pk__in=blobs).exclude(packed=b""), packed=b"")


class Blob(AppendOnly):
    """`packed` is one zstd frame of `size` bytes whose SHA-256 is `sha256` (hex); empty once they were erased."""

    sha256 = models.CharField(max_length=64, unique=True)
    packed = models.BinaryField()
    size = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    objects = BlobQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.sha256[:12]} ({self.size} B)"

    def data(self: Self) -> bytes:
        """The bytes as they were put in; none if they were erased."""
        if not self.packed:
            return b""
        # Bounded by the stored size: damaged bytes cannot unpack to more than the row says.
        return zstandard.ZstdDecompressor().decompress(bytes(self.packed), max_output_size=self.size + 1)
