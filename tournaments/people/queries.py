"""Public pages of people and bots: their entries and matches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from django.db.models import Count, Exists, F, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce

from accounts.alphabet import ByName
from accounts.models import User
from bots.models import Bot, BotVersion
from bots.runner.spec import CLOCKS, suits
from bots.selectors.benching import SuspensionLine, last_return, suspension_line
from bots.selectors.owned import may_see_hidden, versions_of
from core.formats import experiments
from tournaments.lifecycle.display_names import MAXIMUM
from tournaments.lifecycle.json_lists import Listed
from tournaments.lifecycle.time_limits import NAMES, clock_of, duration
from tournaments.lifecycle.visibility import OF_STATE, named_to, visible_to
from tournaments.matches.schedule import seats_named
from tournaments.models import Entry, Follow, LadderMedal, Match, Player, Role, Seat, Standing, Tournament
from tournaments.models.match import NEWEST
from tournaments.people.bots import rated
from tournaments.people.bots import with_figures as with_figures_of_bots
from tournaments.people.event_lists import listed, with_figures, with_winner
from tournaments.people.ratings import PersonRating, ratings_of
from tournaments.people.record import Record, record_of
from tournaments.ratings.history import rated_in
from tournaments.ratings.ladders import house
from tournaments.ratings.ladders.seasons import medals_of_bot, medals_of_person

M = Match.State

# Versions of a bot that its page shows.
VERSIONS = 50
MATCHES = 20
ENTRIES = 60
# Bots and events on the page of a person.
MAX_BOTS = 100
MAX_ORGANISED = 30
# Results on the page of somebody who organises events.
LATEST = 6
# The newest matches that the record of a bot counts; of a bot of many versions fewer of each.
RECORD = 200
OF_MATCH = (
    *("uuid", "state", "deal_set", "finished_at"),
    *("stage__scoring", "stage__tournament__name", "stage__tournament__slug"),
)
# Columns of seats that a bot's page shows of its matches.
OF_SEAT = (
    *("match", "index", "side", "outcome", "place", "points", "victories", "cpu_ms"),
    *("entry__player__name", "player__name", "bot_version__bot"),
    *(
        f"{of}__bot__{column}"
        for of in ("entry__player", "player")
        for column in ("name", "emblem_card", "emblem_colour")
    ),
)


@dataclass(frozen=True, slots=True)
class BotPage:
    """A bot's page.

    versions: the newest that the viewer may know of; matches: the newest; record: of more of them.
    """

    versions: Sequence[BotVersion]
    matches: Sequence[Match]
    record: Record
    following: bool


def bots_for(viewer: User | None, slugs: Sequence[str]) -> dict[str, Bot]:
    """Return bots by their addresses with what their pages begin with: the viewer's follow, the pools of their ratings,
    their medals, what they were forked from.

    One query.
    """
    follows = Exists(Follow.objects.filter(user=viewer, bot=OuterRef("pk"))) if viewer else Value(False)
    rows = Bot.objects.filter(slug__in=slugs).select_related("owner", "active_version", "policy")
    rows = rows.select_related("fork__origin__bot__owner")
    return {
        bot.slug: bot
        for bot in rows.annotate(
            followed=follows, rated_in=Listed(rated_in(OuterRef("pk"))), won=Listed(medals_of_bot(OuterRef("pk")))
        )
    }


def bot_page(bot: Bot, viewer: User | None, *, limit: int = MATCHES) -> BotPage:
    """Return its versions, latest matches and record, as far as the viewer may know. Four queries.

    bot: one of `bots_for`. limit: 0 for no matches, which spares two queries.
    """
    versions = _versions(bot, viewer)
    lately = _lately(versions)
    hidden = not may_see_hidden(bot, viewer)
    return BotPage(
        versions=[version for version in versions if not (hidden and version.hidden_at)],
        matches=_matches(bot, lately[:limit], viewer, limit) if limit else [],
        record=record_of(bot, lately[:RECORD], is_more=len(lately) > RECORD or _is_cut(bot, versions)),
        following=bool(vars(bot).get("followed")),
    )


def entries_of(bot: Bot, viewer: User | None) -> list[Entry]:
    """Return the entries of a bot in events that the viewer may know of, the newest first. One query.

    Each with `tournament` and `ranks`, its own now in the stages.
    """
    rows = Entry.objects.filter(_of_bot(bot, viewer, "tournament__"), player__bot=bot)
    rows = rows.filter(tournament__is_challenge=False).select_related("tournament", "bot_version")
    rows = rows.only("tournament__slug", "tournament__name", *OF_STATE, "bot_version__n")
    now = Standing.objects.filter(entry=OuterRef("pk"), after_round=0).order_by("stage").values(it=F("rank"))
    return list(rows.annotate(ranks=Listed(now)).order_by("-id")[:ENTRIES])


def waits_for(bot: Bot, viewer: User | None) -> Match | None:
    """Return the first match that a bot waits for or plays, with its event. One query; for a bot without results."""
    rows = Match.objects.filter(_named(bot, viewer), seats__bot_version__bot=bot, state__in=(M.QUEUED, M.CLAIMED))
    return rows.select_related("stage__tournament").order_by("pk").first()


@dataclass(frozen=True, slots=True)
class Prospect:
    """What stands between the active version of a bot and the official ladders; `why` is "" if nothing does.

    why: "suspended", "policy" (its owner keeps it out), "rules" (no ladder is played by rules that it plays), "clock"
    (those that are have another one). clock: the name of the version's; played: of that of the ladders.
    """

    why: str = ""
    clock: str = ""
    played: str = ""


def prospect_of(bot: Bot) -> Prospect:
    """Return what official ladders make of a bot that has an active version, read with its policy. One query."""
    version, policy = bot.active_version, getattr(bot, "policy", None)
    if version is None:
        raise ValueError("a bot without an active version plays nowhere")
    if bot.suspended_at is not None or version.benched_at is not None:
        return Prospect("suspended")
    if policy is not None and not policy.in_ladders:
        return Prospect("policy")
    clocks = [clock_of(stage) for stage in house.running().filter(preset__in=version.plays)]
    if not clocks:
        return Prospect("rules")
    if any(suits(CLOCKS[version.clock], clock) for clock in clocks):
        return Prospect()
    longest = max(clocks, key=lambda clock: clock.match_ms)
    return Prospect("clock", clock=str(NAMES[version.clock]), played=str(NAMES[longest.id]))


def _versions(bot: Bot, viewer: User | None) -> list[BotVersion]:
    """Return all versions, the newest first, each with the ids of its newest matches as `lately`: found by an index."""
    seats = Seat.objects.filter(~Q(outcome=Seat.Outcome.OPEN), bot_version=OuterRef("pk"), match__state=M.CONFIRMED)
    lately = seats.filter(_named(bot, viewer, "match__")).order_by(NEWEST).values(it=F("match_id"))
    active = bot.active_version
    rows = (
        versions_of(bot, bot.owner)
        .select_related(None)
        .select_related("publication")
        .annotate(lately=Listed(lately[: _of_each(bot) + 1]))
    )
    if active is not None and active.benched_at is not None:
        rows = rows.annotate(came_back=last_return(active))
    found: list[BotVersion] = list(rows[:VERSIONS])
    for version in found:
        version.bot = bot
    return found


def _of_each(bot: Bot) -> int:
    """Return how many matches are looked for of each version: of very many versions each is a step in the index."""
    return max(MATCHES, RECORD // (bot.active_version.n if bot.active_version is not None else VERSIONS))


def _is_cut(bot: Bot, versions: Sequence[BotVersion]) -> bool:
    return any(len(vars(version)["lately"]) > _of_each(bot) for version in versions)


def _lately(versions: Sequence[BotVersion]) -> list[int]:
    """Return the keys of the newest matches, the newest first. versions: of `_versions`."""
    return sorted({pk for version in versions for pk in vars(version)["lately"]}, reverse=True)


def suspensions_of(bot: Bot, versions: Sequence[BotVersion]) -> list[SuspensionLine]:
    """Return the active version of a bot, if it is suspended. versions: of its page. No query."""
    active = next((each for each in versions if each.pk == bot.active_version_id), None)
    if active is None or bot.suspended_at is not None:
        return []
    return suspension_line(active, vars(active).get("came_back"))


def _matches(bot: Bot, lately: Sequence[int], viewer: User | None, limit: int) -> list[Match]:
    """Return what it plays now, then the newest of what it played. lately: their keys."""
    now = Match.objects.filter(_named(bot, viewer), seats__bot_version__bot=bot, state=M.CLAIMED)
    shown = Match.objects.filter(pk__in=lately).values("pk").union(now.values("pk"))
    rows = Match.objects.filter(pk__in=shown).select_related("stage__tournament")
    rows = rows.order_by(F("finished_at").desc(nulls_first=True), "-id")
    seats = seats_named()
    seats.queryset = seats.queryset.only(*OF_SEAT) if seats.queryset is not None else None
    return list(rows.only(*OF_MATCH).prefetch_related(seats)[:limit])


def _of_bot(bot: Bot, viewer: User | None, prefix: str) -> Q:
    """Select as `named_to` does for the events that a bot is in; its owner, an entrant of each, is not asked for."""
    if viewer is None or viewer.pk != bot.owner_id:
        return named_to(viewer, prefix)
    role = Exists(Role.objects.filter(tournament=OuterRef(f"{prefix}pk"), user=viewer))
    return ~Q(**{f"{prefix}state": Tournament.State.DRAFT}) | Q(role)


def _named(bot: Bot, viewer: User | None, prefix: str = "") -> Q:
    """Select matches that the page may name: comparisons have pages of their own."""
    return _of_bot(bot, viewer, f"{prefix}stage__tournament__") & ~Q(**{f"{prefix}stage__kind__in": experiments()})


@dataclass(frozen=True, slots=True)
class TimeUse:
    """Processor time of a bot in each of that many matches, in words. middle: half of them took less."""

    matches: int
    middle: str
    most: str


def time_use(bot: Bot, matches: Sequence[Match]) -> TimeUse | None:
    """Return the time use in the matches of a bot's page, whose seats are at hand; None if none was measured.

    No query.
    """
    seats = [seat for match in matches for seat in match.seats.all() if seat.cpu_ms is not None]
    own = [seat for seat in seats if seat.bot_version is not None and seat.bot_version.bot_id == bot.pk]
    taken = [seat.cpu_ms or 0 for seat in own]
    if not taken:
        return None
    return TimeUse(len({seat.match_id for seat in own}), duration(round(median(taken))), duration(max(taken)))


@dataclass(frozen=True, slots=True)
class PersonPage:
    """A person's public page.

    bots: with `entries_n`, the first by name, of these the best rated first; has_many: they have more than a thousand.
    organised: public tournaments they run.
    ratings: of events that count for them, where they claimed their entry. medals: of their bots in official ladders.
    is_player: they claimed an entry or sat at a table. plays: that, or they have a bot, so they may be in events.
    """

    person: User
    bots: Sequence[Bot]
    has_many: bool
    organised: Sequence[Tournament]
    ratings: Sequence[PersonRating]
    medals: Sequence[LadderMedal]
    plays: bool
    is_player: bool


def person_page(username: str) -> PersonPage:
    """Read the page. Raises User.DoesNotExist. Five queries; three of somebody without bots."""
    beyond = Subquery(Bot.objects.filter(owner=OuterRef("pk")).order_by().values("pk")[MAXIMUM : MAXIMUM + 1])
    has_bots = Exists(Bot.objects.filter(owner=OuterRef("pk")))
    is_player = Exists(Player.objects.filter(user=OuterRef("pk")))
    people = User.objects.annotate(beyond=beyond, has_bots=has_bots, is_player=is_player)
    person = people.get(username=username, is_active=True)
    shown = _bots_of(person) if vars(person)["has_bots"] else []
    theirs = Exists(Role.objects.filter(tournament=OuterRef("pk"), user=person))
    organised = list(with_winner(with_figures(listed(None).filter(theirs))).order_by("-id")[:MAX_ORGANISED])
    medals = medals_of_person(person) if shown else []
    is_player = vars(person)["is_player"]
    plays, has_more = bool(shown) or is_player, person.beyond is not None
    return PersonPage(person, shown, has_more, organised, ratings_of(person), medals, plays, is_player)


def _bots_of(person: User) -> list[Bot]:
    """Return somebody's bots, the best rated first, each with `entries_n`; `firsts_n`, how often it is or was first in
    a public event; `rating`, its best one on a leaderboard, None without one.
    """
    first = Standing.objects.filter(named_to(None, "entry__tournament__"), entry__player__bot=OuterRef("pk"))
    first = first.filter(after_round=0, rank=1, entry__tournament__is_challenge=False).order_by()
    firsts = Subquery(first.values("entry__player__bot").annotate(n=Count("entry", distinct=True)).values("n"))
    of_emblem = ("emblem_card", "emblem_colour")
    bots = Bot.objects.filter(owner=person).select_related("active_version")
    bots = bots.only("slug", "name", *of_emblem, "active_version__n", "active_version__plays")
    bots = with_figures_of_bots(bots).annotate(firsts_n=Coalesce(firsts, 0))
    found = rated(bots.order_by(ByName("name"), "pk")[:MAX_BOTS])
    return sorted(found, key=lambda bot: -vars(bot)["best"]["value"] if vars(bot)["best"] else math.inf)


def latest_in(events: Sequence[Tournament], *, limit: int = LATEST) -> list[Match]:
    """Return the matches that finished last in these events, each with its seats. Two queries."""
    of_events = Q(stage__tournament__in=[event.pk for event in events])
    rows = Match.objects.filter(of_events, state=M.CONFIRMED).select_related("stage__tournament")
    return list(rows.order_by("-finished_at", "-id").prefetch_related(seats_named())[:limit])


def entered_by(user: User) -> list[Tournament]:
    """Return the events a person's bots are entered in, the newest. One query."""
    entered = Exists(
        Entry.objects.filter(player__bot__owner=user, tournament=OuterRef("pk")).exclude(state=Entry.State.WITHDRAWN)
    )
    rows = Tournament.objects.filter(visible_to(user)).filter(entered).filter(is_challenge=False)
    return list(with_figures(rows).order_by("-id")[:30])
