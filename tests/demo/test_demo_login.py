"""The login of the demo, which `make run` prints: typed by people, and given to programs as an argument."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tournaments.management.demo_organiser import demo_account, login_path


@pytest.mark.django_db
def test_its_password_has_letters_and_figures_alone(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    for _time in range(30):
        login_path().unlink(missing_ok=True)
        demo_account()
        password = login_path().read_text(encoding="utf-8").split('"')[-2]
        assert password.isalnum(), password
        assert len(password) == 12
