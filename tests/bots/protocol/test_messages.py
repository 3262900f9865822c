"""Protocol v1 as pure functions: what is written, what is read back, and what is refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.protocol import messages
from bots.protocol.messages import BadPacket, Fault, Reported

FILES = [("bot.py", b"x" * 130_000), ("empty.txt", b""), ("a/b.bin", b"\0\xff")]


def test_the_constants_are_the_messages_of_the_design() -> None:
    assert json.loads(messages.LOCKED) == {"locked": 1}
    assert json.loads(messages.READY) == {"ready": 1}
    assert json.loads(messages.CRASHED) == {"e": "crash"}
    assert json.loads(messages.OUT_OF_MEMORY) == {"e": "memory"}
    assert {fault.value for fault in Fault} == {
        "crash", "timeout.cpu", "timeout.wall", "memory", "protocol", "illegal",
    }  # fmt: skip


def test_limits_go_round() -> None:
    packet = messages.limits_packet(address_space=300 << 20, data=280 << 20, cpu_s=62)
    assert messages.read_limits(packet) == (300 << 20, 280 << 20, 62)


@pytest.mark.parametrize("packet", [b"{}", b'{"limits":{}}', b'{"limits":{"as":1.5,"cpu":1}}', b'{"limits":[1,2]}'])
def test_limits_must_be_whole_numbers(packet: bytes) -> None:
    with pytest.raises(BadPacket):
        messages.read_limits(packet)


def test_hello_has_version_and_files() -> None:
    packet = messages.hello_packet({"match": "m1", "me": "p0"}, FILES)
    hello = json.loads(packet)["hello"]
    assert hello["v"] == 1
    assert messages.read_files(hello["files"]) == [("bot.py", 130_000), ("empty.txt", 0), ("a/b.bin", 2)]


def test_files_travel_in_short_packets_in_order() -> None:
    packets = list(messages.file_packets(FILES))
    assert [len(packet) for packet in packets] == [60_000, 60_000, 10_000, 2]
    assert b"".join(packets) == b"".join(data for _, data in FILES)


def test_a_packet_to_a_bot_has_a_limit() -> None:
    with pytest.raises(ValueError, match="65536"):
        messages.decision_packet(1, {"padding": "x" * messages.MAX_TO_BOT})
    with pytest.raises(ValueError, match="JSON compliant"):
        messages.decision_packet(1, {"value": float("nan")})


@given(st.integers(1, 10**6), st.integers(-1, 10**6))
def test_answers_go_round(q: int, index: int) -> None:
    assert messages.read_answer(messages.answer_packet(q, index), q) == index


@pytest.mark.thorough
@given(st.from_regex(rb'\{"q":-?[0-9]{1,11},"a":-?[0-9]{1,11}\}', fullmatch=True), st.integers(0, 10**9))
def test_an_answer_is_the_same_however_it_is_written(packet: bytes, q: int) -> None:
    """Answers read without the reader of JSON are read as JSON would be: leading noughts, signs, too many digits."""
    said: list[int | None] = []
    for spelling in (packet, packet.replace(b":", b": "), packet.replace(b'"q"', b'"\\u0071"')):
        try:
            said.append(messages.read_answer(spelling, q))
        except BadPacket:
            said.append(None)
    assert len(set(said)) == 1


@pytest.mark.parametrize("packet", [b'{"q":01,"a":0}', b'{"q":1,"a":00}', b'{"q":1,"a":0}\n\n1', b'{"q":1,"a":0} 1'])
def test_what_only_looks_plain_is_none(packet: bytes) -> None:
    with pytest.raises(BadPacket):
        messages.read_answer(packet, 1)


@given(st.binary(max_size=600))
def test_no_bytes_break_the_reader(packet: bytes) -> None:
    for read in (messages.read_ready, lambda data: messages.read_answer(data, 1)):
        try:
            read(packet)
        except (BadPacket, Reported):
            continue


@pytest.mark.thorough
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=20))
def test_only_a_whole_number_is_an_index(value: object) -> None:
    packet = json.dumps({"q": 1, "a": value}).encode()
    if type(value) is int and len(str(value)) <= messages.MAX_DIGITS:
        assert messages.read_answer(packet, 1) == value
    else:
        with pytest.raises(BadPacket):
            messages.read_answer(packet, 1)


@pytest.mark.parametrize("packet", [b'{"e":"crash"}', b'{"e":"memory"}'])
def test_reports_choose_between_two_faults_only(packet: bytes) -> None:
    for read in (messages.read_ready, lambda data: messages.read_answer(data, 1)):
        with pytest.raises(Reported) as caught:
            read(packet)
        assert f'"{caught.value.fault.value}"'.encode() in packet
    with pytest.raises(BadPacket):
        messages.read_answer(b'{"e":"timeout.wall"}', 1)


@pytest.mark.parametrize(
    "packet",
    [b'{"ready":true}', b'{"ready":1.0}', b'{"ready":1,"v":1}', b'{"ready":2}', b"[]", b'{"ready":1}{"ready":1}', b""],
)
def test_ready_is_exactly_ready(packet: bytes) -> None:
    messages.read_ready(messages.READY)
    with pytest.raises(BadPacket):
        messages.read_ready(packet)


@pytest.mark.parametrize("packet", [b"[" * 512, b'{"a":' * 100, b"9" * 512, b'{"q":1,"a":Infinity}', b"\xef\xbb\xbf{}"])
def test_traps_of_the_parser_are_bad_packets(packet: bytes) -> None:
    with pytest.raises(BadPacket):
        messages.read_answer(packet, 1)
