"""Access to a table for one of its sides without an account: the signed address of its slip, or six letters to type.

The letters are the number of the match and the side, scrambled under the server's key (a Feistel network over 30 bits):
no two tables share a code, no row is stored, and of the 2^30 codes only those of tables that are open mean anything.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.core import signing
from django.db.models import Exists, Q
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from core.errors import TournamentError
from tournaments.models import LinkRenewal, Match, Round, Seat, Stage, Tournament
from tournaments.scores.renewals import of_slip
from web.rate_limits import count_from, wait_from

SALT: Final = "hanami.table"
# A seat of a team that sits apart, on which nobody sits.
EMPTY_BOARD: Final = Q(board__isnull=False, player=None)


def _signer() -> signing.Signer:
    """Make the signer when it is needed: a worker loads this module, and has no key (decision 0095)."""
    return signing.Signer(salt=SALT)


def slip_token(match: Match, side: int, renewal: int = 0) -> str:
    """Return what the slip's address carries: the match, the side, its renewal (0: none), and a signature."""
    return _signer().sign(f"{match.uuid.hex}.{side}" + (f".{renewal}" if renewal else ""))


def read_slip(token: str) -> tuple[Match, int]:
    """Return the match and the side of a slip's address.

    Raises TournamentError "slip.unknown" (not ours), "slip.old" (the draw is gone), "slip.of_bot" or "slip.renewed".
    """
    try:
        # The signature is checked before the text is taken apart: what follows was written by us.
        uuid, side, *renewal = _signer().unsign(token).split(".")
    except signing.BadSignature as forged:
        message = _("No table has this address. Scan the code on your slip again, or ask the organiser.")
        raise TournamentError(message, code="slip.unknown") from forged
    match = Match.objects.filter(uuid=uuid).select_related("stage__tournament", "round").first()
    if match is None:
        message = _("This slip belongs to a draw that was undone. Ask the organiser for the new one.")
        raise TournamentError(message, code="slip.old")
    if not has_slip(match, int(side)):
        message = _("A bot plays there, and bots do not confirm results. Use the slip of a person, or ask a scorer.")
        raise TournamentError(message, code="slip.of_bot")
    # Equal, not "at least": an older slip and one of a renewal that was undone are both dead.
    if of_slip(match, int(side)) != int((renewal or ["0"])[0]):
        message = _("This slip was replaced by a new one. Scan the new one, or ask the organiser.")
        raise TournamentError(message, code="slip.renewed")
    return match, int(side)


def has_slip(match: Match, side: int) -> bool:
    """Return whether a side of a table has a slip: sides of people do; a bot confirms nothing, and nobody for it."""
    seats = match.seats.filter(side=side, entry__player__bot=None).exclude(EMPTY_BOARD)
    return match.deal_set_id is None and seats.exists()


# Without 0, O, 1 and I, which are misread.
LETTERS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
CODE_LENGTH: Final = 6
# Two halves of 15 bits are 30 bits: six letters of five bits each. Of them 27 are a number and three the side.
HALF: Final = 15
MASK: Final = (1 << HALF) - 1
# Rounds of the Feistel network: four are the least for a permutation that looks random, eight leave room.
TURNS: Final = 8
HIGHEST: Final = (1 << 27) - 1
# Numbers below it are of matches, those from it on of renewals, counted down from the highest.
RENEWED_FROM: Final = 1 << 26
SIDE_BITS: Final = 3  # seven sides at most
# Wrong codes of one network within ten minutes: of 2^30 codes so few hardly ever hit one of those that are open.
MAX_WRONG: Final = 60
WRONG_WITHIN: Final = timedelta(minutes=10)
M = Match.State
CLOSED: Final = (M.CONFIRMED, M.VOID)
RUNNING: Final = (Tournament.State.RUNNING, Tournament.State.PAUSED)


def table_code(match: Match, side: int, renewal: int = 0) -> str:
    """Return the six letters of one side of a match; "" for the 67 millionth match and later ones, which have the slip.

    renewal: of the slip, 0 for none. A renewed slip has letters that are counted from the other end.
    """
    if max(match.pk, renewal) >= RENEWED_FROM:
        return ""
    number = (HIGHEST - renewal if renewal else match.pk) << SIDE_BITS | side
    left, right = number >> HALF, number & MASK
    # A Feistel network is its own inverse with its turns in reverse, for any function: no code is given twice.
    for turn in range(TURNS):
        left, right = right, left ^ _mixed(turn, right)
    scrambled = left << HALF | right
    return "".join(LETTERS[scrambled >> 5 * place & 31] for place in reversed(range(CODE_LENGTH)))


def _mixed(turn: int, half: int) -> int:
    return int.from_bytes(salted_hmac(f"{SALT}.code.{turn}", str(half)).digest()[:2], "big") & MASK


def read_code(text: str, *, network: str) -> tuple[Match, int]:
    """Return the match and the side of six letters, however they are grouped. network: who asks, for the limit.

    A code is good while its round is open: not once the next round is drawn, nor after its draw was taken back. Raises
    TournamentError "code.unknown", "code.rate" (extra: retry_after).
    """
    name = "table code: "
    # Asked first and counted after: a right code costs nothing, and a network over its limit learns nothing from one.
    wait = wait_from(name, network, most=MAX_WRONG, within=WRONG_WITHIN)
    found = None if wait else _open_table(text)
    if found is not None:
        return found
    wait = wait or count_from(name, network, most=MAX_WRONG, within=WRONG_WITHIN)
    if wait:
        message = _("Too many wrong codes came from your network. Wait %(minutes)s minutes, or scan the slip.")
        shown = {"minutes": -(-wait // 60)}
        raise TournamentError(message % shown, code="code.rate", extra={"retry_after": wait})
    message = _("No open table has this code. Check the slip of this round, or ask the organiser.")
    raise TournamentError(message, code="code.unknown")


def _open_table(text: str) -> tuple[Match, int] | None:
    letters = text.upper().replace(" ", "").replace("-", "")
    if len(letters) != CODE_LENGTH or not set(letters) <= set(LETTERS):
        return None
    scrambled = 0
    for letter in letters:
        scrambled = scrambled << 5 | LETTERS.index(letter)
    left, right = scrambled >> HALF, scrambled & MASK
    for turn in reversed(range(TURNS)):
        left, right = right ^ _mixed(turn, left), left
    number = left << HALF | right
    return _of_number(number >> SIDE_BITS, number & (1 << SIDE_BITS) - 1)


def _of_number(number: int, side: int) -> tuple[Match, int] | None:
    """The table, if the number stands for the slip that holds now: of a match, or of a renewal."""
    renewal = HIGHEST - number if number >= RENEWED_FROM else 0
    pk = (
        LinkRenewal.objects.filter(pk=renewal, side=side).values_list("match", flat=True).first() if renewal else number
    )
    found = _of_match(pk, side) if pk is not None else None
    # The letters of the match itself die with the first renewal, and those of a renewal with the next one.
    return found if found is not None and of_slip(*found) == renewal else None


def _of_match(pk: int, side: int) -> tuple[Match, int] | None:
    rows = Match.objects.filter(pk=pk, stage__state=Stage.State.ACTIVE, stage__tournament__state__in=RUNNING)
    own = Seat.objects.filter(match=pk, side=side, entry__player__bot=None).exclude(EMPTY_BOARD)
    rows = rows.filter(Exists(own), deal_set=None).exclude(state=M.VOID)
    match = rows.exclude(round__state=Round.State.LOCKED).select_related("stage__tournament", "round").first()
    return (match, side) if match is not None else None
