"""`manage.py import_trf`: a FIDE tournament report as a new event."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from engine.errors import DomainError
from tournaments.interchange.imports.trf_actions import KINDS, CheckedReport, Wanted, import_report, validate_trf


class Command(BaseCommand):
    """Print what is left out, line by line. Exit code 1 and nothing written if the report contradicts itself."""

    help = "Read a FIDE tournament report (TRF) as a new event; anyone who was absent from its last round has left"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--owner", required=True, help="user name of who will own the event")
        parser.add_argument("--check", action="store_true", help="only read it and say what is left out")
        parser.add_argument("--preset", default="hawaii", help="the game that is played on: a report does not name it")
        parser.add_argument(
            "--kind", default="", choices=("", *map(str, KINDS)), help="how it is paired; else as it says"
        )
        parser.add_argument("--name", default="", help="of the event; else as the report has it")
        parser.add_argument("--rounds", type=int, default=0, help="how many are planned; else as the report has it")
        parser.add_argument("--left", type=int, nargs="*", help="numbers of the players who have left")
        parser.add_argument("--sign", action="store_true", help="sign its standings if every round is played")

    def handle(self, *_args: Any, **options: Any) -> None:
        owner = User.objects.filter(username=options["owner"]).first()
        if owner is None:
            raise CommandError(f"There is nobody with the user name {options['owner']}.")
        try:
            checked = validate_trf(options["file"].read_bytes())
            self._print_summary(checked)
            if not options["check"]:
                asked = {name: options[name] for name in ("preset", "kind", "name", "rounds", "left", "sign")}
                event = import_report(by=owner, checked=checked, wanted=Wanted(**asked))
                self.stdout.write(f"imported, {event.get_state_display()}: {event.slug}")
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be read: {error.strerror}") from error
        except DomainError as refused:
            raise CommandError(f"{refused.code}: {refused}") from refused

    def _print_summary(self, checked: CheckedReport) -> None:
        event = checked.event
        summary = (
            f"{len(event.players)} players, {event.last_round} of {checked.rounds} rounds, {checked.open} open games"
        )
        self.stdout.write(f"{event.name or 'no name'}: {summary}")
        for remark in checked.reading.remarks:
            self.stdout.write(f"line {remark.line}: {remark}" if remark.line else str(remark))
        if checked.absent:
            self.stdout.write(f"absent from the last round: {', '.join(map(str, checked.absent))}")
