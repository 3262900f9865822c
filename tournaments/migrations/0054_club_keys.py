"""Players keep the key of their club, so that a page of a club need not look at the clubs of everybody."""

from typing import Any

from django.db import migrations, models

import tournaments.models.club


def write_keys(apps: Any, _editor: Any) -> None:
    """Write the key of every club that was entered so far, one spelling at a time."""
    players = apps.get_model("tournaments", "Player")._base_manager
    for club in list(players.exclude(club="").order_by().values_list("club", flat=True).distinct()):
        players.filter(club=club).update(club_key=tournaments.models.club.club_key(club))


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0053_clubs")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="club_key",
            field=tournaments.models.club.ClubKeyField(blank=True, default="", editable=False, max_length=120),
        ),
        migrations.RunPython(write_keys, migrations.RunPython.noop),
        migrations.RemoveIndex(model_name="player", name="player_club"),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(
                condition=models.Q(("club_key", ""), _negated=True), fields=["club_key"], name="player_club_key"
            ),
        ),
    ]
