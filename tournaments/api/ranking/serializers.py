"""Documents of the ranking of a whole event and of its prizes."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from tournaments.models import PrizeCategory, PrizeSettings, Tournament
from tournaments.ranking.lines import RankLine
from tournaments.ranking.prizes import AwardLine, Prizes
from tournaments.ranking.set_prizes import (
    MAX_CATEGORIES,
    MAX_CURRENCY,
    MAX_NAME,
    MAX_NUMBER,
    MAX_PLACE,
    MAX_PRIZES,
    MAX_WORDS,
    CategoryPlan,
    PrizePlan,
)
from tournaments.ranking.words import not_given_words, pool_words, reason_words, standing_words

MAX_ENTRIES = 2_000


class RankedEntrySerializer(serializers.Serializer[Any]):
    """A line of the ranking of a whole event."""

    rank = serializers.IntegerField(allow_null=True, help_text="in the whole event; null: without a place")
    is_shared = serializers.BooleanField(source="shared", help_text="whether others have the same rank")
    entry = serializers.UUIDField(source="entry.uuid", help_text="the uuid of the entry")
    name = serializers.CharField(source="entry.player.name", help_text="of the bot, the person or the team")
    club = serializers.CharField(source="entry.player.club", allow_blank=True, help_text="empty: none")
    stage = serializers.IntegerField(source="stage.order", help_text="the number of the last stage that it reached")
    place = serializers.IntegerField(allow_null=True, help_text="its rank there; null: nothing counts there yet")
    group = serializers.CharField(allow_blank=True, help_text="its group there; empty: there is one only")
    departure = serializers.CharField(allow_blank=True, help_text="withdrawn or disqualified; empty: it played on")
    standing = serializers.SerializerMethodField(help_text="stage and place in words")

    def get_standing(self, line: RankLine) -> str:
        """Return the last stage and the place there."""
        return standing_words(line)


class PrizeWinnerSerializer(serializers.Serializer[Any]):
    """Somebody who wins a prize."""

    entry = serializers.UUIDField(help_text="the uuid of the entry")
    name = serializers.CharField(help_text="who wins it")
    amount = serializers.DecimalField(12, 2, allow_null=True, help_text="what they get of it; null: a thing")
    why = serializers.CharField(help_text="why they win it, in words")


class AwardSerializer(serializers.Serializer[Any]):
    """A prize for one place, and who wins it."""

    words = serializers.CharField(help_text="what the prize is")
    pool = serializers.CharField(allow_blank=True, help_text="whom it is for; empty: a category that is not named")
    place = serializers.IntegerField(help_text="the place that it is for, in its pool")
    amount = serializers.DecimalField(12, 2, allow_null=True, help_text="of the whole prize; null: a thing")
    currency = serializers.CharField(allow_blank=True, help_text="of the amounts; empty: none")
    winners = PrizeWinnerSerializer(many=True, help_text="several where they share the place; empty: not given")
    not_given = serializers.CharField(allow_blank=True, help_text="why nobody wins it, in words; empty: somebody does")


class RankingSerializer(serializers.Serializer[Any]):
    """The ranking of a whole event."""

    is_final = serializers.BooleanField(help_text="whether the event is over")
    explanation = serializers.ListField(child=serializers.CharField(), help_text="how the order came about, in words")
    lines = RankedEntrySerializer(many=True, help_text="best first; those without a place at the end")
    awards = AwardSerializer(many=True, help_text="the prizes, once everybody may see them")


class PrizeCategorySerializer(serializers.Serializer[Any]):
    """A category with prizes of its own."""

    id = serializers.UUIDField(
        required=False, allow_null=True, default=None, help_text="of one that is there; else new"
    )
    name = serializers.CharField(max_length=MAX_NAME, help_text="of the category")
    kind = serializers.ChoiceField(
        choices=PrizeCategory.Kind.choices, default=PrizeCategory.Kind.HAND, help_text="who is in it"
    )
    club = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=MAX_NAME, help_text="of kind `club`: of this one"
    )
    question = serializers.UUIDField(
        required=False, allow_null=True, default=None, help_text="of kind `answer`: the id of the question"
    )
    value = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=MAX_NAME, help_text="the answer, of a choice"
    )
    at_least = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=-MAX_NUMBER, max_value=MAX_NUMBER,
        help_text="the smallest number; null: no bound",
    )  # fmt: skip
    at_most = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=-MAX_NUMBER, max_value=MAX_NUMBER,
        help_text="the largest number; null: no bound",
    )  # fmt: skip
    is_named = serializers.BooleanField(default=False, help_text="whether everybody may read its name")
    entries = serializers.ListField(
        child=serializers.UUIDField(), read_only=True, help_text="the uuids of the entries that are in it"
    )


class PrizeSerializer(serializers.Serializer[Any]):
    """A prize for each place from first to last."""

    words = serializers.CharField(max_length=MAX_WORDS, help_text="what the prize is")
    category = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=1, max_value=MAX_CATEGORIES,
        help_text="the number of the category in the list, from 1; null: everybody",
    )  # fmt: skip
    first = serializers.IntegerField(default=1, min_value=1, max_value=MAX_PLACE, help_text="the first place")
    last = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=1, max_value=MAX_PLACE,
        help_text="the last place; null: only the first",
    )  # fmt: skip
    amount = serializers.DecimalField(12, 2, required=False, allow_null=True, default=None, help_text="null: a thing")


class PrizesSerializer(serializers.Serializer[Any]):
    """The prizes of an event with its categories."""

    publish = serializers.ChoiceField(
        choices=PrizeSettings.Publish.choices, default="", allow_blank=True, help_text="who sees them, and when"
    )
    ties = serializers.ChoiceField(
        choices=PrizeSettings.Ties.choices, default=PrizeSettings.Ties.EACH, help_text="what a shared place brings"
    )
    one_each = serializers.BooleanField(default=True, help_text="whether a person wins one prize only: the better one")
    withdrawn_win = serializers.BooleanField(default=False, help_text="whether those who withdrew can win, too")
    currency = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=MAX_CURRENCY, help_text="of the amounts; empty: none"
    )
    categories = serializers.ListSerializer[Any](
        child=PrizeCategorySerializer(),
        required=False,
        default=list,
        max_length=MAX_CATEGORIES,
        help_text="in their order",
    )
    prizes = serializers.ListSerializer[Any](
        child=PrizeSerializer(), required=False, default=list, max_length=MAX_PRIZES, help_text="the best one first"
    )
    awards = AwardSerializer(many=True, read_only=True, help_text="who wins what as things stand")


class CategoryEntriesSerializer(serializers.Serializer[Any]):
    """Who is in a category that is marked by hand."""

    entries = serializers.ListField(
        child=serializers.UUIDField(), max_length=MAX_ENTRIES, help_text="the uuids of these entries, and no others"
    )


def plans_from(payload: dict[str, Any]) -> dict[str, Any]:
    """Return what the service takes, from a body that was read."""
    names = ("publish", "ties", "one_each", "withdrawn_win", "currency")
    categories = [
        CategoryPlan(
            **{key: value for key, value in row.items() if key not in ("id", "question")},
            uuid=str(row["id"] or ""),
            question=str(row["question"] or ""),
        )
        for row in payload["categories"]
    ]
    prizes = [PrizePlan(**row) for row in payload["prizes"]]
    return {"changes": {name: payload[name] for name in names}, "categories": categories, "prizes": prizes}


def shown_plan(event: Tournament, found: Prizes) -> dict[str, Any]:
    """Return what is set, for its serializer. One query."""
    uuids = dict(event.entries.values_list("pk", "uuid"))
    numbers = {category.pk: number for number, category in enumerate(found.categories, 1)}
    rule = ("name", "kind", "club", "value", "at_least", "at_most", "is_named")
    categories = [
        {
            "id": each.uuid,
            **{name: getattr(each, name) for name in rule},
            "question": each.question.uuid if each.question is not None else None,
            "entries": [uuids[entry] for entry in sorted(found.members[each.pk])],
        }
        for each in found.categories
    ]
    names = ("words", "first", "last", "amount")
    prizes = [
        {**{name: getattr(each, name) for name in names}, "category": numbers.get(each.category_id or 0)}
        for each in found.prizes
    ]
    chosen = {name: getattr(found.settings, name) for name in ("publish", "ties", "one_each", "withdrawn_win")}
    return {**chosen, "currency": found.settings.currency, "categories": categories, "prizes": prizes}


def shown_award(award: AwardLine, currency: str, *, is_organiser: bool) -> dict[str, Any]:
    """Return a prize with its winners, for its serializer."""
    winners = [
        {
            "entry": each.line.entry.uuid,
            "name": each.line.entry.player.name,
            "amount": each.amount,
            "why": reason_words(award, each, is_organiser=is_organiser),
        }
        for each in award.winners
    ]
    return {
        "words": award.prize.words,
        "pool": pool_words(award, is_organiser=is_organiser),
        "place": award.place,
        "amount": award.prize.amount,
        "currency": currency,
        "winners": winners,
        "not_given": not_given_words(award),
    }
