"""`python -m kit` is the command `hanami`."""

from kit.cli import run

if __name__ == "__main__":
    run()
