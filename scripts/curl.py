"""curl: the examples of the API's documentation are run as they stand there."""

import shutil

from scripts.bootstrap import install_system_packages


def ensure() -> None:
    """Install it if it is not there and we may."""
    if shutil.which("curl") is None:
        install_system_packages(["curl"], "the API's examples")
