"""A management command in this process, on this test's database: a process of its own takes two seconds to begin."""

from io import StringIO

from django.core.management import call_command


def said(*words: str) -> str:
    """Return what `manage.py <words>` prints. Raises CommandError where it would end with a failure."""
    output = StringIO()
    call_command(*words, stdout=output)
    return output.getvalue()
