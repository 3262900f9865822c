"""The organiser of the demo: the account, its login, and a bot of its own."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

from django.conf import settings
from django.utils.crypto import get_random_string

from accounts.models import User
from bots.house import HOUSE
from bots.models import Bot
from bots.services import upload_version

OWN_BOT: Final = "Plum Rain"
OWN_PLAYS: Final = ("hawaii", "koikoi_nintendo")


def demo_account() -> User:
    """Return the organiser of the demo, whose own password stands in the data folder."""
    user, made = User.objects.get_or_create(username="demo", defaults={"display_name": "Demo organiser"})
    if made or not login_path().exists():
        # Letters and figures: it is typed, and given to programs, for which a dash in front would be an option.
        password = get_random_string(12)
        user.set_password(password)
        user.save()
        write_login({"username": user.username, "password": password})
    return user


def login_path() -> Path:
    """Return the file of the demo's login, which `make run` prints."""
    return Path(settings.DATA_DIR) / "demo-login.json"


def write_login(login: dict[str, str]) -> None:
    """Write it readable for this user alone."""
    login_path().parent.mkdir(parents=True, exist_ok=True)
    # The mode is given when it is made: no moment in which others could open it.
    descriptor = os.open(login_path(), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(login, file)


def read_login() -> dict[str, str]:
    """Read the demo's login."""
    found: dict[str, str] = json.loads(login_path().read_text(encoding="utf-8"))
    return found


def give_own_bot(organiser: User) -> None:
    """Upload a bot of the organiser, who has none; workers check it, then it enters the ladders of what it plays."""
    # By any bot, not by its name: one that was renamed is not uploaded again.
    if Bot.objects.filter(owner=organiser).exists():
        return
    upload_version(
        owner=organiser,
        filename="bot.py",
        data=HOUSE["yaku"].read_bytes(),
        name=OWN_BOT,
        plays=OWN_PLAYS,
        note="begins as Yaku does; change it as you like",
    )
