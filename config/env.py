"""The environment, read once and strictly.

Every setting of Hanami is one variable in `VARIABLES`. A `HANAMI_*` variable that is not there, or whose value cannot
be read, stops the start with a message that names the variable and says what is allowed: nothing is guessed.
Embedded mode (one machine, SQLite, a private Redis) has a default for everything; production mode has none for what
must be chosen (`needed_in_production`).
"""

import difflib
import ipaddress
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import environ
from django.core.exceptions import ImproperlyConfigured

PREFIX: Final = "HANAMI_"
OF_THE_KIT: Final = ("HANAMI_SERVER", "HANAMI_TOKEN", "HANAMI_CONFIG")
"""Variables of the command `hanami` (kit/account.py), which an author may have set for all programs: not ours."""
ROOT: Final = Path(__file__).resolve().parent.parent
HOST_NAME: Final = re.compile(r"^(\*|\.?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:]+\])$")

PROXY_NAME: Final = re.compile(r"^(?=.*[A-Za-z])[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$")


class EnvironmentProblem(ImproperlyConfigured):
    """The environment cannot be used; the message names each variable and what it may hold."""


@dataclass(frozen=True, slots=True)
class Variable:
    """One environment variable: how it is read, its default (as text) and what it is for."""

    name: str
    read: Callable[[str], Any]
    default: str
    meaning: str
    needed_in_production: bool = False


def text(raw: str) -> str:
    """Return the value as it stands."""
    return raw


def flag(raw: str) -> bool:
    """Read `1/true/yes/on` or `0/false/no/off`; anything else is refused."""
    answers = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if raw.lower() not in answers:
        raise ValueError("use 1 or 0 (also true/false, yes/no, on/off)")
    return answers[raw.lower()]


def integer(low: int, high: int) -> Callable[[str], int]:
    """Return a reader of whole numbers between `low` and `high`, both included."""

    def read(raw: str) -> int:
        # int() alone would take "1_000" and " 7 ".
        if not re.fullmatch(r"-?\d{1,9}", raw) or not low <= int(raw) <= high:
            raise ValueError(f"use a whole number from {low} to {high}")
        return int(raw)

    return read


def choice(*allowed: str) -> Callable[[str], str]:
    """Return a reader of one word out of `allowed`."""

    def read(raw: str) -> str:
        if raw not in allowed:
            raise ValueError(f"use one of: {', '.join(allowed)}")
        return raw

    return read


def hosts(raw: str) -> tuple[str, ...]:
    """Read host names separated by commas, without scheme or port."""
    names = tuple(part.strip() for part in raw.split(",") if part.strip())
    wrong = [name for name in names if not HOST_NAME.match(name)]
    if wrong or not names:
        raise ValueError(
            f"use host names separated by commas, without http:// or a port{': ' if wrong else ''}{', '.join(wrong)}"
        )
    return names


def origins(raw: str) -> tuple[str, ...]:
    """Read web origins (`https://play.example.org`) separated by commas; may be empty."""
    found = tuple(part.strip() for part in raw.split(",") if part.strip())
    wrong = [origin for origin in found if not re.fullmatch(r"https?://[^/\s]+", origin)]
    if wrong:
        raise ValueError(f"use origins like https://play.example.org separated by commas: {', '.join(wrong)}")
    return found


def proxies(raw: str) -> tuple[str, ...]:
    """Read addresses, networks or names of reverse proxies separated by commas; may be empty."""
    found = tuple(part.strip() for part in raw.split(",") if part.strip())
    wrong = [part for part in found if not _is_network(part) and not PROXY_NAME.match(part)]
    if wrong:
        raise ValueError(f"use addresses, networks like 10.0.0.0/8 or names separated by commas: {', '.join(wrong)}")
    return found


def _is_network(part: str) -> bool:
    try:
        ipaddress.ip_network(part, strict=False)
    except ValueError:
        return False
    return True


def networks(raw: str) -> tuple[str, ...]:
    """Read networks separated by commas, as `127.0.0.0/8,::1/128`; may be empty."""
    found = tuple(part.strip() for part in raw.split(",") if part.strip())
    try:
        return tuple(str(ipaddress.ip_network(part)) for part in found)
    except ValueError as wrong:
        raise ValueError(f"use networks like 10.20.0.0/16 separated by commas: {wrong}") from wrong


def folder(raw: str) -> Path:
    """Read a folder; a relative one is taken from the project's root. Returns it absolute."""
    return (ROOT / raw).resolve()


def secret(raw: str) -> str:
    """Read a secret of at least 50 characters; empty means: none given."""
    # Fifty times the same letter is long, and no secret.
    if raw and (len(raw) < 50 or len(set(raw)) < 5):
        raise ValueError("use at least 50 random characters, for example from `openssl rand -base64 48`")
    return raw


def token(raw: str) -> str:
    """Read a secret word of at least 20 characters that a header can carry; empty means: none."""
    if raw and not re.fullmatch(r"[\x21-\x7e]{20,200}", raw):
        raise ValueError("use 20 to 200 characters without spaces, for example from `openssl rand -hex 24`")
    return raw


def database(raw: str) -> str:
    """Read a `postgresql://` or `sqlite:///` address; empty means: the SQLite file under the data folder."""
    if raw and not raw.startswith(("postgresql://", "postgres://", "sqlite:///")):
        raise ValueError("use postgresql://user:password@host:5432/name or sqlite:////absolute/file")
    if raw:
        # Read once here, so that a mistake is named at the start and not at the first query.
        environ.Env.db_url_config(raw)
    return raw


def redis_address(raw: str) -> str:
    """Read a `redis://`, `rediss://` or `unix:///` address; empty means: the private socket of `make run`."""
    if raw and not re.match(r"^(rediss?://[^/\s]+(/\d{1,2})?$|unix:///\S+$)", raw):
        raise ValueError("use redis://host:6379/0, rediss://host:6379/0 or unix:///path/redis.sock")
    return raw


def site(raw: str) -> str:
    """Read the address people type, `https://host`, without a slash at its end; empty means: made from the host
    names.
    """
    if raw and not re.fullmatch(r"https?://[^/\s]+", raw):
        raise ValueError("use an address like https://play.example.org, without a path")
    return raw


def sender(raw: str) -> str:
    """Read the sender of mail: `Hanami <play@example.org>`, or the address alone; empty means: hanami@ the first
    host.
    """
    if raw and not re.fullmatch(r"([^<>@\r\n]* <)?[^<>@\s]+@[^<>@\s]+>?", raw):
        raise ValueError("use play@example.org or Hanami <play@example.org>")
    return raw


def mail(raw: str) -> str:
    """Read an `smtp://`, `smtp+tls://` or `smtp+ssl://` address; empty means: mail is written into the data folder."""
    if raw and not re.match(r"^smtp(\+tls|\+ssl)?://\S+$", raw):
        raise ValueError("use smtp+tls://user:password@host:587")
    return raw


VARIABLES: Final[tuple[Variable, ...]] = (
    Variable("HANAMI_MODE", choice("embedded", "production"), "embedded", "one machine, or a real deployment"),
    Variable("HANAMI_ROLE", choice("all", "worker"), "all", "worker: plays and folds alone, and has no secret key"),
    Variable("HANAMI_SECRET_KEY", secret, "", "signs sessions, links, hooks; embedded mode makes its own", True),
    Variable("HANAMI_ALLOWED_HOSTS", hosts, "127.0.0.1,localhost,[::1]", "host names the site answers to", True),
    Variable("HANAMI_DATABASE_URL", database, "", "PostgreSQL address; embedded mode uses SQLite", True),
    Variable(
        "HANAMI_WORKER_DATABASE_URL", database, "", "the workers' own account there; `migrate` gives it its rights"
    ),
    Variable("HANAMI_REDIS_URL", redis_address, "", "Redis address; embedded mode starts its own", True),
    Variable("HANAMI_CSRF_TRUSTED_ORIGINS", origins, "", "other origins whose forms are accepted"),
    Variable(
        "HANAMI_TRUSTED_PROXIES", proxies, "", "proxies (address, network, name) whose X-Forwarded-* are believed"
    ),
    Variable("HANAMI_HTTPS", flag, "1", "production: send everyone to https and mark cookies secure"),
    Variable("HANAMI_EMAIL_URL", mail, "", "mail server; without one mail is written into the data folder"),
    Variable("HANAMI_EMAIL_FROM", sender, "", "who mail comes from; empty: hanami@ the first host name"),
    Variable("HANAMI_MAIL_PER_MINUTE", integer(1, 10_000), "60", "mails a minute at most, of all workers together"),
    Variable("HANAMI_SITE_URL", site, "", "the address that links in mails begin with; empty: the first host name"),
    Variable("HANAMI_DATA_DIR", folder, "var", "database, logs and generated files of embedded mode"),
    Variable("HANAMI_STATIC_DIR", folder, "", "where collectstatic puts files; empty: static/ in the data folder"),
    Variable("HANAMI_DATASET_DIR", folder, "", "where files of decisions are published; empty: dataset/ there"),
    Variable("HANAMI_KIT_DIR", folder, "", "wheels that /kit/ offers (make dist); empty: kit/ in the data folder"),
    Variable("HANAMI_DEBUG", flag, "0", "embedded mode only: Django's debug pages"),
    Variable("HANAMI_LOG_LEVEL", choice("DEBUG", "INFO", "WARNING", "ERROR"), "INFO", "the least level written"),
    Variable("HANAMI_LOG_FORMAT", choice("console", "json"), "console", "how a log line looks"),
    Variable("HANAMI_METRICS_TOKEN", token, "", "who sends it as a Bearer token may read /metrics; empty: nobody"),
    Variable("HANAMI_SERVER_TIMING", flag, "0", "say in each answer's Server-Timing what it took"),
    Variable("HANAMI_ENGINE", choice("auto", "pure"), "auto", "pure: plain Python even where the engine is compiled"),
    Variable("HANAMI_PAGES_AT_ONCE", integer(1, 64), "2", "pages that one web process makes at a time; others wait"),
    Variable("HANAMI_DB_POOL", integer(1, 200), "10", "PostgreSQL connections at most, per process"),
    Variable("HANAMI_LEASE_S", integer(2, 3600), "60", "seconds a worker may go without a pulse"),
    Variable("HANAMI_STOP_S", integer(0, 3600), "20", "seconds a match may go on once its worker was told to stop"),
    Variable("HANAMI_SWEEP_S", integer(1, 600), "15", "seconds between two sweeps of the queue"),
    Variable("HANAMI_HOOK_NETWORKS", networks, "", "networks that web hooks may reach besides the public internet"),
    Variable("HANAMI_HOOK_DAYS", integer(1, 365), "14", "days for which deliveries to web hooks are kept"),
    Variable("HANAMI_HOST", text, "127.0.0.1", "make run: the address to listen on"),
    Variable("HANAMI_PORT", integer(0, 65535), "0", "make run: the port; 0: 8000, or a free one when it is taken"),
    Variable(
        "HANAMI_REDIS_SERVER", text, "", "make run: a redis-server binary (6.2 or newer) instead of the bundled one"
    ),
    Variable("HANAMI_WORKERS", integer(1, 64), "2", "make run: worker processes"),
    Variable("HANAMI_DEMO", choice("full", "short", "none"), "full", "make run: the size of the demo leagues"),
)


NOT_FOR_WORKERS: Final = ("HANAMI_SECRET_KEY",)
"""Variables that a process which runs strangers' code does without (decision 0095)."""


@dataclass(frozen=True, slots=True)
class Environment:
    """The environment's values by short lower-case name: `environment["data_dir"]`."""

    values: Mapping[str, Any]

    def __getitem__(self, short: str) -> Any:
        return self.values[short]

    @property
    def is_production(self) -> bool:
        return bool(self.values["mode"] == "production")


def _short(name: str) -> str:
    return name.removeprefix(PREFIX).lower()


def _unknown(source: Mapping[str, str]) -> list[str]:
    known = [variable.name for variable in VARIABLES]
    problems = []
    for name in sorted(source):
        if name.startswith(PREFIX) and name not in (*known, *OF_THE_KIT):
            near = difflib.get_close_matches(name, known, n=1)
            problems.append(f"{name} is not a setting of Hanami" + (f"; did you mean {near[0]}?" if near else ""))
    return problems


def _value(variable: Variable, source: Mapping[str, str], problems: list[str], *, production: bool) -> Any:
    raw = source.get(variable.name, "").strip()
    is_needed = variable.needed_in_production and production
    if not raw and is_needed and not (variable.name in NOT_FOR_WORKERS and _is_worker(source)):
        problems.append(f"{variable.name} must be set in production mode: {variable.meaning}")
    try:
        return variable.read(raw or variable.default)
    except (ValueError, ImproperlyConfigured) as wrong:
        # Secrets and addresses with passwords never stand in an error message, which ends up in logs.
        shown = "the value" if variable.read in (secret, token, database, redis_address, mail) else repr(raw)
        problems.append(f"{variable.name}: {shown} is not allowed; {wrong}")
        return None


def _is_worker(source: Mapping[str, str]) -> bool:
    return source.get("HANAMI_ROLE", "").strip() == "worker"


def _contradictions(values: Mapping[str, Any]) -> list[str]:
    problems = []
    if (values["worker_database_url"] or "").startswith("sqlite"):
        problems.append("HANAMI_WORKER_DATABASE_URL must name PostgreSQL; SQLite has no accounts")
    if values["role"] == "worker":
        given = [name for name in NOT_FOR_WORKERS if values[_short(name)]]
        problems += [f"{name} must not be given where HANAMI_ROLE is worker; leave it out" for name in given]
    if values["mode"] == "production":
        if values["debug"]:
            problems.append("HANAMI_DEBUG must not be on in production mode; leave it out")
        if (values["database_url"] or "").startswith("sqlite"):
            problems.append("HANAMI_DATABASE_URL must name PostgreSQL in production mode")
        if "*" in (values["allowed_hosts"] or ()):
            problems.append("HANAMI_ALLOWED_HOSTS must name the hosts in production mode, not *")
    return problems


def read_environment(source: Mapping[str, str]) -> Environment:
    """Return every variable, read; raises EnvironmentProblem that lists all that is wrong at once.

    source: usually `os.environ`; only names that begin with HANAMI_ are looked at.
    """
    # Looked at before it is read: which variables are needed depends on it.
    production = source.get("HANAMI_MODE", "").strip() == "production"
    problems = _unknown(source)
    # All variables, not the first mistake alone: the operator mends them in one go.
    values = {_short(each.name): _value(each, source, problems, production=production) for each in VARIABLES}
    problems += _contradictions(values)
    if problems:
        raise EnvironmentProblem("Hanami cannot start:\n" + "\n".join(f"  - {problem}" for problem in problems))
    # Defaults that lie in another variable can be set only now.
    if not source.get("HANAMI_STATIC_DIR", "").strip():
        values["static_dir"] = values["data_dir"] / "static"
    if not source.get("HANAMI_DATASET_DIR", "").strip():
        values["dataset_dir"] = values["data_dir"] / "dataset"
    if not source.get("HANAMI_KIT_DIR", "").strip():
        values["kit_dir"] = values["data_dir"] / "kit"
    return Environment(values)
