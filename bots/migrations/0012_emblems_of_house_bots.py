"""The house's bots get emblems that fit them, where their owner has chosen none."""

from typing import Any, Final

from django.db import migrations

EMBLEMS: Final = {
    "Sampler": ("01.1", "pine"),
    "Sampler Guard": ("03.1", "cherry"),
    "Sampler Light": ("02.1", "willow"),
    "Yaku": ("08.1", "moon"),
    "Yaku Guard": ("11.1", "sky"),
    "Yaku Bold": ("07.1", "maple"),
    "Greedy": ("09.1", "vermilion"),
    "Random": ("11.4", "ash"),
}


def choose(apps: Any, _schema_editor: Any) -> None:
    """Fill what is empty."""
    bots = apps.get_model("bots", "Bot").objects.filter(house=True)
    for name, (card, colour) in EMBLEMS.items():
        bots.filter(name=name, emblem_card="", emblem_colour="").update(emblem_card=card, emblem_colour=colour)


def leave_to_the_name(apps: Any, _schema_editor: Any) -> None:
    """Empty what was filled."""
    bots = apps.get_model("bots", "Bot").objects.filter(house=True)
    for name, (card, colour) in EMBLEMS.items():
        bots.filter(name=name, emblem_card=card, emblem_colour=colour).update(emblem_card="", emblem_colour="")


class Migration(migrations.Migration):
    """See the module."""

    dependencies = [
        ("bots", "0011_emblems"),
    ]

    operations = [
        migrations.RunPython(choose, leave_to_the_name),
    ]
