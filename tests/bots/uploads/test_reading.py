"""Single files, kinds, text rules, the manifest and the version's hash."""

from __future__ import annotations

import gzip
import io
import tarfile

import pytest

from bots.uploads import UploadRefused, check_plays, pack_files, read_upload, unpack_files, version_hash
from tests.bots.uploads.archives import BOT, zipped


def refused(name: str, data: bytes) -> UploadRefused:
    with pytest.raises(UploadRefused) as caught:
        read_upload(name, data)
    return caught.value


def test_a_single_file_is_kept_as_bot_py() -> None:
    assert read_upload("my greedy bot (2).py", BOT).files == (("bot.py", BOT),)


def test_kinds_that_are_not_taken() -> None:
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("bot.py"))
    for name in ("bot.tar", "bot.zip", "bot.py"):
        assert refused(name, tar.getvalue()).code == "upload.type"
    for name, data in [
        ("bot.zip", gzip.compress(BOT)),
        ("bot.py", b"\x7fELF" + bytes(20)),
        ("bot.py", zipped(("bot.py", BOT))),
        ("bot.zip", BOT),
        ("bot.pyc", BOT),
        ("bot", BOT),
    ]:
        assert refused(name, data).code == "upload.type"
    assert refused("bot.py", b"").code == "upload.empty"


def test_text_must_be_utf8_without_nul() -> None:
    error = refused("bot.py", b"# a\n# \xff\n")
    assert (error.code, error.extra) == ("upload.text", {"file": "bot.py"})
    assert "line 2" in str(error)
    assert refused("bot.py", b"a = 1\x00").code == "upload.text"
    assert refused("bot.zip", zipped(("bot.py", BOT), ("a.csv", b"\xff"))).code == "upload.text"
    assert read_upload("bot.zip", zipped(("bot.py", BOT), ("a.bin", b"\xff\x00"))).files[0] == ("a.bin", b"\xff\x00")


def test_the_entry_file_is_asked_for_where_it_is() -> None:
    assert "folder around them" in str(refused("bot.zip", zipped(("mybot/bot.py", BOT))))
    assert refused("bot.zip", zipped(("other.py", BOT))).code == "upload.no_entry"


def manifest(text: str) -> bytes:
    return zipped(("bot.py", BOT), ("hanami.toml", text.encode()))


def test_the_manifest_says_name_protocol_and_presets() -> None:
    upload = read_upload("bot.zip", manifest('name = "Plum"\nprotocol = 1\nplays = ["paradise", "hawaii", "hawaii"]\n'))
    assert (upload.name, upload.protocol, upload.plays) == ("Plum", 1, ("hawaii", "paradise"))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("name = ", "upload.manifest"),
        ("nmae = 'x'", "upload.manifest"),
        ("name = ''", "upload.manifest"),
        ("name = 3", "upload.manifest"),
        ('name = "a\\nb"', "upload.manifest"),
        (f"name = '{'x' * 61}'", "upload.manifest"),
        ("protocol = 2", "upload.manifest"),
        ("protocol = true", "upload.manifest"),
        ("x = " + "[" * 8000, "upload.manifest"),
        ("x = 1" + "0" * 9000, "upload.manifest"),
        ("#" * 20_000, "upload.manifest"),
        ("plays = 'hawaii'", "upload.plays"),
        ("plays = []", "upload.plays"),
        ("plays = [1]", "upload.plays"),
        ("plays = ['hawai']", "upload.plays"),
    ],
)
def test_manifests_that_are_refused(text: str, code: str) -> None:
    assert refused("bot.zip", manifest(text)).code == code


def test_presets_are_checked_alike_for_forms() -> None:
    assert check_plays(["paradise", "hawaii"]) == ("hawaii", "paradise")
    with pytest.raises(UploadRefused, match="hawaii"):
        check_plays(["nowhere"])


def test_the_hash_depends_on_content_not_on_packing() -> None:
    one = read_upload("a.zip", zipped(("bot.py", BOT), ("a.json", b"{}")))
    other = read_upload("b.zip", zipped(("a.json", b"{}"), ("bot.py", BOT), method=0))
    assert one.version_hash(("hawaii", "paradise")) == other.version_hash(("paradise", "hawaii"))
    assert one.version_hash(("hawaii",)) != one.version_hash(("paradise",))
    assert len(version_hash([], 1, ["hawaii"])) == 64
    assert version_hash([("bot.py", b"x")], 1, []) == "a32030707397832ae1ff20a1f45886dd4203abbf68e0578efc6c7620817b13b5"


def test_kept_files_come_back() -> None:
    files = (("a.bin", b"\x00\n\xff"), ("bot.py", BOT), ("empty.txt", b""))
    assert unpack_files(pack_files(reversed(files))) == files
    with pytest.raises(UploadRefused):
        unpack_files(pack_files(files) + b"x")
