"""A merge of two people of a season keeps what it takes to undo it."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0054_club_keys")]

    operations = [
        migrations.AddField(
            model_name="seasonidentity",
            name="source_uuid",
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="seasonidentity",
            name="division",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="tournaments.seasondivision",
            ),
        ),
        migrations.RemoveConstraint(model_name="seasonidentity", name="season_identity_once"),
        migrations.AddConstraint(
            model_name="seasonidentity",
            constraint=models.UniqueConstraint(
                condition=models.Q(("undone_at__isnull", True)),
                fields=("season", "kind", "source"),
                name="season_identity_once",
            ),
        ),
    ]
