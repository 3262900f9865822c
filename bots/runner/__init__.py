"""The runner: it plays one match of n bots in locked processes and returns its record.

No Django, no database, no Celery.
"""
