"""docker-compose.yml, .env.example, the Dockerfile and `make run` say the same as the code."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from config.env import VARIABLES, read_environment
from tests.services.processes import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]
OURS = ("migrate", "web", "worker", "sender", "beat")
KNOWN = {variable.name: variable for variable in VARIABLES}


def resolved(text: str) -> str:
    """`${NAME:-default}` and `${NAME:?why}` as compose resolves them where .env fills in what is required."""
    filled = {
        "HANAMI_SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz-0123456789-abcdefgh",
        "HANAMI_ALLOWED_HOSTS": "hanami.example.org",
        "POSTGRES_PASSWORD": "secret",
    }
    return re.sub(r"\$\{(\w+):[-?]([^}]*)\}", lambda found: filled.get(found[1], found[2]), text)


def words(command: list[str]) -> set[str]:
    return set(command)


@pytest.mark.parametrize("service", OURS)
def test_the_environment_of_each_service_starts_production_mode(service: str) -> None:
    environment = read_environment(
        {key: resolved(str(value)) for key, value in SERVICES[service]["environment"].items()}
    )
    assert environment.is_production


def test_the_environment_leaves_no_needed_setting_out() -> None:
    needed = {variable.name for variable in VARIABLES if variable.needed_in_production}
    assert needed <= set(SERVICES["web"]["environment"])


def test_the_example_names_every_setting_that_compose_asks_for_and_no_other() -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    named = set(re.findall(r"^([A-Z_]+)=", example, re.MULTILINE))
    asked = set(re.findall(r"\$\{([A-Z_]+)", (ROOT / "docker-compose.yml").read_text(encoding="utf-8")))
    assert named == asked
    assert {name for name in named if name.startswith("HANAMI_")} <= set(KNOWN)


def test_the_values_of_the_example_can_be_read() -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    for name, value in re.findall(r"^(HANAMI_[A-Z_]+)=(.+)$", example, re.MULTILINE):
        KNOWN[name].read(value)


def test_the_image_names_only_known_settings_and_copies_every_room() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert set(re.findall(r"HANAMI_[A-Z_]+", dockerfile)) <= set(KNOWN)
    copied = set(re.findall(r"^COPY (\w+) \./", dockerfile, re.MULTILINE))
    allowed = set(re.findall(r"^!(\w+)$", (ROOT / ".dockerignore").read_text(encoding="utf-8"), re.MULTILINE))
    rooms = {"config", "engine", "bots", "accounts", "guides", "tournaments", "templates", "static",
             "locale", "docs"}  # fmt: skip
    assert copied == rooms
    assert copied <= allowed
    assert all((ROOT / room).is_dir() for room in rooms)


def test_the_commands_are_those_of_make_run() -> None:
    serve = (ROOT / "scripts" / "serve.py").read_text(encoding="utf-8")
    for service, exempt in (
        ("web", {"--host", "0.0.0.0", "--port", "8000", "10"}),
        ("worker", {"INFO"}),
        ("sender", {"INFO"}),
        ("beat", {"INFO", "/tmp/beat-schedule"}),
    ):
        missing = {word for word in words(SERVICES[service]["command"]) - exempt if f'"{word}"' not in serve}
        assert not missing, f"{service}: {missing}"


def test_the_workers_serve_every_queue(settings: Any) -> None:
    """The sender what goes out or is made of news; it has no sandbox. The workers all that is played and folded."""
    commands = [SERVICES[name]["command"] for name in ("worker", "sender")]
    worker, sender = (command[command.index("--queues") + 1].split(",") for command in commands)
    assert sender == ["send"]
    assert sorted(worker + sender) == sorted(queue.name for queue in settings.CELERY_TASK_QUEUES)


@pytest.mark.parametrize("service", OURS)
def test_our_services_are_confined(service: str) -> None:
    settings = SERVICES[service]
    assert settings["user"].split(":")[0] != "0"
    assert settings["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in settings["security_opt"]
    assert settings["read_only"] is True
    assert settings["mem_limit"]
    assert settings["pids_limit"]
    assert not any("docker.sock" in str(volume) for volume in settings.get("volumes", []))


def test_only_the_web_service_can_be_reached_and_workers_reach_nothing_outside() -> None:
    """Who runs strangers' code reaches nothing; hooks and mail go out from a service that runs none."""
    assert COMPOSE["networks"]["inside"]["internal"] is True
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["web"]
    outside = [name for name, service in SERVICES.items() if service["networks"] != ["inside"]]
    assert sorted(outside) == ["sender", "web"]
    assert "play" not in SERVICES["sender"]["command"][SERVICES["sender"]["command"].index("--queues") + 1]


def test_every_lasting_service_has_a_health_check() -> None:
    lasting = {name: service for name, service in SERVICES.items() if name != "migrate"}
    assert all("test" in service["healthcheck"] for service in lasting.values())
    probe = " ".join(SERVICES["web"]["healthcheck"]["test"])
    assert "/healthz" in probe
    assert "/readyz" in probe


def test_every_decision_is_in_the_index() -> None:
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text(encoding="utf-8")
    pages = sorted(path.name for path in folder.glob("[0-9]*.md"))
    assert pages
    assert [name for name in pages if f"({name})" not in index] == []
    assert len({name[:4] for name in pages}) == len(pages), "two decisions share a number"


def test_continuous_integration_runs_the_one_command() -> None:
    assert "make test" in Path(ROOT / ".ci" / "run").read_text(encoding="utf-8")
