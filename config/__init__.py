"""The project: settings, the strict environment, Celery, URLs and the ASGI and WSGI applications."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
