"""The bars of `benchmarks.site`: what a page may cost, weigh and do to its reader, and which pages keep them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.looks import Look, Weight

REPLAY: Final = "/m/"


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a page to the server: milliseconds and queries; zeros where the server does not say."""

    p50: float
    p95: float
    queries: int


@dataclass(frozen=True, slots=True)
class Seen:
    """One page. crowded: its cost with many rows. several: its queries once its lists have several pages."""

    path: str
    cost: Cost
    look: Look
    crowded: Cost | None = None
    several: int = 0


Figure = Callable[[Seen], float | None]


@dataclass(frozen=True, slots=True)
class Bar:
    """A bound that a page must keep. most: the largest figure that does. figure: of a page; None where it was not
    measured.

    name: as the line of a page that misses it says it; words: with the unit, for the sum of all pages.
    """

    name: str
    words: str
    most: float
    figure: Figure


def _asked(name: str, *, crowded: bool = False) -> Figure:
    """Return the figure of a page's cost; nothing where the server does not say."""

    # p50 is 0 where no server said anything: such a page has no figure rather than a perfect one.
    def figure(seen: Seen) -> float | None:
        cost = seen.crowded if crowded else seen.cost
        return float(getattr(cost, name)) if cost is not None and cost.p50 else None

    return figure


def _grown(seen: Seen) -> float | None:
    # Against a list of several pages, not against an empty one: the page numbers themselves cost a query.
    return max(0, seen.crowded.queries - seen.several) if seen.crowded else None


def _looked(figure: Callable[[Look], float], *, replay: bool | None = None) -> Figure:
    """Return the figure of what a browser saw of the page; nothing where none looked. replay: of replays alone, or
    of all other pages.
    """

    def seen_of(seen: Seen) -> float | None:
        is_meant = replay is None or seen.path.startswith(REPLAY) == replay
        return figure(seen.look) if is_meant and seen.look.weight.html else None

    return seen_of


def _site_script(weight: Weight) -> int:
    """Bytes of JavaScript that are not the viewer's."""
    return weight.script - weight.viewer


def _site_css(weight: Weight) -> int:
    """Bytes of styles that are not the viewer's, which has a bound of its own (test_replay.py)."""
    return weight.css - weight.viewer_css


BARS: Final = (
    Bar("p50", "server time, median, ms", 25, _asked("p50")),
    Bar("p95", "server time, 95th percentile, ms", 50, _asked("p95")),
    Bar("queries", "queries", 10, _asked("queries")),
    Bar("p50 in a crowd", "the same with many rows: median, ms", 25, _asked("p50", crowded=True)),
    Bar("p95 in a crowd", "95th percentile, ms", 50, _asked("p95", crowded=True)),
    Bar("queries grow", "further queries", 0, _grown),
    Bar("html", "HTML, kB", 60, _looked(lambda look: look.weight.html / 1000)),
    Bar("css", "CSS of the site, kB", 36, _looked(lambda look: _site_css(look.weight) / 1000)),
    Bar("css", "of the replay's viewer, kB", 20, _looked(lambda look: look.weight.viewer_css / 1000, replay=True)),
    Bar("site script", "JavaScript of the site, kB", 45, _looked(lambda look: _site_script(look.weight) / 1000)),
    Bar("viewer", "of the replay's viewer, kB", 70, _looked(lambda look: look.weight.viewer / 1000, replay=True)),
    Bar("script", "JavaScript, gzip, kB", 30, _looked(lambda look: look.weight.script_gz / 1000, replay=False)),
    Bar("script", "of replays", 80, _looked(lambda look: look.weight.script_gz / 1000, replay=True)),
    Bar("inline", "inline scripts, styles, handlers", 0, _looked(lambda look: look.weight.inline)),
    Bar("settled", "settled with a warm cache, ms", 120, _looked(lambda look: look.settled)),
    Bar("jumps", "layout shift", 0.01, _looked(lambda look: look.shift)),
    Bar("axe", "nodes that break a rule of axe", 0, _looked(lambda look: look.axe)),
    Bar("sideways", "pixels that scroll sideways at 360", 0, _looked(lambda look: look.overflow)),
    Bar("words", "share of words missing without script, %", 0, _looked(lambda look: 100 * (1 - look.words))),
    Bar("other hosts", "other hosts", 0, _looked(lambda look: len(look.weight.other_hosts))),
    Bar("slow: painted", "slow phone: largest paint, ms", 2000, _looked(lambda look: look.slow.painted)),
    Bar("slow: jumps", "layout shift", 0.05, _looked(lambda look: look.slow.shift)),
    Bar("slow: answers", "slowest answer to a key or click, ms", 200, _looked(lambda look: look.slow.input)),
    Bar("slow: first move", "a replay's table is there, ms", 1000, _looked(lambda look: look.slow.table, replay=True)),
)


def misses(seen: Seen) -> list[str]:
    """The bars that this page does not keep, in words."""
    figures = ((bar, bar.figure(seen)) for bar in BARS)
    return [bar.name for bar, figure in figures if figure is not None and figure > bar.most]


def verdicts(pages: Sequence[Seen]) -> None:
    """Print for every bar whether all pages keep it, how many do not, and the worst page."""
    for bar in BARS:
        found = [(figure, seen.path) for seen in pages if (figure := bar.figure(seen)) is not None]
        if not found:
            continue
        over, (worst, path) = sum(figure > bar.most for figure, _path in found), max(found)
        verdict = f"FAIL  {over} of {len(found)} pages" if over else f"pass  {len(found)} pages"
        print(f"{bar.words:44} at most {bar.most:7g}   {verdict:24} worst {worst:7.4g}  {path}", flush=True)


def line(seen: Seen) -> str:
    look, weight, cost = seen.look, seen.look.weight, seen.cost
    crowd = f"{seen.crowded.p50:5.0f}{seen.crowded.p95:5.0f}{seen.crowded.queries:4}" if seen.crowded else f"{'-':>14}"
    return (
        f"{seen.path[:44]:44}{cost.p50:5.0f}{cost.p95:5.0f}{cost.queries:4}{crowd}{weight.html / 1000:7.1f}"
        f"{weight.html_gz / 1000:6.1f}{weight.script_gz / 1000:6.1f}{look.settled:6.0f}{look.shift:7.3f}{look.axe:4}"
        f"{look.overflow:5}{100 * look.words:5.0f}%{look.slow.painted:6.0f}{look.slow.input:5.0f}  "
        + ", ".join(misses(seen))
    )


def heading(rows: int) -> None:
    """Print the names of the columns of `line`."""
    print(
        f"{'':44}{'server ms, SQL':>14}{f'{rows:,} rows':>14}{'html kB':>13}{'js':>6}{'set-':>6}{'jump':>7}{'axe':>4}"
        f"{'':>11}{'slow':>11}"
    )
    print(
        f"{'':44}{'p50':>5}{'p95':>5}{'n':>4}{'p50':>5}{'p95':>5}{'n':>4}{'':>7}{'gz':>6}{'gz':>6}{'tled':>6}{'':>11}"
        f"{'360':>5}{'words':>6}{'paint':>6}{'key':>5}"
    )
