"""Check of any record, against the rules and the deck it was committed to."""

from __future__ import annotations

import json
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from core.errors import TournamentError
from core.replay.proof import BAD, OK, OPEN, Check
from core.replay.proof_words import PROOF
from tournaments.matches.records.proofs import prove_pasted, read_pasted, seed_given, seed_in
from web.bodies import read_body
from web.resource import Resource
from web.throttles import where_from

STATES: Final = [(state, state) for state in (OK, BAD, OPEN)]


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "object", "additionalProperties": True}]})
class RecordField(serializers.Field[bytes, Any, bytes, Any]):
    """A document as a JSON object, or as the text of one; gives its bytes."""

    default_error_messages = {"invalid": gettext_lazy("Send the record as a JSON object, or its text as a string.")}

    def to_internal_value(self, data: object) -> bytes:
        if isinstance(data, dict):
            return json.dumps(data).encode()
        if not isinstance(data, str):
            self.fail("invalid")
        return data.encode("utf-8", "replace")


class NewProofSerializer(serializers.Serializer[Any]):
    """A record as it is served, whole or compact: the object, or its text. seed: hex, where the record does not hold
    it.
    """

    record = RecordField()
    seed = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")


class ProofLineSerializer(serializers.Serializer[Any]):
    """One check. code, told: what is wrong, for machines; open: it cannot be said without the seed."""

    state = serializers.ChoiceField(choices=STATES)
    text = serializers.CharField()
    code = serializers.CharField(allow_blank=True)
    told = serializers.DictField()


class ProofSerializer(serializers.Serializer[Any]):
    """Result of a check: bad if any part is, open if any is."""

    state = serializers.ChoiceField(choices=STATES)
    checks = ProofLineSerializer(many=True)


class RecordVerify(Resource):
    """Verifying."""

    @extend_schema(operation_id="records_verify", request=NewProofSerializer, responses=ProofSerializer)
    def post(self, request: Request) -> Response:
        """Play a record again by the rules and compare everything it says. Nothing is kept. Scope: none."""
        payload = read_body(NewProofSerializer, request)
        try:
            document = read_pasted(payload["record"])
        except TournamentError as error:
            raise _pointed(error) from error
        seed = seed_given(payload["seed"]) or seed_in(document)
        proof = prove_pasted(document, seed, page=None, network=where_from(request))
        states = {check.state for check in proof.checks}
        state = next((each for each in (BAD, OPEN) if each in states), OK)
        return Response({"state": state, "checks": [_line(check) for check in proof.checks]})


def _line(check: Check) -> dict[str, Any]:
    details = {key: str(value) for key, value in check.details.items()}
    return {"state": check.state, "text": _(PROOF[check.key]) % check.values, "code": check.code, "told": details}


def _pointed(error: TournamentError) -> TournamentError:
    words, values = error.extra.get("words"), error.extra.get("values")
    message = _(PROOF[words]) % values if isinstance(words, str) else str(error)
    return TournamentError(message, code=error.code, extra={"pointer": "/record"})
