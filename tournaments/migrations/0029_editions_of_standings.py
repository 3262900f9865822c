"""Stages that have begun keep the rules by which their tables were folded; those that have not go by the new ones."""

from django.db import migrations, models


def begin_by_the_second(apps, schema_editor):
    apps.get_model("tournaments", "Stage")._base_manager.filter(state="planned").update(edition=2)


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
