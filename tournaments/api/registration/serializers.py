"""Documents of registration: the form, a registration as organisers read it, one's own."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from tournaments.models import Question, Registration
from tournaments.registration.answers import MAX_LENGTH, choices_of
from tournaments.registration.queries import RegistrationLine
from tournaments.registration.set_up import MAX_CHOICE, MAX_CHOICES, MAX_QUESTIONS, MAX_WORDS
from tournaments.registration.status import Status

STATUSES = [(str(each), str(each)) for each in Status]


class RegistrationQuestionSerializer(serializers.Serializer[Any]):
    """A question that people are asked when they register."""

    id = serializers.UUIDField(
        source="uuid", required=False, allow_null=True, default=None, help_text="of a question that is there; else new"
    )
    words = serializers.CharField(max_length=MAX_WORDS, help_text="the question as people read it")
    kind = serializers.ChoiceField(
        choices=Question.Kind.choices, default=Question.Kind.TEXT, help_text="what an answer is"
    )
    choices = serializers.ListField(
        child=serializers.CharField(max_length=MAX_CHOICE),
        max_length=MAX_CHOICES,
        required=False,
        default=list,
        help_text="the answers that a question of kind `choice` offers",
    )
    is_required = serializers.BooleanField(default=False, help_text="whether everybody has to answer")

    def to_representation(self, instance: Question) -> dict[str, Any]:
        """Return a question of the database."""
        return {
            "id": str(instance.uuid),
            "words": instance.words,
            "kind": instance.kind,
            "choices": choices_of(instance),
            "is_required": instance.is_required,
        }


class RegistrationFormSerializer(serializers.Serializer[Any]):
    """The registration form of an event. Its end and its places are the event's own."""

    is_on = serializers.BooleanField(help_text="whether people can register themselves")
    is_open = serializers.BooleanField(read_only=True, help_text="whether somebody can register now")
    opens_at = serializers.DateTimeField(allow_null=True, help_text="not before; null: as soon as entries are open")
    needs_approval = serializers.BooleanField(help_text="whether organisers approve each registration")
    consent = serializers.CharField(allow_blank=True, max_length=1000, help_text="a text that people agree to")
    payment_url = serializers.CharField(allow_blank=True, max_length=300, help_text="a page elsewhere to pay on")
    asks_birth_year = serializers.BooleanField(
        read_only=True, help_text="whether people give their year of birth, for the rule about partners"
    )
    questions = serializers.ListSerializer[Any](
        child=RegistrationQuestionSerializer(),
        max_length=MAX_QUESTIONS,
        help_text="in their order; one that is left out goes with its answers",
    )


class AnswerSerializer(serializers.Serializer[Any]):
    """An answer to a question of the form."""

    question = serializers.UUIDField(help_text="the id of the question")
    value = serializers.CharField(
        max_length=MAX_LENGTH, allow_blank=True, help_text="text, a choice, a number in digits, or `yes` of a tick"
    )


class NewRegistrationSerializer(serializers.Serializer[Any]):
    """A person as they register or change what they wrote."""

    name = serializers.CharField(max_length=60, help_text="as everybody reads it on the event's pages")
    club = serializers.CharField(max_length=60, required=False, allow_blank=True, default="", help_text="public, too")
    answers = serializers.ListSerializer[Any](
        child=AnswerSerializer(),
        required=False,
        default=list,
        max_length=MAX_QUESTIONS,
        help_text="to the form's questions",
    )
    birth_year = serializers.IntegerField(
        min_value=1900,
        max_value=2100,
        required=False,
        allow_null=True,
        default=None,
        help_text="where the form asks for it; for organisers alone",
    )
    agrees = serializers.BooleanField(
        required=False, default=False, help_text="to the text of the form, where there is one"
    )


class OwnRegistrationSerializer(serializers.Serializer[Any]):
    """One's own registration."""

    id = serializers.UUIDField(source="registration.uuid", help_text="of the registration")
    status = serializers.ChoiceField(choices=STATUSES, help_text="where it stands")
    place = serializers.IntegerField(allow_null=True, help_text="on the waiting list, from 1; null for others")
    name = serializers.CharField(source="registration.name", help_text="as everybody reads it")
    club = serializers.CharField(source="registration.club", allow_blank=True, help_text="public, too")
    entry = serializers.UUIDField(
        source="registration.entry.uuid", allow_null=True, default=None, help_text="null before there is one"
    )
    reason = serializers.CharField(
        source="registration.reason", allow_blank=True, help_text="why it was refused, for the person alone"
    )
    paid_at = serializers.DateTimeField(
        source="registration.paid_at", allow_null=True, help_text="when an organiser noted the payment"
    )
    birth_year = serializers.IntegerField(
        source="registration.birth_year", allow_null=True, help_text="null where it was not asked for"
    )
    answers = AnswerSerializer(many=True, help_text="in the order of the questions")


class RegistrationSerializer(OwnRegistrationSerializer):
    """A registration as organisers read it."""

    email = serializers.SerializerMethodField(help_text="where mail goes; empty if the account has no address")
    account = serializers.SerializerMethodField(help_text="the user name; empty without an account")
    confirmed_at = serializers.DateTimeField(
        source="registration.confirmed_at", allow_null=True, help_text="the order of the list"
    )

    def get_email(self, line: Any) -> str:
        """Return the address."""
        row: Registration = line["registration"]
        return row.email or (row.user.mail_address if row.user is not None else "")

    def get_account(self, line: Any) -> str:
        """Return the user name."""
        row: Registration = line["registration"]
        return row.user.username if row.user is not None else ""


class RegistrationActSerializer(serializers.Serializer[Any]):
    """Registrations that something is done to."""

    registrations = serializers.ListField(
        child=serializers.UUIDField(), max_length=1000, min_length=1, help_text="ids; of other events none is touched"
    )
    reason = serializers.CharField(
        max_length=300, required=False, allow_blank=True, default="", help_text="of a refusal; its people read it"
    )


class RegistrationsDoneSerializer(serializers.Serializer[Any]):
    """How many registrations changed."""

    changed = serializers.IntegerField(help_text="those that were in this state already are not counted")


def shown_line(line: RegistrationLine, questions: list[Question]) -> dict[str, Any]:
    """Return what the serializers read of a registration."""
    given = zip(questions, line.answers, strict=True)
    answers = [{"question": question.uuid, "value": value} for question, value in given if value]
    return {
        "registration": line.registration,
        "status": str(line.status),
        "place": line.place or None,
        "answers": answers,
    }
