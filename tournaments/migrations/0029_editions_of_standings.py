"""Stages that have begun keep the rules by which their tables were folded; those that have not go by the new ones."""

from django.db import migrations, models


BEFORE = {"cumulative": ["victories"], "round_victory": ["points", "vshare"], "place": []}
"""What stood, unseen, between what ranks first and the tie-breaks that were chosen."""


def hidden_in(stage):
    """Of teams whose members sit apart: by meetings or board points, where all boards of two teams meet."""
    score = stage.tournament.policies.get("team_score", "")
    if score not in ("boards", "meetings"):
        return BEFORE[stage.scoring]
    if stage.kind not in ("round_robin", "swiss"):
        return []
    return ["place" if score == "meetings" else "meetings"]


def begin_by_the_second(apps, schema_editor):
    """What was compared before the tie-breaks that were chosen is now one of them, so that the order stays."""
    stages = apps.get_model("tournaments", "Stage")._base_manager.filter(state="planned")
    for stage in stages.select_related("tournament").iterator():
        stage.tie_breaks = list(dict.fromkeys([*hidden_in(stage), *stage.tie_breaks]))
        stage.edition = 2
        stage.save(update_fields=["tie_breaks", "edition"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0028_last_delivery_by_index")]

    operations = [
        migrations.AddField(
            model_name="stage",
            name="edition",
            field=models.PositiveSmallIntegerField(default=1, help_text="of the rules that standings go by"),
        ),
        migrations.RunPython(begin_by_the_second, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="stage",
            name="edition",
            field=models.PositiveSmallIntegerField(default=2, help_text="of the rules that standings go by"),
        ),
    ]
