"""A level knock-out match is decided by extra deals or by a decision; rounds that were drawn before keep their lots."""

from typing import Any

from django.db import migrations, models

BRACKETS = ("single_elim", "double_elim")


def keep_their_lots(apps: Any, _editor: Any) -> None:
    """Every round that is drawn already stays as lots have decided it, or will."""
    stage = apps.get_model("tournaments", "Stage")
    drawn = stage._base_manager.filter(kind__in=BRACKETS)
    for row in drawn.annotate(last=models.Max("rounds__number")).exclude(last=None).iterator():
        stage._base_manager.filter(pk=row.pk).update(lots_rounds=row.last)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0030_stuck_news")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="extra",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="which extra deal of a knock-out match that ended level; 0: the match itself"
            ),
        ),
        migrations.AddField(
            model_name="stage", name="lots_rounds", field=models.PositiveSmallIntegerField(default=0)
        ),
        migrations.RemoveConstraint(model_name="match", name="match_table_once"),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.UniqueConstraint(fields=["round", "table_no", "extra", "leg"], name="match_table_once"),
        ),
        migrations.RunPython(keep_their_lots, migrations.RunPython.noop),
    ]
