"""Zip archives: what is taken, and each way of being refused."""

from __future__ import annotations

import struct
import zipfile
import zlib

import pytest

from bots.uploads import UploadRefused, read_upload
from bots.uploads.limits import ENTRIES, TOTAL_BYTES, UPLOAD_BYTES
from tests.bots.uploads.archives import BOT, Entry, deflated, forged, zipped


def refused(data: bytes, name: str = "bot.zip") -> UploadRefused:
    with pytest.raises(UploadRefused) as caught:
        read_upload(name, data)
    assert str(caught.value).rstrip().endswith(".")
    return caught.value


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_an_ordinary_archive_is_read(method: int) -> None:
    upload = read_upload("my.zip", zipped(("bot.py", BOT), ("tables/a.json", b"{}"), method=method))
    assert upload.files == (("bot.py", BOT), ("tables/a.json", b"{}"))
    assert (upload.name, upload.protocol, upload.plays) == (None, 1, None)


def test_a_streamed_archive_with_data_descriptors_is_read() -> None:
    body = deflated(BOT)
    descriptor = struct.pack("<4s3I", b"PK\7\x08", zlib.crc32(BOT), len(body), len(BOT))
    streamed = Entry(flags=8, local={"crc": 0, "packed": 0, "size": 0}, descriptor=descriptor)
    assert read_upload("bot.zip", forged(streamed)).files == (("bot.py", BOT),)
    lying = Entry(flags=8, local={"crc": 0, "packed": 0, "size": 0}, descriptor=descriptor[:-1] + b"\x01")
    assert refused(forged(lying)).code == "upload.mismatch"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        (b"../bot.py", "upload.name"),
        (b"/bot.py", "upload.name"),
        (b"a//b.py", "upload.name"),
        (b"./a.py", "upload.name"),
        (b"a\\b.py", "upload.name"),
        (b"C:a.py", "upload.name"),
        (b"a.py.", "upload.name"),
        (b"a.b.py", "upload.name"),
        (b".hidden.py", "upload.name"),
        (b"a\x00.py", "upload.name"),
        (b"\xff\xfe.py", "upload.name"),
        ("a\u202egpj.py".encode(), "upload.name"),
        (b"", "upload.name"),
        (b"aux.txt", "upload.name"),
        (b"con/a.txt", "upload.name"),
        (b"1a.py", "upload.name"),
        (b"a-b.py", "upload.name"),
        (b"a" * 120 + b".txt", "upload.name"),
        (b"a/b/c/d/e.txt", "upload.name"),
        (b"folder/", "upload.link"),
        (b"fast.so", "upload.extension"),
        (b"x.pth", "upload.extension"),
        (b"README", "upload.name"),
        (b"a.PY", "upload.extension"),
        (b"json.py", "upload.shadow"),
        (b"hanami/x.py", "upload.shadow"),
        (b"numpy.py", "upload.shadow"),
        (b"Random.py", "upload.shadow"),
        (b"sitecustomize.py", "upload.shadow"),
        (b"bot/x.py", "upload.shadow"),
    ],
)
def test_names_that_are_refused(name: bytes, code: str) -> None:
    assert refused(forged(Entry(), Entry(name=name, content=b""))).code == code


def test_the_same_name_twice_and_a_module_beside_its_folder() -> None:
    assert refused(forged(Entry(name=b"a.txt"), Entry(name=b"A.txt"))).code == "upload.duplicate"
    assert refused(forged(Entry(), Entry())).code == "upload.duplicate"
    both = forged(Entry(), Entry(name=b"tree.py"), Entry(name=b"Tree/leaf.py"))
    assert refused(both).code == "upload.duplicate"


@pytest.mark.parametrize(
    "mode", [0o120777 << 16, 0o040755 << 16, 0o020666 << 16, 0o104755 << 16, 0o101644 << 16, 0x10, 0x08]
)
def test_links_folders_devices_and_special_mode_bits(mode: int) -> None:
    assert refused(forged(Entry(), Entry(name=b"a.txt", mode=mode))).code == "upload.link"


@pytest.mark.parametrize("flags", [1, 0x41, 0x2001])
def test_encrypted_entries(flags: int) -> None:
    assert refused(forged(Entry(flags=flags))).code == "upload.encrypted"


@pytest.mark.parametrize("method", [1, 9, 12, 14, 93, 99])
def test_other_compressions(method: int) -> None:
    assert refused(forged(Entry(method=method, packed=b"x"))).code == "upload.compression"


@pytest.mark.parametrize("declared", [len(BOT) - 1, len(BOT) + 1])
def test_a_lying_size_is_noticed(declared: int) -> None:
    assert refused(forged(Entry(size=declared))).code == "upload.size"
    assert refused(forged(Entry(method=0, size=declared))).code == "upload.size"


def test_bytes_hidden_behind_the_stream() -> None:
    assert refused(forged(Entry(packed=deflated(BOT) + b"more"))).code == "upload.size"


def test_a_damaged_stream_and_a_wrong_check_sum() -> None:
    assert refused(forged(Entry(packed=b"\xff\xff\xff"))).code == "upload.archive"
    wrong = {"crc": 1}
    assert refused(forged(Entry(local=wrong, central=wrong))).code == "upload.mismatch"


@pytest.mark.parametrize("field", ["flags", "method", "crc", "packed", "size"])
def test_local_and_central_header_must_agree(field: str) -> None:
    honest = Entry().fields({})[field]
    change = {"flags": 2, "method": 0}.get(field, honest + 1)
    assert refused(forged(Entry(local={field: change}))).code == "upload.mismatch"
    assert refused(forged(Entry(local_name=b"bad.py"))).code == "upload.mismatch"


def test_overlaps_gaps_and_bytes_before_or_behind() -> None:
    shared = forged(Entry(), Entry(name=b"a.txt", content=BOT, central={"offset": 0}))
    assert refused(shared).code == "upload.overlap"
    assert refused(forged(Entry(), gap=b"hidden")).code == "upload.overlap"
    assert refused(forged(Entry(), before=b"#!/bin/sh\n")).code == "upload.type"
    assert refused(forged(Entry(), before=b"PK\3\4")).code == "upload.overlap"
    assert refused(forged(Entry(), comment=b"hello")).code == "upload.archive"
    assert refused(forged(Entry()) + b"tail").code == "upload.archive"


def test_extra_fields_that_change_the_meaning() -> None:
    for tag in (0x0001, 0x7075, 0x9901):
        extra = struct.pack("<2H4s", tag, 4, b"abcd")
        assert refused(forged(Entry(extra=extra))).code == "upload.archive"
    harmless = struct.pack("<2H4s", 0x5455, 4, b"abcd")
    assert read_upload("bot.zip", forged(Entry(extra=harmless))).files == (("bot.py", BOT),)
    assert refused(forged(Entry(extra=b"\x55"))).code == "upload.archive"


def test_too_many_entries_and_a_wrong_count() -> None:
    many = [Entry(name=b"d%d.txt" % n, content=b"") for n in range(ENTRIES)]
    assert refused(forged(Entry(), *many)).code == "upload.entries"
    assert len(read_upload("bot.zip", forged(Entry(), *many[1:])).files) == ENTRIES
    assert refused(forged(Entry(), count=2)).code == "upload.archive"
    assert refused(forged(count=0)).code == "upload.entries"


def test_too_large_in_bytes_and_unpacked() -> None:
    assert refused(b"PK\3\4" + bytes(UPLOAD_BYTES)).code == "upload.too_large"
    half = bytes(TOTAL_BYTES // 2 + 1)
    big = forged(Entry(), Entry(name=b"a.bin", content=half), Entry(name=b"b.bin", content=half))
    assert refused(big).code == "upload.too_large"


def test_every_cut_of_an_honest_archive_is_refused() -> None:
    whole = zipped(("bot.py", BOT), ("a.json", b"{}"))
    for length in range(4, len(whole)):
        assert refused(whole[:length]).code.startswith("upload.")


def test_every_flipped_byte_is_refused_or_changes_nothing_unseen() -> None:
    """A changed byte is either refused or lies in a field that carries no content (time stamps, versions, mode)."""
    whole = zipped(("bot.py", BOT), ("a.json", b"{}"), method=zipfile.ZIP_STORED)
    honest = read_upload("bot.zip", whole)
    for at in range(len(whole)):
        changed = whole[:at] + bytes([whole[at] ^ 0x20]) + whole[at + 1 :]
        try:
            upload = read_upload("bot.zip", changed)
        except UploadRefused:
            continue
        assert upload.files == honest.files
