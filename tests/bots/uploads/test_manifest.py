"""hanami.toml: the clock of a version; and the files that an archive may hold and a bot does not get."""

from __future__ import annotations

import pytest

from bots.runner.spec import BOUNDS, CLOCKS, STANDARD, Clock, suits
from bots.uploads import UploadRefused, read_upload
from bots.uploads.manifest import read_manifest
from tests.browser.guarded import zipped


def test_a_version_may_declare_its_clock() -> None:
    assert read_manifest(None).clock == read_manifest(b'name = "Plum"').clock == STANDARD.id
    assert read_manifest(b'clock = "deep"').clock == "deep"
    assert read_upload("x.zip", zipped({"bot.py": "x = 1", "hanami.toml": 'clock = "slow"\n'})).clock == "slow"


@pytest.mark.parametrize("line", ['clock = "eternal"', "clock = 5", 'clock = ""'])
def test_a_clock_that_is_none_is_refused_with_those_there_are(line: str) -> None:
    with pytest.raises(UploadRefused, match="quick, standard, slow, deep") as refused:
        read_manifest(line.encode())
    assert refused.value.code == "upload.manifest"


def test_which_clock_suits_whom() -> None:
    assert all(suits(STANDARD, given) and suits(CLOCKS["quick"], given) for given in CLOCKS.values())
    assert [suits(CLOCKS["slow"], given) for given in CLOCKS.values()] == [False, False, True, True]
    assert [suits(CLOCKS["deep"], given) for given in CLOCKS.values()] == [False, False, False, True]
    longest = Clock("custom", *(high for _low, high in BOUNDS.values()))
    assert suits(CLOCKS["deep"], longest)


def test_a_readme_in_an_archive_is_left_out() -> None:
    found = read_upload("x.zip", zipped({"bot.py": "x = 1", "README.md": "# Plum", "docs/more.md": ""}))
    assert [path for path, _content in found.files] == ["bot.py"]
