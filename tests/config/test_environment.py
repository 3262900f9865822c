"""The environment is read strictly: nothing is guessed, every problem names its variable."""

from pathlib import Path

import pytest

from config import embedded
from config.env import VARIABLES, EnvironmentProblem, read_environment
from tests.services.processes import Project

PRODUCTION = {
    "HANAMI_MODE": "production",
    "HANAMI_SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz-0123456789-abcdefgh",
    "HANAMI_ALLOWED_HOSTS": "hanami.example.org",
    "HANAMI_DATABASE_URL": "postgresql://hanami:pass@db:5432/hanami",
    "HANAMI_REDIS_URL": "redis://redis:6379/0",
}


def test_embedded_mode_needs_nothing() -> None:
    environment = read_environment({"PATH": "/bin", "LANG": "C"})
    assert not environment.is_production
    assert environment["lease_s"] == 60
    assert environment["static_dir"] == environment["data_dir"] / "static"


def test_production_mode_reads_what_it_was_given() -> None:
    environment = read_environment({**PRODUCTION, "HANAMI_TRUSTED_PROXIES": "10.0.0.0/8, 192.0.2.7, caddy"})
    assert environment.is_production
    assert environment["allowed_hosts"] == ("hanami.example.org",)
    assert environment["trusted_proxies"] == ("10.0.0.0/8", "192.0.2.7", "caddy")


@pytest.mark.parametrize("name", [variable.name for variable in VARIABLES if variable.needed_in_production])
def test_production_mode_has_no_default_for_what_must_be_chosen(name: str) -> None:
    with pytest.raises(EnvironmentProblem, match=f"{name} must be set"):
        read_environment({key: value for key, value in PRODUCTION.items() if key != name})


WORKER = {**{name: value for name, value in PRODUCTION.items() if name != "HANAMI_SECRET_KEY"}, "HANAMI_ROLE": "worker"}


def test_a_worker_does_without_the_secret_key_and_is_given_none() -> None:
    assert read_environment(WORKER)["secret_key"] == ""
    with pytest.raises(EnvironmentProblem, match="HANAMI_SECRET_KEY must not be given where HANAMI_ROLE is worker"):
        read_environment({**PRODUCTION, "HANAMI_ROLE": "worker"})
    with pytest.raises(EnvironmentProblem, match="HANAMI_DATABASE_URL must be set"):
        read_environment({name: value for name, value in WORKER.items() if name != "HANAMI_DATABASE_URL"})
    with pytest.raises(EnvironmentProblem, match="HANAMI_ROLE: 'sender' is not allowed; use one of: all, worker"):
        read_environment({"HANAMI_ROLE": "sender"})


def test_the_workers_account_is_one_of_postgresql() -> None:
    url = "postgresql://hanami_worker:pass@db:5432/hanami"
    assert read_environment({**PRODUCTION, "HANAMI_WORKER_DATABASE_URL": url})["worker_database_url"] == url
    with pytest.raises(EnvironmentProblem, match="HANAMI_WORKER_DATABASE_URL must name PostgreSQL"):
        read_environment({"HANAMI_WORKER_DATABASE_URL": "sqlite:////tmp/x"})


def test_an_unknown_variable_stops_the_start_and_names_the_likely_one() -> None:
    with pytest.raises(EnvironmentProblem, match=r"HANAMI_WORKER is not a setting.*did you mean HANAMI_WORKERS"):
        read_environment({"HANAMI_WORKER": "2"})


def test_all_problems_are_told_at_once() -> None:
    with pytest.raises(EnvironmentProblem) as problem:
        read_environment({"HANAMI_PORT": "http", "HANAMI_DEBUG": "maybe", "HANAMI_COLOUR": "red"})
    assert all(name in str(problem.value) for name in ("HANAMI_PORT", "HANAMI_DEBUG", "HANAMI_COLOUR"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HANAMI_MODE", "staging"),
        ("HANAMI_SECRET_KEY", "short"),
        ("HANAMI_SECRET_KEY", "a" * 60),
        ("HANAMI_ALLOWED_HOSTS", "https://hanami.example.org"),
        ("HANAMI_ALLOWED_HOSTS", "hanami.example.org:8000"),
        ("HANAMI_ALLOWED_HOSTS", ","),
        ("HANAMI_DATABASE_URL", "mysql://db/hanami"),
        ("HANAMI_REDIS_URL", "localhost:6379"),
        ("HANAMI_REDIS_URL", "amqp://rabbit"),
        ("HANAMI_EMAIL_URL", "mail.example.org"),
        ("HANAMI_CSRF_TRUSTED_ORIGINS", "play.example.org"),
        ("HANAMI_TRUSTED_PROXIES", "*"),
        ("HANAMI_TRUSTED_PROXIES", "10.0.0.0/33"),
        ("HANAMI_TRUSTED_PROXIES", "10.0.0"),
        ("HANAMI_PORT", "65536"),
        ("HANAMI_PORT", "8e3"),
        ("HANAMI_WORKERS", "0"),
        ("HANAMI_LEASE_S", "1.5"),
        ("HANAMI_HTTPS", "2"),
        ("HANAMI_LOG_LEVEL", "info"),
        ("HANAMI_DEMO", "big"),
    ],
)
def test_a_malformed_value_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(EnvironmentProblem, match=f"{name}: "):
        read_environment({name: value})


@pytest.mark.parametrize("name", ["HANAMI_SECRET_KEY", "HANAMI_DATABASE_URL", "HANAMI_REDIS_URL", "HANAMI_EMAIL_URL"])
def test_a_refused_secret_is_not_repeated(name: str) -> None:
    with pytest.raises(EnvironmentProblem) as problem:
        read_environment({name: "oops:hunter2@"})
    assert "hunter2" not in str(problem.value)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("HANAMI_DEBUG", "1", "HANAMI_DEBUG must not be on"),
        ("HANAMI_DATABASE_URL", "sqlite:////srv/hanami.sqlite3", "HANAMI_DATABASE_URL must name PostgreSQL"),
        ("HANAMI_ALLOWED_HOSTS", "*", "HANAMI_ALLOWED_HOSTS must name the hosts"),
    ],
)
def test_production_mode_refuses_what_is_only_for_one_machine(name: str, value: str, said: str) -> None:
    with pytest.raises(EnvironmentProblem, match=said):
        read_environment({**PRODUCTION, name: value})


@pytest.mark.thorough
def test_a_command_ends_with_the_problem_and_no_traceback(tmp_path: Path) -> None:
    here = Project({"HANAMI_DATA_DIR": str(tmp_path), "HANAMI_SWEEPS": "5"}, tmp_path)
    with pytest.raises(AssertionError) as failure:
        here.manage("check")
    assert "HANAMI_SWEEPS is not a setting of Hanami; did you mean HANAMI_SWEEP_S?" in str(failure.value)
    assert "Traceback" not in str(failure.value)


def test_the_secret_key_is_made_once_and_private(tmp_path: Path) -> None:
    key = embedded.secret_key(tmp_path / "data")
    assert len(key) >= 50
    assert embedded.secret_key(tmp_path / "data") == key
    assert (tmp_path / "data" / "secret_key").stat().st_mode & 0o077 == 0


def test_a_damaged_secret_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text("half", encoding="ascii")
    with pytest.raises(embedded.PrivateFolderProblem, match="delete it"):
        embedded.secret_key(tmp_path)


def test_the_socket_folder_is_private_short_and_steady(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = embedded.make_private_folder(tmp_path / ("deep/" * 40))
    assert folder.stat().st_mode & 0o777 == 0o700
    assert folder == embedded.make_private_folder(tmp_path / ("deep/" * 40))
    assert folder != embedded.private_folder(tmp_path / "elsewhere")


def test_a_socket_folder_that_others_can_enter_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    embedded.make_private_folder(tmp_path).chmod(0o777)
    with pytest.raises(embedded.PrivateFolderProblem, match="belongs to someone else"):
        embedded.redis_socket(tmp_path)


def test_variables_of_the_kit_are_none_of_ours_and_stop_nothing() -> None:
    kits = {"HANAMI_SERVER": "https://hanami.example.org", "HANAMI_TOKEN": "hf_x", "HANAMI_CONFIG": "/tmp/x"}
    assert read_environment(kits).values == read_environment({}).values
