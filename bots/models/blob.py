"""Bytes kept by their own hash: sources, logs, match records. Insert-only."""

import hashlib
from typing import Self

import zstandard
from django.db import connection, models
from django.utils import timezone

from bots.models.kept import Kept, KeptQuerySet


class BlobQuerySet(KeptQuerySet["Blob"]):
    """How blobs are put in."""

    def put(self, data: bytes) -> "Blob":
        """Keep `data` (any bytes) once; the same bytes give the same row. One statement if they are new."""
        digest = hashlib.sha256(data).hexdigest()
        packed = zstandard.ZstdCompressor(level=6).compress(data)
        row = (digest, packed, len(data), timezone.now())
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO bots_blob (sha256, packed, size, created_at) VALUES (%s, %s, %s, %s) "
                "ON CONFLICT (sha256) DO NOTHING RETURNING id",
                row,
            )
            inserted = cursor.fetchone()
        if inserted is None:
            return self.get(sha256=digest)
        names = ("id", "sha256", "packed", "size", "created_at")
        return self.model.from_db(connection.alias, names, (inserted[0], *row))


class Blob(Kept):
    """`packed` is one zstd frame of `size` bytes whose SHA-256 is `sha256` (hex)."""

    sha256 = models.CharField(max_length=64, unique=True)
    packed = models.BinaryField()
    size = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    objects = BlobQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.sha256[:12]} ({self.size} B)"

    def data(self: Self) -> bytes:
        """The bytes as they were put in."""
        return zstandard.ZstdDecompressor().decompress(bytes(self.packed), max_output_size=self.size + 1)
