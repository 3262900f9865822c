"""Registration of people for an event: the organiser's form and questions, registrations and their answers."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.entrant import Entry
from tournaments.models.event import Tournament


class RegistrationSettings(models.Model):
    """The organiser's choices for the registration of an event. An event without a row takes no registrations.

    The end of registration and the number of places are the event's own columns. opens_at: not before this hour; None:
    as soon as entries are open. consent: a text that people must agree to; "": none. payment_url: a page elsewhere
    where people pay.
    """

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="registration_settings")
    is_on = models.BooleanField(default=False)
    opens_at = models.DateTimeField(null=True, blank=True)
    needs_approval = models.BooleanField(default=False)
    consent = models.CharField(max_length=1000, blank=True)
    payment_url = models.URLField(max_length=300, blank=True)

    def __str__(self) -> str:
        return f"registration of {self.tournament_id}"


class Question(models.Model):
    """A question that the organiser asks. choices: of kind "choice", one a line. position: from 1."""

    class Kind(models.TextChoices):
        TEXT = "text", _("text")
        CHOICE = "choice", _("one of several choices")
        TICK = "tick", _("a box to tick")
        NUMBER = "number", _("a whole number")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="questions")
    position = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=6, choices=Kind.choices, default=Kind.TEXT)
    words = models.CharField(max_length=200)
    choices = models.TextField(blank=True)
    is_required = models.BooleanField(default=False)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.CheckConstraint(
                name="question_kind_known", condition=Q(kind__in=("text", "choice", "tick", "number"))
            )
        ]

    def __str__(self) -> str:
        return self.words


class Registration(models.Model):
    """The registration of one person for one event, with or without an account.

    email: as it was typed, of a person without an account; email_key: the same in lower case, also of an account whose
    address is confirmed, so that one person has one registration. entry: made when the person was accepted. reason: of
    a refusal, for the person alone. told: the status that the last mail named. consent_at: when they agreed to the
    text. birth_year: for the rule about partners, also in `BirthYear` once there is an entry. link: how often their
    link was renewed. language, zone: of the mails to a person without an account.
    """

    class State(models.TextChoices):
        UNCONFIRMED = "unconfirmed", _("not confirmed")
        PENDING = "pending", _("to be approved")
        ACCEPTED = "accepted", _("accepted")
        REFUSED = "refused", _("refused")
        WITHDRAWN = "withdrawn", _("withdrawn")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="registrations")
    # CASCADE: it is there for this person alone, so it is in the copy of their data and goes with the account.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="registrations"
    )
    email = models.EmailField(blank=True)
    email_key = models.CharField(max_length=254, blank=True)
    name = models.CharField(max_length=60)
    club = models.CharField(max_length=60, blank=True)
    state = models.CharField(max_length=11, choices=State.choices, default=State.UNCONFIRMED)
    # SET_NULL: an organiser who undoes an approval removes the entry, and the registration waits again.
    entry = models.OneToOneField(Entry, on_delete=models.SET_NULL, null=True, blank=True, related_name="registration")
    reason = models.CharField(max_length=300, blank=True)
    paid_at = models.DateTimeField(null=True, blank=True)
    consent_at = models.DateTimeField(null=True, blank=True)
    birth_year = models.PositiveSmallIntegerField(null=True, blank=True)
    told = models.CharField(max_length=12, blank=True)
    link = models.PositiveSmallIntegerField(default=0)
    language = models.CharField(max_length=8, blank=True)
    zone = models.CharField(max_length=40, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        # The database lets one of two in that are sent at once, from two phones or by a double click.
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "user"], condition=Q(user__isnull=False), name="registration_once_per_account"
            ),
            models.UniqueConstraint(
                fields=["tournament", "email_key"], condition=~Q(email_key=""), name="registration_once_per_address"
            ),
            models.CheckConstraint(
                name="registration_state_known",
                condition=Q(state__in=("unconfirmed", "pending", "accepted", "refused", "withdrawn")),
            ),
            models.CheckConstraint(name="registration_is_of_somebody", condition=Q(user__isnull=False) | ~Q(email="")),
        ]
        indexes = [models.Index(F("tournament"), F("state"), F("created_at"), name="registration_order")]

    def __str__(self) -> str:
        return self.name


class RegistrationAnswer(models.Model):
    """The answer to a question: text, one of the choices, "yes" of a ticked box, or a whole number in digits."""

    registration = models.ForeignKey(Registration, on_delete=models.CASCADE, related_name="answers")
    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="answers")
    value = models.CharField(max_length=500)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["registration", "question"], name="answer_once_per_question")]

    def __str__(self) -> str:
        return self.value
