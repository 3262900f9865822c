"""Contents of sendings: facts that the owner of a hook may see at that moment, and the path of the API for more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.conf import settings

from accounts.models import User
from activity.domain_events import Subject
from bots.models import BotVersion
from tournaments.models import Challenge, Delivery, Match, ResultReport, Seat, Stage, Tournament
from tournaments.webhooks.event_types import subject_of

API: Final = "/api/v1"
# The facts, and the path of the API behind `API` that tells more.
What = tuple[dict[str, Any], str]


def document(delivery: Delivery, reader: User) -> dict[str, Any]:
    """Build the body of a sending, read from the rows as they are now. `id` is the same at every try.

    The audience was asked just before, so the rows are there.
    """
    subject = subject_of(delivery.kind)
    assert subject is not None, "nobody is in the audience of a type that is not known"
    what, path = PAYLOADS[subject](delivery.about, reader)
    return {
        "id": str(delivery.uuid),
        "kind": delivery.kind,
        "at": delivery.at.isoformat().replace("+00:00", "Z"),
        "what": what,
        "url": f"{settings.SITE_URL}{API}{path}",
    }


def _event(about: dict[str, Any], _reader: User) -> What:
    event = Tournament.objects.get(slug=str(about["channel"]).removeprefix("t:"))
    return {"event": event.slug, "name": event.name, **about["fields"]}, f"/tournaments/{event.slug}"


def _match(about: dict[str, Any], reader: User) -> What:
    match = Match.objects.select_related("stage__tournament", "round").get(uuid=about["match"])
    seats = Seat.objects.filter(match=match).select_related("entry__player", "player", "bot_version__bot")
    what = {
        **_where(match),
        "state": match.state,
        "seats": [_seat(seat, reader) for seat in seats.order_by("index")],
    }
    return what, f"/matches/{match.uuid}"


def _where(match: Match) -> dict[str, Any]:
    event = match.stage.tournament
    return {
        "match": str(match.uuid),
        "event": event.slug,
        "name": event.name,
        "stage": match.stage.order,
        "round": match.round.number if match.round else None,
        "table": match.table_no,
        "station": match.station,
    }


def _seat(seat: Seat, reader: User) -> dict[str, Any]:
    who = seat.player or (seat.entry.player if seat.entry else None)
    version = seat.bot_version
    return {
        "side": seat.side,
        "name": who.name if who else None,
        "bot": version.bot.slug if version else None,
        "version": _number(version, reader) if version else None,
        "points": seat.points,
        "victories": seat.victories,
        "place": seat.place,
        "forfeit": str((seat.fault or {}).get("code", "")) or None,
    }


def _number(version: BotVersion, reader: User) -> int | None:
    """Return the number of a version; None where it is hidden from this reader."""
    is_shown = version.hidden_at is None or reader.is_staff or version.bot.owner_id == reader.pk
    return version.n if is_shown else None


def _report(about: dict[str, Any], _reader: User) -> What:
    match = Match.objects.select_related("stage__tournament", "round").get(uuid=about["match"])
    counts = ResultReport.objects.filter(match=match, state=ResultReport.State.CONFIRMED).first()
    report = ResultReport.objects.filter(match=match, version=about["report"] or 0).first()
    what = {
        **_where(match),
        "state": match.state,
        "report": report.version if report else None,
        "score": report.body.get("score") if report else None,
        "counts": counts.version if counts else None,
    }
    if "why" in about:
        what["why"] = about["why"]
    return what, f"/tables/{match.uuid}"


def _round(about: dict[str, Any], _reader: User) -> What:
    stage = Stage.objects.select_related("tournament").get(uuid=about["stage"])
    tables = Match.objects.filter(stage=stage, round__number__in=about["rounds"]).count()
    what = {
        "event": stage.tournament.slug,
        "name": stage.tournament.name,
        "stage": stage.order,
        "rounds": about["rounds"],
        "tables": tables,
        "called": about["called"],
    }
    return what, f"/tournaments/{stage.tournament.slug}/rounds"


def _failure(about: dict[str, Any], reader: User) -> What:
    version = BotVersion.objects.select_related("bot").get(uuid=about["version"])
    what = {
        "bot": version.bot.slug,
        "name": version.bot.name,
        "version": _number(version, reader),
        "why": about["why"],
        "code": about["code"] or None,
        "match": about["match"] or None,
    }
    return what, f"/matches/{about['match']}" if about["match"] else f"/bots/{version.bot.slug}/versions/{version.n}"


def _challenge(about: dict[str, Any], reader: User) -> What:
    found = Challenge.objects.select_related("candidate__bot", "reference__bot").get(uuid=about["challenge"])
    both = {"candidate": found.candidate, "reference": found.reference}
    what = {
        "challenge": str(found.uuid),
        "state": found.state,
        "reason": found.reason,
        **{name: {"bot": one.bot.slug, "version": _number(one, reader)} for name, one in both.items()},
        "judged": found.judged,
        "llr": round(found.llr, 3),
        "estimate": found.estimate,
    }
    return what, f"/challenges/{found.uuid}"


def _ping(about: dict[str, Any], _reader: User) -> What:
    return {"hook": about["hook"]}, f"/hooks/{about['hook']}"


PAYLOADS: Final[Mapping[Subject, Callable[[dict[str, Any], User], What]]] = {
    Subject.EVENT: _event,
    Subject.MATCH: _match,
    Subject.REPORT: _report,
    Subject.ROUND: _round,
    Subject.VERSION: _failure,
    Subject.CHALLENGE: _challenge,
    Subject.HOOK: _ping,
}
