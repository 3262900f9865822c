"""`manage.py restore FILE`: a backup into an empty database."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts import backup
from accounts.errors import BackupError


class Command(BaseCommand):
    """Restore of all rows or none; a database that holds anything is refused."""

    help = "Put every row of a backup into this database, which `migrate` has just made."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            found = backup.restore(options["file"])
        except (BackupError, OSError) as error:
            raise CommandError(f"{getattr(error, 'code', 'restore.file')}: {error}") from error
        self.stdout.write(f"{found.total} rows of {len(found.rows)} tables restored, sha256:{found.digest}")
        self.stdout.write("Now `manage.py verify_records` plays every record again, `refold --check` every table.")
