"""The harness itself: it takes all that corpus/README.md allows, leaves nothing out in silence and is not blind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.attacks import test_corpus as corpus
from tests.attacks.conftest import Worker
from tests.attacks.corpus_option import MOVES, Attack, attacks
from tests.attacks.host import Host
from tests.attacks.referee import PLAYED, REFUSED

MIN_SIZE: dict[str, Any] = {"id": "one", "kind": "bot", "file": "one.py", "expect": PLAYED}
HARMLESS = "def build():\n    return b'def choose(obs): return 0\\n'\n"


def a_corpus(folder: Path, *entries: dict[str, Any], **manifest: object) -> Path:
    (folder / "manifest.json").write_text(json.dumps({"format": 1, "attacks": entries, **manifest}))
    return folder


def an_attack(folder: Path, source: str | bytes, **entry: object) -> Attack:
    data = source.encode() if isinstance(source, str) else source
    (folder / "one.py").write_bytes(data)
    return Attack(folder, MIN_SIZE | entry)


def test_what_an_entry_leaves_out_has_a_default(tmp_path: Path) -> None:
    for place in (a_corpus(tmp_path, MIN_SIZE), tmp_path / "manifest.json"):
        (found,) = attacks(place)
        assert (found.accepted, found.moves, found.runs) == ({PLAYED}, MOVES, 1)
        assert found.path == tmp_path / "one.py"


@pytest.mark.parametrize(
    ("entry", "manifest"), [({"kind": "film"}, {}), ({}, {"format": 2})], ids=["another kind", "another format"]
)
def test_what_cannot_be_run_is_not_passed_over(tmp_path: Path, entry: dict[str, Any], manifest: dict[str, Any]) -> None:
    with pytest.raises(pytest.UsageError):
        attacks(a_corpus(tmp_path, MIN_SIZE | entry, **manifest))
    with pytest.raises(pytest.UsageError):
        attacks(tmp_path / "nowhere")


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [
        "def choose(obs): return len(obs['legal']) - 1\n",
        "print('BREACH:one')\ndef choose(obs): return 0\n",
        "nonsense\n",
    ],
    ids=["answers the last", "says so", "another outcome"],
)
def test_a_breach_is_seen(worker: Worker, tmp_path: Path, source: str) -> None:
    (game,) = worker.play(an_attack(tmp_path, source))["games"]
    with pytest.raises(AssertionError):
        corpus.check_game(an_attack(tmp_path, source), game)


@pytest.mark.thorough
def test_any_bytes_come_to_the_bot_as_they_are(worker: Worker, tmp_path: Path) -> None:
    """Upload and sandbox judge them alike: neither takes what is not UTF-8."""
    attack = an_attack(tmp_path, b"WORD = '\xff'\ndef choose(obs): return 0\n", expect="forfeit:crash")
    (game,) = worker.play(attack)["games"]
    corpus.check_game(attack, game)
    assert corpus.judged(attack, "bot.py")["code"] == "upload.text"


@pytest.mark.slow
def test_an_upload_that_may_be_taken_is_played(host: Host, tmp_path: Path) -> None:
    taken = an_attack(tmp_path, HARMLESS, kind="upload", also_ok=["forfeit:crash"], moves=0)
    corpus.test_upload(host, taken, "bot.py")
    corpus.test_upload(host, taken, "bot.zip")  # refused: its content is no zip
    with pytest.raises(AssertionError, match="it was taken"):
        corpus.test_upload(host, an_attack(tmp_path, HARMLESS, kind="upload", expect=REFUSED), "bot.py")
