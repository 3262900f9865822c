"""The service's REST API, version 1, as the kit uses it (site.md section 5)."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

import requests
from urllib3.filepost import encode_multipart_formdata

from kit.account import Account, require_private
from kit.errors import BotFailed, ServiceError
from kit.home import LocalBot

# To connect, and between two bytes of an answer.
TIMEOUT_S: Final = (10.0, 60.0)
TRIES: Final = 4
"""Of a request that the service was too busy for, or that got lost; what is sent bears an Idempotency-Key."""
LOOK_S: Final = (1.0, 5.0)
"""Pause between two looks at an upload: the first ones, later ones."""
OF_THE_API: Final = (404, 429)
"""Statuses whose `detail` speaks of addresses and headers, to programs: here commands are typed."""
_REFUSALS: Final = ("bot.", "upload.", "check.", "version.", "source.")
"""Families of codes that speak of the bot; its author can do something about it."""


@dataclass(slots=True)
class Service:
    """A service and the account that asks it."""

    account: Account
    session: requests.Session = field(default_factory=requests.Session)

    def get(self, path: str) -> Any:
        """The JSON of an address of the API. Raises ServiceError."""
        return self._json("GET", f"/api/v1/{path}")

    def record(self, match: str) -> Any:
        """The document of a finished match, by its public id or its address."""
        return self._json("GET", f"/m/{match}/record.json")

    def own_bots(self, name: str = "") -> list[dict[str, Any]]:
        """Return one's own bots, those whose names hold `name`.

        Raises ServiceError, also without a token that is good for it.
        """
        if not self.account.token:
            raise ServiceError(
                "There is no token. Sign in with `hanami login`, or set HANAMI_TOKEN.", code="auth.needed"
            )
        return list(self.get(f"bots?{urlencode({'mine': 1, 'limit': 200, 'q': name})}")["items"])

    def find(self, name: str) -> str | None:
        """The address of one's bot of this name, None if there is none."""
        return next((str(bot["slug"]) for bot in self.own_bots(name) if bot["name"] == name), None)

    def bot(self, name: str, plays: tuple[str, ...]) -> str:
        """The address of one's bot of this name, made if there is none.

        All tries of one call bear the same key: a try whose answer was lost is answered again. A service that is too
        old for that, or another command at the same moment, says that the name is taken: then it is there.
        """
        found = self.find(name)
        if found is not None:
            return found
        try:
            made = self._json("POST", "/api/v1/bots", key=uuid4().hex, json={"name": name, "plays": list(plays)})
        except BotFailed as refused:
            found = self.find(name) if refused.code == "bot.name_taken" else None
            if found is None:
                raise
            return found
        return str(made["slug"])

    def source(self, slug: str, number: int) -> bytes:
        """The files of one's own or of a published version as a .zip."""
        path = f"/api/v1/bots/{slug}/versions/{number}/source"
        reply = self._sent("GET", path, {**_headers(self.account, "", ""), "Accept": "*/*"}, {})
        if not reply.ok:
            raise refusal_of(reply)
        return reply.content

    def send(self, slug: str, bot: LocalBot, note: str) -> dict[str, Any]:
        """Send a version. The same files and note are sent with the same key: they are one version, however often."""
        files = bot.files
        key = _key(self.account.server, slug, files.version_hash, note)
        fields: dict[str, Any] = {"note": note, "file": (bot.filename, bot.data)}
        # A boundary of its own for each content: the same version is the same bytes, whenever it is sent.
        body, kind = encode_multipart_formdata(fields, boundary=f"hanami-{key}")
        path = f"/api/v1/bots/{slug}/versions"
        return dict(self._json("POST", path, data=body, kind=kind, key=key))

    def version(self, slug: str, number: int) -> dict[str, Any]:
        """Return what is known of a version: its state, its checks, its place in the queue."""
        return dict(self.get(f"bots/{slug}/versions/{number}"))

    def wait(self, slug: str, number: int, *, deadline_s: float) -> Iterator[dict[str, Any]]:
        """A version again and again until it was checked. Raises ServiceError after the deadline."""
        began, pause = time.monotonic(), LOOK_S[0]
        while True:
            found = self.version(slug, number)
            yield found
            if found["state"] != "checking":
                return
            if time.monotonic() - began > deadline_s:
                raise ServiceError(
                    f"v{number} was not checked within {deadline_s:.0f} s. It goes on on its own: look at its page, or "
                    "send it again with --wait, which makes no second version."
                )
            time.sleep(pause)  # the service is asked less and less often, until the deadline
            # An idle service has checked within seconds; in a long queue there is nothing to see for minutes.
            pause = min(pause * 1.3, LOOK_S[1])

    def runtime(self) -> dict[str, Any]:
        """Return what bots run with there; empty where the service is too old to say."""
        return self._known_to_it("runtime")

    def token(self) -> dict[str, Any]:
        """Return what the token may do; empty where the service is too old to say. Raises ServiceError."""
        return self._known_to_it("me/token")

    def _known_to_it(self, path: str) -> dict[str, Any]:
        try:
            return dict(self.get(path))
        except ServiceError as refused:
            if refused.extra.get("status") != 404:
                raise
            return {}

    def one(self, slug: str) -> dict[str, Any]:
        """Return what is known of a bot: its name, its address, the version that plays."""
        return dict(self.get(f"bots/{slug}"))

    def versions(self, slug: str) -> list[dict[str, Any]]:
        """The newest versions of a bot, the newest first."""
        return list(self.get(f"bots/{slug}/versions?limit=20")["items"])

    def entries(self, slug: str) -> list[dict[str, Any]]:
        """The newest entries of a bot in events, ladders among them."""
        return list(self.get(f"bots/{slug}/entries?limit=100")["items"])

    def ladders(self) -> frozenset[str] | None:
        """Return the presets of the official ladders that are open; None where the service is too old to say."""
        seasons = self._known_to_it("ladder-seasons?limit=200").get("items")
        if seasons is None:
            return None
        return frozenset(str(season["preset"]) for season in seasons if season["ended_at"] is None)

    def check_log(self, slug: str, number: int) -> str:
        """Return what a version printed in its check, tracebacks included."""
        return str(self.get(f"bots/{slug}/versions/{number}/log")["log"])

    def failed_checks(self, slug: str) -> list[dict[str, Any]]:
        """Checks that versions of a bot did not pass, the newest first."""
        return list(self.get(f"bots/{slug}/failed-checks")["items"])

    def activate(self, slug: str, number: int) -> dict[str, Any]:
        """Make a version the one that plays."""
        return dict(self._json("POST", f"/api/v1/bots/{slug}/versions/{number}:activate", json={}))

    def publish(self, slug: str, number: int, licence: str) -> dict[str, Any]:
        """Let everybody read the source of one's version. licence: an SPDX identifier."""
        path = f"/api/v1/bots/{slug}/versions/{number}:publish"
        return dict(self._json("POST", path, json={"licence": licence}))

    def unpublish(self, slug: str, number: int) -> dict[str, Any]:
        """Make the source of one's version private again."""
        return dict(self._json("POST", f"/api/v1/bots/{slug}/versions/{number}:unpublish"))

    def fork(self, slug: str, number: int, name: str) -> dict[str, Any]:
        """Make a bot of one's own out of a published version. Returns its first version."""
        path = f"/api/v1/bots/{slug}/versions/{number}:fork"
        return dict(self._json("POST", path, key=uuid4().hex, json={"name": name}))

    def rename(self, slug: str, name: str) -> dict[str, Any]:
        """Give a bot another name."""
        return dict(self._json("PATCH", f"/api/v1/bots/{slug}", json={"name": name}))

    def delete(self, slug: str) -> None:
        """Delete a bot that has no versions."""
        reply = self._sent("DELETE", f"/api/v1/bots/{slug}", _headers(self.account, "", ""), {})
        if not reply.ok:
            raise refusal_of(reply)

    def failures(self, slug: str) -> list[dict[str, Any]]:
        """Failures of a bot, the newest first."""
        found = self.get(f"bots/{slug}/failures")
        return list(found["items"] if isinstance(found, dict) else found)

    def failure(self, slug: str, name: str) -> dict[str, Any]:
        """Return one failure with all that its owner may see."""
        return dict(self.get(f"bots/{slug}/failures/{name}"))

    def _json(self, method: str, path: str, *, key: str = "", kind: str = "", **body: Any) -> Any:
        reply = self._sent(method, path, _headers(self.account, key, kind), body)
        if reply.ok:
            try:
                return reply.json()
            except ValueError as error:
                raise ServiceError(
                    f"{self.account.server} answered {path} with something that is no JSON. Is that its address?"
                ) from error
        raise refusal_of(reply)

    def _sent(self, method: str, path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> requests.Response:
        """The answer; tried again a few times: what is made bears a key, so that nothing is made twice."""
        for again in range(TRIES):
            try:
                reply = self.session.request(
                    method, self.account.server + path, headers=dict(headers), timeout=TIMEOUT_S, **body
                )
            except requests.RequestException as error:
                if again == TRIES - 1:
                    raise ServiceError(_out_of_reach(self.account.server, error), code="kit.unreachable") from error
                time.sleep(2.0**again / 2)  # a short outage passes on its own; tries are counted
                continue
            wait = reply.headers.get("Retry-After", "")
            # Busy, or a proxy whose server is just restarting. Other errors would be the same the next time.
            if reply.status_code not in (429, 502, 503) or again == TRIES - 1:
                return reply
            # More than half a minute: who typed the command decides whether to wait.
            if wait.isdecimal() and int(wait) > LOOK_S[1] * 6:
                return reply
            time.sleep(float(wait) if wait.isdecimal() else 2.0**again)  # as long as the service asks for
        raise AssertionError("the last try returns or raises")


def _out_of_reach(server: str, error: requests.RequestException) -> str:
    """Say why there was no answer, and what to do: libraries say it in words of their own, several lines long."""
    text, host = str(error), urlsplit(server).netloc
    if isinstance(error, requests.exceptions.SSLError):
        return f"{host} cannot be reached safely: its certificate is not to be trusted. Ask anyone who operates it."
    if isinstance(error, requests.Timeout):
        return f"{host} did not answer in time. Try again in a minute."
    if "NameResolution" in text or "getaddrinfo" in text or "Name or service" in text:
        return f"{host} cannot be reached: no machine has that name, or this one has no network. Look at the address."
    if "refused" in text:
        return f"{host} cannot be reached: nothing answers there. Is the address right, and the service running?"
    return f"{host} cannot be reached ({type(error).__name__}). Is it the right address?"


def headers_for(account: Account) -> dict[str, str]:
    """Return what every request carries. Raises BadCall for an address to which a token must not go."""
    return _headers(account, "", "")


def _headers(account: Account, key: str, kind: str) -> dict[str, str]:
    headers = {"Accept": "application/json"}
    if account.token:
        # Here as well as in `login`: the token of the environment goes to any address that was typed.
        require_private(account.server)
        headers["Authorization"] = f"Bearer {account.token}"
    if key:
        headers["Idempotency-Key"] = key
    if kind:
        headers["Content-Type"] = kind
    return headers


def _key(*parts: str) -> str:
    # A separator that no part holds, so that two different lists of parts never give one key.
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:40]


def _where_tokens_are(reply: requests.Response) -> str:
    """What to do about a 401: without a token sign in; one that was sent is mistyped, revoked or too old."""
    if "Authorization" not in reply.request.headers:
        return " Sign in with `hanami login`, or set HANAMI_TOKEN."
    parts = urlsplit(reply.url)
    page = f"{parts.scheme}://{parts.netloc}/me/tokens/"
    return f" Compare the token with {page}, or make another one there; then `hanami login` with it."


def _what_there_is(reply: requests.Response, text: str) -> str:
    """Return what to say of a 404. text: the service's own words."""
    if "nothing at this address" in text:
        text = "The service has nothing of that name, or nothing that you may see."
    if "/api/v1/bots/" not in reply.url:
        return text
    return f"{text} Your bot's versions:  hanami status. Its failures:  hanami logs."


def refusal_of(reply: requests.Response) -> Exception:
    """The service's problem document as an error: the bot's fault, or not."""
    try:
        problem: dict[str, Any] = dict(reply.json())
    except ValueError:
        problem = {}
    code = str(problem.get("code") or f"http.{reply.status_code}")
    told = ("title",) if reply.status_code in OF_THE_API else ("title", "detail")
    text = ". ".join(str(problem[part]).rstrip(".") for part in told if problem.get(part))
    text = f"{text or reply.reason}."
    if problem and reply.status_code == 404:
        text = _what_there_is(reply, text)
    if not problem:
        text += " That is no answer of a Hanami service: is it the right address?"
    if reply.status_code == 401:
        text += _where_tokens_are(reply)
    # The exit code tells a script whether to mend the bot (1) or to try later (3).
    kind = BotFailed if code.startswith(_REFUSALS) and reply.status_code < 500 else ServiceError
    extra = {"status": reply.status_code, "errors": problem.get("errors", [])}
    faults = "".join(f" {each['pointer']}: {each['detail']}" for each in problem.get("errors", ()))
    return kind(f"{text}{faults} ({code})", code=code, extra=extra)
