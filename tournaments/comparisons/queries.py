"""Comparisons of two versions as their pages show them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.db.models import F, Prefetch, Q, QuerySet, Sum

from accounts.models import User
from bots.models import Bot, BotVersion
from core.statistics import Estimate, bounds
from core.statistics.stopped import elo_of
from tournaments.lifecycle.display_names import versions_named
from tournaments.lifecycle.visibility import Progress, progress_of, version_at
from tournaments.models import Challenge, ChallengeSet, Match, MatchTally, Stage
from tournaments.models.challenge import RUNNING_FIRST

SIDES = ("candidate", "reference")
DECISIVE = 8
# The score of two that are equally strong: 0 Elo.
EVEN = 0.5
# Points of a course that are read, about; there are fewer than twice as many.
POINTS = 400
# Columns that lines of lists show; nothing else is read of the wide rows beside them.
LINE = (
    *(field.name for field in Challenge._meta.concrete_fields),
    *(f"by__{name}" for name in ("username", "display_name")),
    *(f"stage__{name}" for name in ("preset", "seats_pref", "tournament__slug")),
)
SHOWN = ("candidate__bot__owner", "reference__bot__owner", "by", "stage__tournament", "stage__ruleset")
# Thousandths from even: half a pair.
WORTH_SHOWING = 250


@dataclass(frozen=True, slots=True)
class DecisiveSet:
    """A deal set that decided much, with its matches leg by leg."""

    row: ChallengeSet
    matches: tuple[Match, ...]

    @property
    def share(self) -> Fraction:
        """Score of the candidate, from 0 to 1."""
        return Fraction(self.row.score)

    @property
    def is_won(self) -> bool:
        """True where it went to the candidate."""
        return 2 * self.share > 1

    @property
    def points(self) -> tuple[Fraction, Fraction]:
        """Points of the better and of the other, a match won being 1, in a deal set of a pair of matches."""
        own = 2 * self.share
        return max(own, 2 - own), min(own, 2 - own)

    @property
    def percent(self) -> float:
        """Score of the better one, in percent."""
        return float(max(self.share, 1 - self.share)) * 100


@dataclass(frozen=True, slots=True)
class SeatLine:
    """Scores of both from one side of the table, in percent of the maximum; None before the first match."""

    number: int
    candidate: float | None
    reference: float | None


@dataclass(frozen=True, slots=True)
class ChallengePage:
    """One comparison with what its page shows. points: (deal set, log likelihood ratio after it) from (0, 0) on."""

    challenge: Challenge
    progress: Progress
    version: int
    points: Sequence[tuple[int, float]]
    decisive: Sequence[DecisiveSet]

    @property
    def is_running(self) -> bool:
        """True while it goes on."""
        return self.challenge.state == Challenge.State.RUNNING

    @property
    def has_begun(self) -> bool:
        """True once a match of it was claimed."""
        return bool(self.progress.done or self.progress.playing)

    @property
    def channels(self) -> str:
        """The channel to follow; empty after the last change."""
        return f"{self.challenge.stage.tournament.channel}@{self.version}" if self.is_running else ""

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds of the log likelihood ratio."""
        return bounds(self.challenge.alpha, self.challenge.beta)

    @property
    def estimate(self) -> Estimate | None:
        """The strength of the candidate; None before the second deal set."""
        return Estimate(*self.challenge.estimate) if self.challenge.estimate else None

    @property
    def counted(self) -> int:
        """Number of matches in the deal sets that were judged."""
        return sum(row[1] + row[3] for row in self.challenge.split)

    @property
    def uncounted(self) -> int:
        """Number of matches that were finished but are in no deal set that was judged."""
        return max(0, self.progress.done - self.counted)

    @property
    def side_of_zero(self) -> int:
        """1 where the whole interval of the strength lies above 0 Elo, −1 where below, else 0."""
        found = self.estimate
        return 0 if found is None else (found.low > EVEN) - (found.high < EVEN)

    @property
    def pairs(self) -> list[int]:
        """Numbers of pairs of legs that were lost, even, won; empty at larger tables."""
        counts = self.challenge.counts
        return [sum(counts[:2]), counts[2], sum(counts[3:])] if len(counts) == 5 else []

    @property
    def seats(self) -> list[SeatLine]:
        """Scores of both from every side of the table."""
        rows = self.challenge.split
        if len(rows) == 2:  # one of them sits opposite the other: what one scored there the other did not
            own = [_percent(row[0], row[1], 2) for row in rows]
            rest = [None if each is None else 100 - each for each in own]
            return [SeatLine(1, own[0], rest[1]), SeatLine(2, own[1], rest[0])]
        return [
            SeatLine(number, _percent(row[0], row[1], len(rows)), _percent(row[2], row[3], len(rows)))
            for number, row in enumerate(rows, 1)
        ]


def _percent(points: int, matches: int, sides: int) -> float | None:
    return 100 * points / (matches * 2 * (sides - 1)) if matches else None


def listed(viewer: User | None, *, whose: str = "", words: str = "") -> QuerySet[Challenge]:
    """Return comparisons that lists name: those of bots of two owners, and the viewer's own. Running ones first.

    whose: "mine" for those the viewer asked for or whose bots are in them. words: in the name of either bot.
    """
    public = Q(of_two_owners=True)
    wanted = public if viewer is None else (_own(viewer) if whose == "mine" else public | Q(by=viewer))
    rows = Challenge.objects.filter(wanted)
    if words:
        rows = rows.filter(_of_bots(words))
    versions = BotVersion.objects.select_related("bot").only("n", "bot__name", "bot__slug")
    sides = [Prefetch(side, versions) for side in SIDES]  # joined, planning took most of the time
    rows = rows.select_related("by", "stage__tournament").only(*LINE).prefetch_related(*sides)
    return rows.order_by(RUNNING_FIRST, "-id")


def matches_compared(bot: Bot, viewer: User | None) -> int:
    """Count the finished matches of a bot in comparisons, as far as lists name these to the viewer. One query."""
    # Each side is found by an index of its own.
    candidate, reference = (Challenge.objects.filter(**{f"{side}__bot": bot}).values("pk") for side in SIDES)
    public = Q(of_two_owners=True)
    named = Challenge.objects.filter(pk__in=candidate.union(reference))
    named = named.filter(public if viewer is None else public | Q(by=viewer))
    done = MatchTally.objects.filter(stage__in=named.values("stage"), state=Match.State.CONFIRMED)
    return done.aggregate(total=Sum("n"))["total"] or 0


def _own(viewer: User) -> Q:
    """Select those that they asked for or whose bots are in them, each kind found by an index of its own."""
    kinds = (Q(by=viewer), Q(candidate__bot__owner=viewer), Q(reference__bot__owner=viewer))
    asked, *others = (Challenge.objects.filter(kind).values("pk") for kind in kinds)
    return Q(pk__in=asked.union(*others))


def _of_bots(words: str) -> Q:
    """Select those of bots with these words in their name."""
    named = versions_named(words)
    if named is None:
        return Q(candidate__bot__name__holds=words) | Q(reference__bot__name__holds=words)
    return Q(candidate__in=named) | Q(reference__in=named)


def challenge_of(uuid: UUID) -> Challenge:
    """Return one of them: anyone who has its address may look. Raises Challenge.DoesNotExist."""
    rows = Challenge.objects.annotate(channel_version=version_at("stage__tournament__slug"))
    return rows.select_related(*SHOWN).get(uuid=uuid)


def challenge_at(stage: Stage) -> UUID:
    """Return the address of the comparison whose matches a stage holds."""
    return Challenge.objects.values_list("uuid", flat=True).get(stage=stage)


def challenge_page(uuid: UUID) -> ChallengePage:
    """Read everything its page shows, in five queries. Raises Challenge.DoesNotExist."""
    challenge = challenge_of(uuid)
    return ChallengePage(
        challenge=challenge,
        progress=progress_of(challenge.stage.tournament_id),
        version=getattr(challenge, "channel_version", None) or 0,
        points=_course(challenge),
        decisive=_decisive(challenge),
    )


def _course(challenge: Challenge) -> list[tuple[int, float]]:
    """Return (deal set, ratio after it), from (0, 0): all of them, or about POINTS of them evenly, and the last one."""
    last = challenge.judged + challenge.skipped
    rows = challenge.sets.alias(rest=F("number") % max(1, last // POINTS)).filter(rest=0).order_by("number")
    points = [(0, 0.0), *rows.values_list("number", "llr")]
    return points if points[-1][0] == last else [*points, (last, challenge.llr)]


def _decisive(challenge: Challenge) -> list[DecisiveSet]:
    rows = list(challenge.sets.filter(weight__gte=WORTH_SHOWING).order_by("-weight", "-number")[:DECISIVE])
    matches: dict[int | None, list[Match]] = defaultdict(list)
    for match in Match.objects.filter(deal_set__in=[row.deal_set_id for row in rows]).order_by("leg"):
        matches[match.deal_set_id].append(match)
    return [DecisiveSet(row, tuple(matches[row.deal_set_id])) for row in rows]


def data_rows(challenge: Challenge) -> Iterator[dict[str, Any]]:
    """Yield every deal set that was judged, for a file. Two queries."""
    matches: dict[int | None, list[str]] = defaultdict(list)
    legs = Match.objects.filter(stage=challenge.stage_id).order_by("deal_set", "leg")
    for deal_set, uuid in legs.values_list("deal_set", "uuid"):
        matches[deal_set].append(str(uuid))
    for row in challenge.sets.select_related("deal_set").order_by("number"):
        yield {
            "number": row.number,
            "deal_set": str(row.deal_set.uuid),
            "score": row.score or None,
            "llr": row.llr,
            "candidate_forfeits": row.candidate_forfeits,
            "reference_forfeits": row.reference_forfeits,
            "matches": matches[row.deal_set_id],
        }


def document_of(challenge: Challenge) -> dict[str, Any]:
    """Return the whole comparison as data."""
    lower, upper = bounds(challenge.alpha, challenge.beta)
    sides = {name: getattr(challenge, name) for name in SIDES}
    named = {name: {"version": str(version), "hash": version.hash} for name, version in sides.items()}
    hypotheses = {name: getattr(challenge, name) for name in ("elo0", "elo1", "alpha", "beta")}
    estimate = dict(zip(("score", "low", "high"), challenge.estimate, strict=False))
    if estimate:
        estimate |= {"elo": elo_of(estimate["score"])}
    return {
        "challenge": str(challenge.uuid),
        **named,
        "preset": challenge.stage.preset,
        "seats": challenge.stage.seats_pref,
        "commitment": challenge.stage.commitment,
        "hypotheses": {**hypotheses, "model": "logistic", "lower": lower, "upper": upper},
        "cap": challenge.cap,
        "state": challenge.state,
        "reason": challenge.reason,
        "llr": challenge.llr,
        "judged": challenge.judged,
        "skipped": challenge.skipped,
        "counts": challenge.counts,
        "estimate": estimate,
        "deal_sets": list(data_rows(challenge)),
    }


def own_versions(owner: User) -> QuerySet[BotVersion]:
    """Return the versions of a person's bots that can be compared, the newest of each bot first."""
    rows = BotVersion.objects.filter(bot__owner=owner, state=BotVersion.State.READY, benched_at=None, hidden_at=None)
    return rows.select_related("bot").order_by("bot__name", "-n")


def rival(slug: str, viewer: User) -> BotVersion | None:
    """Return the version that a bot of somebody else would be challenged with."""
    rows = BotVersion.objects.filter(active_in__slug=slug).exclude(bot__owner=viewer)
    return rows.select_related("bot__owner").first()
