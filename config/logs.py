"""Logging of web, workers and commands: structlog in front, the standard library behind, one line an event."""

import logging
import logging.config
from typing import Any

import structlog

_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def configure(*, level: str, log_format: str) -> None:
    """Send every log line to standard error.

    level: the least level written. log_format: "console" for people or "json" for machines.
    """
    structlog.configure(
        processors=[
            *_SHARED,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    logging.config.dictConfig(_configuration(level, _renderer(log_format)))


def _renderer(log_format: str) -> list[Any]:
    """Return how a line is written. A traceback never shows local variables: they hold hands, sources and secrets."""
    if log_format == "json":
        plain = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        return [structlog.processors.ExceptionRenderer(plain), structlog.processors.JSONRenderer()]
    return [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)]


class RoutesForPaths(logging.Filter):
    """Filter that names a request by its route, never by its path: paths hold keys (private links, calendars,
    resets).
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every line through; the path in it becomes "/e/<token>/"."""
        request = getattr(record, "request", None)
        path = getattr(request, "path", None)
        if isinstance(path, str) and record.args:
            route = getattr(getattr(request, "resolver_match", None), "route", None) or "?"
            given = record.args if isinstance(record.args, tuple) else (record.args,)
            record.args = tuple(f"/{route}" if each == path else each for each in given)
        return True


def _configuration(level: str, renderer: list[Any]) -> dict[str, Any]:
    return {
        "version": 1,
        # Loggers of libraries that were imported before must not fall silent.
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": _SHARED,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderer],
            },
        },
        "filters": {"routes": {"()": RoutesForPaths}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["routes"]}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # One line per request is the reverse proxy's business; a 4xx is the visitor's.
            "uvicorn.access": {"level": "WARNING"},
            "django.request": {"level": "ERROR"},
            # Scanners ask for any host: it is their business, not an error of ours.
            "django.security.DisallowedHost": {"level": "CRITICAL"},
            "django.utils.autoreload": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
        },
    }
