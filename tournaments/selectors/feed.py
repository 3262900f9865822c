"""The log of a tournament: who did what, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.phrasing import listed
from bots.models import AuditEvent
from bots.selectors.faults import words_for
from tournaments.models import Entry, Tournament
from tournaments.selectors.clocks import clock_from, clock_line

WORDS: dict[str, str | Promise] = {
    "tournament.create": _("made the draft"),
    "tournament.import": _("took it over from a file"),
    "tournament.publish": _("announced it"),
    "tournament.open_registration": _("opened the entries; the randomness of all decks is committed from here on"),
    "tournament.edit": _("changed what is said of it"),
    "tournament.start": _("started it: entries closed, rounds drawn"),
    "tournament.pause": _("paused it"),
    "tournament.resume": _("let it go on"),
    "tournament.finish": _("closed it: the standings are final"),
    "tournament.cancel": _("called it off"),
    "tournament.archive": _("put it away"),
    "tournament.undo": _("undid the last thing that was done:"),
    "entry.enter": _("entered"),
    "entry.withdraw": _("withdrew"),
    "entry.promote": _("moved up from the waiting list:"),
    "stage.clock": _("changed the clock"),
    "stage.seed": _("drew the rounds"),
    "stage.activate": _("opened the stage"),
    "stage.settle": _("all matches are played"),
    "ladder.end": _("ended the ladder"),
    "stage.close": _("closed the stage; the secret of its decks is public"),
    "stage.take_back": _("took back the draw of a stage"),
    "stage.void": _("called a stage off; nothing of it counts, and the secret of its decks is public:"),
    "stage.new_secret": _("committed to a new secret, since the one before is public:"),
    "stage.keep": _("kept as it was drawn, although a correction would have others in it:"),
    "round.publish": _("published a round"),
    "match.confirm": _("recorded the result"),
    "round.complete": _("completed a round"),
    "round.lock": _("locked a round"),
    "match.retry": _("put a held match back into the queue"),
    "match.void": _("cancelled a match"),
    "match.quarantine": _("held a match for review"),
    "version.bench": _("benched a version"),
    "entry.add": _("wrote people down"),
    "entry.check_in": _("noted as here"),
    "entry.check_out": _("noted as not here"),
    "entry.leave": _("left the event"),
    "link.make": _("made private links"),
    "link.renew": _("renewed the private link of"),
    "link.revoke": _("took away the private link of"),
    "link.check_in": _("noted by their own link as here:"),
    "link.leave": _("noted by their own link as gone:"),
    "link.ask": _("noted by their own link that they ask to leave:"),
    "link.stay": _("noted by their own link that they stay:"),
    "tournament.zone": _("chose the time zone"),
    "team.make": _("put a team together:"),
    "team.break": _("took a team apart:"),
    "team.rename": _("gave a team another name:"),
    "team.substitute": _("named a substitute for"),
    "team.lineup": _("gave the line-up of"),
    "team.part": _("noted that a member left"),
    "partners.draw": _("drew partners; the seed that was committed to is public"),
    "partners.undo": _("took a draw of partners back"),
    "match.call": _("called a table"),
    "match.begin": _("a table began"),
    "match.report": _("a result was reported"),
    "match.dispute": _("a result was disputed"),
    "photo.send": _("a photo of a slip was sent"),
    "photo.remove": _("took the photo of a slip away"),
    "match.accept": _("a result was confirmed"),
    "match.rule": _("ruled on a dispute"),
    "match.correct": _("corrected a result"),
    "match.reseat": _("others sit at a table after a correction"),
    "match.take_out": _("cancelled a table to be drawn again after a correction"),
    "match.play_again": _("had a table played again:"),
    "tournament.sign_again": _("signed the final standings again after a correction:"),
    "tournament.wishes": _("changed the wishes for the draws"),
    "tournament.rate_event": _("said whether results count for ratings"),
    "adjustment.give": _("gave or took points by hand:"),
    "adjustment.revoke": _("revoked points given or taken by hand:"),
    "round.take_back": _("took back a draw"),
    "round.unlock": _("opened the round before again"),
    "role.give": _("gave a role"),
    "role.take": _("took a role away"),
    "round_clock.choose": _("chose how long rounds are"),
    "round_clock.stop": _("stopped the clock of a round"),
    "round_clock.go_on": _("let the clock of a round go on"),
    "round_clock.add": _("made a round longer"),
    "round_clock.end": _("called time"),
    "announcement.make": _("told everybody:"),
    "announcement.withdraw": _("took off the board:"),
    "round.swap": _("exchanged places before the call:"),
}


def feed_of(event: Tournament) -> QuerySet[AuditEvent]:
    """The acts that a tournament's readers may see, newest first."""
    return AuditEvent.objects.filter(channel=event.channel).select_related("actor").order_by("-id")


@dataclass(frozen=True, slots=True)
class FeedLine:
    """One act. what: in words; about: the entry or reason it names; match: the id of the match it is about."""

    act: AuditEvent
    what: str
    about: str

    @property
    def match(self) -> str:
        """Of acts on or after a match: its id, for a link."""
        kind, _, uuid = self.act.subject.partition(":")
        return uuid if kind == "match" else str(self.act.after.get("match", ""))


def feed_lines(acts: Sequence[AuditEvent]) -> list[FeedLine]:
    """The acts in words. One query, for the names of the entries they are about."""
    uuids = {act.subject.removeprefix("entry:") for act in acts if act.subject.startswith("entry:")}
    uuids |= {uuid for act in acts for uuid in act.after.get("by_lots", ())}
    rows = Entry.objects.filter(uuid__in=uuids).values_list("uuid", "player__name")
    names = {f"entry:{uuid}": name for uuid, name in rows}
    return [FeedLine(act, verb_words(act), listed(_about(act, names))) for act in acts]


def verb_words(act: AuditEvent) -> str:
    """What was done, in words; an act without words of its own stands as its verb."""
    return str(WORDS.get(act.verb, act.verb.replace(".", " ").replace("_", " ")))


def _about(act: AuditEvent, names: dict[str, str]) -> list[str]:
    clock = clock_line(clock_from(act.after)) if act.verb == "stage.clock" else ""
    code = words_for(str(act.after.get("code", ""))) if act.verb == "match.quarantine" else ""
    parts = [
        names.get(act.subject, ""),
        act.after.get("version", ""),
        _units(act.after["units"]) if act.verb.startswith("adjustment.") else "",
        act.after.get("reason", ""),
        act.after.get("text", ""),
        act.after.get("zone", ""),
        clock,
        code,
    ]
    return [str(part) for part in (*parts, *_of_stage(act, names), *_of_teams(act, names)) if part]


def _units(text: str) -> str:
    """Exact units with their sign, a true minus."""
    return text.replace("-", "\N{MINUS SIGN}") if text.startswith("-") else f"+{text}"


def _of_teams(act: AuditEvent, names: dict[str, str]) -> list[str]:
    """Of a team its name, also once it is gone, and who came for whom; of a draw of partners what came of it."""
    if act.verb == "team.substitute":
        return [gettext("%(substitute)s plays for %(member)s from round %(round)s on") % act.after]
    if act.verb == "team.lineup":
        return [gettext("from round %(round)s on") % act.after]
    if act.verb == "team.part":
        return [gettext("%(member)s, from round %(round)s on") % act.after]
    if act.verb.startswith("team."):
        return [] if names.get(act.subject) else [act.after["name"]]
    if not act.verb.startswith("partners."):
        return []
    said = [gettext("draw %(number)s, %(teams)s teams") % act.after]
    left = listed(act.after["left"])
    return [*said, gettext("without a partner: %(names)s") % {"names": left}] if left else said


def _of_stage(act: AuditEvent, names: dict[str, str]) -> list[str]:
    """Of a stage that follows another: which one, how many went on, and for whom lots decided."""
    if act.verb in ("stage.keep", "stage.void"):
        return [act.after["name"] or gettext("stage %(n)s") % {"n": act.after["stage"]}]
    if act.verb == "stage.new_secret":
        return [act.after["commitment"]]
    if act.verb != "stage.seed" or "stage" not in act.after:
        return []
    shown = {"n": act.after["stage"], "entries": act.after["entries"]}
    lots = [names.get(f"entry:{uuid}", "?") for uuid in act.after["by_lots"]]
    said = [gettext("stage %(n)s, %(entries)s go on") % shown]
    return [*said, gettext("lots decided for %(names)s") % {"names": listed(lots)}] if lots else said
