"""Plans side by side: what differs between two of them, in the words of the form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any, Final

from django.utils.dateformat import format as written
from django.utils.translation import gettext as _

from accounts.phrasing import labelled, listed
from accounts.zones import zone_named
from bots.runner.spec import CUSTOM
from bots.templatetags.times import form_in_use, zone_word
from engine.games import PRESETS, option_table
from tournaments.lifecycle.event_plan import AdvancementPlan, EventPlan, StagePlan
from tournaments.lifecycle.field_words import YES_OR_NO, choice_of, label_of, option_label, option_word
from tournaments.models.stage_names import in_readers_words

OF_EVENT: Final = (
    "name",
    "description",
    "starts_at",
    "venue",
    "time_zone",
    "visibility",
    "who",
    "draws",
    "partners",
    "boards",
    "team_score",
    "team_best",
    "preset",
    "seeding",
    "apart",
    "age_gap",
    "round_minutes",
    "min_entries",
    "max_entries",
    "entries_per_owner",
    "entries_close_at",
)
"""Fields of a plan about the whole event, in the order of the form."""
OF_STAGE: Final = tuple(each.name for each in fields(StagePlan))
MOMENTS: Final = ("starts_at", "entries_close_at", "ends_at")
FLAGS: Final = ("third_place", "consolation", "waits", "flows", "draws", "apart", "admits_programs")


@dataclass(frozen=True, slots=True)
class Difference:
    """A field that differs. stage: its number, 0 for one of the whole event; option: whether it is a single rule;
    label, before, after: in words.
    """

    field: str
    label: str
    before: str
    after: str
    stage: int = 0
    option: bool = False


def differences(before: EventPlan, after: EventPlan) -> tuple[Difference, ...]:
    """Return every field that differs, in the order of the form; a stage that comes or goes as a whole is one line."""
    return (*_of_event(before, after), *_of_options(before, after), *_of_stages(before, after), *_ways(before, after))


def _of_event(before: EventPlan, after: EventPlan) -> Iterator[Difference]:
    for name in OF_EVENT:
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            zone = after.time_zone
            yield Difference(name, label_of(name), value_word(name, old, zone), value_word(name, new, zone))


def _of_options(before: EventPlan, after: EventPlan) -> Iterator[Difference]:
    """Yield single rules that differ; another preset is a line of its own, and its rules are those of the preset."""
    if after.preset not in PRESETS or before.preset not in PRESETS:
        return
    game = PRESETS[after.preset].game
    same = before.preset == after.preset
    for info in option_table(game):
        old = before.options.get(info.id) if same else None
        new = after.options.get(info.id)
        if old != new and not (old is None and new is None):
            usual = _("as in the preset")
            words = [usual if each is None else option_word(info, _flag(info.kind, each)) for each in (old, new)]
            yield Difference(info.id, option_label(info.id, info.meaning), words[0], words[1], option=True)


def _flag(kind: str, value: object) -> object:
    return bool(value) if kind == "flag" else value


def _of_stages(before: EventPlan, after: EventPlan) -> Iterator[Difference]:
    old, new, zone = before.stages, after.stages, after.time_zone
    for number in range(1, max(len(old), len(new)) + 1):
        if number > len(new):
            yield Difference("then", label_of("then"), stage_word(old[number - 1], number), _("removed"), number)
        elif number > len(old):
            yield Difference("then", label_of("then"), _("none"), stage_word(new[number - 1], number), number)
        else:
            yield from _of_stage(old[number - 1], new[number - 1], number, zone, several=max(len(old), len(new)) > 1)


def _of_stage(old: StagePlan, new: StagePlan, number: int, zone: str, *, several: bool) -> Iterator[Difference]:
    for name in OF_STAGE:
        one, other = getattr(old, name), getattr(new, name)
        if one != other:
            label = label_of("stage_name" if name == "name" else name)
            shown = labelled(stage_word(new, number), label) if several else label
            yield Difference(name, shown, value_word(name, one, zone), value_word(name, other, zone), number)


def _ways(before: EventPlan, after: EventPlan) -> Iterator[Difference]:
    if before.ways != after.ways:
        old, new = (listed(map(_way, each.ways)) or "–" for each in (before, after))
        yield Difference("ways", _("Who advances"), old, new)


def _way(rule: AdvancementPlan) -> str:
    shown = {"first": rule.first, "last": rule.last, "source": rule.source, "target": rule.target, "most": rule.most}
    if rule.most:
        return _("places %(first)s–%(last)s of stage %(source)s to stage %(target)s, at most %(most)s") % shown
    return _("places %(first)s–%(last)s of stage %(source)s to stage %(target)s") % shown


def stage_word(stage: StagePlan, number: int) -> str:
    """Return what people call a stage of a plan."""
    return in_readers_words(stage.name) or _("Stage %(n)s") % {"n": number}


def value_word(name: str, value: Any, zone: str = "UTC") -> str:
    """Return the value of a field in words; a dash for none."""
    if isinstance(value, datetime):
        local = value.astimezone(zone_named(zone) or UTC)
        return f"{written(local, form_in_use('minute'))} {zone_word(local)}"
    if name in FLAGS:
        return str(YES_OR_NO[str(bool(value))])
    if name == "tie_breaks":
        return listed(choice_of(name, each) for each in value or ()) or "–"
    if name == "figures":
        return listed(labelled(label_of(figure), number) for figure, number in dict(value).items()) or "–"
    if name == "scoring" and not value:
        return _("as in the rules")
    if name == "clock" and value == CUSTOM:
        return choice_of(name, value)
    if value is None or value in ("", 0):
        return choice_of(name, "") if name in ("partners", "seeding") else "–"
    return choice_of(name, str(value))
