#!/usr/bin/env python
"""Django's command line for Hanami: `python manage.py help` lists the commands."""

import os
import sys


def main() -> None:
    """Run one management command; a wrong setting ends with one readable line per problem."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line  # after the settings module is named

    from config.env import EnvironmentProblem

    try:
        # A wrong setting is an operator's mistake: one line for each problem, no traceback.
        execute_from_command_line(sys.argv)
    except EnvironmentProblem as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
