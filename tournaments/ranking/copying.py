"""The prizes of an event for another one like it: what there is to win and for whom, and nobody who is marked."""

from __future__ import annotations

from typing import Final

from tournaments.models import Prize, PrizeCategory, PrizeSettings, Tournament

CATEGORY: Final = ("position", "name", "kind", "club", "value", "at_least", "at_most", "is_named")
PRIZE: Final = ("position", "first", "last", "words", "amount")
SETTINGS: Final = ("publish", "ties", "one_each", "withdrawn_win", "currency")


def copy_prizes(source: Tournament, made: Tournament) -> None:
    """Give a new event the prizes and categories of another one. Needs a transaction, and the questions copied first.

    Not who was marked in a category, who took part in that event.
    """
    chosen = PrizeSettings.objects.filter(tournament=source).first()
    if chosen is None:
        return
    PrizeSettings.objects.create(tournament=made, **{name: getattr(chosen, name) for name in SETTINGS})
    questions = {question.position: question for question in made.questions.all()}
    copies: dict[int | None, PrizeCategory | None] = {None: None}
    for row in PrizeCategory.objects.filter(tournament=source).select_related("question").order_by("position", "pk"):
        question = questions.get(row.question.position) if row.question is not None else None
        same = {name: getattr(row, name) for name in CATEGORY}
        copies[row.pk] = PrizeCategory.objects.create(tournament=made, question=question, **same)
    Prize.objects.bulk_create(
        Prize(tournament=made, category=copies[row.category_id], **{name: getattr(row, name) for name in PRIZE})
        for row in Prize.objects.filter(tournament=source).order_by("position", "pk")
    )
