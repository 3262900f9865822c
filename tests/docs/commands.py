"""Check that a line which a guide tells people to type is one that the real command takes."""

from __future__ import annotations

import re
import shlex

import click
import yaml
from django.core.management import CommandError, get_commands, load_command_class
from django.urls import reverse

from kit.cli import hanami
from packages.wheels import PROJECTS
from tests.services.processes import ROOT

TARGETS = re.compile(r"^([a-z-]+):", re.MULTILINE)
COMPOSE = ("run", "start", "stop", "up", "build", "exec", "logs", "ps", "down")
INSIDE = ("run", "exec")
"""Words of a command that name one service and then a command in it."""
WITH_VALUE = ("--entrypoint", "--scale", "--volume", "--env")


def wrong_with(line: str) -> str:
    """Return why the line cannot be typed; "" if it can. Nothing is run: the command's own parser reads it."""
    words = shlex.split(line.removeprefix("$ "), comments=True)
    while words and re.fullmatch(r"[A-Z_]+=\S*", words[0]):
        words.pop(0)  # a variable for this command alone
    if not words:
        return ""
    if words[0] == "hanami":
        return _of_the_kit(words[1:])
    if words[0] in ("python", ".venv/bin/python") and words[1:2] == ["manage.py"]:
        return _of_the_service(words[2:])
    if words[0] == "pip":
        return _of_pip(words[1:])
    if words[0] == "make":
        known = TARGETS.findall((ROOT / "Makefile").read_text(encoding="utf-8"))
        return ", ".join(f"make has no {each}" for each in words[1:] if "=" not in each and each not in known)
    if words[0] == ".venv/bin/pytest":
        return ", ".join(f"there is no {w}" for w in words[1:] if w.startswith("tests/") and not (ROOT / w).exists())
    if words[:2] == ["docker", "compose"]:
        return _of_the_containers(words[2:])
    return "" if words[0] == "cd" else f"nothing here knows the command {words[0]}"


def _of_pip(words: list[str]) -> str:
    """An installation of our packages from the index of the service, which tests/kit/test_installed.py does."""
    *options, package = words
    index = reverse("kit-index")
    if options != ["install", "--index-url", f"https://hanami.example.org{index}"]:
        return f"the index of a service is at {index}"
    return "" if package in PROJECTS else f"there is no package {package}"


def _of_the_containers(words: list[str]) -> str:
    """A subcommand, its options, services of docker-compose.yml; what is run there is looked at as well."""
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["services"]
    verb, rest = words[0], words[1:]
    if verb not in COMPOSE:
        return f"docker compose has no command {verb}"
    while rest and rest[0].startswith("-"):
        taken = 1 + (rest[0] in WITH_VALUE)
        rest = rest[taken:]
    named, inside = (rest[:1], rest[1:]) if verb in INSIDE else (rest, [])
    unknown = [each for each in named if each not in services]
    if unknown or (verb in INSIDE and not named):
        return f"docker-compose.yml has no service {unknown}"
    return _of_the_service(inside[2:]) if inside[:2] == ["python", "manage.py"] else ""


def _of_the_kit(words: list[str]) -> str:
    command = hanami.commands.get(words[0]) if words else None
    if command is None:
        return f"hanami has no command {words[:1]}"
    try:
        context = click.Context(command, info_name=words[0])
        command.make_parser(context).parse_args(list(words[1:]))
    except click.UsageError as wrong:
        return wrong.format_message()
    return ""


def _of_the_service(words: list[str]) -> str:
    app = get_commands().get(words[0]) if words else None
    if app is None:
        return f"manage.py has no command {words[:1]}"
    command = load_command_class(app, words[0]) if isinstance(app, str) else app
    try:
        command.create_parser("manage.py", words[0]).parse_args(words[1:])
    except CommandError as wrong:
        return str(wrong)
    return ""
