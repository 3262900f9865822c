"""A copy of all that an account holds, as one .zip of JSON, sources and logs. Nothing of anybody else is in it."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.signals import AccountAct, account_changed
from accounts.transactions import allow_long_pauses
from bots.models import AuditEvent, Blob, BotVersion, Fork, Publication
from bots.uploads import unpack_files, zip_files
from core.errors import TournamentError
from tournaments.models import Entry, RegistrationAnswer, Role, Seat
from tournaments.people.account_data import own_rows
from web.rate_limits import count

# Of sources and logs together, unpacked: the rest is named in left_out.json and lies on its own page.
MAX_BYTES: Final = 48 * 1024 * 1024
MAX_ROWS: Final = 50_000
COPIES: Final = 10
EVERY: Final = timedelta(hours=1)
# Followers of this person: these rows are theirs, not this person's.
OTHERS: Final = "tournaments.follow.person"
# Parts of the names of columns that hold keys: they would open something for a finder of the copy.
LEFT_OUT: Final = ("digest", "secret", "password")


@dataclass(frozen=True, slots=True)
class File:
    """A file of the copy. blob: read without its bytes. make: turns them into those of the copy."""

    name: str
    blob: Blob
    make: Callable[[bytes], bytes] = bytes


@dataclass(slots=True)
class _Copy:
    """A zip that is being written. left_out: names of files that would have made it too large."""

    buffer: io.BytesIO = field(default_factory=io.BytesIO)
    size: int = 0
    left_out: list[str] = field(default_factory=list)
    zip: zipfile.ZipFile = field(init=False)

    def __post_init__(self) -> None:
        self.zip = zipfile.ZipFile(self.buffer, "w", zipfile.ZIP_DEFLATED)

    def data(self, name: str, value: object) -> None:
        """Add a JSON file."""
        text = json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1, default=str)
        self.zip.writestr(f"{name}.json", text + "\n")

    def files(self, page: Sequence[File]) -> None:
        """Add files, as long as there is room. The bytes of those for which there is none are never read. One query."""
        fitting: list[File] = []
        for each in page:
            if self.size + each.blob.size > MAX_BYTES:
                self.left_out.append(each.name)
                continue
            self.size += each.blob.size
            fitting.append(each)
        read = Blob.objects.in_bulk([each.blob.pk for each in fitting])
        for each in fitting:
            self.zip.writestr(each.name, each.make(read[each.blob.pk].data()))


def own_data(*, user: User) -> bytes:
    """Make the copy. Raises TournamentError "rate.limited" for the eleventh within an hour."""
    seconds = count(f"own_data:{user.pk}", most=COPIES, within=EVERY)
    if seconds is not None:
        message = _("You downloaded several copies within an hour. Try again later.")
        raise TournamentError(message, code="rate.limited", extra={"retry_after": seconds})
    copy = _Copy()
    with transaction.atomic():
        allow_long_pauses()
        copy.data("account", _row(User.objects.get(pk=user.pk)))
        for name, rows in own_rows(user):
            if name != OTHERS:
                copy.data(name.rpartition(".")[0], _rows(rows))
        _events(copy, user)
        _bots(copy, user)
        _logs(copy, user)
        account_changed.send(User, verb=AccountAct.EXPORT, user=user, before={}, after={})
    copy.data("left_out", copy.left_out)
    copy.zip.close()
    return copy.buffer.getvalue()


def _rows(rows: models.QuerySet[Any, Any]) -> list[dict[str, object]]:
    return [_row(each) for each in rows.order_by("pk")[:MAX_ROWS]]


def _row(row: models.Model) -> dict[str, object]:
    """Return a row as people read it: no keys, nothing binary."""
    fields = [
        each
        for each in row._meta.concrete_fields
        if not isinstance(each, models.BinaryField) and not any(word in each.name for word in LEFT_OUT)
    ]
    return {each.name: each.value_from_object(row) for each in fields}


def _events(copy: _Copy, user: User) -> None:
    roles = Role.objects.filter(user=user).order_by("pk").values("tournament__slug", "tournament__name", "role")
    copy.data("roles", list(roles))
    mine = Entry.objects.filter(models.Q(player__bot__owner=user) | models.Q(player__user=user)).order_by("pk")
    named = mine.values("tournament__slug", "tournament__name", "player__name", "state", "created_at", "uuid")
    copy.data("entries", list(named[:MAX_ROWS]))
    answers = RegistrationAnswer.objects.filter(registration__user=user).order_by("pk")
    copy.data("registration_answers", list(answers.values("registration__uuid", "question__words", "value")[:MAX_ROWS]))
    acts = AuditEvent.objects.filter(actor=user).order_by("-pk").values("at", "verb", "subject", "before", "after")
    copy.data("acts", list(acts[:MAX_ROWS]))


def _bots(copy: _Copy, user: User) -> None:
    copy.data("bots", _rows(user.bots.all()))
    versions = BotVersion.objects.filter(bot__owner=user).select_related("bot", "source", "check_run__log")
    rows = []
    for page in _newest_first(versions.defer("source__packed", "check_run__log__packed")):
        rows += [_row(version) for version in page]
        copy.files([file for version in page for file in _files_of(version)])
    copy.data("versions", rows)
    published = Publication.objects.filter(version__bot__owner=user).order_by("pk")
    named = ("version__bot__slug", "version__n", "licence", "published_at", "withdrawn_at")
    copy.data("publications", list(published.values(*named)[:MAX_ROWS]))
    forks = Fork.objects.filter(bot__owner=user).order_by("pk")
    named = ("bot__slug", "origin__bot__slug", "origin__n", "licence", "created_at")
    copy.data("forks", list(forks.values(*named)[:MAX_ROWS]))


def _files_of(version: BotVersion) -> Iterator[File]:
    """Yield the source, and the output of the check."""
    here = f"bots/{version.bot.slug}/v{version.n}"
    yield File(f"{here}.zip", version.source, lambda packed: zip_files(unpack_files(packed)))
    check = getattr(version, "check_run", None)
    if check is not None and check.log is not None:
        yield File(f"{here}.check.log", check.log)


def _logs(copy: _Copy, user: User) -> None:
    seats = Seat.objects.filter(bot_version__bot__owner=user, log__isnull=False).select_related("log", "match")
    for page in _newest_first(seats.defer("log__packed")):
        copy.files([File(f"logs/{seat.match.uuid}-{seat.index + 1}.log", seat.log) for seat in page])


def _newest_first(rows: models.QuerySet[Any, Any]) -> Iterator[list[Any]]:
    """Yield a few rows at a time, so that the bytes of all are never in memory at once."""
    upto: int | None = None
    while found := list((rows if upto is None else rows.filter(pk__lt=upto)).order_by("-pk")[:100]):
        yield found
        upto = found[-1].pk


def file_name(user: User) -> str:
    """Return the name of the copy."""
    return f"hanami-{user.username}-{timezone.now():%Y-%m-%d}.zip"
