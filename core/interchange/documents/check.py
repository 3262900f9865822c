"""Check that an event hangs together: ids and numbers once, references that lead somewhere, no match fed by its own
end.

Proofs (hashes, decks, records) are in `proof.py`; standings are folded again by anyone who imports.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from datetime import datetime
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from core.formats import experiments, offered
from core.formats.errors import FormatError
from core.formats.model import Plan, Pod, Reason
from core.interchange.documents import policies, teams_check
from core.interchange.documents.copies import MARK, ids_of
from core.interchange.documents.event import Body, Clock, Event, Match, Round, Seat, Stage
from core.interchange.errors import InterchangeError, refusal
from core.standings.model import BYE_POLICIES
from core.standings.tiebreaks import TIE_BREAKS
from engine.games import PRESETS

OVER: Final = ("finished", "archived", "cancelled")
DONE: Final = ("confirmed", "void")
YEARS: Final = range(1970, 2201)
PLACE: Final = re.compile(r"%\((\w+)\)[sd]")


def check(event: Event, *, is_clock: Callable[[Clock], bool]) -> None:
    """Raise InterchangeError at the first thing that does not hang together; extra: where.

    is_clock: whether bots can be played with the clock of a stage, its name and its figures.

    "event.id_twice", "event.number_twice", "event.reference", "event.cycle", "event.unfinished", "event.time",
    "event.value", "event.plan", "event.not_a_tournament".
    """
    # Moments first: later messages may have to show one.
    _times(event, "")
    _once("event.id_twice", ((uuid, str(uuid)) for uuid in ids_of(event)), "")
    if MARK in event.tournament.policies:
        raise _value("tournament.policies", MARK)
    policies.check(event.tournament.policies)
    _zone(event.tournament.time_zone)
    for at, entry in enumerate(event.entries):
        _refers(entry.player < len(event.players), f"entries[{at}].player")
    seated = (((entry.player, entry.copy), f"player {entry.player}") for entry in event.entries)
    _once("event.number_twice", seated, "entries")
    every = (*event.stages, *event.called_off)
    _once("event.number_twice", ((stage.order, f"stage {stage.order}") for stage in every), "stages")
    entries = {entry.uuid for entry in event.entries}
    teams_check.check(event)
    for at, rule in enumerate(event.ways):
        _refers(rule.source < rule.target < len(event.stages) and 1 <= rule.first <= rule.last, f"ways[{at}]")
    _once("event.number_twice", (((rule.target, rule.order), f"way {rule.order}") for rule in event.ways), "ways")
    for number, stage in enumerate(event.stages):
        came = [item.came.way for item in stage.entries if item.came is not None]
        _refers(all(rule < len(event.ways) and event.ways[rule].target == number for rule in came), f"stages[{number}]")
        _stage(stage, f"stages[{number}]", entries, len(event.players))
    _called_off(event, entries)
    for number, stage in enumerate(every):
        if not is_clock(stage.clock):
            raise _value(f"{_name_of(event, number)}.clock", stage.clock.name)


def _name_of(event: Event, number: int) -> str:
    """Return where the stage stands in the document, counted through those that count and those called off."""
    played = len(event.stages)
    return f"stages[{number}]" if number < played else f"called_off[{number - played}]"


def _called_off(event: Event, entries: set[UUID]) -> None:
    """Stages that do not count stand apart, without a table; who was in them came by ways that lead elsewhere now."""
    for number, stage in enumerate(event.stages):
        if stage.state == "void":
            raise _value(f"stages[{number}].state", stage.state)
    for number, stage in enumerate(event.called_off):
        where = f"called_off[{number}]"
        if stage.state != "void" or stage.standings:
            raise _value(f"{where}.state", stage.state)
        came = [item.came.way for item in stage.entries if item.came is not None]
        _refers(all(rule < len(event.ways) for rule in came), f"{where}.entries")
        _stage(stage, where, entries, len(event.players))


def is_over(event: Event) -> bool:
    """Return whether nothing of it will be played any more: what is not over is imported as a draft of its set-up."""
    return event.tournament.state in OVER


def _value(where: str, value: object) -> InterchangeError:
    message = "At %(where)s: “%(value)s” is not known here. A newer version of this service may know it."
    return refusal("event.value", message, where=where, value=str(value)[:60])


def _refers(leads_somewhere: bool, where: str) -> None:
    if not leads_somewhere:
        raise refusal(
            "event.reference", "At %(where)s the file refers to something that it does not contain.", where=where
        )


def _once(code: str, named: Iterable[tuple[Hashable, str]], where: str) -> None:
    """Refuse a key that comes twice, by its name. Keys that are None are not looked at."""
    seen: set[Hashable] = set()
    for key, name in named:
        if key in seen:
            raise refusal(code, "%(name)s appears twice in the file.", name=name, where=where or name)
        seen.add(key)


def _times(part: object, where: str) -> None:
    """Moments that calendars can show, wherever they stand."""
    if isinstance(part, datetime) and part.year not in YEARS:
        raise refusal("event.time", "At %(where)s there is an impossible time.", where=where)
    if isinstance(part, msgspec.Struct):
        for name in part.__struct_fields__:
            _times(getattr(part, name), f"{where}.{name}".removeprefix("."))
    elif isinstance(part, list) and part and isinstance(part[0], msgspec.Struct):
        for at, each in enumerate(part):
            _times(each, f"{where}[{at}]")


def _zone(name: str) -> None:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as wrong:
        raise _value("tournament.time_zone", name) from wrong


def _stage(stage: Stage, where: str, entries: set[UUID], players: int) -> None:
    if stage.kind in experiments():
        message = "The file holds a comparison of bots or a table of players, no tournament: it cannot be imported."
        raise refusal("event.not_a_tournament", message, where=f"{where}.kind")
    for name, value, known in (("kind", stage.kind, offered()), ("bye_policy", stage.bye_policy, tuple(BYE_POLICIES))):
        if value not in known:
            raise _value(f"{where}.{name}", value)
    for tie_break in stage.tie_breaks:
        if tie_break not in TIE_BREAKS:
            raise _value(f"{where}.tie_breaks", tie_break)
    if not stage.seats_min <= stage.seats_pref <= stage.seats_max:
        raise _value(f"{where}.seats_pref", stage.seats_pref)
    if stage.preset not in PRESETS or PRESETS[stage.preset].game != stage.ruleset.game:
        raise _value(f"{where}.preset", stage.preset)
    earlier = {item.number for item in stage.earlier}
    _refers(all(item.earlier is None or item.earlier in earlier for item in stage.deal_sets), f"{where}.deal_sets")
    _once("event.number_twice", ((item.number, f"secret {item.number}") for item in stage.earlier), where)
    listed = [item.entry for item in stage.entries]
    _refers(set(listed) <= entries, f"{where}.entries")
    keys: list[tuple[Hashable, str]] = [(uuid, f"entry {uuid}") for uuid in listed]
    groups = {item.number for item in stage.groups}
    _refers(all(item.group is None or item.group in groups for item in stage.entries), f"{where}.entries")
    keys += [((5, item.number), f"group {item.number}") for item in stage.groups]
    keys += [((6, item.label), f"group {item.label}") for item in stage.groups]
    keys += [((1, item.id), f"id {item.id}") for item in stage.entries]
    keys += [((2, given.id), f"adjustment {given.id}") for item in stage.entries for given in item.adjustments]
    keys += [((3, item.number), f"round {item.number}") for item in stage.rounds]
    keys += [((4, table.after_round), f"standings {table.after_round}") for table in stage.standings]
    _once("event.number_twice", keys, where)
    for at, item in enumerate(stage.rounds):
        _plan(item, f"{where}.rounds[{at}]", set(map(str, listed)))
    _matches(stage, where, set(listed), players)
    for table in stage.standings:
        _refers({row.entry for row in table.rows} <= set(listed), f"{where}.standings")


def _plan(item: Round, where: str, listed: set[str]) -> None:
    """A plan that planners can read, of entries of the stage, whose sentences hold nothing but their values."""
    if not item.plan:
        return
    try:
        plan = Plan.from_json(item.plan)
        is_same = plan.to_json() == item.plan and plan.round == item.number
        seated = {entry for pod in plan.pods for entry in pod.seats} | set(plan.byes)
        seated |= {entry for entry, _board in plan.boards_out}
        reasons = [*plan.reasons, *(why for pod in plan.pods for why in pod.why)]
        is_good = is_same and seated <= listed and all(map(_is_sentence, reasons)) and all(map(_has_boards, plan.pods))
    except (FormatError, TypeError, ValueError, KeyError, AttributeError, OverflowError):
        # The plan is free JSON of a stranger: what the readers of plans raise for it is foreseen as a group.
        is_good = False
    if not is_good:
        raise refusal("event.plan", "At %(where)s the plan of this round is invalid.", where=f"{where}.plan")


def _has_boards(pod: Pod) -> bool:
    """Return whether each seat has a board, or none has."""
    return not pod.boards or (len(pod.boards) == len(pod.seats) and all(type(board) is int for board in pod.boards))


def _is_sentence(reason: Reason) -> bool:
    """Return whether a reason is a sentence: `%(name)s`, `%(name)d` and nothing else that formats, each with a plain
    value.
    """
    plain = all(isinstance(value, str | int) for _name, value in reason.args)
    # Pages format this text with its values: a directive without a value would fail when somebody opens the page.
    return plain and "%" not in PLACE.sub("", reason.text).replace("%%", "") and bool(str(reason))


def _matches(stage: Stage, where: str, listed: set[UUID], players: int) -> None:
    rounds = {item.number for item in stage.rounds}
    sets = {deal_set.uuid for deal_set in stage.deal_sets}
    own = {match.uuid for match in stage.matches}
    keys: list[tuple[Hashable, str]] = []
    for at, match in enumerate(stage.matches):
        here = f"{where}.matches[{at}]"
        _refers(match.round is None or match.round in rounds, f"{here}.round")
        _refers(match.deal_set is None or match.deal_set in sets, f"{here}.deal_set")
        if match.round is not None and match.table is not None:
            keys.append(
                ((1, match.round, match.table, match.extra, match.leg), f"table {match.table}, round {match.round}")
            )
        if match.deal_set is not None:
            keys.append(((2, match.deal_set, match.leg), f"leg {match.leg} of {match.deal_set}"))
        _seats(match, here, listed, players)
        for seat in match.seats:
            _refers(seat.feed is None or seat.feed.match in own, f"{here}.seats")
        _reports(match, here)
    _once("event.number_twice", keys, where)
    _refuse_cycles(stage, where)


def _seats(match: Match, where: str, listed: set[UUID], players: int) -> None:
    if [seat.index for seat in match.seats] != list(range(match.seats_n)):
        raise _value(f"{where}.seats", [seat.index for seat in match.seats])
    for seat in match.seats:
        is_known = seat.entry is None or seat.entry in listed
        _refers(is_known and (seat.player is None or seat.player < players), f"{where}.seats[{seat.index}]")
        if not _is_fault(seat):
            raise _value(f"{where}.seats[{seat.index}].fault", seat.fault)


def _is_fault(seat: Seat) -> bool:
    fault: dict[str, Any] | None = seat.fault
    if fault is None:
        return True
    numbers = (fault.get("deal"), fault.get("move"))
    return set(fault) == {"code", "deal", "move"} and all(type(each) is int and 0 <= each < 10_000 for each in numbers)


def _reports(match: Match, where: str) -> None:
    _once("event.number_twice", ((each.version, f"report {each.version}") for each in match.reports), where)
    attempts = [each.attempt for each in match.reports if each.attempt is not None]
    _once("event.number_twice", ((each, f"attempt {each}") for each in attempts), where)
    for number, report in enumerate(match.reports):
        try:
            body = msgspec.convert(report.body, Body)
        except msgspec.ValidationError as wrong:
            raise _value(f"{where}.reports[{number}].body", str(wrong)) from wrong
        counted = [len(each) for row in (body.by_deal, body.yaku, body.bids) for each in row]
        counted += [len(each) for deal in body.extra for each in (deal.score, deal.victories, deal.rank)]
        counted += [len(body.decided.rank)] if body.decided is not None else []
        sides = {len(body.score), len(body.victories), len(body.rank), *counted}
        if len(sides) > 1 or sides != {len({seat.side for seat in match.seats})}:
            raise _value(f"{where}.reports[{number}].body", body.score)
    confirmed = sum(report.state == "confirmed" for report in match.reports)
    if confirmed != (match.state == "confirmed"):
        raise refusal("event.reference", "At %(where)s the confirmed result is invalid.", where=f"{where}.reports")


def _refuse_cycles(stage: Stage, where: str) -> None:
    """No match may be fed on its own, over however many others."""
    fed_by = {match.uuid: {seat.feed.match for seat in match.seats if seat.feed} for match in stage.matches}
    while fed_by:
        free = {uuid for uuid, sources in fed_by.items() if not sources & fed_by.keys()}
        if not free:
            raise refusal("event.cycle", "At %(where)s matches feed each other in a circle.", where=f"{where}.matches")
        # Layer by layer from the matches that need nobody (Kahn's order): what is never free lies on a circle.
        fed_by = {uuid: sources for uuid, sources in fed_by.items() if uuid not in free}


def unfinished(event: Event) -> Iterator[str]:
    """Yield the places where an event that claims to be over is not."""
    for number, stage in enumerate(event.stages):
        yield from (
            f"stages[{number}].matches[{at}].state"
            for at, match in enumerate(stage.matches)
            if match.state not in DONE
            or (match.state == "confirmed" and any(seat.entry is None for seat in match.seats))
        )
        if event.tournament.state != "cancelled" and stage.state != "closed":
            yield f"stages[{number}].state"
    for number, stage in enumerate(event.called_off):
        yield from (
            f"called_off[{number}].matches[{at}].state"
            for at, match in enumerate(stage.matches)
            if match.state != "void"
        )
