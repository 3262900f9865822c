"""docker-compose.yml, .env.example, the Dockerfile and `make run` say the same as the code."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from config.env import VARIABLES, read_environment
from scripts.slim import slim
from scripts.web import server
from tests.services.processes import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]
OURS = ("migrate", "web", "worker", "sender", "beat", "backup")
PASSING = ("migrate", "backup")
"""Services that do one thing and end."""
KNOWN = {variable.name: variable for variable in VARIABLES}


def resolved(text: str) -> str:
    """`${NAME:-default}` and `${NAME:?why}` as compose resolves them where .env fills in what is required."""
    filled = {
        "HANAMI_SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz-0123456789-abcdefgh",
        "HANAMI_ALLOWED_HOSTS": "hanami.example.org",
        "POSTGRES_PASSWORD": "secret",
        "WORKER_POSTGRES_PASSWORD": "of-the-workers",
        "REDIS_PASSWORD": "secret",
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


WORKERS = ("worker", "beat")
"""Services that do without the secret key, and without the password of the account that owns the tables."""


@pytest.mark.parametrize("service", OURS)
def test_workers_hold_neither_the_secret_key_nor_the_owner_s_password(service: str) -> None:
    told = {key: resolved(str(value)) for key, value in SERVICES[service]["environment"].items()}
    environment = read_environment(told)
    assert environment["role"] == ("worker" if service in WORKERS else "all")
    assert bool(environment["secret_key"]) == (service not in WORKERS)
    account = "hanami_worker:of-the-workers" if service in WORKERS else "hanami:secret"
    assert told["HANAMI_DATABASE_URL"] == f"postgresql://{account}@postgres:5432/hanami"
    if service in WORKERS:
        secrets = ("HANAMI_EMAIL_URL", "HANAMI_METRICS_TOKEN", "HANAMI_SECRET_KEY", "HANAMI_WORKER_DATABASE_URL")
        assert not set(secrets) & set(told)


def test_migrate_makes_the_account_of_the_workers() -> None:
    migrate = SERVICES["migrate"]["environment"]
    assert migrate["HANAMI_WORKER_DATABASE_URL"] == SERVICES["worker"]["environment"]["HANAMI_DATABASE_URL"]
    assert [name for name in OURS if "HANAMI_WORKER_DATABASE_URL" in SERVICES[name]["environment"]] == ["migrate"]


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
    rooms = {"config", "core", "activity", "web", "engine", "bots", "accounts", "guides", "packages", "tables",
             "tournaments", "templates", "static", "locale", "docs"}  # fmt: skip
    assert copied == rooms
    assert copied <= allowed
    assert all((ROOT / room).is_dir() for room in rooms)


def test_the_commands_are_those_of_make_run() -> None:
    serve = (ROOT / "scripts" / "serve.py").read_text(encoding="utf-8")
    for service, exempt in (("worker", {"INFO"}), ("sender", {"INFO"}), ("beat", {"INFO", "/tmp/beat-schedule"})):
        missing = {word for word in words(SERVICES[service]["command"]) - exempt if f'"{word}"' not in serve}
        assert not missing, f"{service}: {missing}"


def test_the_web_server_is_that_of_make_run() -> None:
    """There it serves a socket that listens already, here its own."""
    ours = server(graceful_s=10).config
    theirs = SERVICES["web"]["command"]
    assert theirs[:2] == ["uvicorn", ours.app]
    assert ("--no-access-log" in theirs, "--no-proxy-headers" in theirs) == (
        not ours.access_log,
        not ours.proxy_headers,
    )
    assert theirs[theirs.index("--timeout-graceful-shutdown") + 1] == str(ours.timeout_graceful_shutdown)


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
    """A service that runs strangers' code reaches nothing; hooks and mail go out from one that runs none."""
    assert COMPOSE["networks"]["play"]["internal"] is COMPOSE["networks"]["site"]["internal"] is True
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["web"]
    assert sorted(on("outside")) == ["sender", "web"]
    assert sorted(on("play")) == ["beat", "postgres", "redis", "worker"], "a worker reaches no page"
    assert SERVICES["worker"]["networks"] == ["play"]
    assert "play" not in SERVICES["sender"]["command"][SERVICES["sender"]["command"].index("--queues") + 1]


def on(network: str) -> list[str]:
    return [name for name, service in SERVICES.items() if network in service["networks"]]


def test_every_lasting_service_has_a_health_check() -> None:
    lasting = {name: service for name, service in SERVICES.items() if name not in PASSING}
    assert all("test" in service["healthcheck"] for service in lasting.values())
    checks = " ".join(str(service["healthcheck"]["test"]) for service in lasting.values())
    assert "HOSTNAME" not in checks, "not every container engine sets it for a check"
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


@pytest.mark.parametrize("name", ["requirements", "requirements-data", "requirements-compile"])
def test_the_image_installs_the_pins_by_their_hashes(name: str) -> None:
    lock = (ROOT / f"{name}.lock").read_text(encoding="utf-8")
    pinned = re.findall(r"^([a-z0-9-]+)\S*==(\S+)", (ROOT / f"{name}.txt").read_text(encoding="utf-8"), re.MULTILINE)
    locked = re.findall(r"^([a-z0-9-]+)\S*==(\S+) \\\n    --hash=sha256:[0-9a-f]{64}", lock, re.MULTILINE)
    assert sorted(locked) == sorted(pinned)
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert f"--require-hashes -r {name}.lock" in dockerfile


def test_redis_asks_for_a_password_and_lets_nobody_change_it() -> None:
    command = SERVICES["redis"]["command"][-1]
    assert "--user default off " in command
    assert all(word in command for word in ("-@admin", "-@dangerous", "-@scripting"))


def test_a_backup_goes_where_the_container_may_write() -> None:
    backup = SERVICES["backup"]
    assert "/backups/" in backup["command"][-1]
    assert any(volume.endswith(":/backups") for volume in backup["volumes"])
    assert "docker compose run --rm backup" in (ROOT / "docs" / "10-operate.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("service", OURS)
def test_the_image_has_each_volume_s_folder_and_its_account_may_write_there(service: str) -> None:
    """A new volume gets the owner that the folder has in the image; where there is none, it belongs to root."""
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    made, owned = (
        re.findall(r"/\S+", " ".join(re.findall(rf"&& {words} (.+)", dockerfile)))
        for words in ("mkdir -p", "chown hanami:hanami")
    )
    folders = {volume.split(":")[1] for volume in SERVICES[service].get("volumes", [])}
    assert folders <= set(made) & set(owned)


def test_continuous_integration_runs_the_one_command() -> None:
    assert "make test" in Path(ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_every_process_may_end_in_its_time() -> None:
    """A worker finishes its move, the sender its delivery, the beat its wait for the broker."""
    for service, least in (("worker", 40), ("sender", 30), ("beat", 30)):
        assert int(SERVICES[service]["stop_grace_period"].removesuffix("s")) >= least


def test_files_of_the_image_belong_to_the_group_that_the_services_run_as() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert "groupadd --system --gid 10001 hanami" in dockerfile
    assert {SERVICES[service]["user"] for service in OURS} == {"10001:10001"}


def test_the_image_holds_no_installer_and_no_tests_of_libraries(tmp_path: Path) -> None:
    packages = tmp_path / "lib" / "python3.11" / "site-packages"
    gone = ("pip/__init__.py", "pip-23.2.dist-info/METADATA", "setuptools/__init__.py", "django/tests/test_a.py")
    kept = ("django/__init__.py", "numpy/_core/tests/__init__.py", "pipeline/__init__.py")
    for name in (*gone, *kept):
        (packages / name).parent.mkdir(parents=True, exist_ok=True)
        (packages / name).touch()
    slim(tmp_path)
    assert [name for name in gone if (packages / name).exists()] == []
    assert [name for name in kept if not (packages / name).exists()] == []
    assert "scripts/slim.py /opt/hanami" in (ROOT / "Dockerfile").read_text(encoding="utf-8")
