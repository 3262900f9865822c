"""Finished and unfinished matches for the tests of the match page: played by the real engine, written as rows."""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from django.utils import timezone

from accounts.models import User
from bots.models import Blob, Bot, BotVersion
from engine.deck import commitment, match_seed
from engine.games import PRESETS, option_table, ruleset
from engine.match import Match as Game
from engine.record import canonical, write
from tournaments.matches.records.results import body_of
from tournaments.models import DealSet, Entry, Match, Player, ResultReport, Round, Ruleset, Seat, Stage, Tournament

NAMES = ("Plum", "Kiri", "Lani", "Kimo", "Nohea", "Aki & Sons", "Hoku")
SECRET = bytes(range(32))
_number = count(1)


def a_stage(*, seats: int = 2, preset: str = "hawaii", **options: Any) -> Stage:
    """Make a running public event with one stage of this ruleset."""
    n = next(_number)
    owner = User.objects.create_user(f"show{n}", password="plum-blossom-77")
    rules = ruleset(preset, **options)
    row, _new = Ruleset.objects.get_or_create(
        sha256=rules.hash.removeprefix("sha256:"), defaults={"game": rules.game, "canonical": rules.canonical()}
    )
    event = Tournament.objects.create(slug=f"show-{n}", name=f"Show {n}", state="running", created_by=owner)
    return Stage.objects.create(
        tournament=event,
        kind="tables",
        state="active",
        ruleset=row,
        preset=preset,
        seats_min=seats,
        seats_pref=seats,
        seats_max=seats,
        scoring="round_victory" if preset == "paradise" else "cumulative",
        secret=SECRET,
        mix=bytes(32),
        commitment=commitment(SECRET),
    )


def a_match(stage: Stage, *, state: str = "queued", names: Sequence[str] = NAMES, **fields: Any) -> Match:
    """Make a match of the stage with bots on its seats. Its cards are the same in every run of a test."""
    n = next(_number)
    which = f"{stage.preset}/{stage.seats_pref}/{DealSet.objects.count()}"
    deal_set = DealSet(stage=stage, uuid=uuid.uuid5(uuid.NAMESPACE_OID, which))
    deal_set.commit = commitment(match_seed(SECRET, bytes(32), deal_set.uuid.bytes))
    deal_set.save()
    table = Round.objects.get_or_create(stage=stage, number=1, defaults={"state": "playing"})[0]
    match = Match.objects.create(
        stage=stage, round=table, deal_set=deal_set, table_no=n, seats_n=stage.seats_pref, state=state, **fields
    )
    sides = ruleset(stage.preset, **_options(stage)).sides(stage.seats_pref)
    for index in range(stage.seats_pref):
        _sit(match, index, sides[index], names[index], n)
    return match


def _options(stage: Stage) -> dict[str, Any]:
    options: dict[str, Any] = json.loads(stage.ruleset.canonical)["options"]
    return options


def _sit(match: Match, index: int, side: int, name: str, n: int) -> None:
    event = match.stage.tournament
    slug = f"bot-{n}-{index}"
    bot = Bot.objects.create(owner=event.created_by, name=f"{name} {n}", slug=slug)
    version = BotVersion.objects.create(
        bot=bot, n=1, hash=f"{n:032x}{index:032x}", plays=[match.stage.preset], files=[], state="ready",
        source=Blob.objects.put(slug.encode()),
    )  # fmt: skip
    player = Player.objects.create(kind="bot", bot=bot, name=name)
    entry = Entry.objects.create(
        tournament=event, player=player, bot_version=version, state="active", entered_by=event.created_by
    )
    Seat.objects.create(match=match, index=index, side=side, entry=entry, player=player, bot_version=version)


def played(match: Match, *, forfeit: Mapping[str, Any] | None = None) -> Game:
    """Return the match played by the engine: captures where it can, else anything. forfeit: {"deal", "move",
    "code"}.
    """
    stage = match.stage
    assert match.deal_set is not None
    seed = match_seed(SECRET, bytes(32), match.deal_set.uuid.bytes)
    rng = random.Random(str(match.deal_set.uuid))
    game = Game(ruleset(stage.preset, **_options(stage)), match.seats_n, seed)
    while not game.is_over:
        if forfeit and (game.deal, game.move + 1) == (forfeit["deal"], forfeit["move"]):
            game.forfeit(game.seat_to_act, forfeit["code"])
        legal = game.legal_actions()
        gone = any(one.seat == game.seat_to_act for one in game.forfeits)
        takes = [action for action in legal if action.take != -1]
        game.apply(legal[0] if gone else rng.choice(takes or legal))
    return game


def finish(match: Match, *, forfeit: Mapping[str, Any] | None = None) -> Match:
    """Record the result as the pipeline does: report, blob, seats, state; the deal set's seed is revealed."""
    game = played(match, forfeit=forfeit)
    assert match.deal_set is not None
    fair: dict[str, Any] = {"stage": match.stage.commitment, "commit": match.deal_set.commit}
    fair |= {"deal_set": str(match.deal_set.uuid), "leg": match.leg}
    seats = list(match.seats.order_by("index"))
    hashes = [f"sha256:{seat.bot_version.hash}" if seat.bot_version else None for seat in seats]
    document: Any = write(game, match_id=str(match.uuid), fair=fair, bots=hashes, preset=match.stage.preset)
    ResultReport.objects.create(
        match=match, attempt=1, source="record", state="confirmed", body=body_of(document["record"]),
        hash=document["hash"], record=Blob.objects.put(canonical(document)),
    )  # fmt: skip
    _write_seats(seats, game)
    DealSet.objects.filter(pk=match.deal_set.pk).update(revealed_at=timezone.now())
    Match.objects.filter(pk=match.pk).update(state="confirmed", finished_at=timezone.now(), attempt=1)
    return Match.objects.get(pk=match.pk)


def _write_seats(seats: Sequence[Seat], game: Game) -> None:
    result = game.result()
    faults = {one.seat: one for one in game.forfeits}
    for seat in seats:
        seat.raw_points, seat.raw_victories = result.score[seat.side], result.victories[seat.side]
        settled = result.settled()[seat.side]
        seat.points, seat.victories, seat.place = settled.score, settled.victories, result.rank[seat.side]
        seat.cpu_ms = 12 * (seat.index + 1)
        fault = faults.get(seat.index)
        seat.outcome = "forfeit" if fault else "played"
        seat.fault = {"code": fault.code, "deal": fault.deal, "move": fault.move} if fault else None
        seat.save()


def a_finished_match(
    *, seats: int = 2, preset: str = "hawaii", rounds: int = 3, forfeit: Mapping[str, Any] | None = None, **options: Any
) -> Match:
    """Make a finished match in one call. rounds: for games that have a number of deals; others play to their target."""
    if any(info.id == "rounds" for info in option_table(PRESETS[preset].game)):
        options["rounds"] = rounds
    return finish(a_match(a_stage(seats=seats, preset=preset, **options)), forfeit=forfeit)
