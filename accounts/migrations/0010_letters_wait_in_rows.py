import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0009_where_people_are_logged_in'),
    ]

    operations = [
        migrations.RenameModel(
            old_name='ResetWish',
            new_name='WaitingLetter',
        ),
        migrations.AddField(
            model_name='waitingletter',
            name='kind',
            field=models.CharField(choices=[('reset', 'a link for a forgotten password'), ('confirm', 'a link that confirms an address'), ('changed', 'to the address before: mail goes elsewhere now'), ('password', 'there is a new password')], default='reset', max_length=8),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='waitingletter',
            name='user',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='waiting_letters', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='waitingletter',
            name='due_at',
            field=models.DateTimeField(blank=True, db_index=True, default=django.utils.timezone.now, null=True),
        ),
        migrations.AddField(
            model_name='waitingletter',
            name='error',
            field=models.CharField(blank=True, max_length=16),
        ),
    ]
