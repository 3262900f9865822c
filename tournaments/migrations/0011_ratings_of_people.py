"""People are rated, too: pools say whom they rate, and an account may be somebody in many events."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """See the module."""

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("tournaments", "0010_challenges"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="ratingpool", name="rating_pool_once"),
        migrations.AddField(
            model_name="ratingpool",
            name="who",
            field=models.CharField(choices=[("bots", "bots"), ("people", "people")], default="bots", max_length=6),
        ),
        migrations.AddConstraint(
            model_name="ratingpool",
            constraint=models.UniqueConstraint(
                condition=models.Q(("stage__isnull", True)),
                fields=("who", "preset", "seats", "sides"),
                name="rating_pool_once",
            ),
        ),
        migrations.AlterField(
            model_name="player",
            name="user",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="players",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
