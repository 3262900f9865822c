"""Bracket in words: names of its matches, who met whom and where everybody goes. The drawing says the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from accounts.phrasing import in_turn, listed
from bots.templatetags.hanami import amount
from core.formats.elimination.due import sides_at_most
from core.formats.elimination.model import Bracket, BracketMatch, BracketSeat, Feed, Kind, Source, State
from core.formats.elimination.places import places
from tournaments.matches.reasons import reasons_text as reasons_said
from tournaments.models import Match, Player, Stage
from tournaments.pages.standings.bracket_letters import DIGIT, Rooms, fitted
from tournaments.standings.bracket_now import BracketNow, Legs, brackets_of, taken

BY_POINTS = "bracket.by_points"
DECIDERS = (BY_POINTS, "bracket.by_decision", "bracket.by_lots")
"""Notes of a match that say how equals were told apart."""


@dataclass(frozen=True, slots=True)
class SeatText:
    """Words of a seat: who sits there, or where they come from. figure: "" while it is not played; place: 0 until it is
    over; seed: the number in the draw, 0 of a seat that is open; player: whose emblem stands beside the name.
    """

    name: str
    figure: str
    is_known: bool
    place: int
    seed: int = 0
    player: Player | None = None

    @property
    def won(self) -> bool:
        """Return whether it came first."""
        return self.place == 1

    def short(self, rooms: Rooms) -> str:
        """Return the name as it fits a box, beside its figure."""
        if not self.is_known:
            return fitted(self.name, rooms.to_come)
        return fitted(self.name, rooms.with_figure - DIGIT * len(self.figure) if self.figure else rooms.alone)


@dataclass(frozen=True, slots=True)
class MatchText:
    """A match. title: "Semi-final 2"; text: how it went or who is to come; row: its first leg, once it is drawn.

    number: in the bracket; 0 of a bye. note: "match 3", where the title does not say it. decided: what told two
    apart whose figures are the same.
    """

    id: str
    title: str
    text: str
    seats: tuple[SeatText, ...]
    row: Match | None
    is_open: bool
    number: int = 0
    note: str = ""
    decided: str = ""

    @property
    def seeds(self) -> str:
        """Return the numbers in the draw of those who are known, in the order of their names: "1, 4"."""
        return ", ".join(str(seat.seed) for seat in self.seats if seat.seed)


@dataclass(frozen=True, slots=True)
class RoundText:
    """A round of the bracket by its label, with its matches."""

    label: str
    title: str
    lines: tuple[MatchText, ...]
    is_over: bool


def round_title(bracket: Bracket, label: str) -> str:
    """Return the name of a round."""
    if label in ("F1", "C1"):
        return _("Final") if label == "F1" else _("Third place")
    if label == "F2":
        is_certain = bracket.match("F2:1").state in (State.READY, State.LEVEL, State.FINISHED)
        return _("Deciding final") if is_certain else _("Deciding final (if needed)")
    number = int(label[1:])
    if bracket.kind is Kind.DOUBLE:
        if label == [each for each in bracket.rounds if each[0] == label[0]][-1]:
            return _("Winners' final") if label[0] == "W" else _("Losers' final")
        return (_("Winners' round %(n)s") if label[0] == "W" else _("Losers' round %(n)s")) % {"n": number}
    if label[0] == "L":
        is_last = label == [each for each in bracket.rounds if each[0] == "L"][-1]
        return _("Consolation final") if is_last else _("Consolation round %(n)s") % {"n": number}
    last = sum(each[0] == "W" for each in bracket.rounds)
    late = {0: _("Final"), 1: _("Semi-finals"), 2: _("Quarter-finals")} if bracket.seats == 2 else {0: _("Final")}
    return late.get(last - number, _("Round %(n)s") % {"n": number})


def numbers_of(bracket: Bracket) -> dict[str, int]:
    """Return the numbers of the matches that may be played, in the order of play: byes have none."""
    sides = sides_at_most(bracket)
    played = (match.id for match in bracket.matches if sides[match.id] > 1 or match.after)
    return {name: number for number, name in enumerate(played, start=1)}


def _possible(match: BracketMatch) -> list[BracketSeat]:
    """Return the seats on which somebody may sit."""
    return [seat for seat in match.seats if not (seat.is_known and seat.entry is None)]


def own_title(bracket: Bracket, match: BracketMatch) -> str:
    """Return the name that a match has of its own: "Final", "Semi-final 2"; "" of others, which have a number."""
    alone = sum(other.round == match.round for other in bracket.matches) == 1
    title = round_title(bracket, match.round)
    if alone:
        return title
    single = {_("Semi-finals"): _("Semi-final %(n)s"), _("Quarter-finals"): _("Quarter-final %(n)s")}
    if title in single and bracket.kind is Kind.SINGLE:
        return single[title] % {"n": match.number}
    return ""


def match_title(bracket: Bracket, match: BracketMatch, numbers: Mapping[str, int]) -> str:
    """Return the name of a match. numbers: of the whole bracket."""
    title = round_title(bracket, match.round)
    if own := own_title(bracket, match):
        return own
    if match.id not in numbers:
        return _("%(round)s, bye") % {"round": title}
    return _("%(round)s, match %(n)s") % {"round": title, "n": numbers[match.id]}


@dataclass(frozen=True, slots=True)
class Prospect:
    """What comes for an entry that has no table in its bracket. waits_for: who comes there; "" if that is known."""

    is_out: bool
    waits_for: str = ""


def prospect_of(stage: Stage, entry: str) -> Prospect | None:
    """Return what comes for an entry of a bracket that is played; None of one that is not in it. Queries: of brackets.

    entry: its uuid.
    """
    for now in brackets_of(stage):
        bracket = now.bracket
        if entry in bracket.entries:
            best = next((each.best for each in places(bracket) if each.entry == entry), 1)
            words = _texts(now, stage)
            coming = (words.coming_to(match) for match in bracket.matches if entry in match.entries)
            return Prospect(best > 1, next(filter(None, coming), ""))
    return None


def champion_of(now: BracketNow) -> str:
    """Return the name of the winner of the bracket; "" while it goes on."""
    if not now.bracket.is_over:
        return ""
    played = (match for match in reversed(now.bracket.matches) if match.state in (State.FINISHED, State.WALKOVER))
    first = next((match.order[0] for match in played), None)
    return now.names.get(first or "", "")


def round_texts(now: BracketNow, stage: Stage) -> list[RoundText]:
    """Return every round with its matches, in the order of play."""
    teller = _texts(now, stage)
    found = []
    for label in now.bracket.rounds:
        own = [match for match in now.bracket.matches if match.round == label]
        lines = tuple(teller.match_text(match) for match in own)
        is_over = all(match.is_over for match in own)
        found.append(RoundText(label, round_title(now.bracket, label), lines, is_over))
    return found


def _texts(now: BracketNow, stage: Stage) -> BracketTexts:
    numbers = numbers_of(now.bracket)
    titles = {match.id: match_title(now.bracket, match, numbers) for match in now.bracket.matches}
    return BracketTexts(now, stage, titles, numbers)


@dataclass(frozen=True, slots=True)
class BracketTexts:
    """Words for the matches of one bracket. titles, numbers: by match id."""

    now: BracketNow
    stage: Stage
    titles: Mapping[str, str]
    numbers: Mapping[str, int]

    def match_text(self, match: BracketMatch) -> MatchText:
        """Return the words of one match."""
        legs = self.now.legs.get(match.id, ())
        seats = tuple(self._seat(match, seat, legs) for seat in taken(match))
        text = self._text(match, seats)
        row, number = legs[0] if legs else None, self.numbers.get(match.id, 0)
        note = _("match %(n)s") % {"n": number} if number and own_title(self.now.bracket, match) else ""
        return MatchText(
            match.id, self.titles[match.id], text, seats, row, not match.is_over, number, note, self._decided(match)
        )

    def _seat(self, match: BracketMatch, seat: BracketSeat, legs: Legs) -> SeatText:
        name = self.now.names.get(seat.entry or "", "")
        place = match.order.index(seat.entry) + 1 if seat.entry in match.order and seat.entry is not None else 0
        is_over = match.state in (State.FINISHED, State.WALKOVER)
        if not name:
            name = self._source(seat) if match.state is State.WAITING and not seat.is_known else self._empty(match)
        return SeatText(
            name=name,
            figure=self._figure(seat, legs),
            is_known=seat.entry is not None,
            place=place if is_over else 0,
            seed=self._seed(seat.entry),
            player=self.now.players.get(seat.entry or ""),
        )

    def _seed(self, entry: str | None) -> int:
        """Return the number in the draw, from 1; 0 of nobody."""
        entries = self.now.bracket.entries
        return entries.index(entry) + 1 if entry in entries and entry is not None else 0

    def _empty(self, match: BracketMatch) -> str:
        """Return the words of a seat on which nobody sits."""
        return "–" if match.state is State.UNNEEDED else _("bye")

    def coming_to(self, match: BracketMatch) -> str:
        """Return who else comes to an open match: "winner of match 7"; "" if nobody has to win a match first."""
        if match.is_over:
            return ""
        return listed(self._source(seat) for seat in taken(match) if not seat.is_known)

    def _source(self, seat: BracketSeat) -> str:
        """Return who comes here, as long as nobody knows."""
        source = self._through_byes(seat.source)
        if not isinstance(source, Feed):
            return _("bye")
        bracket = self.now.bracket
        match = bracket.match(source.match)
        # "winner of match 7" fits a box; "winner of Winners' round 2, match 7" does not.
        number = self.numbers.get(match.id)
        name = own_title(bracket, match) or (_("match %(n)s") % {"n": number} if number else self.titles[match.id])
        shown = {"match": name, "n": source.place}
        if self.now.bracket.seats > 2:
            return _("place %(n)s of %(match)s") % shown
        return (_("winner of %(match)s") if source.place == 1 else _("loser of %(match)s")) % shown

    def _through_byes(self, source: Source) -> Source:
        """Return where somebody really comes from: a match with one possible side is played by nobody."""
        while isinstance(source, Feed) and self.now.bracket.seats == 2:
            match = self.now.bracket.match(source.match)
            possible = _possible(match)
            if len(possible) != 1 or match.after:
                return source
            source = possible[0].source if source.place == 1 else None
        return source

    def _figure(self, seat: BracketSeat, legs: Legs) -> str:
        """Return the figure that the stage ranks by, over the legs; "" until all of them count."""
        if seat.entry is None or not legs or any(leg.state != Match.State.CONFIRMED for leg in legs):
            return ""
        own = [{str(each.entry.uuid): each for each in leg.seats.all() if each.entry}.get(seat.entry) for leg in legs]
        found = [each for each in own if each is not None]
        by_deals = self.stage.scoring == Stage.Scoring.ROUND_VICTORY
        figures = [each.victories if by_deals else each.points for each in found]
        return str(amount(sum(figure or 0 for figure in figures))) if found else ""

    def _text(self, match: BracketMatch, seats: tuple[SeatText, ...]) -> str:
        if match.state is State.UNNEEDED:
            return _("Not needed: the unbeaten side has won.")
        if match.state is State.EMPTY:
            return _("Nobody is left for it.")
        if match.state is State.WALKOVER:
            return self._walked_over(match)
        if match.state is State.FINISHED:
            ended = listed([self._ended(match, seats), *self._by_points(match), *self._why(match)])
            return in_turn([ended, *self._ways(match)])
        if match.state is State.LEVEL:
            return self._level(match, seats)
        names = [seat.name for seat in seats]
        if len(names) == 2:
            return _("%(one)s against %(other)s") % {"one": names[0], "other": names[1]}
        return listed(names)

    def _walked_over(self, match: BracketMatch) -> str:
        """Return the words of a match that nobody plays: a bye, or somebody is not there any more."""
        (first, *_others) = match.order
        target = self._targets(match).get(1)
        if len(match.entries) == 1 and first is not None and target is not None:
            shown = {"name": self.now.names.get(first, ""), "match": self.titles[target.id]}
            return _("Bye: %(name)s → %(match)s") % shown
        return in_turn([_("no match"), *self._ways(match)])

    def _level(self, match: BracketMatch, seats: tuple[SeatText, ...]) -> str:
        """Return who waits for a decision."""
        named = {seat.entry: seat_text for seat, seat_text in zip(taken(match), seats, strict=True)}
        names = listed(f"{named[entry].name} {named[entry].figure}".strip() for entry in match.level)
        return _("Tied: %(names)s. An extra deal, or your choice of the winner, decides who advances.") % {
            "names": names
        }

    def _why(self, match: BracketMatch) -> list[str]:
        """Return what told equals apart."""
        told = [note for note in match.notes if note.code in DECIDERS]
        if self._by_points(match):  # its points are in the sentence already
            told = [note for note in told if note.code != BY_POINTS]
        reasons = [reasons_said([note.to_json()]) for note in told]
        # They become parts of one sentence, which has its own stop.
        return [sentence.rstrip(".") for sentence in reasons]

    def _by_points(self, match: BracketMatch) -> list[str]:
        """Return by which points two were told apart who are level in what the stage ranks by."""
        points = self._points_apart(match)
        if points is None:
            return []
        shown = {"name": self.now.names.get(match.order[0] or "", ""), "a": points[0], "b": points[1]}
        return [_("%(name)s by %(a)s : %(b)s points") % shown]

    def _decided(self, match: BracketMatch) -> str:
        points = self._points_apart(match) if match.state is State.FINISHED else None
        return _("by %(a)s : %(b)s points") % {"a": points[0], "b": points[1]} if points else ""

    def _points_apart(self, match: BracketMatch) -> tuple[str, str] | None:
        legs = self.now.legs.get(match.id, ())
        if self.stage.scoring != Stage.Scoring.ROUND_VICTORY or len(match.order) != 2 or not legs:
            return None
        one, other = (_sums(legs, entry) for entry in match.order)
        if one[0] != other[0] or one[1] <= other[1]:
            return None
        return amount(one[1]), amount(other[1])

    def _ended(self, match: BracketMatch, seats: tuple[SeatText, ...]) -> str:
        """Return how a match ended: who beat whom, or everybody by place."""
        order = [entry for entry in match.order if entry is not None]
        by_entry = {seat.entry: seat_text for seat, seat_text in zip(taken(match), seats, strict=True)}
        seated = [by_entry[entry] for entry in order if entry in by_entry]
        if len(seated) == 2:
            one, other = seated
            shown = {"one": one.name, "other": other.name, "a": one.figure, "b": other.figure}
            return (_("%(one)s beat %(other)s %(a)s : %(b)s") if one.figure else _("%(one)s beat %(other)s")) % shown
        places = (f"{place}. {seat_text.name} {seat_text.figure}".strip() for place, seat_text in enumerate(seated, 1))
        return listed(places)

    def _won(self, match: BracketMatch) -> str:
        """Return the sentence about who wins a match that leads nowhere."""
        if match.round == "C1":
            return _("%(name)s is third")
        is_consolation = self.now.bracket.kind is Kind.SINGLE and match.round[0] == "L"
        return _("%(name)s wins the consolation bracket") if is_consolation else _("%(name)s wins the bracket")

    def _targets(self, match: BracketMatch) -> dict[int, BracketMatch]:
        """Return by place the match that it leads to."""
        return {
            seat.source.place: other
            for other in self.now.bracket.matches
            for seat in other.seats
            if isinstance(seat.source, Feed) and seat.source.match == match.id and other.state is not State.UNNEEDED
        }

    def _ways(self, match: BracketMatch) -> list[str]:
        """Return where everybody goes from here; who goes nowhere is out, or has won the bracket."""
        targets, found = self._targets(match), []
        for place, entry in enumerate(match.order, 1):
            name = self.now.names.get(entry or "", "")
            if not name:
                continue
            if place in targets:
                found.append(_("%(name)s goes to %(match)s") % {"name": name, "match": self.titles[targets[place].id]})
            elif place == 1:
                found.append(self._won(match) % {"name": name})
            elif match.round != "C1":
                found.append(self._lost(match, place, leads_on=1 in targets) % {"name": name})
        return found

    def _lost(self, match: BracketMatch, place: int, *, leads_on: bool) -> str:
        """Return the sentence about who goes nowhere from here: a place in the last match, elsewhere the end."""
        is_consolation = self.now.bracket.kind is Kind.SINGLE and match.round[0] == "L"
        if leads_on or is_consolation or place > 3:
            return _("%(name)s is out")
        return _("%(name)s is second") if place == 2 else _("%(name)s is third")


def _sums(legs: Legs, entry: str | None) -> tuple[int, int]:
    """Return the deals won and the points of an entry over the legs."""
    own = [seat for leg in legs for seat in leg.seats.all() if seat.entry and str(seat.entry.uuid) == entry]
    return sum(seat.victories or 0 for seat in own), sum(seat.points or 0 for seat in own)
