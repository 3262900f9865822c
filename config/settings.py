"""Django's settings, all of them, made from the environment that `config.env` reads.

Embedded and production mode differ in this alone: database, broker, secret key, mail, https. Everything below the
section "both modes" is the same code path for a laptop and a deployment.
"""

import os
import socket
from typing import Any

import django_stubs_ext
import environ
from django.utils.translation import gettext_lazy as _
from kombu import Queue

from config import embedded, logs
from config.beat import Steady
from config.enum_names import ENUM_NAMES
from config.env import ROOT, read_environment

django_stubs_ext.monkeypatch()  # lets forms, views and admins be written as ModelForm[User]: typed, nothing else

ENVIRONMENT = read_environment(os.environ)
PRODUCTION: bool = ENVIRONMENT.is_production
BASE_DIR = ROOT
DATA_DIR = ENVIRONMENT["data_dir"]
DATASET_DIR = ENVIRONMENT["dataset_dir"]

# --- what differs between the modes ---

DEBUG: bool = ENVIRONMENT["debug"]
ROLE: str = ENVIRONMENT["role"]
# A worker has none: Django refuses to sign anything with an empty one (ImproperlyConfigured), which a key of the
# process's own would do silently, and wrongly.
SECRET_KEY: str = "" if ROLE == "worker" else ENVIRONMENT["secret_key"] or embedded.secret_key(DATA_DIR)
ALLOWED_HOSTS: list[str] = list(ENVIRONMENT["allowed_hosts"])
CSRF_TRUSTED_ORIGINS: list[str] = list(ENVIRONMENT["csrf_trusted_origins"])
TRUSTED_PROXIES: list[str] = list(ENVIRONMENT["trusted_proxies"])

HTTPS: bool = PRODUCTION and ENVIRONMENT["https"]
SECURE_SSL_REDIRECT = HTTPS
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS


def _sqlite(path: str) -> dict[str, Any]:
    """Return SQLite with one writer at a time: a transaction takes the write lock at once and waits up to 20 s."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",  # one that turned writer later would be refused without waiting
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",  # readers go on while one writes
        },
    }


# A host that vanishes says nothing: PostgreSQL would keep its transaction and its locks for two hours, and a client
# would wait as long for an answer. Both ends ask instead, and give up after half a minute at most. Keepalives are not
# sent while something is unacknowledged: then tcp_user_timeout (ms) ends the connection. Measured: 20 s.
KEEPALIVES: dict[str, Any] = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
IDLE_IN_TRANSACTION_MS = 60_000
SERVER_KEEPALIVES: dict[str, int] = {
    "tcp_keepalives_idle": 10,
    "tcp_keepalives_interval": 5,
    "tcp_keepalives_count": 3,
    "tcp_user_timeout": 20_000,
    # A process that is stopped while its host lives is found by this alone; `accounts.transactions` allows more.
    "idle_in_transaction_session_timeout": IDLE_IN_TRANSACTION_MS,
}


def _timeouts(options: dict[str, Any], host: str) -> dict[str, Any]:
    """Return the options of a connection with what ends it when its other end vanishes. What the address says wins.

    A socket of this machine cannot lose its other end: it gets nothing.
    """
    host = str(options.get("hostaddr") or options.get("host") or host)
    if not host or host.startswith(("/", "@", "%2F", "%2f")):
        return options
    ours = " ".join(f"-c {name}={value}" for name, value in SERVER_KEEPALIVES.items())
    theirs = str(options.get("options") or "")  # of two values of one setting PostgreSQL takes the last
    return {**KEEPALIVES, **options, "options": f"{ours} {theirs}".strip()}


def _postgresql(url: str) -> dict[str, Any]:
    """Return PostgreSQL with a pool per process: none of 1,000 requests at 150 at once failed (20 without)."""
    found: dict[str, Any] = dict(environ.Env.db_url_config(url))
    # After an outage a pool waits twice as long before each attempt: at most some seconds, not minutes.
    pool = {"min_size": 0, "max_size": ENVIRONMENT["db_pool"], "timeout": 10, "reconnect_timeout": 10}
    options = _timeouts(dict(found.get("OPTIONS", {})), str(found.get("HOST", "")))
    found.update(CONN_MAX_AGE=0, CONN_HEALTH_CHECKS=True, OPTIONS={**options, "pool": pool})
    return found


def _database() -> dict[str, Any]:
    url = ENVIRONMENT["database_url"]
    if not url:
        return _sqlite(str(DATA_DIR / "hanami.sqlite3"))
    if url.startswith("sqlite"):
        return _sqlite(str(environ.Env.db_url_config(url)["NAME"]))
    return _postgresql(url)


DATABASES = {"default": _database()}

# The account of the workers: `migrate` makes it and says what it may touch (tournaments/worker_role.py).
WORKER_DATABASE_URL: str = ENVIRONMENT["worker_database_url"]

# Two forms of one address: redis-py wants unix:///path, Celery redis+socket:///path.
REDIS_URL: str = ENVIRONMENT["redis_url"] or f"unix://{embedded.redis_socket(DATA_DIR)}"


def _broker(url: str) -> str:
    return url.replace("unix://", "redis+socket://", 1).replace("?db=", "?virtual_host=", 1)


def _mail() -> dict[str, Any]:
    """Return the settings of mail: SMTP where a server is named, else files in the data folder."""
    url = ENVIRONMENT["email_url"]
    if not url:
        return {
            "EMAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend",
            "EMAIL_FILE_PATH": DATA_DIR / "mail",
        }
    return dict(environ.Env.email_url_config(url))


vars().update(_mail())


def _site() -> str:
    """Return the address that links in mails begin with: a worker that writes them has no request."""
    host = next((name.removeprefix(".") for name in ALLOWED_HOSTS if name != "*"), "localhost")
    port = "" if PRODUCTION else f":{ENVIRONMENT['port'] or 8000}"
    return ENVIRONMENT["site_url"] or f"{'https' if HTTPS else 'http'}://{host}{port}"


SITE_URL: str = _site()
DEFAULT_FROM_EMAIL: str = (
    ENVIRONMENT["email_from"] or f"Hanami <hanami@{SITE_URL.partition('://')[2].partition(':')[0]}>"
)
SERVER_EMAIL = DEFAULT_FROM_EMAIL
EMAIL_TIMEOUT = 20  # seconds a mail server may be silent; a mail's claim lasts much longer
MAIL_PER_MINUTE: int = ENVIRONMENT["mail_per_minute"]

# --- both modes ---

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "axes",
    "csp",
    "django_filters",
    "drf_spectacular",
    "rest_framework",
    "accounts",
    "bots",
    "tournaments",
    "tables",
]

MIDDLEWARE = [
    "config.health.HealthMiddleware",  # first: answers probes before hosts, https and sessions are looked at
    "config.metrics.MetricsMiddleware",
    "config.request_ids.RequestIds",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.compressing.Compress",  # inside WhiteNoise, whose files are compressed already
    "csp.middleware.CSPMiddleware",
    "tournaments.pages.site.oversize.RefuseOversize",  # before anything that reads a body
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "accounts.middleware.IsolateNames",  # inside CommonMiddleware, which sets the Content-Length after it
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.AccountLanguage",
    "accounts.middleware.ReadersZone",
    "tournaments.pages.site.zero_bytes.RefuseZeroBytes",
    "django.contrib.messages.middleware.MessageMiddleware",
    "accounts.middleware.ClosedAccounts",
    "tournaments.pages.site.only_forms.ExplainOnlyForms",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",  # last, as its documentation asks
]

METRICS_TOKEN: str = ENVIRONMENT["metrics_token"]
if ENVIRONMENT["server_timing"]:
    MIDDLEWARE.insert(1, "config.timing.ServerTiming")

ROOT_URLCONF = "config.urls"
PAGES_AT_ONCE: int = ENVIRONMENT["pages_at_once"]
ASGI_APPLICATION = "config.asgi.application"
WSGI_APPLICATION = "config.wsgi.application"

_PROCESSORS = (("template", "request"), ("contrib.auth", "auth"), ("contrib.messages", "messages"))
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": [f"django.{app}.context_processors.{name}" for app, name in _PROCESSORS]},
    },
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",  # for the table alone, by the tag of this module
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {"environment": "tournaments.templatetags.felt.environment"},
    },
]

FORM_RENDERER = "accounts.controls.Controls"

# Accounts
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "accounts.backends.PasswordBackend",
    "django.contrib.auth.backends.ModelBackend",  # for sessions alone: they name it
]
SESSION_ENGINE = "accounts.session_store"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "accounts.passwords.UndressedPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
PASSWORD_RESET_TIMEOUT = 24 * 3600  # seconds; a link is dead once it was used, too
AXES_FAILURE_LIMIT = 8
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]  # nobody can lock someone else out from another address
AXES_RESET_ON_SUCCESS = True
AXES_HTTP_RESPONSE_CODE = 429
AXES_VERBOSE = False
AXES_DISABLE_ACCESS_LOG = True  # who logged in from where is kept nowhere, as the page on privacy says
AXES_CLIENT_IP_CALLABLE = "bots.receivers.locked_network"
AXES_LOCKOUT_CALLABLE = "accounts.views.locked"
CSRF_FAILURE_VIEW = "tournaments.pages.site.errors.csrf_failed"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"

# Words and clocks
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("ja", _("Japanese")), ("fr", _("French"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Static files: hashed names, compressed once, cached for ever
STATIC_URL = "static/"
STATIC_ROOT = ENVIRONMENT["static_dir"]
DOCS_DIR = BASE_DIR / "docs"
KIT_DIR = ENVIRONMENT["kit_dir"]
KIT_BUILDING = embedded.wheels_mark(KIT_DIR)
STATICFILES_DIRS = [BASE_DIR / "static", ("docs", DOCS_DIR / "images")]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static.HashedStaticFiles"},
}
_IN_MEMORY = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
# Drawn replays, 30 kB each, are apart: a crawler that opens every move must not drive out what the default cache keeps.
_FRAGMENTS = {"LOCATION": "fragments", "OPTIONS": {"MAX_ENTRIES": 200}}
CACHES = {"default": _IN_MEMORY, "template_fragments": {**_IN_MEMORY, **_FRAGMENTS}}
DATA_UPLOAD_MAX_MEMORY_SIZE = 3 * 1024 * 1024  # a bot upload is at most 2 MiB
# The results page of 2,000 people at tables of five has 400 rows of 11 fields; pairing them by hand takes 2,000.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 6_000
PHOTO_UPLOAD_MAX_SIZE = 9 * 1024 * 1024  # a whole request; a photo of a slip is at most 8 MiB (services.pictures)
FILE_UPLOAD_MAX_MEMORY_SIZE = PHOTO_UPLOAD_MAX_SIZE  # never written to disk on its way into the database

# What a browser may load: our own files, nothing inline, no other host
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"  # addresses may hold a key (private links, calendars)
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"  # but for the replay frame (pages.matches.embedding)
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
        "object-src": ["'none'"],
    }
}

# API
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "web.access.BearerToken",  # first: a request with a key acts by the key, not by a session beside it
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["web.parsers.Json"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "web.api_pages.Pages",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "web.problems.handler",
    "PAGE_SIZE": 50,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Hanami",
    "DESCRIPTION": "Everything that the pages of Hanami show and do.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "ENUM_NAME_OVERRIDES": ENUM_NAMES,
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "web.schema.with_problems",
        "web.schema.with_closed_bodies",
        "tournaments.api.schema.describing.with_words",
        "tournaments.api.schema.beside.with_news",
    ],
}

# Work. The row is the queue, a task is a wake-up: a lost, late or doubled one is harmless.
LEASE_S: int = ENVIRONMENT["lease_s"]
OUTBOX_KEPT_S = 3600  # told rows; a fold that finds one missing starts from everything
SWEEP_S: int = ENVIRONMENT["sweep_s"]
HOOK_NETWORKS: list[str] = list(ENVIRONMENT["hook_networks"])
HOOK_DELIVERIES_KEPT_DAYS: int = ENVIRONMENT["hook_days"]
STOP_S: int = ENVIRONMENT["stop_s"]
CELERY_BROKER_URL = _broker(REDIS_URL)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker as long as it takes
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 9000,  # above the hard time limit, or a long batch would be notified twice
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "socket_timeout": 30,
    "socket_connect_timeout": 5,
    "socket_keepalive": True,  # a worker that waits for a wake-up sends nothing and would not see its broker vanish
    "socket_keepalive_options": {  # of these names macOS lacks one
        getattr(socket, name): value
        for name, value in (("TCP_KEEPIDLE", 10), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3))
        if hasattr(socket, name)
    },
}
CELERY_TASK_ACKS_LATE = True  # after the work: the wake-up of a worker that dies goes to another
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_STORE_ERRORS_EVEN_IF_IGNORED = False
CELERY_RESULT_BACKEND = None
CELERY_WORKER_PREFETCH_MULTIPLIER = 1  # a worker in a long match holds no wake-ups that another could serve
CELERY_DB_REUSE_MAX = 500  # tasks that share a pool of connections; bots.tasks gives the connection back after each
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_PROC_ALIVE_TIMEOUT = 60  # a pool process starts and probes its sandbox first; the default is 4 s
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False  # a match in play is recorded without the broker
CELERY_TASK_SOFT_TIME_LIMIT = 7200  # the longest there is: a 7-seat match of the longest clock at its wall limits
CELERY_TASK_TIME_LIMIT = 7500
# Short: a request waits for it, and the sweep repeats what is lost.
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.2, "interval_max": 0.5}
CELERY_ACCEPT_CONTENT = ["json"]  # no pickle: anyone who writes into the broker could run code in every worker
CELERY_TASK_DEFAULT_QUEUE = "derive"
CELERY_TASK_QUEUES = [Queue("tables"), Queue("play"), Queue("derive"), Queue("send")]
CELERY_TASK_CREATE_MISSING_QUEUES = False  # a misspelt name fails; it fills no queue that nobody serves
CELERY_TASK_ROUTES = {"*.play*": {"queue": "play"}}
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULER = "config.beat:SteadyScheduler"
CELERY_BEAT_SCHEDULE = {
    "sweep": {
        "task": "tournaments.tasks.sweep",
        "schedule": Steady(float(SWEEP_S)),
        "options": {"queue": "derive"},  # no expiry, which would compare the clocks of two machines
    },
    # The files of decisions: a day is ready an hour after it ended at the latest; most of the time nothing is to do.
    "dataset": {
        "task": "tournaments.tasks.export_dataset",
        "schedule": Steady(3600.0),
        "options": {"queue": "send"},
    },
    "tables": {"task": "tables.tasks.sweep", "schedule": Steady(float(SWEEP_S)), "options": {"queue": "tables"}},
    "tidy": {"task": "tournaments.tasks.tidy", "schedule": Steady(float(SWEEP_S)), "options": {"queue": "send"}},
}

LOGGING_CONFIG = None  # config.logs does it, for Django, Celery and uvicorn alike
logs.configure(level=ENVIRONMENT["log_level"], log_format=ENVIRONMENT["log_format"])
