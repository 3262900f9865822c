"""Prizes in event files: what everybody may see, with the winners of each category and nobody else who is in it."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from tournaments.models import Entry, Prize, PrizeCategory, PrizeSettings, Tournament
from tournaments.ranking.event_ranking import ranking_of
from tournaments.ranking.prizes import are_public, prizes_of, winners_by_category

CHOSEN = ("publish", "ties", "one_each", "withdrawn_win", "currency")


def prizes_document(event: Tournament) -> dict[str, Any]:
    """Return the prizes for a file; nothing while only organisers see them. One query where there are none.

    A category stands there with those who win in it: the same people win in a copy, and nobody's age or answer leaves
    this server. A category that is not named on pages has no name here.
    """
    settings = PrizeSettings.objects.filter(tournament=event).first()
    if settings is None or not are_public(settings, event):
        return {}
    found = prizes_of(event)
    winners = winners_by_category(found, ranking_of(event))
    numbers = {category.pk: number for number, category in enumerate(found.categories, 1)}
    return {
        **{name: getattr(settings, name) for name in CHOSEN},
        "categories": [
            {"name": each.name if each.is_named else "", "entries": [str(entry.uuid) for entry in winners[each.pk]]}
            for each in found.categories
        ],
        "prizes": [
            {
                "words": each.words,
                "category": numbers.get(each.category_id or 0),
                "first": each.first,
                "last": each.last,
                "amount": None if each.amount is None else str(each.amount),
            }
            for each in found.prizes
        ],
    }


def write_prizes(event: Tournament, document: Mapping[str, Any], entries: Mapping[str, Entry]) -> None:
    """Write the prizes of a file. Categories name their winners; entries that the file does not have are left out."""
    if not document:
        return
    PrizeSettings.objects.create(tournament=event, **{name: document[name] for name in CHOSEN if name in document})
    categories = []
    for number, each in enumerate(document.get("categories", ()), 1):
        row = PrizeCategory.objects.create(
            tournament=event, position=number, name=each["name"], is_named=bool(each["name"])
        )
        row.marked.set([entries[uuid] for uuid in each["entries"] if uuid in entries])
        categories.append(row)
    Prize.objects.bulk_create(
        Prize(
            tournament=event,
            position=number,
            category=None if each["category"] is None else categories[each["category"] - 1],
            first=each["first"],
            last=each["last"],
            words=each["words"],
            amount=None if each["amount"] is None else Decimal(each["amount"]),
        )
        for number, each in enumerate(document.get("prizes", ()), 1)
    )
