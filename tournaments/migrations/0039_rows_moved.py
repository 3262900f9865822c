"""Fixed tables, seedings, requested byes, clocks of rounds and announcements move from a tournament's JSON to columns
and rows, and back.

In batches with a transaction each: nobody waits long for a row. A migration that was cut off goes on where it was.
What the JSON says of an entry or a round that is no more is not moved: it was read by nothing.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import migrations, transaction

BATCH = 200
VOID_ORDER = 100
BROKEN = (KeyError, TypeError, ValueError, AttributeError)
"""What a copy of a file may come to, in which nobody ever checked clocks and announcements."""


def in_batches(apps: Any, change: Callable[[Any, Any], bool]) -> None:
    """Change every tournament, a batch at a time, under its rows' locks. change: whether there is anything to write."""
    rows = apps.get_model("tournaments", "Tournament")._base_manager
    last = 0
    while True:
        with transaction.atomic():
            batch = list(rows.filter(pk__gt=last).select_for_update().order_by("pk")[:BATCH])
            if not batch:
                return
            rows.bulk_update(
                [row for row in batch if change(row, apps)], ["policies", "round_minutes", "announcements_made"]
            )
            last = batch[-1].pk


def into_rows(row: Any, apps: Any) -> bool:
    if not row.policies:
        return False
    entries = _entries(row, apps) if row.policies.keys() & {"tables", "excused"} else {}
    stages = {str(each.order): each for each in _stages(row, apps)}
    for uuid, table in row.policies.get("tables", {}).items():
        if uuid in entries:
            entries[uuid].fixed_table = table
            entries[uuid].save(update_fields=["fixed_table"])
    for order, said in row.policies.get("seeding", {}).items():
        if order in stages:
            _seed(stages[order], said)
    byes = apps.get_model("tournaments", "RequestedBye")
    byes.objects.bulk_create(
        byes(stage_id=stages[order].pk, entry_id=entries[uuid].pk, round_number=int(number), worth=worth)
        for order, by_entry in row.policies.get("excused", {}).items()
        for uuid, rounds in by_entry.items()
        for number, worth in {str(int(number)): worth for number, worth in rounds.items()}.items()
        if order in stages and uuid in entries
    )
    try:
        _clocks(row, apps, row.policies.get("round_clock", {}))
    except BROKEN:
        row.round_minutes = None
    try:
        _announcements(row, apps, row.policies.get("announcements", {}))
    except BROKEN:
        row.announcements_made = 0
    row.policies = {}
    return True


def _entries(row: Any, apps: Any) -> dict[str, Any]:
    rows = apps.get_model("tournaments", "Entry").objects.filter(tournament_id=row.pk)
    return {str(each.uuid): each for each in rows}


def _stages(row: Any, apps: Any) -> Any:
    return apps.get_model("tournaments", "Stage")._base_manager.filter(tournament_id=row.pk)


def _standing(row: Any, apps: Any) -> Any:
    return apps.get_model("tournaments", "Announcement").objects.filter(tournament_id=row.pk)


def _seed(stage: Any, said: dict[str, Any]) -> None:
    stage.seeding = said.get("by", "") if said.get("by") in ("draw", "hand", "rating") else ""
    stage.seeding_order, stage.seeding_ratings = said.get("hand", []), said.get("ratings", {})
    stage.save(update_fields=["seeding", "seeding_order", "seeding_ratings"])


def _clocks(row: Any, apps: Any, said: dict[str, Any]) -> None:
    clock = apps.get_model("tournaments", "RoundClock")
    clocks = said.get("rounds", {})
    rounds = _rounds(row, apps) if clocks else {}
    found = [clock(round_id=rounds[key].pk, **_clock(each)) for key, each in clocks.items() if key in rounds]
    minutes = _natural(said.get("minutes") or 0)
    clock.objects.bulk_create(found)
    if "minutes" in said or found:
        row.round_minutes = minutes


def _rounds(row: Any, apps: Any) -> dict[str, Any]:
    """Where each clock belongs: the round of the stage that is played, else of the last one that was called off."""
    rows = apps.get_model("tournaments", "Round").objects.filter(stage__tournament_id=row.pk).select_related("stage")
    in_turn = sorted(rows.defer("plan", "quality"), key=lambda each: (_is_played(each.stage), each.stage.order))
    return {f"{each.stage.order % VOID_ORDER}/{each.number}": each for each in in_turn}


def _is_played(stage: Any) -> bool:
    return bool(stage.order < VOID_ORDER)


def _natural(value: Any) -> int:
    if not 0 <= int(value) <= 2_147_483_647:
        raise ValueError(value)
    return int(value)


def _clock(said: dict[str, Any]) -> dict[str, Any]:
    stopped = said["stopped"]
    return {
        "began_at": _moment(said["began"]),
        "minutes": _natural(said["minutes"]),
        "stopped_s": float(said["stopped_s"]),
        "stopped_at": _moment(stopped) if stopped else None,
        "by_event": bool(said["by_event"] and stopped),
    }


def _moment(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    if found.tzinfo is None:
        raise ValueError(text)
    return found


def _announcements(row: Any, apps: Any, said: dict[str, Any]) -> None:
    rows = {_natural(each["n"]): each for each in said.get("rows", [])}
    if any(len(each["text"]) > 280 for each in rows.values()):
        raise ValueError("text")
    row.announcements_made = _natural(said.get("last", 0))
    announcement = apps.get_model("tournaments", "Announcement")
    announcement.objects.bulk_create(
        announcement(tournament_id=row.pk, number=number, text=each["text"], made_at=_moment(each["at"]))
        for number, each in rows.items()
    )


def into_json(row: Any, apps: Any) -> bool:
    """A copy's are in `settings_as_imported` as its file says them."""
    if row.policies or row.copy_mask is not None:
        return False
    stages = [stage for stage in _stages(row, apps) if _is_played(stage)]
    said = {
        "tables": {
            uuid: each.fixed_table for uuid, each in _entries(row, apps).items() if each.fixed_table is not None
        },
        "seeding": {
            str(each.order): {"by": each.seeding, "hand": each.seeding_order, "ratings": each.seeding_ratings}
            for each in stages
            if each.seeding or each.seeding_ratings
        },
        "excused": _excused(row, apps),
        "round_clock": _clock_settings(row, apps),
        "announcements": _board(row, apps),
    }
    row.policies = {name: value for name, value in said.items() if value}
    _standing(row, apps).delete()
    apps.get_model("tournaments", "RequestedBye").objects.filter(stage__tournament_id=row.pk).delete()
    apps.get_model("tournaments", "RoundClock").objects.filter(round__stage__tournament_id=row.pk).delete()
    return True


def _excused(row: Any, apps: Any) -> dict[str, dict[str, dict[str, str]]]:
    found: dict[str, dict[str, dict[str, str]]] = {}
    byes = apps.get_model("tournaments", "RequestedBye").objects.filter(stage__tournament_id=row.pk)
    for each in byes.select_related("stage", "entry"):
        own = found.setdefault(str(each.stage.order), {}).setdefault(str(each.entry.uuid), {})
        own[str(each.round_number)] = each.worth
    return found


def _clock_settings(row: Any, apps: Any) -> dict[str, Any]:
    if row.round_minutes is None:
        return {}
    rows = apps.get_model("tournaments", "RoundClock").objects.filter(round__stage__tournament_id=row.pk)
    found = sorted(
        rows.select_related("round__stage"),
        key=lambda each: (_is_played(each.round.stage), each.round.stage.order),
    )
    clocks = {f"{each.round.stage.order % VOID_ORDER}/{each.round.number}": _clock_json(each) for each in found}
    return {"minutes": row.round_minutes, **({"rounds": clocks} if clocks else {})}


def _clock_json(row: Any) -> dict[str, Any]:
    return {
        "began": row.began_at.isoformat(),
        "minutes": row.minutes,
        "stopped_s": row.stopped_s,
        "stopped": row.stopped_at.isoformat() if row.stopped_at else None,
        "by_event": row.by_event,
    }


def _board(row: Any, apps: Any) -> dict[str, Any]:
    if not row.announcements_made:
        return {}
    said = _standing(row, apps).order_by("number")
    rows = [{"n": each.number, "text": each.text, "at": each.made_at.isoformat()} for each in said]
    return {"last": row.announcements_made, "rows": rows}


def move_into_rows(apps: Any, _editor: Any) -> None:
    in_batches(apps, into_rows)


def move_into_json(apps: Any, _editor: Any) -> None:
    in_batches(apps, into_json)


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("tournaments", "0038_rows_of_settings")]

    operations = [migrations.RunPython(move_into_rows, move_into_json)]
