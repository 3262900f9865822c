"""Additions to the OpenAPI description of what is beside the addresses: webhooks, and the stream of live events."""

from __future__ import annotations

from typing import Any, Final

from tournaments.webhooks.event_types import webhook_kinds

Json = dict[str, Any]
STREAM: Final = (
    "Live events are beside the addresses: GET /events/?ch=t:slug,b:slug answers text/event-stream. `ch`: 1 to 8 "
    "channels, with commas or repeated: t: and the address of an event, m: and the uuid of a match, b: and the address "
    'of a bot, l: and a preset, q: the queue. The data of each message is {"ch", "ver"}: '
    "a channel and its newest version. Last-Event-ID, or `seen=CHANNEL=VERSION`, says what the reader has."
)
SIGNED: Final = (
    "Sent by POST to the address of a webhook (/api/v1/hooks, scope hook:write). Hf-Signature is t=TIME,v1=HEX: "
    "HMAC-SHA256 with the secret of the webhook over TIME, a dot, and the body."
)
BODY: Final[Json] = {
    "type": "object",
    "required": ["id", "kind", "at", "what", "url"],
    "properties": {
        "id": {"type": "string", "format": "uuid", "description": "the same at every try: repeats are known by it"},
        "kind": {"type": "string"},
        "at": {"type": "string", "format": "date-time"},
        "what": {"type": "object", "additionalProperties": True, "description": "the facts; more of them may come"},
        "url": {"type": "string", "format": "uri", "description": "the address of the API that tells more"},
    },
}


def with_news(result: Json, **_kwargs: Any) -> Json:
    """Return the description with its webhooks, the stream, the server and the tags of its operations."""
    result["info"]["description"] += f"\n\n{STREAM}"
    # OpenAPI 3.0 has no place of its own for webhooks; this is where tools look for them.
    result["x-webhooks"] = {kind: _webhook(kind, str(words)) for kind, words in webhook_kinds().items()}
    result["servers"] = [{"url": "/"}]
    operations = [each for methods in result["paths"].values() for each in methods.values()]
    tags = dict.fromkeys(tag for operation in operations for tag in operation.get("tags", ()))
    result["tags"] = [{"name": tag} for tag in tags]
    return result


def _webhook(kind: str, words: str) -> Json:
    schema = {**BODY, "properties": {**BODY["properties"], "kind": {"type": "string", "enum": [kind]}}}
    return {
        "post": {
            "summary": words,
            "description": SIGNED,
            "requestBody": {"content": {"application/json": {"schema": schema}}},
            "responses": {"2XX": {"description": "taken; anything else is sent again later"}},
        }
    }
