"""Failures of a bot as its owner reads them: matches and checks in one list, newest first, alike ones together.

Operators see where versions forfeited, as the match pages tell it; what a bot printed, and the findings of its checks,
are its owner's alone (docs/decisions/0022).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any, Final
from uuid import UUID

from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from accounts.models import User
from bots.models import Bot, BotVersion, Check
from bots.protocol.messages import Fault
from bots.selectors.owned import may_see_inside
from bots.selectors.ticks import message_of
from bots.selectors.waiting import Amount, amount
from engine.games import PRESETS
from tournaments.lifecycle.visibility import named_to
from tournaments.models import Match, Seat
from tournaments.models.match import NEWEST
from tournaments.operations.failures import TRACEBACK, end_of, failures_of

# Failures that are put together at once.
SIZE: Final = 100
# Failures up to this far from the newest are read by their times.
NEAR: Final = 1_000
# The code of a source that cannot run: nothing was played.
STATIC: Final = "static"
KINDS: Final = (*(str(fault) for fault in Fault), STATIC)
# The most steps of a check: source, start, a smoke match for each preset, all kinds of tables.
STEPS: Final = len(PRESETS) + 3
FRAME: Final = re.compile(r'^ +File "([^"]+)", line (\d+)(?:, in (\S+))?', re.MULTILINE)
# Characters of a traceback's last line that are shown.
LAST: Final = 200
Rows = QuerySet[Seat, tuple[str, int, datetime]]


@dataclass(frozen=True, slots=True)
class Failing:
    """One failure in the list. id: as the kit and the API name it. deal 0: while the bot was loaded.

    match: None in a check. last, place: of its traceback, "" where there is none. is_static: only the source was read.
    """

    id: str
    version: int
    code: str
    deal: int
    move: int
    at: datetime
    match: UUID | None
    last: str = ""
    place: str = ""

    @property
    def is_static(self) -> bool:
        """True if no match was played: its version's page has all there is to say."""
        return self.code == STATIC

    @property
    def key(self) -> tuple[int, str, str, str]:
        """The values that alike failures share."""
        return self.version, self.code, self.last, self.place


@dataclass(frozen=True, slots=True)
class Group:
    """Alike failures: of one version, of one kind, at one place, with the same last line. rows: newest first."""

    rows: tuple[Failing, ...]

    @property
    def newest(self) -> Failing:
        """The one to look at."""
        return self.rows[0]

    @property
    def n(self) -> int:
        """Number of failures in it."""
        return len(self.rows)


def rows_of(bot: Bot, viewer: User | None, *, version: int | None = None, kind: str = "") -> Rows:
    """Return (letter, key, time) of every failure that the viewer may know of, newest first. kind: of `KINDS`."""
    in_matches, in_checks = _parts(bot, viewer, version=version, kind=kind)
    found: Any = in_matches.union(in_checks, all=True)
    rows: Rows = found.order_by("-at", "-key")
    return rows


def newest_rows(
    bot: Bot, viewer: User | None, versions: Collection[int], *, first: int, version: int | None = None, kind: str = ""
) -> list[tuple[str, int, datetime]]:
    """Return a page of the same: `SIZE` rows after that many. versions: the keys of all versions of the bot.

    Two queries for the first pages: each kind of failure on its own, for with the versions at hand an index of what was
    finished last finds them, however many there are. One for a page further on.
    """
    if first + SIZE > NEAR:
        return list(rows_of(bot, viewer, version=version, kind=kind)[first : first + SIZE])
    in_matches, in_checks = _parts(bot, viewer, version=version, kind=kind)
    in_matches = in_matches.filter(bot_version__in=list(versions))
    found = [row for rows in (in_matches, in_checks) for row in rows.order_by("-at", "-key")[: first + SIZE]]
    # Merged here: a UNION that is sorted by the database would read all failures of the bot for one page.
    found.sort(key=lambda row: (row[2], row[1]), reverse=True)
    return found[first : first + SIZE]


def check_rows(bot: Bot, *, version: int | None = None) -> list[tuple[str, int, datetime]]:
    """Return (letter, key, time) of the checks that versions of a bot did not pass, newest first, for its owner."""
    _in_matches, in_checks = _parts(bot, bot.owner, version=version, kind="")
    return list(in_checks.order_by("-at", "-key"))


def _parts(bot: Bot, viewer: User | None, *, version: int | None, kind: str) -> tuple[Any, Any]:
    """Return (letter, key, time) of the failures in matches, and of those in checks."""
    seats = failures_of(bot).select_related(None).defer(None).order_by()
    checks = Check.objects.filter(version__bot=bot, state=Check.State.DONE, result__ok=False).order_by()
    if not may_see_inside(bot, viewer):
        seats, checks = seats.filter(named_to(viewer, "match__stage__tournament__")), checks.none()
    if version is not None:
        seats, checks = seats.filter(bot_version__n=version), checks.filter(version__n=version)
    if kind:
        seats, checks = seats.filter(fault__code=kind), checks.filter(_of_kind(kind))
    in_matches = seats.annotate(letter=Value("F"), key=F("pk"), at=F("match__finished_at"))
    in_checks = checks.annotate(letter=Value("C"), key=F("pk"), at=Coalesce("finished_at", "created_at"))
    names = ("letter", "key", "at")
    return in_matches.values_list(*names), in_checks.values_list(*names)


def _of_kind(kind: str) -> Q:
    """Select checks whose failed step has this code."""
    if kind == STATIC:
        return Q(result__steps__0__ok=False)
    steps = (Q(**{f"result__steps__{n}__code": kind}) for n in range(STEPS))
    return reduce(or_, steps)


def failing_of(rows: Sequence[tuple[str, int, datetime]], *, with_logs: bool) -> list[Failing]:
    """Return the failures that these rows name, in their order.

    with_logs: the reader is the owner. At most two queries.
    """
    keys = {letter: [key for each, key, _at in rows if each == letter] for letter in "FC"}
    seats = Seat.objects.select_related("bot_version", "match", *(["log"] if with_logs else []))
    seats = seats.only("fault", "log", "bot_version__n", "bot_version__files", "match__uuid")
    found_seats = seats.in_bulk(keys["F"]) if keys["F"] else {}
    checks = Check.objects.select_related("version", "log")
    found_checks = checks.in_bulk(keys["C"]) if keys["C"] else {}
    found = []
    for letter, key, at in rows:
        if letter == "F" and key in found_seats:
            found.append(_in_match(found_seats[key], at, with_logs=with_logs))
        elif letter == "C" and key in found_checks:
            found.append(_in_check(found_checks[key], at))
    return found


def _in_match(seat: Seat, at: datetime, *, with_logs: bool) -> Failing:
    fault: Mapping[str, Any] = seat.fault or {}
    version = seat.bot_version
    log = seat.log.data() if with_logs and seat.log is not None else b""
    return Failing(
        id=f"F{seat.pk}",
        version=version.n if version is not None else 0,
        code=str(fault.get("code", "")),
        deal=int(fault.get("deal", 0)),
        move=int(fault.get("move", 0)),
        at=at,
        match=seat.match.uuid,
        **_read(end_of(log), version),
    )


def _in_check(check: Check, at: datetime) -> Failing:
    """Describe a check that failed: the forfeit of its last match, or what was found in its source."""
    forfeits = [each["forfeit"] for each in check.result.get("matches", []) if each.get("forfeit")]
    common: dict[str, Any] = {"id": f"C{check.pk}", "version": check.version.n, "at": at, "match": None}
    if not forfeits:
        messages = [message_of(step) for step in check.result.get("steps", []) if step["ok"] is False]
        return Failing(**common, code=STATIC, deal=0, move=0, last=messages[0][:LAST] if messages else "")
    fault, log = forfeits[-1], check.log.data() if check.log is not None else b""
    where: dict[str, Any] = {"code": str(fault["code"]), "deal": int(fault["deal"]), "move": int(fault["move"])}
    return Failing(**common, **where, **_read(end_of(log), check.version))


def _read(log: str, version: BotVersion | None) -> dict[str, Any]:
    """Return the last line of a log's last traceback, and the place in the bot's own files that it came to."""
    start = log.rfind(TRACEBACK)
    if start < 0:
        return {}
    lines = log[start:].split("\n")[1:]
    last = next((line for line in lines if line and not line.startswith(" ")), "")
    frames = FRAME.findall(log[start:])
    own = {str(path) for path, *_ in version.files} if version is not None else set()
    # The deepest frame in the bot's own files: below it is a library, which the owner cannot change.
    mine = [frame for frame in frames if frame[0] in own] or frames
    if not mine:
        return {"last": last[:LAST]}
    path, line, name = mine[-1]
    return {"last": last[:LAST], "place": f"{path}:{line}" + (f", {name}" if name else "")}


def grouped(rows: Iterable[Failing]) -> list[Group]:
    """Group alike ones, in the order of their newest."""
    found: dict[tuple[int, str, str, str], list[Failing]] = {}
    for row in rows:
        found.setdefault(row.key, []).append(row)
    return [Group(tuple(own)) for own in found.values()]


@dataclass(frozen=True, slots=True)
class Newest:
    """Failures on a bot's page. since: the version that plays; n: its failures; group: the newest."""

    since: int
    n: int
    is_more: bool
    group: Group


def newest_of(bot: Bot, viewer: User | None, versions: Sequence[BotVersion]) -> Newest | None:
    """Return the newest group of failures in matches since the active version; None if none, or not for the viewer.

    bot: with its active version; versions: of it, the newest. One query; of one version it walks an index.
    """
    since = bot.active_version.n if bot.active_version is not None else 1
    if not may_see_inside(bot, viewer):
        return None
    seats = failures_of(bot).select_related(None).defer(None).select_related("match", "log")
    later = {version.pk: version for version in versions if version.n >= since}
    # One version by equality: the index `seat_latest` gives its rows in order; of several they are sorted.
    of_them = Q(bot_version=next(iter(later))) if len(later) == 1 else Q(bot_version__in=list(later))
    seats = seats.only("fault", "bot_version", "log", "match__uuid", "match__finished_at", "match__claimed_at")
    rows = list(seats.filter(~Q(outcome=Seat.Outcome.OPEN), of_them).order_by(NEWEST)[: SIZE + 1])
    if not rows:
        return None
    for row in rows:
        row.bot_version = later[row.bot_version_id or 0]
    ended = [(row.match.finished_at or row.match.claimed_at or bot.created_at, row) for row in rows[:SIZE]]
    ended.sort(key=lambda pair: (pair[0], pair[1].pk), reverse=True)
    found = [_in_match(row, at, with_logs=True) for at, row in ended]
    return Newest(since, len(found), len(rows) > SIZE, grouped(found)[0])


def played_by(bot: Bot, *, version: int | None = None) -> Amount:
    """Count the matches a bot (or one version) has finished, up to 1,000. One query."""
    rows = Seat.objects.filter(bot_version__bot=bot, match__state=Match.State.CONFIRMED)
    return amount(rows.filter(bot_version__n=version) if version is not None else rows)
