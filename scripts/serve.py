"""The whole of Hanami on one machine: what `make run` becomes once the virtual environment is there.

usage: scripts/run [--reset]

--reset: forget every tournament, bot and account (what `make demo-reset` calls); the next start seeds the demo again.
"""

import fcntl
import json
import os
import shutil
import socket
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TextIO

from config.embedded import (
    PrivateFolderProblem,
    make_data_dir,
    make_private_folder,
    private_folder,
    redis_socket,
    secret_key,
    wheels_mark,
)
from config.env import Environment, EnvironmentProblem, read_environment
from scripts import broker, freshness
from scripts.progress import Step, print_line
from scripts.supervisor import Child, CommandFailed, Stopped, Supervisor

ROOT: Final = Path(__file__).resolve().parent.parent
FIRST_PORT: Final = 8000
LOG_LIMIT: Final = 5 * 1024 * 1024
DATABASE_FILES: Final = ("hanami.sqlite3", "hanami.sqlite3-wal", "hanami.sqlite3-shm", "hanami.sqlite3-journal")


class CannotStart(RuntimeError):
    """Hanami cannot start here and now; the message says why and what to do."""


def only_one(data_dir: Path) -> TextIO:
    """Hold the data folder's lock for as long as the returned file is open. Raises CannotStart if another does."""
    make_data_dir(data_dir)
    # a+: opening must not empty the file, whose text says where the other one runs.
    lock = (data_dir / "run.lock").open("a+", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.seek(0)
        where = lock.read().strip() or "starting"
        raise CannotStart(
            f"Hanami is already running here ({where}). Stop that one first (Ctrl-C), or use it."
        ) from None
    lock.truncate(0)
    return lock


def listen(environment: Environment) -> socket.socket:
    """Return the web server's socket: the port asked for, else 8000, else any free one."""
    host, asked = environment["host"], environment["port"]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for port in (asked,) if asked else (FIRST_PORT, 0):
        try:
            return socket.create_server((host, port), family=family, backlog=512)
        except OSError as error:
            if asked:
                raise CannotStart(
                    f"{host}:{asked} cannot be used ({error.strerror}); set HANAMI_PORT to a free port, or leave it out"
                ) from error
    raise CannotStart(f"no port of {host} can be used; set HANAMI_HOST to an address of this machine")


def _in_address(host: str) -> str:
    """The host as an address has it; "every address of this machine" is shown as this machine."""
    if host in ("0.0.0.0", "::"):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def processes(environment: Environment, web_socket: socket.socket) -> list[Child]:
    """Web, workers, sender and beat. A worker is a main process with one pool process: that one owns the sandbox.

    The sender talks to machines elsewhere, which may be slow: hooks, mail and push services, a thread for each.
    """
    celery = [sys.executable, "-m", "celery", "-A", "config"]
    loud = ["--loglevel", environment["log_level"]]
    web = [sys.executable, "-m", "scripts.web", str(web_socket.fileno())]
    worker = [*celery, "worker", "--pool", "prefork", "--concurrency", "1", "--queues", "tables,play,derive", *loud]
    # Workers of one machine have nothing to tell each other, and mingling waits a second at each start.
    worker += ["--without-gossip", "--without-mingle"]
    sender = [*celery, "worker", "--pool", "threads", "--concurrency", "3", "--queues", "send", *loud]
    sender += ["--without-gossip", "--without-mingle", "--hostname", "sender@%h"]
    schedule = str(environment["data_dir"] / "beat-schedule")
    # No pid file: one that is left behind by a crash would keep beat from starting.
    beat = [*celery, "beat", "--schedule", schedule, "--pidfile=", *loud]
    return [
        Child("web", web, inherited_fds=(web_socket.fileno(),)),
        *(
            Child(f"worker{number}", [*worker, "--hostname", f"worker{number}@%h"])
            for number in range(1, environment["workers"] + 1)
        ),
        Child("sender", sender),
        Child("beat", beat),
    ]


def prepare_data(supervisor: Supervisor, environment: Environment, child_environment: Mapping[str, str]) -> None:
    """Bring tables and static files up to date, each only when something changed."""
    manage = [sys.executable, "manage.py"]
    data_dir: Path = environment["data_dir"]
    stamps, database = freshness.Stamps(data_dir), data_dir / DATABASE_FILES[0]
    # Another database may be restored or replaced without a file here changing: there migrations always look.
    if environment["database_url"] or not stamps.is_current("tables", freshness.tables_digest(ROOT, database)):
        with Step("Bringing the tables up to date"):
            supervisor.run("migrate", [*manage, "migrate", "--noinput", "--verbosity", "1"], child_environment)
        # Taken again: the first migration makes the file, so its inode was not known before.
        stamps.write("tables", freshness.tables_digest(ROOT, database))
    files = freshness.static_digest(ROOT)
    if not stamps.is_current("static", files) or not (environment["static_dir"] / "staticfiles.json").exists():
        command = [*manage, "collectstatic", "--noinput", "--clear", "--verbosity", "0"]
        with Step("Collecting the static files"):
            supervisor.run("collectstatic", command, child_environment)
        stamps.write("static", files)
    announce_wheels(environment["kit_dir"])


def seed(supervisor: Supervisor, environment: Environment, child_environment: Mapping[str, str]) -> None:
    """Make the demo leagues, unless they are there."""
    data_dir: Path = environment["data_dir"]
    stamps, size = freshness.Stamps(data_dir), environment["demo"]
    made_of = freshness.demo_digest(ROOT, data_dir / DATABASE_FILES[0], size)
    if size == "none" or (stamps.is_current("demo", made_of) and not environment["database_url"]):
        return
    command = [sys.executable, "manage.py", "seed_demo", "--size", size]
    with Step("Preparing the demo leagues"):
        supervisor.run("seed_demo", command, child_environment, show=True)
    stamps.write("demo", made_of)


def await_answer(supervisor: Supervisor, address: str) -> None:
    """Wait until the site answers; raises CannotStart with the log if the web process keeps falling."""
    with Step("Starting the web server"):
        while not _answers(address):
            supervisor.wait(0.1)
            if supervisor.fallen_too_often("web", 3):
                raise CannotStart(f"the web server does not start:\n{supervisor.tail('web', 30)}")


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/healthz", timeout=2) as reply:
            return bool(reply.status == 200)
    except OSError:  # nobody listens yet, or no answer in time
        return False


def greet(address: str, environment: Environment, child_environment: Mapping[str, str]) -> None:
    """Say where to look, how to log in, how to stop."""
    print_line(f"\nHanami is running at {address}")
    login = environment["data_dir"] / "demo-login.json"
    if login.exists():
        shown: dict[str, Any] = json.loads(login.read_text(encoding="utf-8"))
        print_line(f"  Demo login   {shown['username']} / {shown['password']}")
    running = f"web, {environment['workers']} workers, sender, beat, Redis"
    print_line(f"  Processes    {running}; logs in {environment['data_dir'] / 'log'}")
    print_line("  Stop         Ctrl-C. The data stays; `make demo-reset` starts over.\n")


def compile_engine(supervisor: Supervisor, child_environment: Mapping[str, str]) -> None:
    """Translate the engine while nobody waits for it; from the next start on it is used. Without it all works too."""
    command = ["nice", "-n", "19", sys.executable, str(ROOT / "scripts" / "compile_engine.py"), "--install"]
    try:
        supervisor.run("compile_engine", command, child_environment)
    except CommandFailed as problem:
        print_line(f"  The engine goes on in plain Python; it could not be translated:\n{problem}")


def announce_wheels(kit_dir: Path) -> None:
    """Leave word for `/kit/`, which has nothing to offer yet, that there will be packages in a minute."""
    if not any(kit_dir.glob("*.whl")):
        kit_dir.mkdir(parents=True, exist_ok=True)
        wheels_mark(kit_dir).touch()


def build_wheels(supervisor: Supervisor, environment: Environment, child_environment: Mapping[str, str]) -> None:
    """Build what `/kit/` offers, if its sources have changed: the pure wheels, which take seconds."""
    stamps, made_of = freshness.Stamps(environment["data_dir"]), freshness.wheels_digest(ROOT)
    if stamps.is_current("wheels", made_of) and any(environment["kit_dir"].glob("*.whl")):
        return
    command = ["nice", "-n", "19", sys.executable, "-m", "scripts.distributions", "--pure"]
    try:
        supervisor.run("wheels", [*command, "--into", str(environment["kit_dir"])], child_environment)
    except CommandFailed as problem:
        print_line(f"  The page /kit/ has no packages; they could not be built:\n{problem}")
        return
    stamps.write("wheels", made_of)


def do_in_background(supervisor: Supervisor, environment: Environment, child_environment: Mapping[str, str]) -> None:
    """Do what the site serves without: its packages, and the engine in machine code for the next start."""
    try:
        build_wheels(supervisor, environment, child_environment)
    finally:
        wheels_mark(environment["kit_dir"]).unlink(missing_ok=True)
    compile_engine(supervisor, child_environment)


def trim_logs(folder: Path) -> None:
    """Cut logs that have grown too long to their end."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.log"):
        if path.stat().st_size > LOG_LIMIT:
            path.write_bytes(path.read_bytes()[-LOG_LIMIT // 10 :])


def serve(environment: Environment, lock: TextIO) -> None:
    """Start everything, keep it alive until Ctrl-C, leave nothing behind."""
    data_dir = environment["data_dir"]
    trim_logs(data_dir / "log")
    supervisor = Supervisor(data_dir / "log", ROOT)
    child_environment = {
        "PYTHONUNBUFFERED": "1",
        # numpy would start a thread for each core in each process.
        "OPENBLAS_NUM_THREADS": "1",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    # Bound before anything is started: a port that is taken is told at once, and a web process that falls is started
    # again on the same socket, where readers wait meanwhile.
    web_socket = listen(environment)
    address = f"http://{_in_address(environment['host'])}:{web_socket.getsockname()[1]}"
    child_environment["HANAMI_SITE_URL"] = environment["site_url"] or address
    try:
        if not environment["redis_url"]:
            make_private_folder(data_dir)
            supervisor.start(broker.embedded(redis_socket(data_dir), environment["redis_server"]))
        prepare_data(supervisor, environment, child_environment)
        # After the tables: a worker would claim matches from half a schema.
        for child in processes(environment, web_socket):
            child.environment = child_environment
            supervisor.start(child)
        seed(supervisor, environment, child_environment)
        await_answer(supervisor, address)
        lock.write(f"{address}, process {os.getpid()}\n")
        lock.flush()
        greet(address, environment, child_environment)
        do_in_background(supervisor, environment, child_environment)
        while True:
            supervisor.wait(5.0)
    except Stopped:
        print_line("\nStopping (Ctrl-C again: at once) ...")
    finally:
        with Step("Stopping"):
            supervisor.stop()
        shutil.rmtree(private_folder(data_dir), ignore_errors=True)
        lock.truncate(0)


def reset(environment: Environment) -> None:
    """Forget all data of this folder, keep its secret key. Raises CannotStart while Hanami runs."""
    data_dir = environment["data_dir"]
    if environment["database_url"]:
        raise CannotStart("HANAMI_DATABASE_URL names your own database; empty that one yourself")
    with only_one(data_dir):
        left_over = [data_dir / name for name in (*DATABASE_FILES, "demo-login.json")]
        for path in (*left_over, *data_dir.glob("*.stamp"), *data_dir.glob("beat-schedule*")):
            path.unlink(missing_ok=True)
    print_line("The demo is gone; the next `make run` starts over.")


def main() -> int:
    """Read the environment, hold the lock, serve. Returns the exit status."""
    try:
        environment = read_environment(os.environ)
        if environment.is_production:
            raise CannotStart("HANAMI_MODE=production: use docker-compose.yml; `make run` is for one machine")
        if "--reset" in sys.argv[1:]:
            reset(environment)
            return 0
        with only_one(environment["data_dir"]) as lock:
            secret_key(environment["data_dir"])
            serve(environment, lock)
    except (CannotStart, EnvironmentProblem, PrivateFolderProblem, CommandFailed, broker.NoBroker) as problem:
        with suppress(BrokenPipeError):
            print_line(str(problem))
        return 1
    print_line("Stopped. Nothing is left running.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
