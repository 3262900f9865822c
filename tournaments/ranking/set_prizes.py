"""What organisers do with prizes: they set them, with their categories, as a whole, and mark who is in a category."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from activity.journal import audit, publish
from core.errors import TournamentError
from core.printable import is_printable
from tournaments.domain_events.ranking import CategoryMarked, PrizesSet
from tournaments.lifecycle.transitions import ORGANISERS, label, may
from tournaments.models import Entry, Prize, PrizeCategory, PrizeSettings, Question, Tournament
from tournaments.ranking.prizes import settings_of

MAX_CATEGORIES: Final = 20
MAX_PRIZES: Final = 60
MAX_NAME: Final = 60
MAX_WORDS: Final = 120
MAX_CURRENCY: Final = 8
MAX_PLACE: Final = 999
MAX_AMOUNT: Final = Decimal(9_999_999_999)
MAX_NUMBER: Final = 999_999_999
"""The largest whole number that an answer may be."""
FIELDS: Final = ("publish", "ties", "one_each", "withdrawn_win", "currency")
SHUT: Final = (Tournament.State.ARCHIVED, Tournament.State.CANCELLED)
Kind = PrizeCategory.Kind


@dataclass(frozen=True, slots=True)
class CategoryPlan:
    """A category as an organiser writes it. uuid: of one that is there, whose marks stay; "": a new one.

    question: UUID of a question of the registration, for kind "answer".
    """

    name: str
    kind: str = Kind.HAND
    club: str = ""
    question: str = ""
    value: str = ""
    at_least: int | None = None
    at_most: int | None = None
    is_named: bool = False
    uuid: str = ""


@dataclass(frozen=True, slots=True)
class PrizePlan:
    """A prize as an organiser writes it. category: the number of a category in the list, from 1; None: everybody."""

    words: str
    first: int = 1
    last: int | None = None
    amount: Decimal | None = None
    category: int | None = None


def set_prizes(
    *,
    tournament: Tournament,
    by: User,
    changes: dict[str, Any],
    categories: Sequence[CategoryPlan],
    prizes: Sequence[PrizePlan],
) -> None:
    """Change some of `FIELDS`, and replace categories and prizes. Doing it twice changes nothing.

    A category that is left out goes with its marks. Raises TournamentError "tournament.not_organiser", "prizes.closed",
    "prizes.too_many", "prizes.bad_settings", "prizes.bad_category" (extra: category, its number from 1),
    "prizes.bad_prize" (extra: prize, its number from 1).
    """
    with transaction.atomic():
        event = _locked(tournament, by, "set_prizes")
        before = _shown(event)
        _write_settings(event, changes)
        rows = _write_categories(event, categories)
        _write_prizes(event, prizes, rows)
        after = _shown(event)
        if after != before:
            audit(PrizesSet, label(event), actor=by, channel=event.channel, before=before, after=after)
            publish(PrizesSet(event.channel, publish=str(after["publish"])))


def mark_category(*, category: PrizeCategory, by: User, entries: Iterable[str]) -> None:
    """Say who is in a category that is marked by hand: these entries (UUIDs) and no others. Doing it twice is once.

    Raises TournamentError "tournament.not_organiser", "prizes.closed", "prizes.not_by_hand", "prizes.unknown_entry".
    """
    with transaction.atomic():
        event = _locked(category.tournament, by, "mark_category")
        if category.kind != Kind.HAND:
            message = _("Nobody is marked for “%(name)s”: its members follow from what people said.")
            raise TournamentError(message % {"name": category.name}, code="prizes.not_by_hand")
        wanted = set(entries)
        rows = list(Entry.objects.filter(tournament=event, uuid__in=wanted))
        if len(rows) < len(wanted):
            raise TournamentError(_("One of these entries is not in this event."), code="prizes.unknown_entry")
        before = category.marked.count()
        if set(category.marked.values_list("pk", flat=True)) == {row.pk for row in rows}:
            return
        category.marked.set(rows)
        # Numbers alone: who is a novice or how old concerns those who organise.
        after = {"name": category.name, "marked": len(rows)}
        audit(CategoryMarked, label(event), actor=by, channel=event.channel, before={"marked": before}, after=after)
        publish(CategoryMarked(event.channel))


def _locked(tournament: Tournament, by: User, act: str) -> Tournament:
    """Lock the event for an organiser who may still change its prizes."""
    event = Tournament.objects.select_for_update().get(pk=tournament.pk)
    may(event, by, ORGANISERS, act)
    if event.state in SHUT or event.is_copy:
        message = _("The prizes of an event that is archived, cancelled or imported cannot be changed.")
        raise TournamentError(message, code="prizes.closed")
    return event


def _shown(event: Tournament) -> dict[str, object]:
    """Return what the audit says of prizes: settings, categories by name, prizes by their words; nobody's answers."""
    row = settings_of(event)
    prizes = Prize.objects.filter(tournament=event).select_related("category").order_by("position", "pk")
    categories = PrizeCategory.objects.filter(tournament=event).order_by("position", "pk").select_related("question")
    return {
        **{name: getattr(row, name) for name in FIELDS},
        "categories": [_category_words(each) for each in categories],
        "prizes": [_prize_words(each) for each in prizes],
    }


def _prize_words(row: Prize) -> str:
    places = str(row.first) if row.first == row.last else f"{row.first}–{row.last}"
    pool = row.category.name if row.category is not None else ""
    return " ".join(str(each) for each in (pool, f"{places}:", row.words, row.amount) if each)


def _category_words(row: PrizeCategory) -> str:
    rule = (row.club, row.question.words if row.question else "", row.value, row.at_least, row.at_most)
    named = "public" if row.is_named else ""
    return " ".join(str(each) for each in (row.name, f"({row.kind})", *rule, named) if each not in ("", None))


def _write_settings(event: Tournament, changes: dict[str, Any]) -> None:
    row = settings_of(event)
    for name in FIELDS:
        if name in changes:
            setattr(row, name, changes[name])
    row.currency = " ".join(row.currency.split())
    is_known = row.publish in PrizeSettings.Publish.values and row.ties in PrizeSettings.Ties.values
    if not is_known or len(row.currency) > MAX_CURRENCY or not is_printable(row.currency):
        message = _("Choose one of the settings; a currency has at most %(n)s letters.") % {"n": MAX_CURRENCY}
        raise TournamentError(message, code="prizes.bad_settings")
    row.save()


def _write_categories(event: Tournament, plans: Sequence[CategoryPlan]) -> list[PrizeCategory]:
    if len(plans) > MAX_CATEGORIES:
        message = _("An event has at most %(n)s categories.") % {"n": MAX_CATEGORIES}
        raise TournamentError(message, code="prizes.too_many")
    there = {str(each.uuid): each for each in PrizeCategory.objects.filter(tournament=event)}
    questions = {str(each.uuid): each for each in event.questions.all()}
    rows: list[PrizeCategory] = []
    for number, plan in enumerate(plans, 1):
        # Without a uuid by its name: a form that is sent twice makes a category once. Each row is taken once.
        known = plan.uuid or next((uuid for uuid, each in there.items() if each.name == plan.name), "")
        row = there.pop(known, None) or PrizeCategory(tournament=event)
        row.position, row.kind, row.is_named = number, plan.kind, plan.is_named
        row.name, row.club, row.value = (" ".join(text.split()) for text in (plan.name, plan.club, plan.value))
        row.question, row.at_least, row.at_most = questions.get(plan.question), plan.at_least, plan.at_most
        _validate_category(row, number, {each.name for each in rows})
        rows.append(row)
    PrizeCategory.objects.filter(tournament=event).exclude(
        pk__in=[row.pk for row in rows if row.pk is not None]
    ).delete()
    for row in rows:
        row.save()
    return rows


def _validate_category(row: PrizeCategory, number: int, taken: set[str]) -> None:
    """Raise TournamentError "prizes.bad_category" where nobody could be in it; clear what it does not use."""
    message = ""
    if not 1 <= len(row.name) <= MAX_NAME or not is_printable(row.name):
        message = _("A category has a name of 1 to %(n)s printable characters.") % {"n": MAX_NAME}
    elif row.name in taken:
        message = _("Two categories have the same name.")
    elif row.kind not in Kind.values:
        message = _("Choose who is in this category.")
    elif row.kind == Kind.CLUB and (not 1 <= len(row.club) <= MAX_NAME or not is_printable(row.club)):
        message = _("Name the club of this category.")
    elif row.kind == Kind.ANSWER:
        message = _wrong_answer(row)
    if message:
        raise TournamentError(message, code="prizes.bad_category", extra={"category": number})
    if row.kind != Kind.CLUB:
        row.club = ""
    if row.kind != Kind.ANSWER:
        row.question = None
    kind = row.question.kind if row.question is not None else ""
    if kind != Question.Kind.CHOICE:
        row.value = ""
    if kind != Question.Kind.NUMBER:
        row.at_least = row.at_most = None


def _wrong_answer(row: PrizeCategory) -> str:
    """Say why no answer would put anybody into a category; "" where one does."""
    question, bounds = row.question, (row.at_least, row.at_most)
    if question is None or question.kind == Question.Kind.TEXT:
        return _("Choose a question with a number, a choice or a box to tick.")
    if question.kind == Question.Kind.CHOICE and row.value not in question.choices.splitlines():
        return _("Choose one of the answers that the question offers.")
    if question.kind != Question.Kind.NUMBER:
        return ""
    given = [each for each in bounds if each is not None]
    if not given or given != sorted(given) or max(map(abs, given)) > MAX_NUMBER:
        return _("Give the smallest number, the largest, or both.")
    return ""


def _write_prizes(event: Tournament, plans: Sequence[PrizePlan], categories: Sequence[PrizeCategory]) -> None:
    if len(plans) > MAX_PRIZES:
        message = _("An event has at most %(n)s prizes.") % {"n": MAX_PRIZES}
        raise TournamentError(message, code="prizes.too_many")
    rows = []
    for number, plan in enumerate(plans, 1):
        words, last = " ".join(plan.words.split()), plan.last or plan.first
        message = _wrong_prize(plan, words, last, len(categories))
        if message:
            raise TournamentError(message, code="prizes.bad_prize", extra={"prize": number})
        category = categories[plan.category - 1] if plan.category is not None else None
        places = {"first": plan.first, "last": last}
        rows.append(
            Prize(tournament=event, position=number, category=category, words=words, amount=plan.amount, **places)
        )
    # They are named by nothing else, so the rows are written again.
    Prize.objects.filter(tournament=event).delete()
    Prize.objects.bulk_create(rows)


def _wrong_prize(plan: PrizePlan, words: str, last: int, categories: int) -> str:
    """Say why a prize cannot be given; "" where it can."""
    amount = plan.amount
    if not 1 <= len(words) <= MAX_WORDS or not is_printable(words):
        return _("Say what the prize is, in 1 to %(n)s printable characters.") % {"n": MAX_WORDS}
    if not 1 <= plan.first <= last <= MAX_PLACE:
        return _("Give the places from 1 to %(n)s, the first one first.") % {"n": MAX_PLACE}
    if amount is not None and (not amount.is_finite() or not 0 < amount <= MAX_AMOUNT or amount != round(amount, 2)):
        return _("An amount is above 0 and has at most two decimals.")
    if plan.category is not None and not 1 <= plan.category <= categories:
        return _("Choose a category from the list.")
    return ""
