"""`hanami play`: matches at the table of the service, and a table of results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.box import SIMPLE_HEAD
from rich.table import Table

from bots.runner.player import Launcher
from kit.again import play_again
from kit.command import pairs, some_seed, warn_if, with_contest, with_output, with_unsafe
from kit.contest import Contest, ContestSettings, arrange
from kit.errors import BadCall
from kit.home import MARK, Home
from kit.launching import launcher
from kit.output import Output
from kit.players import Player, named_apart, player
from kit.playing import SetPlayed, play_sets, processors
from kit.tally import Row, rows_of

OPPONENT = "house:greedy"


@click.command(short_help="Play matches and count them.")
@click.argument("bots", nargs=-1)
@click.option("--deals", type=click.IntRange(1), default=100, show_default=True, help="Deal sets: one seed each.")
@click.option("--duplicate", is_flag=True, help="Play each deal set from every seating, so all get the same cards.")
@click.option("--records", type=click.Path(path_type=Path), help="A folder for the record of every match.")
@click.option("--like", type=click.Path(path_type=Path, exists=True), help="Play the match of this record again.")
@with_contest
@with_unsafe
@with_output
def play(
    out: Output, bots: tuple[str, ...], *, like: Path | None, unsafe: bool, records: Path | None, **wished: Any
) -> int:
    """Play BOTS against each other: folders, .py or .zip files, house:greedy and the like, v7 for what you sent.

    Without any: the bot of this folder against house:greedy. The first bot sits alone; the other
    bots fill the remaining seats.
    """
    players = players_of(bots)
    with launcher(unsafe=unsafe) as plays:
        warn_if(unsafe, out)
        if records is not None:
            store_at_home(records)
        if like is not None:
            return play_again(out, like, players, plays, records)
        contest = arrange(players, settings_of(wished))
        found = run(out, contest, plays, jobs=wished["jobs"], unsafe=unsafe, records=records)
    report(out, contest, found)
    # Only a forfeit of one's own bot is a failure of this command: losing is not, nor is a house bot's forfeit.
    return 1 if any(found.rows[at].codes for at, one in enumerate(players) if one.local is not None) else 0


def players_of(words: Sequence[str]) -> list[Player]:
    """Return who is meant; alone, or nobody, gets the house's greedy bot for company."""
    given = list(words) or ["."]
    return [player(word) for word in (given if len(given) > 1 else [*given, OPPONENT])]


def settings_of(options: dict[str, Any]) -> ContestSettings:
    """The options of a contest as they were typed."""
    return ContestSettings(
        deals=options["deals"],
        seed=some_seed(options["seed"]),
        duplicate=options.get("duplicate", True),
        both_alone=options.get("both_alone", False),
        preset=options["preset"],
        seats=options["seats"],
        rounds=options["rounds"],
        clock=options["clock"],
        options=pairs(options["options"]),
    )


@dataclass(frozen=True, slots=True)
class Found:
    """The deal sets that were played. stopped: Ctrl-C ended it early. failures: (id, code, player) of those that
    were kept.
    """

    sets: list[SetPlayed]
    rows: list[Row]
    stopped: bool
    failures: list[tuple[str, str, int]]


def run(
    out: Output, contest: Contest, plays: Launcher, *, jobs: int | None, unsafe: bool, records: Path | None = None
) -> Found:
    """Play all deal sets with a progress bar.

    Ctrl-C keeps what was played; before the first deal set it ends the command.
    """
    sets: list[SetPlayed] = []
    stopped = False
    count = jobs or processors()
    with out.progress(f"{contest.preset}, {contest.seats} seats", contest.sets) as advance:
        try:
            for played in play_sets(contest, plays, jobs=count, unsafe=unsafe, records=records):
                sets.append(played)
                advance()
        except KeyboardInterrupt:
            stopped = True
            # Nothing was counted: there is no table to show.
            if not sets:
                raise
    # They come as they end; the results must not depend on which process was faster.
    sets.sort(key=lambda one: one.number)
    return Found(sets, rows_of(sets, len(contest.players)), stopped, _save_failures(contest, sets))


def store_at_home(records: Path) -> None:
    """Make the folder; if it lies in a bot's own, it is not uploaded with it. Raises BadCall."""
    if records.exists() and not records.is_dir():
        raise BadCall(f"{records} is a file. --records wants a folder, which is made if it is not there.")
    records.mkdir(parents=True, exist_ok=True)
    # `hanami play . --records records` in a bot's folder would otherwise upload the records with the next version.
    (records / MARK).touch()


def _save_failures(contest: Contest, sets: Sequence[SetPlayed]) -> list[tuple[str, str, int]]:
    """Keep the first failure of each kind of one's own bots."""
    saved: dict[tuple[int, str], str] = {}
    for failure in (failure for played in sets for failure in played.failures):
        who, code = failure["player"], failure["code"]
        local = contest.players[who].local
        if local is not None and (who, code) not in saved:
            saved[who, code] = Home.of(local).save_failure(failure)
    return [(name, code, who) for (who, code), name in saved.items()]


def report(out: Output, contest: Contest, found: Found) -> None:
    """The table of results, how to have it again, and what failed."""
    names = named_apart(list(contest.players))
    out.show(results(contest, names, found.rows))
    if found.stopped:
        out.print(f"Stopped after {len(found.sets)} of {contest.sets} deal sets.", style="yellow")
    count = f"{len(found.sets)} deal set{'s' if len(found.sets) != 1 else ''}"
    seated = " from every seating" if contest.duplicate else ""
    summary = f"{count}{seated}; intervals are 95 %, clustered on the deal set."
    out.print(f"{summary} The same cards again: --seed {contest.seed}")
    for name, code, who in found.failures:
        out.print(f"{names[who]} forfeited: {code}. Look at it:  hanami repro {name}", style="red")
    out.finish(document(contest, names, found))


def document(contest: Contest, names: Sequence[str], found: Found) -> dict[str, Any]:
    """The results for programs."""
    return {
        "ok": not found.failures,
        "preset": contest.preset,
        "ruleset": contest.rules.to_json(),
        "seats": contest.seats,
        "seed": contest.seed,
        "duplicate": contest.duplicate,
        "stopped": found.stopped,
        "counts": contest.counts,
        "results": [row.to_json(name) for name, row in zip(names, found.rows, strict=True)],
        "failures": [{"id": name, "code": code, "player": names[who]} for name, code, who in found.failures],
    }


def results(contest: Contest, names: Sequence[str], rows: Sequence[Row]) -> Table:
    """Return the table of results, one line a player."""
    unit = "victories" if contest.counts == "victories" else "points"
    table = Table(title=f"{contest.preset}, {contest.seats} seats", title_justify="left", box=SIMPLE_HEAD)
    table.add_column("bot", no_wrap=True)
    for column in ("matches", "place share", f"{unit} ahead", "won/even/lost", "ms (most)"):
        table.add_column(column, justify="right", no_wrap=True)
    fails = any(row.codes for row in rows)
    if fails:
        # Only where there are any: the table has to fit a terminal.
        table.add_column("forfeits")
    for name, row in zip(names, rows, strict=True):
        fared = "/".join(str(count) for count in row.fared)
        forfeits = ", ".join(f"{code} {count}" for code, count in row.codes.most_common()) or "none"
        figures = (row.place.text(3), row.lead.text(2, sign=True), fared, f"{row.ms:.2f} ({row.slowest_ms})")
        table.add_row(name, str(row.matches), *figures, *([forfeits] if fails else []))
    return table
