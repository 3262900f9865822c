"""The project's settings for tests in this process. Started processes (web, workers) use `config.settings` itself."""

from config.settings import *  # noqa: F403  # the tests run on the real settings, changed only below
from config.settings import DATABASES, STORAGES

# Quick on purpose: a password's cost is the hasher's own test.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# Pages rendered in this process name static files as they are; `live_site` serves the hashed ones.
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True

# A pool's threads would outlive the test database; started processes do use the pool.
DATABASES["default"].get("OPTIONS", {}).pop("pool", None)

# Pointed at SQLite, the tests use a file, as installations do: threads on a database in memory would share a cache.
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["TEST"] = {"NAME": str(DATABASES["default"]["NAME"]) + ".test"}
