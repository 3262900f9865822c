"""The tables of accounts at once, for a new database; one that is older goes through what this replaces (0149)."""

import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models

from accounts.alphabet import IndexByName
from accounts.searching import IndexNames
from accounts.new_tables import CreateModels


class Migration(migrations.Migration):

    replaces = [
        ('accounts', '0001_initial'),
        ('accounts', '0002_tokens'),
        ('accounts', '0003_time_zone'),
        ('accounts', '0004_confirmed_address'),
        ('accounts', '0005_card_pictures'),
        ('accounts', '0006_suspension'),
        ('accounts', '0007_forgotten_passwords_and_sign_outs'),
        ('accounts', '0008_unread_news'),
        ('accounts', '0009_where_people_are_logged_in'),
        ('accounts', '0010_letters_wait_in_rows'),
        ('accounts', '0011_card_backs'),
        ('accounts', '0012_names_are_searched'),
        ('accounts', '0013_names_differ_by_more_than_case'),
        ('accounts', '0014_suspended_people_are_found'),
        ('accounts', '0015_people_by_name'),
        ('accounts', '0016_plain_words'),
        ('accounts', '0017_invitations_by_mail'),
        ('accounts', '0018_letters_about_registrations'),
        ('accounts', '0019_cards_without_numbers'),
    ]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name='KeptAnswer',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('who', models.CharField(max_length=80)),
                        ('key', models.CharField(max_length=128)),
                        ('request', models.CharField(max_length=64)),
                        ('status', models.PositiveSmallIntegerField(default=0)),
                        ('body', models.TextField(blank=True)),
                        ('headers', models.JSONField(default=dict)),
                        ('created_at', models.DateTimeField(auto_now_add=True, db_index=True)),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('who', 'key'), name='answer_once_per_key')],
                    },
                ),
                migrations.CreateModel(
                    name='SignIn',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ('secret', models.CharField(max_length=40, unique=True)),
                        ('agent', models.CharField(blank=True, max_length=200)),
                        ('at', models.DateTimeField(auto_now_add=True)),
                        ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sign_ins', to=settings.AUTH_USER_MODEL)),
                    ],
                ),
                migrations.CreateModel(
                    name='Token',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ('name', models.CharField(max_length=60, verbose_name='what it is for')),
                        ('start', models.CharField(help_text='how the key begins, to tell one from another', max_length=12)),
                        ('digest', models.CharField(max_length=64, unique=True)),
                        ('scopes', models.JSONField(default=list)),
                        ('bound_kind', models.CharField(blank=True, choices=[('', 'everything of mine'), ('event', 'one event'), ('bot', 'one bot')], max_length=5)),
                        ('bound_to', models.UUIDField(blank=True, null=True)),
                        ('bound_name', models.CharField(blank=True, max_length=80)),
                        ('expires_at', models.DateTimeField(blank=True, null=True)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('used_at', models.DateTimeField(blank=True, null=True)),
                        ('revoked_at', models.DateTimeField(blank=True, null=True)),
                        ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('bound_kind', ''), ('bound_to', None)), models.Q(models.Q(('bound_kind', ''), _negated=True), ('bound_to__isnull', False)), _connector='OR'), name='token_bound_whole')],
                    },
                ),
                migrations.CreateModel(
                    name='User',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('password', models.CharField(max_length=128, verbose_name='password')),
                        ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                        ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                        ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                        ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                        ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                        ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                        ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                        ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                        ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                        ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ('display_name', models.CharField(blank=True, max_length=60, verbose_name='name shown to others')),
                        ('language', models.CharField(blank=True, max_length=8, verbose_name='language')),
                        ('theme', models.CharField(choices=[('system', 'same as my device'), ('light', 'light'), ('dark', 'dark')], default='system', max_length=8, verbose_name='theme')),
                        ('letter_keys', models.BooleanField(default=True, verbose_name='single-letter shortcuts')),
                        ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                        ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
                        ('time_zone', models.CharField(blank=True, max_length=40, verbose_name='time zone')),
                        ('email_confirmed_at', models.DateTimeField(blank=True, null=True)),
                        ('email_wanted', models.EmailField(blank=True, max_length=254)),
                        ('cards', models.CharField(blank=True, choices=[('classic', 'coloured pictures'), ('pictures', 'coloured pictures without numbers'), ('contrast', 'bold outlines on white, large numerals'), ('text', 'month, kind and number, no pictures')], max_length=8, verbose_name='card pictures')),
                        ('suspended_at', models.DateTimeField(blank=True, null=True)),
                        ('suspended_reason', models.CharField(blank=True, max_length=200)),
                        ('deleted_at', models.DateTimeField(blank=True, null=True)),
                        ('signed_out', models.PositiveIntegerField(default=0)),
                        ('unread_news', models.PositiveIntegerField(default=0, help_text='kept by anyone who tells and reads news')),
                        ('backs', models.CharField(blank=True, choices=[('red', 'red'), ('black', 'black')], max_length=8, verbose_name='card backs')),
                    ],
                    options={
                        'verbose_name': 'user',
                        'verbose_name_plural': 'users',
                        'abstract': False,
                        'indexes': [models.Index(condition=models.Q(('suspended_at__isnull', False)), fields=['-suspended_at'], name='user_suspended')],
                        'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('username'), name='username_once_in_any_case', violation_error_message='This name is taken.')],
                    },
                    managers=[
                        ('objects', django.contrib.auth.models.UserManager()),
                    ],
                ),
                migrations.CreateModel(
                    name='WaitingLetter',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('address', models.EmailField(max_length=254)),
                        ('language', models.CharField(blank=True, max_length=8)),
                        ('zone', models.CharField(blank=True, max_length=40)),
                        ('tries', models.PositiveSmallIntegerField(default=0)),
                        ('asked_at', models.DateTimeField(auto_now_add=True, db_index=True)),
                        ('kind', models.CharField(choices=[('reset', 'a link for a forgotten password'), ('confirm', 'a link that confirms an address'), ('changed', 'to the previous address: mail now goes elsewhere'), ('password', 'the password was changed'), ('invite', 'an invitation to an event'), ('register', 'about a registration for an event')], max_length=8)),
                        ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='waiting_letters', to=settings.AUTH_USER_MODEL)),
                        ('due_at', models.DateTimeField(blank=True, db_index=True, default=django.utils.timezone.now, null=True)),
                        ('error', models.CharField(blank=True, max_length=16)),
                        ('about', models.CharField(blank=True, max_length=80)),
                    ],
                ),
            ],
        ),
        IndexNames('accounts_user', 'username'),
        IndexNames('accounts_user', 'display_name'),
        IndexByName('accounts_user', 'username'),
    ]
