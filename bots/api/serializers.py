"""Documents of the API about bots and versions. A field, once here, stays (version 1 only grows)."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from bots.emblems import Colour
from bots.licences import LICENCES
from bots.models import Bot, BotVersion
from bots.selectors.published import may_read_source, publication_of
from bots.selectors.ticks import ticks_of
from bots.selectors.waiting import checks_before
from bots.templatetags.emblems import emblem_for
from bots.uploads.limits import UPLOAD_BYTES
from engine.cards import CODES as CARD_CODES
from engine.games import PRESETS


def preset_ids() -> list[tuple[str, str]]:
    """The presets of the registry as choices."""
    return [(preset, preset) for preset in sorted(PRESETS)]


PRESET_IDS = preset_ids()
"""For the OpenAPI description alone, which names the choices once."""
CARD_CHOICES = [(code, code) for code in CARD_CODES]
LICENCE_CHOICES = [(each, each) for each in LICENCES]
STEP_STATES = [(state, state) for state in ("waiting", "playing", "held", "passed", "failed")]
CODES = {"static": "bot.static_failed", "smoke": "bot.smoke_failed"}


class PresetField(serializers.ChoiceField):
    """The id of a preset of the registry, as it is when a request comes."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=preset_ids(), **kwargs)


class EmblemSerializer(serializers.Serializer[Any]):
    """The card on a coloured ground that stands beside the name of a bot."""

    card = serializers.ChoiceField(choices=CARD_CHOICES, help_text="code of the card: month, dot, number")
    colour = serializers.ChoiceField(choices=Colour.choices, help_text="colour of ground and edge")


class ChosenEmblemSerializer(serializers.Serializer[Any]):
    """An emblem to choose. A part that is "" follows from the bot's name."""

    card = serializers.ChoiceField(
        choices=CARD_CHOICES, required=False, allow_blank=True, help_text="code of the card: month, dot, number"
    )
    colour = serializers.ChoiceField(
        choices=Colour.choices, required=False, allow_blank=True, help_text="colour of ground and edge"
    )


class NewBotSerializer(serializers.Serializer[Any]):
    """A bot to be made. plays: presets of uploads that do not say so themselves."""

    name = serializers.CharField(min_length=2, max_length=60)
    plays = serializers.ListField(child=PresetField(), required=False)
    emblem = ChosenEmblemSerializer(required=False, help_text="shown beside its name; without it the name decides")


class BotChangesSerializer(serializers.Serializer[Any]):
    """Changes of a bot."""

    name = serializers.CharField(
        min_length=2, max_length=60, required=False, help_text="its address follows while it has no version, then stays"
    )
    emblem = ChosenEmblemSerializer(required=False, help_text="what is not named stays as it is")


class OriginSerializer(serializers.Serializer[Any]):
    """What a bot was forked from."""

    bot = serializers.CharField(source="origin.bot.slug", help_text="the address of that bot")
    n = serializers.IntegerField(source="origin.n", help_text="the number of the version whose files it began with")
    licence = serializers.CharField(help_text="SPDX identifier of the licence that they were public under")


class BotSerializer(serializers.ModelSerializer[Bot]):
    """A bot. active: the number of the version that plays; versions: how many there are for this reader."""

    owner = serializers.CharField(source="owner.username", read_only=True)
    active = serializers.IntegerField(source="active_version.n", read_only=True, allow_null=True, default=None)
    versions = serializers.IntegerField(source="versions_n", read_only=True)
    plays = serializers.SerializerMethodField(
        help_text="ids of the presets that its active version plays; before there is one, those declared with it"
    )
    emblem = serializers.SerializerMethodField(help_text="as chosen, else as the name decides")
    source_public = serializers.BooleanField(
        read_only=True, help_text="whether everybody may read the source of one of its versions"
    )
    forked_from = serializers.SerializerMethodField(help_text="null for a bot that is no fork")
    url = serializers.SerializerMethodField()

    class Meta:
        model = Bot
        fields = (
            "slug",
            "name",
            "owner",
            "house",
            "plays",
            "emblem",
            "active",
            "versions",
            "source_public",
            "forked_from",
            "created_at",
            "url",
        )

    @extend_schema_field(serializers.ListField(child=PresetField()))
    def get_plays(self, bot: Bot) -> list[str]:
        """Return those of its active version; before there is one, those that were declared with the bot."""
        return list(bot.active_version.plays if bot.active_version is not None else bot.plays)

    @extend_schema_field(OriginSerializer(allow_null=True))
    def get_forked_from(self, bot: Bot) -> dict[str, Any] | None:
        """Return its origin."""
        found = getattr(bot, "fork", None)
        return dict(OriginSerializer(found).data) if found is not None else None

    @extend_schema_field(EmblemSerializer)
    def get_emblem(self, bot: Bot) -> dict[str, str]:
        """Its card and colour."""
        found = emblem_for(bot)
        return {"card": found.card, "colour": found.colour.value}

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_url(self, bot: Bot) -> str:
        """Its page."""
        return _absolute(self, reverse("bot", args=[bot.slug]))


class NewVersionSerializer(serializers.Serializer[Any]):
    """An upload: one `.py` file or a `.zip` with `bot.py` at its top. plays: else as the file says."""

    file = serializers.FileField(max_length=200, allow_empty_file=True, help_text=f"at most {UPLOAD_BYTES} bytes")
    note = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
    plays = serializers.ListField(child=PresetField(), required=False)


class LicenceSerializer(serializers.Serializer[Any]):
    """The licence that a source is published under."""

    licence = serializers.ChoiceField(choices=LICENCE_CHOICES, help_text="SPDX identifier")


class ForkSerializer(serializers.Serializer[Any]):
    """A fork to be made."""

    name = serializers.CharField(min_length=2, max_length=60, help_text="of the new bot")


class SourceFileSerializer(serializers.Serializer[Any]):
    """A file of a version."""

    path = serializers.CharField(help_text="in the archive, with slashes")
    size = serializers.IntegerField(help_text="bytes")
    sha256 = serializers.CharField(help_text="of its bytes, hex")


class ReasonSerializer(serializers.Serializer[Any]):
    """The reason for an act; needed where the act asks for one."""

    reason = serializers.CharField(max_length=300, required=False, allow_blank=True, default="")


class VersionSerializer(serializers.ModelSerializer[BotVersion]):
    """A version. code: why it failed; active: it is the one that plays; benched: it plays nothing for now."""

    id = serializers.UUIDField(source="uuid", read_only=True)
    bot = serializers.CharField(source="bot.slug", read_only=True)
    code = serializers.SerializerMethodField()
    active = serializers.SerializerMethodField()
    benched = serializers.SerializerMethodField()
    plays = serializers.ListField(child=PresetField(), read_only=True)
    clock = serializers.CharField(read_only=True, help_text="the clock that it declares and is checked with")
    hidden = serializers.SerializerMethodField()
    licence = serializers.SerializerMethodField(
        help_text="SPDX identifier of the licence that its source is public under; null while it is not"
    )
    url = serializers.SerializerMethodField()

    class Meta:
        model = BotVersion
        fields = (
            "id",
            "bot",
            "n",
            "state",
            "code",
            "hash",
            "protocol",
            "plays",
            "clock",
            "note",
            "active",
            "benched",
            "hidden",
            "licence",
            "created_at",
            "url",
        )

    @extend_schema_field({"type": "string", "nullable": True, "enum": [*LICENCES, None]})
    def get_licence(self, version: BotVersion) -> str | None:
        """Return the licence of its published source."""
        found = publication_of(version)
        return found.licence if found is not None else None

    @extend_schema_field({"type": "string", "nullable": True, "enum": [*CODES.values(), None]})
    def get_code(self, version: BotVersion) -> str | None:
        """Return the code of the part of its check that the version failed, None if it did not."""
        if version.state != BotVersion.State.FAILED:
            return None
        steps = version.check_run.result.get("steps", [])
        # "smoke.hawaii", "states" and "limit" are all failures in play, as is a check that recorded no failed step.
        failed = next((str(step["id"]) for step in steps if step["ok"] is False), "smoke")
        return CODES.get(failed.partition(".")[0], CODES["smoke"])

    def get_active(self, version: BotVersion) -> bool:
        return version.bot.active_version_id == version.pk

    def get_benched(self, version: BotVersion) -> bool:
        return version.benched_at is not None

    def get_hidden(self, version: BotVersion) -> bool:
        return version.hidden_at is not None

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_url(self, version: BotVersion) -> str:
        """Its page."""
        return _absolute(self, reverse("bot-version", args=[version.bot.slug, version.n]))


class StepSerializer(serializers.Serializer[Any]):
    """One thing that is checked."""

    name = serializers.CharField()
    state = serializers.ChoiceField(choices=STEP_STATES)
    message = serializers.CharField()


class PlaceSerializer(serializers.Serializer[Any]):
    """Place of a check in the queue, from 1; more: further back than is counted."""

    place = serializers.IntegerField()
    more = serializers.BooleanField()


class VersionDetailSerializer(VersionSerializer):
    """A version with its check. checks, queue, failure: null for everybody but the owner; queue: unless it waits.

    failure: what `/bots/{slug}/failures/{id}` tells of a check that was failed in a match. files: null for who may not
    read the source.
    """

    checks = serializers.SerializerMethodField()
    queue = serializers.SerializerMethodField()
    failure = serializers.SerializerMethodField()
    files = serializers.SerializerMethodField()

    class Meta(VersionSerializer.Meta):
        fields = (*VersionSerializer.Meta.fields, "checks", "queue", "failure", "files")  # type: ignore[assignment]  # four more of them

    def _is_mine(self, version: BotVersion) -> bool:
        reader = self.context.get("reader")
        return reader is not None and reader.pk == version.bot.owner_id

    def get_failure(self, version: BotVersion) -> str | None:
        """The id of its failure."""
        check = version.check_run
        forfeited = any(match.get("forfeit") for match in check.result.get("matches", []))
        return f"C{check.pk}" if forfeited and self._is_mine(version) else None

    @extend_schema_field(SourceFileSerializer(many=True, allow_null=True))
    def get_files(self, version: BotVersion) -> list[dict[str, Any]] | None:
        """Return its files, to those who may read them."""
        if not may_read_source(version, self.context.get("reader")):
            return None
        return [{"path": path, "size": size, "sha256": digest} for path, digest, size in version.files]

    @extend_schema_field(StepSerializer(many=True, allow_null=True))
    def get_checks(self, version: BotVersion) -> list[dict[str, str]] | None:
        """Return what was checked, then what is still to be."""
        if not self._is_mine(version):
            return None
        return [{"name": tick.id, "state": tick.state, "message": tick.message} for tick in ticks_of(version)]

    @extend_schema_field(PlaceSerializer(allow_null=True))
    def get_queue(self, version: BotVersion) -> dict[str, object] | None:
        """Its check's place."""
        ahead = checks_before(version.check_run) if self._is_mine(version) else None
        return None if ahead is None else {"place": ahead.n + 1, "more": ahead.is_more}


def _absolute(serializer: serializers.BaseSerializer[Any], path: str) -> str:
    request = serializer.context.get("request")
    return str(request.build_absolute_uri(path)) if request is not None else path
