from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0062_where_stages_are_played'),
    ]

    operations = [
        migrations.AddField(
            model_name='stage',
            name='admits_programs',
            field=models.BooleanField(default=False, help_text='whether remote programs may be entered'),
        ),
    ]
