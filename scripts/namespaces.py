"""iproute2 and ethtool: some slow tests and a benchmark put database, Redis, web and workers on hosts of their own."""

import shutil
from typing import Final

from scripts.bootstrap import install_system_packages

TYPE_THIS: Final = """Hosts of their own need network namespaces: `ip`, `ethtool`, and the right to make them. Type:
  sudo apt-get update && sudo apt-get install -y iproute2 ethtool
and run these tests as root (in a container: with CAP_SYS_ADMIN and CAP_NET_ADMIN)."""


def ensure() -> None:
    """Install it if it is not there and we may; who needs it says what to type otherwise."""
    if shutil.which("ip") is None or shutil.which("ethtool") is None:
        install_system_packages(["iproute2", "ethtool"], "the tests of several hosts")
