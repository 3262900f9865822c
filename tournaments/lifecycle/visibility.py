"""Tournaments as their pages show them, and the rules for who may see them; lists of them: `people.event_lists`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Case, CharField, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum, Value, When
from django.db.models.functions import Concat
from django.utils import timezone

from accounts.models import User
from bots.models import Channel
from tournaments.models import (
    Entry,
    EntryTally,
    Follow,
    Invitation,
    Match,
    MatchTally,
    Role,
    Round,
    SeasonEvent,
    Stage,
    Tournament,
)
from tournaments.models.entrant import IN_PLAY_FIRST

T = Tournament.State
LIVE = (T.RUNNING, T.PAUSED)
SOON = (T.PUBLISHED, T.REGISTRATION)
PAST = (T.FINISHED, T.ARCHIVED, T.CANCELLED)
ORGANISERS = (Role.Kind.OWNER.value, Role.Kind.DIRECTOR.value)
IN_PLAY = (Entry.State.ENTERED, Entry.State.ACTIVE)
# An invitation shows its event while it waits for an answer, too: people look before they accept.
INVITED = (Invitation.State.OPEN, Invitation.State.ACCEPTED)
# Columns of an entry's event from which pages work out its state.
OF_STATE = ("tournament__state", "tournament__entries_close_at")


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of the matches of a tournament. `total` leaves cancelled ones out."""

    total: int = 0
    done: int = 0
    playing: int = 0
    queued: int = 0
    quarantined: int = 0

    @property
    def percent(self) -> int:
        """Finished matches in whole percent, rounded down."""
        return self.done * 100 // self.total if self.total else 0


@dataclass(frozen=True, slots=True)
class ToCome:
    """Rounds and stages to come.

    rounds: of the stage that is on; is_open: as many as it takes; stages: after it.
    """

    rounds: int = 0
    is_open: bool = False
    stages: tuple[Stage, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.rounds or self.is_open or self.stages)


@dataclass(frozen=True, slots=True)
class EventPage:
    """The values that every page of one tournament shares.

    all_roles: every role of the viewer; version: the newest number of its live channel. stages: the whole chain;
    stage: the one that is shown. called_off: stages that were called off and are to be read only. in_season: whether a
    season has the event, or asks for it.
    """

    event: Tournament
    stage: Stage
    all_roles: frozenset[str]
    following: bool
    entered: int
    version: int
    progress: Progress
    stages: tuple[Stage, ...] = ()
    called_off: tuple[Stage, ...] = ()
    in_season: bool = False

    @property
    def roles(self) -> frozenset[str]:
        """The viewer's roles as far as they organise."""
        return self.all_roles.intersection(ORGANISERS)

    @property
    def may_score(self) -> bool:
        """True if the viewer has any role, and so may enter results."""
        return bool(self.all_roles)

    @property
    def to_come(self) -> ToCome:
        """Rounds and stages that are still to be drawn while the event is on."""
        drawn = shown_stage(self.stages, "")
        if self.event.state not in LIVE or drawn is None:
            return ToCome()
        later = tuple(stage for stage in self.stages if stage.state == Stage.State.PLANNED)
        is_on = drawn.state == Stage.State.ACTIVE
        rounds = drawn.rounds_planned - rounds_of(drawn) if is_on and drawn.format.is_round_by_round else 0
        return ToCome(max(0, rounds), is_on and drawn.format.ranks_by_bracket, later)

    @property
    def expected(self) -> int:
        """Number of matches there will be in all, by the rounds so far; 0 where that is not known."""
        to_come, first = self.to_come, self.stages[0]
        if to_come.is_open or to_come.stages or (to_come.rounds and len(self.stages) > 1):
            return 0
        if not to_come.rounds:
            return self.progress.total
        # By the rounds that are drawn: each later one is taken to be as large as they are on average.
        return -(-self.progress.total * first.rounds_planned // rounds_of(first)) if rounds_of(first) else 0

    @property
    def percent(self) -> int:
        """Finished matches in whole percent of those expected, rounded down."""
        return self.progress.done * 100 // self.expected if self.expected else 0

    @property
    def is_quiet(self) -> bool:
        """True while no worker plays here; people play without one."""
        return not (self.progress.playing or self.event.is_of_people)

    @property
    def is_organiser(self) -> bool:
        """True if the viewer may start, pause and cancel."""
        return bool(self.roles)

    @property
    def has_bracket(self) -> bool:
        """True if one of its stages is a bracket."""
        return any(stage.format.is_bracket for stage in self.stages)

    @property
    def is_live(self) -> bool:
        """True while the page should follow its channel."""
        return self.event.state in (*SOON, *LIVE)

    @property
    def is_open_ladder(self) -> bool:
        """True while it is a ladder that runs: bots come and go until its time is up."""
        stage = self.stage
        goes_on = self.event.state in (T.RUNNING, T.PAUSED) and stage.state == Stage.State.ACTIVE
        return stage.format.is_always_open and goes_on and (stage.ends_at is None or stage.ends_at > timezone.now())

    @property
    def takes_entries(self) -> bool:
        """True while a bot may be entered: entries are open and their hour has not come; in a ladder as it runs."""
        if self.is_open_ladder:
            return True
        return self.event.has_open_entries

    @property
    def secret(self) -> str:
        """The stage's secret as hex once the stage is closed, empty before."""
        return revealed_secret(self.stage)

    @property
    def earlier(self) -> tuple[tuple[str, str], ...]:
        """(commitment, secret as hex) of secrets that this stage had before."""
        return earlier_secrets(self.stage)

    @property
    def mix(self) -> str:
        """The entrants' texts as mixed into every seed, hex; empty before the draw."""
        return bytes(self.stage.mix or b"").hex()

    @property
    def channels(self) -> str:
        """The channels to follow with the version this page shows; empty after the last change."""
        return f"{self.event.channel}@{self.version}" if self.is_live else ""


def revealed_secret(stage: Stage) -> str:
    """Return a stage's secret as hex once it is closed, empty before."""
    is_revealed = stage.revealed_at is not None and stage.state in (Stage.State.CLOSED, Stage.State.VOID)
    return bytes(stage.secret or b"").hex() if is_revealed else ""


def earlier_secrets(stage: Stage) -> tuple[tuple[str, str], ...]:
    """Return (commitment, secret as hex) of those public before the stage was over. No query where there is none."""
    # `lots_seed` is set with the first earlier secret, so it says without a query that there is one.
    if not stage.lots_seed:
        return ()
    rows = stage.earlier_secrets.order_by("number")
    return tuple((row.commitment, bytes(row.secret).hex()) for row in rows)


def visible_to(viewer: User | None, prefix: str = "") -> Q:
    """Filter the tournaments a viewer may open: never another's draft; a private one only as organiser, entrant or
    invited.
    """
    return _open_to(viewer, prefix, ~Q(**{f"{prefix}visibility": Tournament.Visibility.PRIVATE}))


def named_to(viewer: User | None, prefix: str = "") -> Q:
    """Filter those that pages about something else may name: public ones, and those the viewer runs, has entered or is
    invited to.
    """
    return _open_to(viewer, prefix, Q(**{f"{prefix}visibility": Tournament.Visibility.PUBLIC}))


def _open_to(viewer: User | None, prefix: str, to_all: Q) -> Q:
    """Filter those open to all, and those the viewer runs, has entered or is invited to; drafts only for those who run
    them.
    """
    is_published = ~Q(**{f"{prefix}state": T.DRAFT})
    if viewer is None:
        return is_published & to_all
    # EXISTS instead of joins: a person with two roles, or three bots in it, would give the row several times.
    mine = Exists(Role.objects.filter(tournament=OuterRef(f"{prefix}pk"), user=viewer))
    entered = Exists(Entry.objects.filter(tournament=OuterRef(f"{prefix}pk"), player__bot__owner=viewer))
    invited = invited_to(viewer, f"{prefix}pk")
    return (is_published & to_all) | Q(mine) | (is_published & (Q(entered) | Q(invited)))


def invited_to(viewer: User, event: str, states: Sequence[str] = INVITED) -> Exists:
    """Ask whether the viewer holds an invitation to an event. event: the path to its key."""
    return Exists(Invitation.objects.filter(tournament=OuterRef(event), user=viewer, state__in=states))


def sum_of(rows: QuerySet[EntryTally] | QuerySet[MatchTally], group: str) -> Subquery:
    """Add up the tallies of a group of rows, in the query of what they belong to."""
    # order_by() empties the order: a default order would join the columns of GROUP BY and split the sum.
    return Subquery(rows.order_by().values(group).annotate(total=Sum("n")).values("total"))


def version_at(slug: str = "slug") -> Subquery:
    """Read the newest version of an event's live channel in the query of a row, so that it is no newer than the row.

    slug: the path from the row to the event's address.
    """
    name = Concat(Value(_channel("")), OuterRef(slug), output_field=CharField())
    return Subquery(Channel.objects.filter(name=name).values("version")[:1])


def each_first(condition: Q) -> Case:
    """Order by a condition: rows for which it holds come first."""
    return Case(When(condition, then=Value(0)), default=Value(1))


def event_page(slug: str, viewer: User | None, *, stage: str = "", is_guest: bool = False) -> EventPage:
    """Read everything about one tournament that its pages share, in two queries.

    stage: the number of the one to show; "" the last one that was drawn. is_guest: the viewer is an entrant by their
    private link or a slip, so a private event is shown to them; a draft is not.
    Raises Tournament.DoesNotExist when there is none, no such stage, or the viewer may not know of it.
    """
    # A guest has no account to ask roles of: their link was checked before, and opens what is not a draft.
    seen = ~Q(tournament__state=T.DRAFT) if is_guest else visible_to(viewer, "tournament__")
    found = tuple(_stages(Stage.objects.filter(seen, tournament__slug=slug), slug, viewer))
    chain = tuple(each for each in found if each.state != Stage.State.VOID)
    shown = shown_stage(found if stage else chain, stage)
    if shown is None:
        raise Tournament.DoesNotExist(slug)
    return EventPage(
        event=shown.tournament,
        stage=shown,
        all_roles=frozenset(kind for kind in Role.Kind if getattr(shown, f"is_{kind}", False)),
        following=bool(getattr(shown, "following", False)),
        entered=getattr(shown, "entered", 0) or 0,
        version=getattr(shown, "channel_version", 0) or 0,
        progress=progress_of(shown.tournament_id),
        stages=chain,
        called_off=tuple(each for each in found if each.state == Stage.State.VOID),
        in_season=bool(getattr(shown, "in_season", False)),
    )


def _stages(rows: QuerySet[Stage], slug: str, viewer: User | None) -> QuerySet[Stage]:
    """Return the stages of one tournament, in order, with what its pages share."""
    drawn = Round.objects.filter(stage=OuterRef("pk")).exclude(state=Round.State.DRAFT)
    entered = EntryTally.objects.filter(tournament=OuterRef("tournament"), state__in=IN_PLAY)
    return (
        rows.select_related("tournament__created_by", "tournament__prize_settings", "ruleset")
        .annotate(
            entered=sum_of(entered, "tournament"),
            # In the query of the page: a change after it has a higher version, so the browser fetches again and nothing
            # is missed.
            channel_version=Subquery(Channel.objects.filter(name=_channel(slug)).values("version")[:1]),
            rounds_n=Subquery(drawn.order_by("-number").values("number")[:1]),
            in_season=Exists(SeasonEvent.objects.filter(tournament=OuterRef("tournament"))),
            **_of_viewer(viewer),
        )
        .order_by("order")
    )


def rounds_of(stage: Stage) -> int:
    """Return how many rounds of a stage of an `EventPage` are drawn."""
    return getattr(stage, "rounds_n", 0) or 0


def shown_stage(stages: Sequence[Stage], wanted: str) -> Stage | None:
    """Return the stage asked for, else the last one that was drawn, else the first."""
    if wanted:
        return next((stage for stage in stages if str(stage.order) == wanted), None)
    drawn = [stage for stage in stages if stage.state != Stage.State.PLANNED]
    return drawn[-1] if drawn else next(iter(stages), None)


def _channel(slug: str) -> str:
    return Tournament(slug=slug).channel


def _of_viewer(viewer: User | None) -> dict[str, Exists]:
    """Return what depends on who looks; nothing is asked for a stranger."""
    if viewer is None:
        return {}
    here = {"tournament": OuterRef("tournament"), "user": viewer}
    roles = {f"is_{kind}": Exists(Role.objects.filter(role=kind, **here)) for kind in Role.Kind}
    return {"following": Exists(Follow.objects.filter(**here)), **roles}


def progress_of(tournament_id: int) -> Progress:
    """Return how far its matches are; one query, of stored sums."""
    rows = MatchTally.objects.filter(stage__tournament=tournament_id).order_by()
    return progress(dict(rows.values_list("state").annotate(total=Sum("n"))))


def progress(by_state: Mapping[str, int]) -> Progress:
    """Return the same from counts by state."""
    M = Match.State
    return Progress(
        total=sum(by_state.values()) - by_state.get(M.VOID, 0),
        done=by_state.get(M.CONFIRMED, 0),
        playing=by_state.get(M.CLAIMED, 0) + by_state.get(M.PLAYING, 0),
        queued=by_state.get(M.QUEUED, 0),
        quarantined=by_state.get(M.QUARANTINED, 0),
    )


def entries_of(event: Tournament) -> QuerySet[Entry]:
    """Return its entries with what a row shows: bot, owner, version; in play first, then by seed and time."""
    rows = Entry.objects.filter(tournament=event)
    return rows.select_related("player__bot__owner", "player__bot__active_version", "bot_version").order_by(
        # Written as the index `entry_order` has it; NULL last, as PostgreSQL sorts it, on SQLite too.
        IN_PLAY_FIRST,
        F("seed").asc(nulls_last=True),
        "id",
    )
