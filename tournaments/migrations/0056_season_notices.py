"""Notices of seasons that ask for an event, and of the answer."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0055_season_merges'),
    ]

    operations = [
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('table', 'A table: mine, and those of players I follow'), ('result', 'A result there is confirmed, corrected or withdrawn'), ('round', 'A round is published'), ('event', 'An event is announced, opens, starts, ends or is called off'), ('said', 'The organiser tells everybody something'), ('version', 'A version of my bot passed its check, or did not'), ('fault', 'My bot failed in a match, or is suspended'), ('challenge', 'A comparison of versions is decided'), ('held', 'A match of an event I run is held for review'), ('bot', 'A bot I follow is entered, or plays with another version'), ('invited', 'Somebody invites me to an event'), ('called', 'My table is called: sit down now'), ('report', 'A result of mine waits for my answer, or is disputed'), ('place', 'My place in an event changes: registration, waiting list, byes, substitutes'), ('run', 'Somebody answers an invitation to an event I run, or drops out of it'), ('season', 'A season asks for an event I run, or a request of my season is answered')], max_length=10),
        ),
    ]
