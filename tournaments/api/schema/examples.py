"""Examples of the documentation page: each as a line for the shell and as Python. A test runs all of them.

`{base}`: the service's address; `{token}`: a token; `{event}`, `{bot}`: addresses of an event and of a bot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PYTHON_HEAD: Final = """\
import json
import urllib.request

def ask(method, path, body=None, **headers):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": "Bearer {token}", "Content-Type": "application/json", **headers}
    request = urllib.request.Request("{base}" + path, data, headers, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)
"""
"""Lines that every Python example begins with."""


@dataclass(frozen=True, slots=True)
class Example:
    """An example. title: its purpose; shell, python: the code; expected: a word that the answer of both holds."""

    title: str | Promise
    shell: str
    python: str
    expected: str


EXAMPLES: Final = (
    Example(
        _("List all events, page by page"),
        'curl -sS "{base}/api/v1/tournaments?limit=2"',
        """\
page = ask("GET", "/api/v1/tournaments?limit=2")
for event in page["items"]:
    print(event["slug"], event["state"])
""",
        "{event}",
    ),
    Example(
        _("Create a bot and upload its first version"),
        """\
curl -sS -X POST "{base}/api/v1/bots" \\
  -H "Authorization: Bearer {token}" \\
  -H "Content-Type: application/json" \\
  -d '{"name": "Shell bot", "plays": ["hawaii"]}'
printf 'def choose(obs):\\n    return obs["legal"][0]\\n' > bot.py
curl -sS -X POST "{base}/api/v1/bots/shell-bot/versions" \\
  -H "Authorization: Bearer {token}" \\
  -H "Idempotency-Key: 7f1c0a3e" \\
  -F "file=@bot.py" \\
  -F "note=first"
""",
        """\
bot = ask("POST", "/api/v1/bots", {"name": "Python bot", "plays": ["hawaii"]})
source = b'def choose(obs):\\n    return obs["legal"][0]\\n'
part = b'--x\\r\\nContent-Disposition: form-data; name="file"; filename="bot.py"\\r\\n\\r\\n'
part += source + b"\\r\\n--x--\\r\\n"
request = urllib.request.Request(
    "{base}/api/v1/bots/" + bot["slug"] + "/versions",
    part,
    {
        "Authorization": "Bearer {token}",
        "Content-Type": "multipart/form-data; boundary=x",
        "Idempotency-Key": "8a2d1b4f",
    },
)
version = json.load(urllib.request.urlopen(request))
print(version["n"], version["state"], version["queue"])
""",
        "checking",
    ),
    Example(
        _("Enter a bot"),
        """\
curl -sS -X POST "{base}/api/v1/tournaments/{event}/entries" \\
  -H "Authorization: Bearer {token}" \\
  -H "Content-Type: application/json" \\
  -d '{"bot": "{bot}"}'
curl -sS "{base}/api/v1/tournaments/{event}/entries"
""",
        """\
for entry in ask("GET", "/api/v1/tournaments/{event}/entries")["items"]:
    print(entry["name"], entry["bot"], entry["state"])
""",
        "{bot}",
    ),
    Example(
        _("Create an event: preview the publication, then publish"),
        """\
curl -sS -X POST "{base}/api/v1/tournaments" \\
  -H "Authorization: Bearer {token}" \\
  -H "Content-Type: application/json" \\
  -d '{"name": "Shell league", "preset": "hawaii", "seats": 2, "kind": "round_robin"}'
curl -sS -X POST "{base}/api/v1/tournaments/shell-league:publish" \\
  -H "Authorization: Bearer {token}" \\
  -H "Content-Type: application/json" \\
  -d '{"dry_run": true}'
curl -sS -X POST "{base}/api/v1/tournaments/shell-league:publish" \\
  -H "Authorization: Bearer {token}"
""",
        """\
event = ask("POST", "/api/v1/tournaments", {
    "name": "Python league", "preset": "hawaii", "seats": 2, "kind": "round_robin", "options": {"rounds": 6},
})
here = "/api/v1/tournaments/" + event["slug"]
print(ask("POST", here + ":publish", {"dry_run": True})["changes"])
print(ask("POST", here + ":publish", {})["state"])
""",
        "published",
    ),
    Example(
        _("Follow an event"),
        """\
curl -sS -X POST "{base}/api/v1/follows" \\
  -H "Authorization: Bearer {token}" \\
  -H "Content-Type: application/json" \\
  -d '{"kind": "event", "slug": "{event}"}'
""",
        """\
ask("POST", "/api/v1/follows", {"kind": "event", "slug": "{event}"})
print(ask("GET", "/api/v1/follows")["items"])
""",
        "{event}",
    ),
)


ANSWER: Final = """\
{
  "items": [
    {
      "slug": "{event}",
      "name": "Plum league",
      "state": "running",
      "preset": "hawaii"
    }
  ],
  "next": "{base}/api/v1/tournaments?cursor=cD0zMQ%3D%3D&limit=1",
  "prev": null
}"""
"""What the first request of the page is answered, with some of the fields."""
SIGNED_ANSWER: Final = """\
{
  "username": "plum",
  "display_name": "Plum",
  "language": "en",
  "time_zone": "Asia/Tokyo",
  "theme": "dark",
  "cards": "classic",
  "backs": "red"
}"""
"""What the request with a token is answered, with some of the fields."""


def filled(text: str, *, base: str, token: str = "", event: str = "plum-league", bot: str = "plum") -> str:
    """Return an example with the values of a service and of a reader in it; without a token three dots stand for it."""
    token = token or "hf_..."
    for name, value in (("base", base), ("token", token), ("event", event), ("bot", bot)):
        text = text.replace("{" + name + "}", value)
    return text
