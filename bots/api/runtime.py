"""What bots run with on this service: versions, clocks, limits. The kit warns where a machine at home differs."""

from __future__ import annotations

import platform
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from bots.runner.spec import CLOCKS, STANDARD
from bots.uploads.limits import PROTOCOLS, UPLOAD_BYTES
from engine import ENGINE_VERSION
from web.resource import Resource


class BotClockSerializer(serializers.Serializer[Any]):
    """A clock that a version may declare. Times are CPU milliseconds of the bot's own process."""

    id = serializers.CharField(help_text="as hanami.toml names it")
    load_ms = serializers.IntegerField(help_text="to load bot.py")
    move_ms = serializers.IntegerField(help_text="for each move")
    bank_ms = serializers.IntegerField(help_text="beyond that, new in each deal")
    match_ms = serializers.IntegerField(help_text="for a whole match, loading included")
    memory_mib = serializers.IntegerField(help_text="MiB of memory beside the libraries")


class RuntimeSerializer(serializers.Serializer[Any]):
    """What bots run with."""

    python = serializers.CharField(help_text="version of Python")
    numpy = serializers.CharField(help_text="version of numpy, the only library beside the standard one")
    engine = serializers.CharField(help_text="version of the rules, as records name it")
    protocols = serializers.ListField(child=serializers.IntegerField(), help_text="versions of the bots' protocol")
    clocks = BotClockSerializer(many=True, help_text="the clocks that hanami.toml may name")
    default_clock = serializers.CharField(help_text="of a version that names none")
    upload_bytes = serializers.IntegerField(help_text="the most bytes of an uploaded file")


class Runtime(Resource):
    """What bots run with."""

    @extend_schema(operation_id="runtime_retrieve", responses=RuntimeSerializer)
    def get(self, request: Request) -> Response:
        """Get the versions of Python, numpy and the engine that bots run with, and the clocks there are."""
        found = {
            # Workers are started from the same environment as this process: one image, one lock file.
            "python": platform.python_version(),
            "numpy": version("numpy"),
            "engine": ENGINE_VERSION,
            "protocols": list(PROTOCOLS),
            "clocks": [asdict(clock) for clock in CLOCKS.values()],
            "default_clock": STANDARD.id,
            "upload_bytes": UPLOAD_BYTES,
        }
        return Response(RuntimeSerializer(found).data)
