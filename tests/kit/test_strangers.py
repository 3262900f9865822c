"""Mistakes of somebody new: each time one sentence that says what to do, never a trace of the program."""

from __future__ import annotations

import http.server
import io
import json
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
import zstandard

from engine.canonical import record_hash
from engine.record_compact import compact
from kit import service
from kit.account import require_private
from kit.documents import load_record
from tests.kit.conftest import Type
from tests.services.processes import ROOT

RECORD = ROOT / "tests" / "data" / "records" / "hawaii-2.json"
GOOD = "def choose(obs):\n    return 0\n"


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """One try is enough to hear that nobody is there."""
    monkeypatch.setattr(service, "TRIES", 1)


@pytest.fixture
def somebody_else() -> Iterator[str]:
    """A web server that is no Hanami."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path.startswith("/api/v1/bots?") else 404)
            self.end_headers()
            self.wfile.write(b"<h1>My cats</h1>")

        def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002  # the library's name

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_the_bare_command_is_its_own_help(type_in: Type) -> None:
    found = type_in()
    assert (found.code, found.out) == (2, "")
    assert "Begin with `hanami new mybot`" in found.err
    assert re.findall(r"^  (\w+)  ", found.err, re.MULTILINE)[:5] == ["new", "test", "play", "watch", "ab"]
    assert "..." not in found.err.split("Commands:")[1]
    assert type_in("--help").code == 0
    assert "All about it: hanami play --help" in type_in("play", "--seats", "99").err


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("http://127.0.0.1:9", "nothing answers there"),
        ("https://nobody.invalid", "no machine has that name"),
        ("plum", "Write it like https://"),
    ],
)
def test_no_service_is_told_in_one_line(
    type_in: Type, hurried: None, my_bot: Callable[..., Path], address: str, told: str
) -> None:
    my_bot(GOOD)
    for words in (("login", address, "--token", "hf_x"), ("replay", "m1", "--server", address)):
        found = type_in(*words)
        assert found.code in (2, 3)
        assert told in found.err
        assert len(found.err.strip()) < 200, found.err


@pytest.mark.parametrize(
    "address", ["http://hanami.example.org", "http://192.168.1.7:8000", "http://localhost.example"]
)
def test_a_token_goes_over_https_or_to_this_machine_alone(
    type_in: Type, hurried: None, my_bot: Callable[..., Path], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("requests.Session.request", lambda _self, _method, url, **_more: asked.append(url))
    my_bot(GOOD)
    found = type_in("login", address, "--token", "hf_x", "--json")
    assert (found.code, "kit.not_private" in found.out + found.err) == (2, True)
    monkeypatch.setenv("HANAMI_TOKEN", "hf_x")
    for words in (("submit", "mine", "--server", address), ("replay", "m1", "--server", address)):
        assert "https only" in type_in(*words).err
    assert not asked


@pytest.mark.parametrize("address", ["https://hanami.example.org", "http://localhost:8000", "http://[::1]:8000"])
def test_where_a_token_may_go(address: str) -> None:
    require_private(address)


def test_a_token_may_come_through_a_pipe(
    type_in: Type, hurried: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("hf_plum\n"))
    assert "nothing answers there" in type_in("login", "http://127.0.0.1:9").err
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    found = type_in("login", "http://127.0.0.1:9")
    assert (found.code, "No token came. Make one at http://127.0.0.1:9/me/tokens/" in found.err) == (2, True)


@pytest.mark.thorough
def test_files_where_folders_belong_are_named(type_in: Type, my_bot: Callable[..., Path]) -> None:
    my_bot(GOOD)
    found = type_in("play", "mine", "--deals", "1", "--records", "mine/bot.py")
    assert (found.code, "mine/bot.py is a file" in found.err) == (2, True)


def test_certificates_timeouts_and_the_rest_have_words() -> None:
    for error, told in (
        (requests.exceptions.SSLError("self-signed"), "certificate"),
        (requests.exceptions.ReadTimeout("read timed out"), "in time"),
        (requests.exceptions.InvalidURL("x"), "InvalidURL"),
    ):
        assert told in service._out_of_reach("https://hanami.example.org", error)


def test_another_web_server_is_told_from_a_service(type_in: Type, somebody_else: str) -> None:
    found = type_in("login", somebody_else, "--token", "hf_x")
    assert (found.code, "no JSON. Is that its address?" in found.err) == (3, True)
    missing = type_in("replay", "m1", "--server", somebody_else)
    assert (missing.code, "no answer of a Hanami service" in missing.err) == (3, True)


@pytest.mark.thorough
@pytest.mark.parametrize("content", ["{", "[1]", '"x"', "\x00"])
def test_damaged_notes_of_the_kit_are_named(
    type_in: Type, at_home: Path, my_bot: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    folder = my_bot(GOOD)
    (at_home / "config").mkdir()
    (at_home / "config" / "account.json").write_text(content, encoding="utf-8")
    kept = folder / ".hanami"
    (kept / "failures").mkdir(parents=True)
    (kept / "failures" / "L1.json").write_text(content, encoding="utf-8")
    (kept / "failures" / "Lx.json").write_text(content, encoding="utf-8")
    (kept / "service.json").write_text(content, encoding="utf-8")
    account = type_in("submit", "mine")
    assert (account.code, "account.json is damaged" in account.err) == (2, True)
    monkeypatch.setenv("HANAMI_SERVER", "http://127.0.0.1:9")
    shutil.rmtree(at_home / "config")
    for words in (("logs", "mine", "--local"), ("repro", "L1", "mine"), ("submit", "mine")):
        found = type_in(*words)
        assert (found.code, "is damaged. Delete it" in found.err) == (1, True), (words, found.err)


@pytest.mark.thorough
def test_what_is_no_failure_is_said(type_in: Type, my_bot: Callable[..., Path], at_home: Path) -> None:
    my_bot(GOOD)
    (at_home / "other.json").write_text('{"seat": "x"}', encoding="utf-8")
    found = type_in("repro", "other.json", "mine")
    assert (found.code, "no failure as the kit keeps them" in found.err) == (1, True)
    found = type_in("repro", "plum", "mine")
    assert (found.code, "called L3" in found.err) == (2, True)


def test_compact_records_and_archives_are_taken_as_they_come(type_in: Type, at_home: Path) -> None:
    document, seed = load_record(RECORD), json.loads(RECORD.read_text(encoding="utf-8"))["seed"]
    lines = [json.dumps({"match": "x", "document": document}), json.dumps(document)]
    packed = zstandard.ZstdCompressor().compress("\n".join(lines).encode())
    (at_home / "all.jsonl.zst").write_bytes(packed)
    found = type_in("verify", "all.jsonl.zst", "--json").json["files"][0]
    assert (found["ok"], found["records"], found["faults"]) == (True, 2, [])
    document["record"]["result"]["score"][0] += 10
    document["hash"] = record_hash(document["record"])
    (at_home / "all.jsonl").write_text("\n".join([*lines, json.dumps(document)]), encoding="utf-8")
    wrong = type_in("verify", "all.jsonl")
    assert wrong.code == 1
    assert "all.jsonl, line 3" in wrong.out
    assert "2 of 3 records hold" in wrong.out
    (at_home / "cut.jsonl.zst").write_bytes(packed[: len(packed) // 2])
    (at_home / "noise.jsonl.zst").write_bytes(b"no zstd at all")
    for name in ("cut.jsonl.zst", "noise.jsonl.zst"):
        assert type_in("verify", name).code == 1
    small: Any = compact(load_record(RECORD), bytes.fromhex(seed))
    (at_home / "small.json").write_text(json.dumps(small), encoding="utf-8")
    assert type_in("verify", "small.json", "--json").json["files"][0]["seed"] is True
    assert type_in("replay", "small.json#d1m1").code == 0
    small["deals"][0] = small["deals"][0].partition(";")[2]
    (at_home / "small.json").write_text(json.dumps(small), encoding="utf-8")
    assert type_in("verify", "small.json").code == 1


EMPTY: tuple[Any, ...] = (None, [], "x", 7, {})


def shaken(document: Any) -> Iterator[Any]:
    """A record without one of its parts, or with something else there."""
    for part in ("record", "view", "hash"):
        for value in EMPTY:
            yield {**document, part: value}
    for part in list(document["record"]):
        yield {**document, "record": {**document["record"], part: None}}
    for part in list(document["view"]):
        for value in ("x", [None], {}, 7):
            yield {**document, "view": {**document["view"], part: value}}


@pytest.mark.thorough
def test_no_broken_record_breaks_the_kit(type_in: Type, at_home: Path) -> None:
    document = load_record(RECORD)
    for number, broken in enumerate(shaken(document)):
        (at_home / "broken.json").write_text(json.dumps(broken), encoding="utf-8")
        for words in (("replay", "broken.json"), ("replay", "broken.json#d1m3"), ("verify", "broken.json")):
            found = type_in(*words)
            assert found.code in (0, 1, 2), (number, words)
            assert not re.search(r"Traceback|Error:", found.err), (number, found.err)


def test_a_limit_of_the_service_is_told_without_the_words_of_its_api() -> None:
    reply = requests.Response()
    reply.status_code, reply.url = 429, "http://127.0.0.1/api/v1/bots/plum/versions"
    title = "Too many uploads: 10 an hour for each token. The next one is taken at 14:50:00 UTC."
    reply._content = json.dumps(
        {"code": "rate.limited", "title": title, "detail": "Wait as long as Retry-After says."}
    ).encode()
    assert str(service.refusal_of(reply)) == f"{title} (rate.limited)"
