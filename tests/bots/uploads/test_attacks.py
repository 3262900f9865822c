"""The upload attacks of the corpus: each refused, quickly and in little memory, under every name it might come by."""

from __future__ import annotations

import importlib.util
import json
import resource
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from bots.uploads import UploadRefused, read_upload

CORPUS = Path(__file__).parents[2] / "attacks" / "corpus"
ATTACKS = [
    attack
    for attack in json.loads((CORPUS / "manifest.json").read_text(encoding="utf-8"))["attacks"]
    if attack["kind"] == "upload"
]


def build(file: str) -> bytes:
    spec = importlib.util.spec_from_file_location("attack", CORPUS / file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return cast(Callable[[], bytes], module.build)()


def test_the_corpus_has_its_uploads() -> None:
    assert len(ATTACKS) >= 10


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack["id"])
@pytest.mark.parametrize("name", ["bot.zip", "bot.py", "bot.tar"])
def test_an_attack_is_refused_within_bounds(attack: dict[str, str], name: str) -> None:
    data = build(attack["file"])
    cpu = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    tracemalloc.start()
    try:
        with pytest.raises(UploadRefused) as caught:
            read_upload(name, data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert caught.value.code.startswith("upload.")
    assert str(caught.value).isascii()
    assert str(caught.value).isprintable()
    assert peak < 64 * 2**20
    assert resource.getrusage(resource.RUSAGE_SELF).ru_utime - cpu < 2
