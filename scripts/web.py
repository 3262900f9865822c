"""The web server on a socket that listens already, as `make run` starts it.

usage: python -m scripts.web DESCRIPTOR [--graceful SECONDS]

uvicorn's own `--fd` takes every socket for a UNIX one. TCP_NODELAY is then never set on its connections, and each
answer on a connection that is kept open waits for the reader's delayed acknowledgement: 40 ms. Here the socket keeps
the family it has.
"""

import argparse
import socket
import sys

import uvicorn


def server(*, graceful_s: int) -> uvicorn.Server:
    """Return the site's server. graceful_s: how long it waits, once told to end, for answers that are being written."""
    return uvicorn.Server(
        uvicorn.Config(
            "config.asgi:application",
            access_log=False,
            # Nobody stands before it on one machine: a forwarded address would be the reader's own invention.
            proxy_headers=False,
            lifespan="on",
            log_level="warning",
            timeout_graceful_shutdown=graceful_s,
        )
    )


def main() -> int:
    """Serve until SIGINT or SIGTERM. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("descriptor", type=int, help="of the listening socket, inherited")
    parser.add_argument("--graceful", type=int, default=2, metavar="SECONDS", dest="graceful_s")
    given = parser.parse_args()
    web = server(graceful_s=given.graceful_s)
    with socket.socket(fileno=given.descriptor) as listening:
        web.run(sockets=[listening])
    return 0 if web.started else 1


if __name__ == "__main__":
    sys.exit(main())
