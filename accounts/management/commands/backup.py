"""`manage.py backup FILE`: every row in one file. `--check FILE`: whether a file is whole."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from accounts import backup
from accounts.errors import BackupError
from accounts.models import User
from accounts.signals import backup_written


class Command(BaseCommand):
    """Backup into a new file: nothing is overwritten; a backup that was not finished leaves no file."""

    help = "Write every row of the service into one file, of one moment, while it runs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--check", action="store_true", help="read the file to its end instead, change nothing")

    def handle(self, *_args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            found = backup.check(path) if options["check"] else backup.write(path)
        except (BackupError, OSError) as error:
            raise CommandError(f"{getattr(error, 'code', 'backup.file')}: {error}") from error
        if not options["check"]:
            self._note(found)
        self.stdout.write(f"{path}: {found.total} rows of {len(found.rows)} tables, sha256:{found.digest}")

    def _note(self, found: backup.Summary) -> None:
        """Note when the backup was made, for the page of operators; one made from a read-only copy cannot note it."""
        try:
            backup_written.send(User, rows=found.total, digest=found.digest)
        # The file is complete and stays good: a note that cannot be written must not make the command fail.
        except DatabaseError as error:
            self.stderr.write(f"the backup is whole, but the service could not note when it was made: {error}")
