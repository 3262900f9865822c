"""What the net sees of a decision: one row per legal action, of the table as that action leaves it.

The same file is packed into the upload, so it imports only what a bot may: numpy and hanami.
"""

from typing import Any

import hanami
import numpy as np

YAKU = tuple(hanami.YAKU.values())
"""The cards of each yaku of the Sakura family, as sets."""
SETS = 5
"""Card sets of a row: captured by me, by the other, the field, my hand, unseen."""
BYTES = SETS * 48 // 8
SCALARS = 3
SIZE = SETS * 48 + len(YAKU) * 16 + 2 * 48 + SCALARS

_YAKU_OF = np.array([[card >> bit & 1 for card in YAKU] for bit in range(48)], np.float32)
"""48 x 8: which cards belong to which yaku."""
_MONTH_OF = np.array([[float(a // 4 == b // 4) for a in range(48)] for b in range(48)], np.float32)
"""48 x 48: which cards are of one month."""

_STATE = np.vstack([4 * _YAKU_OF, _YAKU_OF])
"""96 x 8: four times how many cards of each yaku I have, and how many the other has: 0 to 15."""
_STATES = np.arange(16, dtype=np.float32)
_THIRD = _MONTH_OF / 3


def packed(view: hanami.View) -> tuple[Any, Any]:
    """The rows of a decision as bytes, shape (actions, BYTES), and the scalars that they share, shape (SCALARS,).

    Only actions that play or choose a card (`view.plays`); in Hawaii there are no others.
    """
    theirs, rows = 0, bytearray()
    # At larger tables all others are taken together, which the net has not been trained for.
    for tray in view.others:
        theirs |= tray
    for index in view.plays:
        action = view.legal[index]
        taken, laid = view.takes(action), view.lays(action)
        sets = (view.mine | taken, theirs, (view.field & ~taken) | laid, view.hand & ~(taken | laid), view.unseen)
        whole = sum(cards << 48 * place for place, cards in enumerate(sets))
        rows += whole.to_bytes(BYTES, "little")
    shared = (view.hand.bit_count() / 8, view.pile_size / 24, float(view.phase == "hand"))
    return np.frombuffer(bytes(rows), np.uint8).reshape(-1, BYTES), np.array(shared, np.float32)


def unpacked(rows: Any, shared: Any) -> Any:
    """Features as the net takes them, float32, shape (actions, SIZE).

    rows: of `packed`, of one decision or of many; shared: (SCALARS,) of one, or (actions, SCALARS).
    """
    count = len(rows)
    # Written in place, since each array that is made costs a bot more than what is calculated in it.
    found = np.empty((count, SIZE), np.float32)
    found[:, :240] = np.unpackbits(rows, axis=1, bitorder="little")
    captured, field, hand, unseen = (found[:, start:end] for start, end in ((0, 96), (96, 144), (144, 192), (192, 240)))
    # How far each yaku is on both sides at once: a yaku of which both have a card is dead.
    found[:, 240:368] = ((captured @ _STATE)[:, :, None] == _STATES).reshape(count, -1)
    # What lies on the field, by how many unseen cards and how many of my own could take it.
    np.multiply(field, unseen @ _THIRD, out=found[:, 368:416])
    np.multiply(field, hand @ _THIRD, out=found[:, 416:464])
    found[:, 464:] = shared
    return found
