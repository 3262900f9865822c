"""The worker's end of a bot's socket: never blocks, never takes descriptors, never reads more than one short packet."""

from __future__ import annotations

import fcntl
import select
import socket
import termios
from typing import Final

from bots.protocol.messages import MAX_FROM_BOT

CLOSED: Final = b""  # an empty packet ends a bot just as a closed socket does
_NOTHING: Final = bytes(4)  # an int of the kernel's: what lies in the socket unread


class Channel:
    """A SEQPACKET socket: one packet is one message."""

    def __init__(self, end: socket.socket) -> None:
        # A bot that never reads fills its socket; a blocking send would hang the worker for ever.
        end.setblocking(False)
        self._end = end
        self._readable, self._writable = select.poll(), select.poll()
        self._readable.register(end, select.POLLIN)
        self._writable.register(end, select.POLLOUT)

    def receive(self) -> bytes | None:
        """The packet that waits, at most one byte longer than allowed; None if none waits, CLOSED at the end."""
        try:
            # One byte more than allowed: the kernel cuts a longer packet there, and its length shows the reader that it
            # was cut. Plain recv takes no descriptors, which a bot might send to fill the worker's table of them.
            return self._end.recv(MAX_FROM_BOT + 1)
        except BlockingIOError:
            return None
        except ConnectionResetError:  # it ended with something unread; what it said before is still to be had
            return self._end.recv(MAX_FROM_BOT + 1)

    def has_packet(self) -> bool:
        """Return whether there is a packet or an end to receive. Cheaper than to try in vain."""
        return bool(self._readable.poll(0))

    def is_read(self) -> bool:
        """Return whether the bot has taken everything that was sent."""
        # TIOCOUTQ counts bytes that the other end has not taken: an answer written before the question was read was
        # made up (decision 0038).
        return not any(fcntl.ioctl(self._end, termios.TIOCOUTQ, _NOTHING))

    def send(self, packet: bytes) -> bool:
        """Send a packet; False if the bot reads too slowly. A dead bot's packet is gone: `receive` says so."""
        try:
            self._end.send(packet)
        except BlockingIOError:
            return False
        except (ConnectionResetError, BrokenPipeError):
            return True
        return True

    def wait_readable(self, ms: float) -> None:
        """Wait until there is a packet or an end to receive, at most `ms`."""
        # poll() rounds down to whole milliseconds: less than one would spin without waiting.
        self._readable.poll(max(ms, 1.0))

    def wait_writable(self, ms: float) -> None:
        """Wait until there is room to send, at most `ms`."""
        self._writable.poll(max(ms, 1.0))

    def close(self) -> None:
        """Free the socket."""
        self._end.close()
