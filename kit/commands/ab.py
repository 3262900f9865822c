"""`hanami ab`: is the new version better? Duplicate deals until a sequential test has decided."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any, Final

import click

from core.statistics import Hypotheses, Model, StatisticsError
from kit.command import warn_if, with_contest, with_output, with_unsafe
from kit.commands.play import settings_of
from kit.comparing import Comparison, in_order
from kit.contest import Contest, arrange
from kit.errors import BotFailed
from kit.home import Home
from kit.launching import launcher
from kit.output import Output
from kit.players import named_apart, player
from kit.playing import SetPlayed, play_sets, processors

VERDICTS: Final = {
    "H1": "{new} is better than {old}.",
    "H0": "H0 accepted: {new} is not {elo} Elo better than {old}.",
    "inconclusive": "Not decided: {new} and {old} are too close for so few deal sets.",
}


class Elos(click.ParamType[tuple[float, float]]):
    """`0,20`: not better, better, in Elo."""

    name = "ELO0,ELO1"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        """Return the two numbers. Fails for anything else."""
        first, comma, second = str(value).partition(",")
        try:
            return float(first), float(second if comma else "")
        except ValueError:
            self.fail(f"{value!r}: write it like 0,20", param, ctx)


@click.command(short_help="Is the new one better than the old one?")
@click.argument("old")
@click.argument("new")
@click.option("--sprt", "elos", type=Elos(), default="0,20", show_default=True, help="What to tell apart, in Elo.")
@click.option(
    "--model", type=click.Choice([Model.LOGISTIC, Model.NORMALIZED]), default=Model.LOGISTIC, show_default=True
)
@click.option("--alpha", type=click.FloatRange(0, 1), default=0.05, show_default=True, help="Chance of a wrong yes.")
@click.option("--beta", type=click.FloatRange(0, 1), default=0.05, show_default=True, help="Chance of a wrong no.")
@click.option("--deals", type=click.IntRange(1), default=20_000, show_default=True, help="Deal sets at most.")
@with_contest
@with_unsafe
@with_output
def ab(
    out: Output, old: str, new: str, *, elos: tuple[float, float], model: str, alpha: float, beta: float,
    unsafe: bool, **wished: Any,
) -> int:  # fmt: skip
    """Test whether NEW is better than OLD: folders, files, v7 of what you sent, or house:greedy.

    Each deal set is played from every seat, so luck of the cards is taken out. The estimate is in Elo, of the mean
    place share in a deal set, with a 95 % interval. Exit code 0 if NEW is better, else 1.
    """
    try:
        test = Hypotheses(*elos, alpha, beta, Model(model))
    except StatisticsError as error:
        raise click.UsageError(f"--sprt, --alpha, --beta: {error}.") from error
    players = [player(old), player(new)]
    # Without this the test would run to its last deal set: a version against itself wins exactly half.
    if players[0].files.version_hash == players[1].files.version_hash:
        raise BotFailed("These two are the same version, file by file: there is nothing to compare.", code="kit.same")
    settings = settings_of(wished | {"both_alone": True})
    with launcher(unsafe=unsafe) as plays:
        warn_if(unsafe, out)
        contest = arrange(players, settings)
        found = Found(Comparison.of(contest, test))
        jobs = wished["jobs"] or processors()
        # Closed as soon as the test has decided: the deal sets that were begun ahead are not played to their end for
        # nothing.
        with closing(play_sets(contest, plays, jobs=jobs, unsafe=unsafe)) as sets:
            _until_decided(out, sets, found)
    return _report(out, contest, found)


@dataclass(slots=True)
class Found:
    """The state of a test. failures: the first of each kind of each player."""

    test: Comparison
    failures: dict[tuple[int, str], dict[str, Any]] = field(default_factory=dict)


def _until_decided(out: Output, sets: Iterable[SetPlayed], found: Found) -> None:
    """Count deal sets in their order. Ctrl-C ends the test undecided."""
    with out.progress("first deal sets", found.test.contest.sets) as advance, suppress(KeyboardInterrupt):
        for played in in_order(sets):
            found.test.add(played)
            for failure in played.failures:
                # The first of each kind: a bot that fails always would otherwise fill the folder in one evening.
                found.failures.setdefault((failure["player"], failure["code"]), failure)
            advance(note=found.test.sentence())
            if found.test.is_decided:
                return


def _report(out: Output, contest: Contest, found: Found) -> int:
    result, (old, new) = found.test.to_json(), named_apart(list(contest.players))
    verdict, test = result["verdict"], found.test
    out.print(
        VERDICTS[verdict].format(old=old, new=new, elo=f"{result['elo1']:g}"),
        style="green" if verdict == "H1" else "yellow",
    )
    fared = f"{new} won {test.won}, even {test.even}, lost {test.lost}"
    out.print(f"{test.sentence()} after {result['deal_sets']} deal sets: {fared}")
    if result["estimate"] is not None:
        names = ("elo", "elo_low", "elo_high")
        elo, low, high = (f"{result['estimate'][name]:+.1f}".replace("-", "\N{MINUS SIGN}") for name in names)
        out.print(f"Elo {elo}, 95 % between {low} and {high}. The same cards again: --seed {contest.seed}")
    failures = _save_failures(out, contest, found, (old, new))
    out.finish({"ok": verdict == "H1", "old": old, "new": new, "seed": contest.seed, **result, "failures": failures})
    return 0 if verdict == "H1" else 1


def _save_failures(out: Output, contest: Contest, found: Found, names: tuple[str, str]) -> list[dict[str, str]]:
    """Keep what failed of one's own, for `hanami repro`."""
    saved = []
    for (who, code), failure in found.failures.items():
        local = contest.players[who].local
        if local is not None:
            name = Home.of(local).save_failure(failure)
            saved.append({"id": name, "code": code, "player": names[who]})
            out.print(f"{names[who]} forfeited: {code}. Look at it:  hanami repro {name}", style="red")
    return saved
