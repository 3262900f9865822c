"""Settings of tournaments move from the keys of one JSON column into columns of their own, and back.

In batches with a transaction each: nobody waits long for a row. A migration that was cut off goes on where it was.
"""

from collections.abc import Callable
from typing import Any

from django.db import migrations, transaction

BATCH = 200
CHOICES = {
    "who": ("bots", "people", "both"),
    "draws": ("", "organiser"),
    "partners": ("", "entered", "drawn"),
    "apart": ("", "club"),
}
SCORES = ("sum", "best", "boards", "meetings")
MOVED = (
    *CHOICES,
    "pairs",
    "leaders",
    "rated",
    "boards",
    "team_score",
    "team_best",
    "board_by",
    "report",
    "challenge",
    "official",
    "imported",
)
COLUMNS = (
    *CHOICES,
    "separated_pairs",
    "leaders",
    "rated",
    "boards",
    "team_score",
    "team_best",
    "board_by",
    "fide_report",
    "is_challenge",
    "official_deal_sets",
    "copy_mask",
    "copy_carried",
    "settings_as_imported",
    "policies",
)


def in_batches(apps: Any, change: Callable[[Any, Any], bool]) -> None:
    """Change every tournament, a batch at a time, under its rows' locks. change: whether there is anything to write."""
    rows = apps.get_model("tournaments", "Tournament")._base_manager
    last = 0
    while True:
        with transaction.atomic():
            batch = list(rows.filter(pk__gt=last).select_for_update(of=("self",)).order_by("pk")[:BATCH])
            if not batch:
                return
            rows.bulk_update([row for row in batch if change(row, apps)], COLUMNS)
            last = batch[-1].pk


def into_columns(row: Any, apps: Any) -> bool:
    policies = row.policies
    if not policies.keys() & set(MOVED):
        return False
    mark = policies.get("imported")
    if mark:
        row.copy_mask = mark["mask"]
        row.copy_carried = apps.get_model("bots", "Blob").objects.get(sha256=mark["carried"])
        row.settings_as_imported = {name: value for name, value in policies.items() if name != "imported"}
    for name, values in CHOICES.items():
        if policies.get(name) in values:
            setattr(row, name, policies[name])
    row.separated_pairs = policies.get("pairs", [])
    leaders = str(policies.get("leaders", ""))
    row.leaders = int(leaders) if leaders in ("0", "1", "2", "3") else None
    row.rated = policies.get("rated") is True
    row.fide_report = policies.get("report", {})
    row.is_challenge = "challenge" in policies
    if "official" in policies and not mark:
        row.official_deal_sets = policies["official"].get("deal_sets", 0)
    _teams(row, policies)
    row.policies = {name: value for name, value in policies.items() if name not in MOVED}
    return True


def _teams(row: Any, policies: dict[str, Any]) -> None:
    boards = policies.get("boards")
    if boards in range(1, 8):
        row.boards = boards
        row.team_score = policies.get("team_score") if policies.get("team_score") in SCORES else "sum"
        row.team_best = policies.get("team_best", 0) if row.team_score == "best" else 0
        row.board_by = "victories" if policies.get("board_by") == "victories" else "points"


def into_json(row: Any, _apps: Any) -> bool:
    if "who" in row.policies or "imported" in row.policies:
        return False
    if row.copy_mask is not None:
        mark = {"mask": str(row.copy_mask), "carried": row.copy_carried.sha256}
        row.policies = {**row.policies, **row.settings_as_imported, "imported": mark}
        return True
    said = {
        **{name: getattr(row, name) for name in CHOICES},
        "pairs": row.separated_pairs,
        "leaders": "" if row.leaders is None else str(row.leaders),
        "rated": row.rated,
        "boards": row.boards,
        "team_score": row.team_score,
        "team_best": row.team_best,
        "board_by": row.board_by if row.board_by != "points" else "",
        "report": row.fide_report,
        "challenge": row.is_challenge,
    }
    row.policies = {**row.policies, **{name: value for name, value in said.items() if value}}
    if row.official_deal_sets is not None:
        row.policies["official"] = {"deal_sets": row.official_deal_sets}
    return True


def move_into_columns(apps: Any, _editor: Any) -> None:
    in_batches(apps, into_columns)


def move_into_json(apps: Any, _editor: Any) -> None:
    in_batches(apps, into_json)


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("tournaments", "0035_settings_columns")]

    operations = [migrations.RunPython(move_into_columns, move_into_json)]
