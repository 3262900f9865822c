"""Bytes kept by their own hash: sources, logs, match records. Insert-only; they can be erased, never exchanged."""

import hashlib
from collections.abc import Collection
from typing import Self

import zstandard
from django.db import connection, models
from django.utils import timezone

from bots.models.kept import Kept, KeptQuerySet


class BlobQuerySet(KeptQuerySet["Blob"]):
    """How blobs are put in."""

    def put(self, data: bytes) -> "Blob":
        """Keep `data` (any bytes) once; the same bytes give the same row. One statement if they are new, or erased."""
        digest = hashlib.sha256(data).hexdigest()
        packed = zstandard.ZstdCompressor(level=6).compress(data)
        row = (digest, packed, len(data), timezone.now())
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO bots_blob (sha256, packed, size, created_at) VALUES (%s, %s, %s, %s) "
                "ON CONFLICT (sha256) DO UPDATE SET packed = excluded.packed WHERE length(bots_blob.packed) = 0 "
                "RETURNING id",
                row,
            )
            inserted = cursor.fetchone()
        if inserted is None:
            return self.get(sha256=digest)
        names = ("id", "sha256", "packed", "size", "created_at")
        return self.model.from_db(connection.alias, names, (inserted[0], *row))

    def erase(self, blobs: Collection[int]) -> int:
        """Take the bytes out of these rows for good; hash and size stay. The caller knows that nobody else has them."""
        return models.QuerySet.update(self.filter(pk__in=blobs).exclude(packed=b""), packed=b"")


class Blob(Kept):
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
        return zstandard.ZstdDecompressor().decompress(bytes(self.packed), max_output_size=self.size + 1)
