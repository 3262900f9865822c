"""Judging uploaded bots: pure, bounded, nothing extracted, nothing compiled. See README.md."""

from bots.uploads.bundle import pack_files, unpack_files, zip_files
from bots.uploads.manifest import check_plays
from bots.uploads.reading import Upload, read_upload
from bots.uploads.refusal import UploadRefused
from bots.uploads.source import StaticProblem, check_source
from bots.uploads.version import version_hash

__all__ = [
    "StaticProblem",
    "Upload",
    "UploadRefused",
    "check_plays",
    "check_source",
    "pack_files",
    "read_upload",
    "unpack_files",
    "version_hash",
    "zip_files",
]
