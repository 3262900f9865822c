"""`manage.py import_event`: an event from a file, as a copy in the archive or, if it is not over, as a draft."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from core.interchange.documents.read import MAX_BYTES
from engine.errors import DomainError
from tournaments.interchange.imports.actions import import_event
from tournaments.interchange.imports.event import Bounds, validate_event


class Command(BaseCommand):
    """Exit code 1 and nothing written if the file is not one, or does not prove what it says."""

    help = "Read an event written by export_event (JSON, also packed by gzip or zstd)"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--owner", required=True, help="user name of who will own it")
        parser.add_argument("--check", action="store_true", help="only read and check it")
        parser.add_argument("--most", type=int, default=MAX_BYTES, help="bytes that the unpacked file may have")

    def handle(self, *_args: Any, **options: Any) -> None:
        owner = User.objects.filter(username=options["owner"]).first()
        if owner is None:
            raise CommandError(f"There is nobody with the user name {options['owner']}.")
        try:
            checked = validate_event(options["file"].read_bytes(), Bounds(bytes=options["most"]))
            self.stdout.write(
                f"{checked.event.tournament.name}: {checked.entries} entries, {checked.rounds} rounds, "
                f"{checked.matches} matches, {checked.records} records verify"
            )
            if not options["check"]:
                event = import_event(by=owner, checked=checked)
                self.stdout.write(f"imported as {'a copy' if checked.is_over else 'a draft'}: {event.slug}")
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be read: {error.strerror}") from error
        except DomainError as refused:
            raise CommandError(f"{refused.code}: {refused}") from refused
