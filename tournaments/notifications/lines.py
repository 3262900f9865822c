"""Notices in words, with the page that each leads to: written when somebody reads, in their language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import F, OuterRef, Prefetch, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.phrasing import labelled, listed
from activity.domain_events import Words, every_class
from bots.models import Bot, BotVersion
from tournaments.domain_events.entries import rounds_named
from tournaments.lifecycle.json_lists import Listed
from tournaments.models import Announcement, Challenge, Match, Notice, Player, Seat
from web.presets import event_title, preset_title

MINUS: Final = "\N{MINUS SIGN}"
SHOWN: Final = ("tournament", "round__stage", "player", "bot")


@dataclass(frozen=True, slots=True)
class NoticeLine:
    """One notice as it is read. text: a sentence; path: of the page it is about.

    face: the bot or the person whose emblem stands beside it, the event's name for its own where it is of none.
    """

    pk: int
    text: str
    path: str
    at: datetime
    is_unread: bool
    kind: str
    face: Bot | Player | str


def with_all(rows: QuerySet[Notice]) -> QuerySet[Notice]:
    """Add everything the words of notices need: five queries, however many they are.

    Not one of fourteen tables: PostgreSQL takes longer to plan that than to answer all five.
    """
    seats = Seat.objects.select_related("entry__player", "player").defer("log_marks").order_by("match_id", "index")
    standing = Announcement.objects.filter(tournament=OuterRef("tournament")).order_by("number").values(it=F("number"))
    return (
        rows.select_related(*SHOWN)
        .annotate(standing=Listed(standing))
        .prefetch_related(
            Prefetch("match", Match.objects.select_related("stage")),
            Prefetch("match__seats", seats),
            Prefetch("version", BotVersion.objects.select_related("bot")),
            Prefetch("challenge", Challenge.objects.select_related("candidate__bot", "reference__bot")),
        )
    )


def lines_of(rows: Iterable[Notice]) -> list[NoticeLine]:
    """Describe notices (as `with_all` gives them) in words."""
    return [
        NoticeLine(row.pk, words_of(row), path_of(row), row.at, row.read_at is None, row.kind, _face_of(row))
        for row in rows
    ]


def _face_of(row: Notice) -> Bot | Player | str:
    if row.challenge is not None:
        return row.challenge.candidate.bot
    version = row.version.bot if row.version is not None else None
    return version or row.bot or row.player or (row.tournament.name if row.tournament is not None else "Hanami")


def words_of(row: Notice) -> str:
    """Describe what happened, in a sentence."""
    if (found := WORDS.get(row.what)) is not None:
        return found(row)
    # A notice of a later version, whose words this one does not know, names its event at least.
    return str(_plain_words().get(row.what, "%(event)s")) % {"event": _event(row)}


def _plain_words() -> dict[str, Words]:
    """Return, by `Notice.what`, the sentences that the classes of domain events bring along."""
    found = (cls.notification for cls in every_class() if cls.notification is not None)
    return {each.what: each.words for each in found if each.words}


def path_of(row: Notice) -> str:
    """Return the address of the page that shows it."""
    if row.what == "invited":
        return reverse("my-invitations")
    if row.what in ("turn", "turn_ends"):
        return reverse("live-table", args=[str(row.facts["table"])])
    if row.what in ("season_agreed", "season_declined"):
        return reverse("season-events", args=[str(row.facts["season"])])
    if row.what == "season_asks" and row.tournament is not None:
        return reverse("tournament-seasons", args=[row.tournament.slug])
    if row.what in ("accepted", "declined") and row.tournament is not None:
        return reverse("tournament-invitations", args=[row.tournament.slug])
    if row.challenge is not None:
        return reverse("challenge", args=[row.challenge.uuid])
    if row.match is not None:
        return reverse("match", args=[row.match.uuid])
    if row.tournament is not None and row.round is not None:
        query = f"?stage={row.round.stage.order}&round={row.round.number}"
        return reverse("tournament-rounds", args=[row.tournament.slug]) + query
    if row.tournament is not None:
        return reverse("tournament", args=[row.tournament.slug])
    if row.version is not None and row.what != "activated":
        return reverse("bot-version", args=[row.version.bot.slug, row.version.n])
    return reverse("bot", args=[row.bot.slug]) if row.bot is not None else reverse("follow")


def is_withdrawn(row: Notice) -> bool:
    """Return whether an announcement was withdrawn since."""
    if row.kind != Notice.Kind.SAID or row.tournament is None:
        return False
    return row.facts.get("n") not in vars(row)["standing"]


def _event(row: Notice) -> str:
    return event_title(row.tournament.name) if row.tournament is not None else ""


def _bot(row: Notice) -> str:
    return row.bot.name if row.bot is not None else ""


def _seats(row: Notice) -> Sequence[Seat]:
    return list(row.match.seats.all()) if row.match is not None else []


def _name(seat: Seat) -> str:
    player = seat.player or (seat.entry.player if seat.entry is not None else None)
    return player.name if player is not None else "?"


def _names(row: Notice) -> str:
    return listed(dict.fromkeys(_name(seat) for seat in _seats(row)))


def _shown(row: Notice) -> dict[str, object]:
    """Return the values that sentences about a table fill in."""
    match = row.match
    table = match.known_table if match is not None else None
    who = row.player.name if row.player is not None else ""
    number = row.round.number if row.round is not None else ""
    return {"event": _event(row), "table": table, "who": who, "round": number, "names": _names(row)}


def _seated(row: Notice) -> str:
    if row.via == "own":
        return _("%(event)s, round %(round)s: you sit at table %(table)s (%(names)s).") % _shown(row)
    if row.player is not None:
        return _("%(event)s, round %(round)s: %(who)s sits at table %(table)s (%(names)s).") % _shown(row)
    return _("%(event)s, round %(round)s: table %(table)s is drawn (%(names)s).") % _shown(row)


def _called(row: Notice) -> str:
    return _("%(event)s, round %(round)s: table %(table)s is called now (%(names)s).") % _shown(row)


def _awaited(row: Notice) -> str:
    return _("%(event)s, round %(round)s: a result of table %(table)s is reported. Is it right?") % _shown(row)


def _disputed(row: Notice) -> str:
    return _("%(event)s, round %(round)s: the sides of table %(table)s disagree. The organiser decides.") % _shown(row)


def _sits_out(row: Notice) -> str:
    return _("%(event)s: you sit out (%(rounds)s).") % _rounds(row, "worths")


def _plays_on(row: Notice) -> str:
    return _("%(event)s: you play after all (%(rounds)s).") % _rounds(row, "rounds")


def _rounds(row: Notice, name: str) -> dict[str, str]:
    return {"event": _event(row), "rounds": rounds_named(row.facts.get(name, ()))}


def _replaced(row: Notice) -> str:
    shown = {"event": _event(row), "substitute": row.facts.get("substitute", "?")}
    return _("%(event)s: %(substitute)s plays in your place.") % shown


def _by_link(text: str) -> Callable[[Notice], str]:
    return lambda row: _(text) % {"event": _event(row), "name": row.facts.get("name", "?")}


def _by_season(text: str) -> Callable[[Notice], str]:
    return lambda row: _(text) % {"event": _event(row), "season": row.facts.get("name", "?")}


def _reseated(row: Notice) -> str:
    return _("The draw was changed.") + " " + _seated(row)


def _result(row: Notice) -> str:
    scores = _scores(row.match)
    if row.round is None:
        return labelled(_event(row), scores)
    return _("%(event)s, round %(round)s: %(scores)s") % {**_shown(row), "scores": scores}


def _scores(match: Match | None) -> str:
    """List the players and their figures, the best first; a team's seats are one."""
    if match is None:
        return ""
    found: dict[str, tuple[int, str]] = {}
    for seat in match.seats.all():
        name = seat.entry.player.name if seat.entry is not None else _name(seat)
        counted = seat.victories if match.stage.scoring == "round_victory" else seat.points
        shown = "–" if counted is None else str(counted).replace("-", MINUS)
        # setdefault: of a side with several seats the first, whose figures are the side's. 99 is behind every place.
        found.setdefault(name, (seat.place or 99, f"{name} {shown}"))
    return " · ".join(text for _place, text in sorted(found.values()))


def _corrected(row: Notice) -> str:
    return _("%(event)s, round %(round)s, corrected: %(scores)s") % {**_shown(row), "scores": _scores(row.match)}


def _undone(row: Notice) -> str:
    return _("%(event)s, round %(round)s: the result of %(names)s was withdrawn.") % _shown(row)


def _finished(row: Notice) -> str:
    if row.bot is not None and "rank" in row.facts:
        shown = {"event": _event(row), "bot": _bot(row), "rank": row.facts["rank"]}
        return _("%(event)s is over, the standings are final. %(bot)s is at place %(rank)s.") % shown
    return _("%(event)s is over, the standings are final.") % {"event": _event(row)}


MEDAL_WORDS: Final = {
    1: gettext_noop("%(bot)s wins the gold medal of %(event)s."),
    2: gettext_noop("%(bot)s wins the silver medal of %(event)s."),
    3: gettext_noop("%(bot)s wins the bronze medal of %(event)s."),
}


def _turn(text: str) -> Callable[[Notice], str]:
    def words(row: Notice) -> str:
        shown = {"game": preset_title(str(row.facts.get("preset", ""))), "names": listed(row.facts.get("names", ()))}
        return _(text) % shown

    return words


def _medal(row: Notice) -> str:
    return _(MEDAL_WORDS[int(row.facts.get("place", 3))]) % {"event": event_title(_event(row)), "bot": _bot(row)}


def _invited(row: Notice) -> str:
    who = row.tournament.created_by.shown_name if row.tournament is not None else ""
    return _("You are invited to %(event)s, run by %(who)s.") % {"event": _event(row), "who": who}


def _called_off(row: Notice) -> str:
    reason = row.tournament.reason if row.tournament is not None else ""
    return _("%(event)s is cancelled: %(reason)s") % {"event": _event(row), "reason": reason}


def _announced(row: Notice) -> str:
    if is_withdrawn(row):
        return _("%(event)s: an announcement was withdrawn.") % {"event": _event(row)}
    return _("%(event)s: “%(text)s”") % {"event": _event(row), "text": row.facts["text"]}


def _published(row: Notice) -> str:
    several = int(row.facts.get("rounds", 1))
    if several > 1:
        return _("%(event)s: the %(n)s rounds are published.") % {"event": _event(row), "n": several}
    return _("%(event)s: round %(round)s is published.") % _shown(row)


def _version(text: str) -> Callable[[Notice], str]:
    def words(row: Notice) -> str:
        n = row.version.n if row.version is not None else ""
        reason = row.version.bench_reason if row.version is not None else ""
        return _(text) % {"bot": _bot(row), "n": n, "event": _event(row), "reason": reason}

    return words


def _decided(row: Notice) -> str:
    found = row.challenge
    if found is None:
        return ""
    shown = {"one": str(found.candidate), "other": str(found.reference), "state": found.get_state_display()}
    return _("%(one)s against %(other)s is %(state)s.") % shown


def _plain(text: str) -> Callable[[Notice], str]:
    return lambda row: _(text) % {"event": _event(row), "bot": _bot(row)}


# Words for each `Notice.what` that needs more than its event.
WORDS: Final[Mapping[str, Callable[[Notice], str]]] = {
    "finished": _finished,
    "cancelled": _called_off,
    "published": _published,
    "seated": _seated,
    "called": _called,
    "reseated": _reseated,
    "awaited": _awaited,
    "disputed": _disputed,
    "sits_out": _sits_out,
    "plays_on": _plays_on,
    "replaced": _replaced,
    "dropped_out": _by_link(gettext_noop("%(event)s: %(name)s has dropped out.")),
    "asks_to_leave": _by_link(gettext_noop("%(event)s: %(name)s wants to leave their team. Name a substitute.")),
    "season_asks": _by_season(gettext_noop("The season %(season)s asks to count %(event)s. Agree or decline.")),
    "season_agreed": _by_season(gettext_noop("%(event)s belongs to the season %(season)s now: its organiser agreed.")),
    "season_declined": _by_season(gettext_noop("%(event)s is not in the season %(season)s: its organiser declined.")),
    "confirmed": _result,
    "corrected": _corrected,
    "undone": _undone,
    "said": _announced,
    "passed": _version(gettext_noop("%(bot)s v%(n)s passed its check.")),
    "failed": _version(gettext_noop("%(bot)s v%(n)s did not pass its check.")),
    "forfeit": _version(gettext_noop("%(bot)s v%(n)s forfeited a match of %(event)s.")),
    "forked": _version(gettext_noop("Somebody forked %(bot)s v%(n)s into a bot of their own.")),
    "benched": _version(gettext_noop("%(bot)s v%(n)s is suspended: %(reason)s")),
    "check_held": _version(
        gettext_noop("The check of %(bot)s v%(n)s is on hold: something failed on our side. Have it checked again.")
    ),
    "match_held": _plain(gettext_noop("%(event)s: a match is held for review. Have it played again, or cancel it.")),
    "medal": _medal,
    "decided": _decided,
    "invited": _invited,
    "turn": _turn(gettext_noop("It is your turn: %(game)s with %(names)s.")),
    "turn_ends": _turn(
        gettext_noop("Your time for a move ends in 12 hours, and the match with it: %(game)s with %(names)s.")
    ),
    "entered": _plain(gettext_noop("%(bot)s is entered in %(event)s.")),
    "activated": _version(gettext_noop("%(bot)s plays with version %(n)s now.")),
}
