"""The night on which anything is done in any order, with people who share a side: partners, substitutes, links."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import rule

from core.formats.partners import committed
from engine.errors import DomainError
from tests.builders import events as a
from tests.builders.any_order import AnyOrder, Night, keeps, make_repeatable, pick
from tests.builders.clubs import NAMES
from tests.builders.soundness_of_teams import team_faults_of
from tournaments.entries import people, substitutes, teams
from tournaments.entries.links import make_links
from tournaments.entries.partners import draw_partners, undo_partner_draw
from tournaments.events.create import create_tournament
from tournaments.floor import player_actions
from tournaments.models import Entry, EntryLink, PartnerDraw
from tournaments.pairing.lineups_query import singles_of, teams_of
from tournaments.progress.run import open_registration, publish_tournament

E = Entry.State
TEAM_SHAPES: dict[str, dict[str, Any]] = {
    "drawn_robin": {"kind": "round_robin", "partners": "drawn"},
    "drawn_swiss": {"kind": "swiss", "rounds": 2, "partners": "drawn"},
    "entered_knockout": {"kind": "single_elim", "partners": "entered"},
}
"""Four pairs that share a side, drawn by lot or entered as teams."""
PAIRS = "\n".join(" & ".join(NAMES[start : start + 2]) for start in range(0, 8, 2))


def a_team_night(changes: dict[str, Any]) -> Night:
    """Make four pairs, everybody here, everybody with a link; the same lots each time an example is tried."""
    by = a.a_user()
    asked = {"name": "Any order of teams", "who": "people", "seats": 4, "options": {"teams": "2x2"}, "min_entries": 2}
    event = create_tournament(by=by, plan=a.a_plan(**{**asked, **changes}))
    publish_tournament(tournament=event, by=by)
    open_registration(tournament=event, by=by)
    is_drawn = changes["partners"] == "drawn"
    people.add_list(tournament=event, by=by, data=("\n".join(NAMES) if is_drawn else PAIRS).encode())
    people.check_in_all(tournament=event, by=by)
    make_repeatable(event)
    _repeat_lots()
    if is_drawn:
        draw_partners(tournament=event, by=by, seen=1)
        make_repeatable(event)
    make_links(tournament=event, by=by)
    return Night(event)


def _repeat_lots() -> None:
    """Repeat the next draw of partners each time."""
    seed = bytes([7] * 32)
    PartnerDraw.objects.filter(drawn_at=None).update(secret=seed, commitment=committed(seed))


class TeamsInAnyOrder(AnyOrder):
    """Everything of `AnyOrder`, and what only teams have."""

    shape: ClassVar[str] = "drawn_robin"

    def _begin(self) -> Night:
        return a_team_night(TEAM_SHAPES[self.shape])

    def _sound(self) -> None:
        super()._sound()
        self._must(team_faults_of(self.event))

    @rule(n=pick, m=pick, keep=keeps, verb=st.sampled_from(["make", "break", "rename", "substitute", "newcomer"]))
    def team(self, n: int, m: int, keep: bool, verb: str) -> None:
        """Make a team by hand."""
        self._organise(lambda: self._team(n, m, verb), keep)

    @rule(keep=st.booleans(), rule=st.sampled_from(["lots", "clubs"]))
    def draw(self, keep: bool, rule: str) -> None:
        """Draw partners by lot for people who have none; nobody undoes a draw but with its own reason."""
        _repeat_lots()
        draw = self.event.partner_draws.filter(drawn_at=None).first()
        number = draw.number if draw is not None else 0
        self._for_good(lambda: draw_partners(tournament=self.event, by=self.by, seen=number, rule=rule))
        if not keep:
            self._for_good(
                lambda: undo_partner_draw(tournament=self.event, by=self.by, number=number, reason="Too early.")
            )

    @rule(n=pick, verb=st.sampled_from(["come", "drop_out", "come_back"]))
    def by_link(self, n: int, verb: str) -> None:
        """Do what people do on their phones."""
        links = list(EntryLink.objects.filter(entry__tournament=self.event, ended_at=None).order_by("entry__pk"))
        link = links[n % len(links)]
        act = {"come": player_actions.come, "drop_out": player_actions.drop_out, "come_back": player_actions.come_back}[
            verb
        ]
        self._send(lambda: act(link=link))

    def _for_good(self, do: Callable[[], object]) -> None:
        """Note that it is done, and that what was done before it is not undone any more."""
        if self._tried(do, self._before()):
            self.night.done.clear()
            self._sound()

    def _team(self, n: int, m: int, verb: str) -> None:
        event, by = self.event, self.by
        rows = list(teams_of(event).order_by("pk"))
        if verb == "make":
            alone = list(singles_of(event).order_by("pk"))
            if len(alone) < 2:
                raise DomainError("Nobody is single.")
            teams.make_team(tournament=event, by=by, people=[alone[n % len(alone)], alone[m % len(alone)]])
            return
        if not rows:
            raise DomainError("There are no teams.")
        team = rows[n % len(rows)]
        if verb == "break":
            teams.break_team(team=team, by=by)
        elif verb == "rename":
            teams.rename_team(team=team, by=by, name=f"Team {m}")
        else:
            self._substitute(team, m, verb)

    def _substitute(self, team: Entry, m: int, verb: str) -> None:
        members = list(team.members.filter(until_round=None).select_related("person").order_by("number"))
        free = list(Entry.objects.filter(tournament=self.event, members=None).exclude(state=E.PARTNERED).order_by("pk"))
        if not members or (verb == "substitute" and not free):
            raise DomainError("Nobody can come for anybody.")
        leaving = members[m % len(members)].person
        if verb == "newcomer":
            name = f"Newcomer {Entry.objects.count()}"
            substitutes.substitute(team=team, by=self.by, member=leaving, name=name)
        else:
            substitutes.substitute(team=team, by=self.by, member=leaving, person=free[m % len(free)])
