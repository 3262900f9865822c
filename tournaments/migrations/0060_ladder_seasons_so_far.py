"""Each official ladder that there is becomes a season; those that are closed get their medals by the next sweep."""

from typing import Any

from django.db import migrations


def make_seasons(apps: Any, _schema_editor: Any) -> None:
    """Make the rows that are missing."""
    stages = apps.get_model("tournaments", "Stage")._base_manager.filter(tournament__official_deal_sets__isnull=False)
    seasons = apps.get_model("tournaments", "LadderSeason").objects
    # In the order in which they were opened: a season is found between its neighbours by its number.
    for pk, preset, seats in stages.filter(ladder_season=None).order_by("pk").values_list("pk", "preset", "seats_pref"):
        seasons.create(stage_id=pk, preset=preset, seats=seats)


class Migration(migrations.Migration):
    """See the module."""

    dependencies = [
        ("tournaments", "0059_ladder_seasons"),
    ]

    operations = [
        migrations.RunPython(make_seasons, migrations.RunPython.noop),
    ]
