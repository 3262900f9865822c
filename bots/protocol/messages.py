"""Protocol v1, both sides: UTF-8 JSON, one object a packet, on a SEQPACKET socket.

The table writes `*_packet` and reads with `read_ready` and `read_answer`; the bot's side writes the
constants and `answer_packet` and reads with `read_object`. Nothing here touches a socket, a file or a clock.
A new field keeps v1; a changed meaning is v2 (docs: bots/protocol/README.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from json import JSONEncoder, loads  # by name: a bot may replace the module's functions
from typing import Final, Never

VERSION: Final = 1
# A SEQPACKET packet arrives whole or not at all, so each side needs one buffer of the largest packet and no framing.
MAX_TO_BOT: Final = 65_536  # bytes of one packet to the bot
# An answer has about twenty bytes. The smaller the packet, the less a bot can make the worker parse.
MAX_FROM_BOT: Final = 512  # bytes of one packet from the bot; the table receives one more to see longer ones
FILE_PACKET: Final = 60_000  # bytes of a bot's files in one packet
MAX_DIGITS: Final = 9  # of a number in a packet from the bot, sign included
LOG_CAP: Final = 65_536  # bytes of one bot's log in one match
LOG_RESERVE: Final = 4_096  # of these, what prints leave free for a traceback
ENTRY: Final = "bot.py"

LOCKED: Final = b'{"locked":1}'
READY: Final = b'{"ready":1}'
CRASHED: Final = b'{"e":"crash"}'
OUT_OF_MEMORY: Final = b'{"e":"memory"}'
NO_SUCH_ACTION: Final = -1  # what the bot's side sends for an answer that `legal` lacks

# One encoder for the process: `json.dumps` with options builds one for each call, and there is one a move.
_encode: Final = JSONEncoder(separators=(",", ":"), ensure_ascii=False, allow_nan=False, check_circular=False).encode
_PLAIN_ANSWER: Final = re.compile(rb'\{"q":(0|[1-9][0-9]{0,8}),"a":(-1|0|[1-9][0-9]{0,8})\}').fullmatch
"""The answer as `answer_packet` writes it, which needs no reader of JSON."""


class Fault(StrEnum):
    """Reason of a forfeit. The values are stable: they stand in records and on pages."""

    CRASH = "crash"
    TIMEOUT_CPU = "timeout.cpu"
    TIMEOUT_WALL = "timeout.wall"
    MEMORY = "memory"
    PROTOCOL = "protocol"
    ILLEGAL = "illegal"


class BadPacket(ValueError):
    """A packet that Protocol v1 does not allow here; the text says which rule it breaks."""


class Reported(Exception):
    """The bot's side says that the bot failed: `fault` is CRASH or MEMORY, the traceback is in the log."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(f"the bot reported {fault.value}")
        self.fault = fault


def _dump(message: Mapping[str, object]) -> bytes:
    packet = _encode(message).encode()
    if len(packet) > MAX_TO_BOT:
        raise ValueError(f"a packet to a bot may hold {MAX_TO_BOT} bytes, this one has {len(packet)}; send less")
    return packet


def limits_packet(*, address_space: int, data: int, cpu_s: int) -> bytes:
    """Table to a fresh child: address space and data in bytes, CPU time in whole seconds, to lock itself with."""
    return _dump({"limits": {"as": address_space, "data": data, "cpu": cpu_s}})


def hello_packet(hello: Mapping[str, object], files: Sequence[tuple[str, bytes]]) -> bytes:
    """Table to bot, once: who plays what. `files` of the hello becomes `[[path, size], ..]`, the entry among them."""
    listing = [[path, len(data)] for path, data in files]
    return _dump({"hello": {"v": VERSION, **hello, "files": listing}})


def file_packets(files: Sequence[tuple[str, bytes]]) -> Iterator[bytes]:
    """The files' bytes in the order of the hello, in packets of at most FILE_PACKET bytes; an empty file has none."""
    for _, data in files:
        for start in range(0, len(data), FILE_PACKET):
            yield data[start : start + FILE_PACKET]


def decision_packet(q: int, obs: Mapping[str, object]) -> bytes:
    """Table to bot: decision number `q` (1, 2, 3 .. through the match) and what this seat may know."""
    return _dump({"q": q, "obs": obs})


def answer_packet(q: int, index: int) -> bytes:
    """Bot to table: the answer to decision `q`, an index into `obs["legal"]` or NO_SUCH_ACTION."""
    return b'{"q":%d,"a":%d}' % (q, index)


def read_ready(packet: bytes) -> None:
    """The bot is loaded. Raises Reported if it failed to load, BadPacket if it says anything else."""
    message = _strict_object(packet)
    # `type(..) is not int`, here and below: True == 1, and isinstance(True, int) holds.
    if message.keys() != {"ready"} or type(message["ready"]) is not int or message["ready"] != 1:
        raise BadPacket("expected the ready message after loading")


def read_answer(packet: bytes, q: int) -> int:
    """The index that answers decision `q`; it is not yet known to be legal.

    Raises Reported if the bot failed while thinking, BadPacket for everything that is not exactly one answer.
    """
    plain = _PLAIN_ANSWER(packet)
    if plain is not None:
        number, index = int(plain[1]), int(plain[2])
    else:
        number, index = _answer(_strict_object(packet))
    if number != q:
        raise BadPacket(f"the answer is not to decision {q}")
    return index


def _answer(message: Mapping[str, object]) -> tuple[int, int]:
    """The two numbers of an answer, not checked."""
    if message.keys() != {"q", "a"}:
        raise BadPacket("an answer has exactly the keys q and a")
    number, index = message["q"], message["a"]
    if type(number) is not int:
        raise BadPacket("q must be a whole number")
    if type(index) is not int:
        raise BadPacket("a must be a whole number")
    return number, index


def read_object(packet: bytes, key: str) -> dict[str, object]:
    """Bot's side: a message of the table that must have `key`. Trusts the sender, but not the order of messages."""
    message = loads(packet)
    if not isinstance(message, dict) or key not in message:
        raise BadPacket(f"expected a message with {key!r}")
    return message


def read_limits(packet: bytes) -> tuple[int, int, int]:
    """Child's side of limits_packet: (address space in bytes, data in bytes, CPU time in seconds)."""
    limits = read_object(packet, "limits")["limits"]
    if not isinstance(limits, dict) or any(type(limits.get(key)) is not int for key in ("as", "data", "cpu")):
        raise BadPacket("limits must give as, data and cpu as whole numbers")
    return limits["as"], limits["data"], limits["cpu"]


def read_files(listing: object) -> list[tuple[str, int]]:
    """Bot's side: the (path, size) pairs of a hello."""
    if not isinstance(listing, list):
        raise BadPacket("hello.files must be a list")
    return [(str(path), int(size)) for path, size in listing]


def _strict_object(packet: bytes) -> dict[str, object]:
    """Read one JSON object without duplicate keys, NaN or endless digits. Raises Reported if it is an error message."""
    if len(packet) > MAX_FROM_BOT:
        raise BadPacket(f"a packet from a bot may hold {MAX_FROM_BOT} bytes")
    try:
        # The bot is hostile: duplicate keys mean different things to different readers, NaN is no JSON, and int() of
        # very many digits takes quadratic time.
        message = loads(packet.decode(), object_pairs_hook=_unique, parse_int=_short_int, parse_constant=_no_constant)
    # Brackets alone nest 512 deep, which is a RecursionError where the stack is deep already.
    except (ValueError, RecursionError) as error:
        raise BadPacket(f"not a JSON object of the protocol: {str(error)[:80]}") from None
    if not isinstance(message, dict):
        raise BadPacket("a message must be a JSON object")
    if message.keys() == {"e"} and message["e"] in (Fault.CRASH.value, Fault.MEMORY.value):
        raise Reported(Fault(message["e"]))
    return message


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    message = dict(pairs)
    if len(message) != len(pairs):
        raise BadPacket("a key stands twice in a message")
    return message


def _short_int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise BadPacket(f"a number may have {MAX_DIGITS} digits")
    return int(digits)


def _no_constant(name: str) -> Never:
    raise BadPacket(f"{name} is not JSON")
