"""The whole service in one file, and back: every row, no matter what database it is in (decision 0054).

A file is one zstd stream of JSON lines. The first says what it is and which migrations it needs; then for each model a
line with its name and fields, and a line a row, in the order of its key; the last has the number of rows and the
SHA-256 of every line between. Two databases with the same rows give the same lines, so a restore can be checked.

Left out is what a service makes for itself: sums, sessions, the framework's own tables of types and permissions, its
admin's log, and failed sign-ins.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

import zstandard
from django.apps import apps
from django.core.exceptions import ValidationError
from django.core.management.color import no_style
from django.core.serializers.json import DjangoJSONEncoder
from django.db import DatabaseError, connection, models, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from accounts.errors import BackupError
from accounts.transactions import allow_long_pauses

FORMAT: Final = "hanami-backup/1"
BATCH_SIZE: Final = 1000
LEFT_OUT: Final = frozenset({"admin", "axes", "contenttypes", "sessions"})
COUNTED: Final = frozenset({"tournaments.matchtally", "tournaments.entrytally", "tournaments.clubtally"})
"""Sums that the database makes of the rows as they are put back."""
LEFT_OUT_MODELS: Final = COUNTED | {
    "accounts.signin",
    "accounts.waitingletter",
    "auth.permission",
    "auth.group_permissions",
    "accounts.user_user_permissions",
}


@dataclass(frozen=True, slots=True)
class Summary:
    """Content of a file. rows: by model. digest: SHA-256 (hex) of the lines of models and rows."""

    rows: dict[str, int]
    digest: str

    @property
    def total(self) -> int:
        return sum(self.rows.values())


def stored_models() -> list[type[models.Model]]:
    """Return all models that are backed up, the tables behind many-to-many fields among them, in a fixed order."""
    found = [each for each in apps.get_models(include_auto_created=True) if each._meta.managed and not each._meta.proxy]
    stored = [
        each for each in found if each._meta.app_label not in LEFT_OUT and each._meta.label_lower not in LEFT_OUT_MODELS
    ]
    return sorted(stored, key=lambda each: each._meta.label_lower)


def migrations() -> list[str]:
    """Return the migrations that this database has, of the apps that are backed up."""
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied if app not in LEFT_OUT)


def line_of(value: object) -> bytes:
    """Return one line of a file: the same for the same value, in any order in which a database keeps the keys of
    JSON.
    """
    text = json.dumps(value, cls=DjangoJSONEncoder, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return text.encode() + b"\n"


def value_of(row: models.Model, field: models.Field[Any, Any]) -> object:
    """Return a field as JSON: numbers, words and JSON as they are, anything else (bytes, times, ids) as text."""
    value = field.value_from_object(row)
    if value is None or isinstance(value, bool | int | float | str | list | dict):
        return value
    return field.value_to_string(row)


def _wrong(code: str, message: str) -> BackupError:
    return BackupError(message, code=code)


def write(path: Path) -> Summary:
    """Write the backup, of one moment, to a file that is complete or does not exist. Only its owner may read it.

    Raises BackupError "backup.exists" if there is a file already, OSError if it cannot be written.
    """
    if path.exists():
        raise _wrong("backup.exists", f"{path} exists; nothing is overwritten. Choose another name.")
    part = path.with_name(path.name + ".part")
    try:
        with _own_file(part) as raw, zstandard.ZstdCompressor(level=6).stream_writer(raw, closefd=False) as packed:
            summary = _write_all(packed)
        # Only a complete file gets the name; a reader never sees half of one.
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)
    return summary


def _own_file(path: Path) -> BinaryIO:
    """Open a new file that nobody else may read, regardless of the umask: it holds password hashes, addresses and
    sources.
    """
    return open(path, "xb", opener=lambda name, flags: os.open(name, flags, 0o600))


def _write_all(out: Any) -> Summary:
    digest, rows = hashlib.sha256(), {}
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                # One snapshot for all tables: a row never names another that is not in the file yet. SQLite's
                # transaction is one anyway.
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        allow_long_pauses()  # the file may be on a slow disk
        out.write(line_of({"format": FORMAT, "at": timezone.now(), "migrations": migrations()}))
        for model in stored_models():
            rows[model._meta.label_lower] = 0
            for number, line in enumerate(_lines(model)):
                # Line 0 is the table's head, so the number of the last line is the number of its rows.
                rows[model._meta.label_lower] = number
                digest.update(line)
                out.write(line)
    out.write(line_of({"rows": rows, "sha256": digest.hexdigest()}))
    return Summary(rows, digest.hexdigest())


def _lines(model: type[models.Model]) -> Iterator[bytes]:
    fields = model._meta.concrete_fields
    yield line_of({"model": model._meta.label_lower, "fields": [field.attname for field in fields]})
    # _base_manager: other managers may hide rows. In pieces: a table may be larger than the memory.
    for row in model._base_manager.order_by("pk").iterator(chunk_size=BATCH_SIZE):
        yield line_of([value_of(row, field) for field in fields])


def restore(path: Path) -> Summary:
    """Put every row of the file into this database, all or nothing.

    Raises BackupError: "restore.not_empty" (something is there already), "restore.other_version" (other migrations),
    "restore.not_a_backup", "restore.damaged" (cut off, changed, or not what its last line says).
    """
    try:
        with path.open("rb") as raw, zstandard.ZstdDecompressor().stream_reader(raw) as packed:
            return _restore_all(iter(io.BufferedReader(packed)))
    except (zstandard.ZstdError, ValidationError, DatabaseError) as error:
        raise _wrong("restore.damaged", f"{path} does not hold what it should: {error}") from error


def check(path: Path) -> Summary:
    """Read a backup to its end without touching a database. Raises BackupError: "restore.not_a_backup", "..damaged"."""
    digest, rows, name = hashlib.sha256(), dict[str, int](), ""
    try:
        with path.open("rb") as raw, zstandard.ZstdDecompressor().stream_reader(raw) as packed:
            lines = iter(io.BufferedReader(packed))
            _head_of(next(lines, b""))
            for line in lines:
                value = _parsed(line)
                if isinstance(value, dict) and "sha256" in value:
                    return _as_written(value, Summary(rows, digest.hexdigest()))
                name = str(value["model"]) if isinstance(value, dict) else name
                rows[name] = rows.get(name, -1) + 1
                digest.update(line)
    except zstandard.ZstdError as error:
        raise _wrong("restore.damaged", f"{path} cannot be unpacked: {error}") from error
    return _as_written(None, Summary(rows, digest.hexdigest()))


def _as_written(end: object, found: Summary) -> Summary:
    """Return what was found, if the last line says so. Raises BackupError."""
    if end != {"rows": found.rows, "sha256": found.digest}:
        raise _wrong("restore.damaged", "The file is cut off, or its rows are not those it was written with.")
    return found


def _restore_all(lines: Iterator[bytes]) -> Summary:
    _check_head(next(lines, b""))
    digest, rows = hashlib.sha256(), dict.fromkeys((each._meta.label_lower for each in stored_models()), 0)
    with transaction.atomic():
        allow_long_pauses()
        _refuse_unless_empty()
        end = _insert_all(lines, digest, rows)
        # Inside the transaction: a damaged file leaves the database empty.
        found = _as_written(end, Summary(rows, digest.hexdigest()))
        _reset_sequences()
    return found


def _head_of(line: bytes) -> list[str]:
    """Return the migrations that the first line names."""
    try:
        head = json.loads(line)
        kind, wanted = head["format"], head["migrations"]
    except (ValueError, TypeError, KeyError) as error:
        raise _wrong("restore.not_a_backup", "This is not a backup of Hanami.") from error
    if kind != FORMAT:
        raise _wrong("restore.not_a_backup", f"The file says it is {kind!r}; {FORMAT!r} can be read.")
    return list(wanted)


def _check_head(line: bytes) -> None:
    wanted = _head_of(line)
    if wanted != migrations():
        odd = sorted(set(wanted) ^ set(migrations()))
        message = f"The file is of another version ({', '.join(odd[:4])}). Restore it with that one, then migrate."
        raise _wrong("restore.other_version", message)


def _refuse_unless_empty() -> None:
    full = [each._meta.label for each in stored_models() if each._base_manager.exists()]
    if full:
        message = f"The database is not empty ({', '.join(full[:4])}). Restore into a new one, after `migrate`."
        raise _wrong("restore.not_empty", message)


def _insert_all(lines: Iterable[bytes], digest: Any, rows: dict[str, int]) -> object:
    """Insert the rows as they come. Returns the last line; None if there is none."""
    model: type[models.Model] | None = None
    waiting: list[models.Model] = []
    for line in lines:
        value = _parsed(line)
        if isinstance(value, dict):
            _insert(model, waiting)
            if "sha256" in value:
                return value
            model = _model_of(value)
        elif model is None:
            raise _wrong("restore.damaged", "A row belongs to no table.")
        else:
            waiting.append(_row(model, value))
            rows[model._meta.label_lower] += 1
        digest.update(line)
        if len(waiting) >= BATCH_SIZE:
            _insert(model, waiting)
    return None


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError as error:
        raise _wrong("restore.damaged", "A line is not JSON.") from error


def _model_of(head: dict[str, Any]) -> type[models.Model]:
    known = {each._meta.label_lower: each for each in stored_models()}
    model = known.get(str(head.get("model")))
    if model is None or head.get("fields") != [field.attname for field in model._meta.concrete_fields]:
        raise _wrong("restore.damaged", f"The table {head.get('model')!r} is not one of this version.")
    return model


def _row(model: type[models.Model], values: list[object]) -> models.Model:
    fields = model._meta.concrete_fields
    if len(values) != len(fields):
        raise _wrong("restore.damaged", f"A row of {model._meta.label} has {len(values)} values.")
    return model(
        **{
            field.attname: value
            if value is None or isinstance(field, models.JSONField)
            else _target(field).to_python(value)
            for field, value in zip(fields, values, strict=True)
        }
    )


def _target(field: models.Field[Any, Any]) -> models.Field[Any, Any]:
    """Return the field whose values this one holds: of a foreign key the key it points at."""
    return field.target_field if isinstance(field, models.ForeignKey) else field


def _insert(model: type[models.Model] | None, waiting: list[models.Model]) -> None:
    """Insert rows as they are: no default, no `auto_now`, no signal. Keys may point ahead until the transaction
    ends.
    """
    if model is None or not waiting:
        return
    manager: Any = model._base_manager
    fields = model._meta.concrete_fields
    # SQLite bounds the number of values in one statement.
    most = connection.ops.bulk_batch_size(fields, waiting)
    for first in range(0, len(waiting), most):
        manager._insert(waiting[first : first + most], fields=fields, using=connection.alias, raw=True)
    waiting.clear()


def _reset_sequences() -> None:
    """Let new rows get numbers after the restored ones."""
    with connection.cursor() as cursor:
        for sql in connection.ops.sequence_reset_sql(no_style(), stored_models()):
            cursor.execute(sql)
