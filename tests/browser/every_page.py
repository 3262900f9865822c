"""Pages that `leagues` does not show: the desk, slips, links, line-ups, brackets, comparisons, what operators see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from django.contrib.auth.tokens import default_token_generator
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from accounts.addresses import link_token as link_token_of_address
from accounts.models import User
from tests.browser import program_looks, source_looks
from tests.builders import boards
from tests.builders import events as a
from tests.builders.challenges import a_challenge
from tests.builders.clubs import a_called_night, a_club_night, person, tables_of
from tests.builders.leagues import League
from tests.builders.registrations import PAIRS, QUESTIONS, an_event_with_registration, registered
from tests.builders.seasons import a_long_season, a_season, a_season_with_a_history
from tests.tournaments.entries.test_links import link_of
from tests.tournaments.progress.test_people import finish_round
from tests.tournaments.progress.test_people_chains import KNOCK_OUT, a_night, play_and_close
from tournaments.clubs.membership import join_club
from tournaments.entries.captains import captain_token, captains_of
from tournaments.entries.links import link_token
from tournaments.invitations.answers import accept_link
from tournaments.invitations.links import invitation_token, make_invitation_link
from tournaments.invitations.people import invite_addresses, invite_person
from tournaments.lifecycle.event_plan import StagePlan
from tournaments.models import PrizeCategory, Tournament
from tournaments.models.club import club_key
from tournaments.notifications.letters import unsubscribe_token
from tournaments.operations.failing import rows_of
from tournaments.progress.stage_actions import draw_stage
from tournaments.ranking.set_prizes import CategoryPlan, PrizePlan, set_prizes
from tournaments.registration.letters import path_of, path_of_place, token_of
from tournaments.registration.teams import add_member
from tournaments.scores.slips import slip_token
from tournaments.seasons.closing import close_season, make_next_season

POSTED: Final = "takes POST alone and leads to a page that is looked at"
LEADS: Final = "leads to a page that is looked at"
A_FILE: Final = "is a file, not a page"
NO_PAGES: Final = {
    **dict.fromkeys(program_looks.POSTED, POSTED),
    **dict.fromkeys(
        (
            "logout/",
            "i18n/setlang/",
            "me/cards/",
            "me/mail/forget/",
            "me/sign-out/",
            "me/sessions/<uuid:uuid>/end/",
            "me/tokens/<uuid:uuid>/revoke/",
            "me/hooks/<uuid:uuid>/do/<slug:verb>/",
            "me/push/<slug:verb>/",
            "e/my/<uuid:uuid>/push/<slug:verb>/",
            "me/follow/read/",
            "me/follow/do/<slug:verb>/",
            "me/calendar/do/<slug:verb>/",
            "b/<slug:slug>/v/<int:n>/recheck/",
            "b/<slug:slug>/v/<int:n>/withdraw/",
            "b/<slug:slug>/do/<slug:verb>/",
            "b/<slug:slug>/delete/",
            "b/<slug:slug>/follow/<slug:verb>/",
            "b/<slug:slug>/policy/",
            "c/<uuid:uuid>/do/<slug:verb>/",
            "m/<uuid:uuid>/do/<slug:verb>/",
            "t/<slug:slug>/partners/<slug:verb>/",
            "t/<slug:slug>/lineups/part/",
            "t/<slug:slug>/another/",
            "t/<slug:slug>/do/<slug:verb>/",
            "t/<slug:slug>/desk/<slug:verb>/",
            "t/<slug:slug>/links/<slug:verb>/",
            "t/<slug:slug>/invitations/<slug:verb>/",
            "t/<slug:slug>/registrations/<slug:verb>/",
            "t/<slug:slug>/seasons/<slug:season>/<slug:verb>/",
            "seasons/<slug:slug>/events/<slug:event>/<slug:verb>/",
            "seasons/<slug:slug>/do/<slug:verb>/",
            "clubs/<str:key>/<slug:verb>/",
            "seasons/<slug:slug>/next/",
            "i/accept/",
            "i/decline/",
            "me/invitations/<uuid:uuid>/<slug:verb>/",
            "t/<slug:slug>/lineups/renew/",
            "x/<uuid:uuid>/<slug:verb>/",
            "x/<uuid:uuid>/photo/<int:side>/remove/",
            "ops/requeue/",
            "ops/worker/<int:pk>/<slug:verb>/",
            "ops/suspension/<slug:verb>/",
        ),
        POSTED,
    ),
    **dict.fromkeys(
        (
            "me/follow/<int:number>/",
            "e/my/<uuid:uuid>/table/<uuid:match>/",
            r"^e/(?P<token>[\w-]{1,60})/$",
            "e/<str:token>/",
            "i/<str:token>/",
        ),
        LEADS,
    ),
    **dict.fromkeys(
        (
            "api/schema",
            "data/files/<str:name>",
            "play/<uuid:uuid>/view/",
            "kit/simple/",
            r"^kit/simple/(?P<name>[A-Za-z0-9][A-Za-z0-9._-]{0,99})/$",
            r"^kit/files/(?P<part>[0-9a-f]{16})/(?P<name>[\w.-]{1,200})$",
            "b/<slug:slug>/v/<int:n>/source/file/",
            "b/<slug:slug>/v/<int:n>/source.zip",
            "b/<slug:slug>/v/<int:n>/changes.diff",
            "me/data/copy/",
            "push-worker.js",
            "push-icon.svg",
            "manifest.webmanifest",
            "robots.txt",
            "favicon.ico",
            "e/my/<uuid:uuid>/manifest.webmanifest",
            "me/calendar/<str:token>.ics",
            "c/<uuid:uuid>/data.<slug:kind>",
            "m/<uuid:uuid>/record.json",
            "x/<uuid:uuid>/photo/<int:side>.jpg",
            "m/<uuid:uuid>/record.compact.json",
            "m/words/<slug:language>-<slug:game>.json",
            "fairness/words/<slug:language>.json",
            "ladder/<slug:preset>/ladder.csv",
            "rules/<slug:preset>/<slug:topic>/record.json",
            "schemas/hanafuda-tournament-1.json",
            "t/<slug:slug>/files/calendar.ics",
            "t/<slug:slug>/files/report-<int:order>.trf",
            "t/<slug:slug>/files/<str:what>",
            "t/<slug:slug>/results/<int:number>.csv",
            "t/<slug:slug>/registrations/answers.csv",
            "seasons/<slug:slug>/table.csv",
        ),
        A_FILE,
    ),
}
OTHER_PAGES: Final = (
    source_looks.ROUTES
    | program_looks.ROUTES
    | frozenset(
        {
            "reset/<str:uidb64>/<str:token>/",
            "me/tokens/",
            "me/notices/stop/<str:token>/",
            "me/hooks/<uuid:uuid>/",
            "docs/decisions/<slug:name>/",
            "b/<slug:slug>/audit/",
            "b/<slug:slug>/emblem/",
            "b/<slug:slug>/name/",
            "b/<slug:slug>/failures/",
            "b/<slug:slug>/failures/<slug:id>/",
            "me/mail/confirm/<str:token>/",
            "c/",
            "c/new/",
            "c/<uuid:uuid>/",
            "e/",
            "e/my/<uuid:uuid>/",
            "e/my/<uuid:uuid>/<slug:verb>/",
            "m/<uuid:uuid>/result/",
            "m/<uuid:uuid>/void/",
            "ops/",
            "ops/audit/",
            "learn/",
            "learn/<slug:lesson>/",
            "play/",
            "play/<uuid:uuid>/",
            "t/<slug:slug>/partners/",
            "t/<slug:slug>/lineups/",
            "t/<slug:slug>/lineups/<str:token>/",
            "t/<slug:slug>/bracket/",
            "t/<slug:slug>/audit/",
            "t/<slug:slug>/draw/<int:number>/",
            "t/<slug:slug>/cancel/",
            "t/<slug:slug>/stage/<int:number>/void/",
            "t/<slug:slug>/clock/",
            "t/<slug:slug>/time-zone/",
            "t/<slug:slug>/details/",
            "t/<slug:slug>/edit/",
            "t/<slug:slug>/entries/<uuid:uuid>/",
            "t/<slug:slug>/rules/",
            "t/<slug:slug>/entries/<uuid:uuid>/presence/",
            "t/<slug:slug>/presence/",
            "t/<slug:slug>/register/",
            "t/<slug:slug>/register/sent/",
            "t/<slug:slug>/register/link/",
            "t/<slug:slug>/register/mine/",
            "t/<slug:slug>/register/<str:token>/",
            "t/<slug:slug>/register/team/<str:token>/",
            "t/<slug:slug>/registrations/",
            "t/<slug:slug>/registrations/form/",
            "t/<slug:slug>/seasons/",
            "seasons/",
            "seasons/new/",
            "seasons/<slug:slug>/",
            "seasons/<slug:slug>/edit/",
            "seasons/<slug:slug>/events/",
            "seasons/<slug:slug>/people/<uuid:uuid>/",
            "seasons/<slug:slug>/people/",
            "seasons/<slug:slug>/run/",
            "seasons/<slug:slug>/clubs/",
            "data/",
            "clubs/",
            "clubs/<str:key>/",
            "t/<slug:slug>/rehearsal/",
            "t/<slug:slug>/desk/",
            "t/<slug:slug>/grid/",
            "t/<slug:slug>/grid/<int:number>/",
            "t/<slug:slug>/wishes/",
            "t/<slug:slug>/draws/",
            "t/<slug:slug>/certificates/",
            "t/<slug:slug>/prizes/",
            "t/<slug:slug>/prizes/<uuid:uuid>/",
            "t/<slug:slug>/ranking/",
            "t/<slug:slug>/ranking/poster-<slug:paper>/",
            "t/<slug:slug>/by-hand/",
            "t/<slug:slug>/by-hand/<int:number>/",
            "t/<slug:slug>/next/",
            "t/<slug:slug>/print/<int:number>/",
            "t/<slug:slug>/results/<int:number>/",
            "t/<slug:slug>/swap/<int:number>/",
            "t/<slug:slug>/adjust/",
            "t/<slug:slug>/undo/",
            "t/<slug:slug>/roles/",
            "t/<slug:slug>/screen/",
            "t/<slug:slug>/links/",
            "t/<slug:slug>/links/cards/",
            "t/<slug:slug>/invitations/",
            "t/<slug:slug>/invitations/<uuid:uuid>/",
            "i/",
            "me/invitations/",
            "x/",
            "x/<uuid:uuid>/",
        }
    )
)


@dataclass(frozen=True, slots=True)
class Look:
    """A reader (nobody: None), a link to open first ("" for none), and the pages they see."""

    reader: User | None
    first: str
    paths: tuple[str, ...]


def other_looks(league: League) -> Iterator[Look]:
    """Return who sees which pages. Makes the events it needs."""
    yield Look(None, "", (*program_looks.tables(), "/learn/", "/learn/koi-koi/", "/learn/sakura/"))
    yield from (Look(reader, "", paths) for reader, paths in program_looks.readers())
    night = a_called_night(people=6, name="Thursday club")
    tabs = (
        "desk/ print/1/ results/1/ swap/1/ by-hand/1/ adjust/ undo/ roles/ screen/ links/ links/cards/ wishes/ draws/ "
    )
    tabs += "cancel/ presence/ grid/ grid/1/ time-zone/ details/ edit/ rules/ audit/ entries/"
    match = tables_of(night)[0]
    here = [f"/t/{night.slug}/{tab}" for tab in tabs.split()]
    here += [f"/t/{night.slug}/entries/{person(night, 'Aiko').uuid}/{tab}" for tab in ("", "presence/")]
    yield Look(night.created_by, "", (*here, f"/m/{match.uuid}/result/", f"/m/{match.uuid}/void/", "/me/tokens/"))
    over = a_called_night(people=4, name="Between rounds")
    finish_round(over)
    yield Look(over.created_by, "", (f"/t/{over.slug}/next/", f"/t/{over.slug}/by-hand/", f"/t/{over.slug}/desk/"))
    yield Look(None, f"/e/{slip_token(match, 0)}/", ("/x/", f"/x/{match.uuid}/"))
    entry = person(night, "Aiko")
    day = f"/e/my/{entry.uuid}/"
    yield Look(None, f"/e/{link_token(link_of(night, 'Aiko'))}/", ("/e/", day, f"{day}leave/"))
    draft = a_club_night(people=4, name="Before the start", partners="drawn", seats=4, kind="round_robin",
                         options={"rounds": 1, "teams": "2x2"})  # fmt: skip
    yield Look(draft.created_by, "", tuple(f"/t/{draft.slug}/{tab}" for tab in ("rehearsal/", "partners/", "desk/")))
    yield from _teams()
    yield from _chain()
    yield from _of_bots(league)
    yield from _invitations()
    yield from _registration()
    yield from _seasons()
    yield Look(None, "", tuple(source_looks.months()))
    author, paths = source_looks.sources()
    yield Look(author, "", tuple(paths))


def _invitations() -> Iterator[Look]:
    event = a.an_open_event(visibility="private", name="Private league " + "w" * 40)
    by, guest = event.created_by, a.a_user("guest-" + "w" * 50)
    link = make_invitation_link(tournament=event, by=by, max_uses=5, note="Lyon " + "w" * 50)
    accept_link(link=link, user=guest)
    invite_person(tournament=event, by=by, username=a.a_user("kimiko").username)
    invite_addresses(tournament=event, by=by, addresses=[f"{'w' * 50}@plum.example"])
    here = f"/t/{event.slug}/invitations/"
    yield Look(by, "", (here, f"{here}?show={link.uuid}", f"{here}{link.uuid}/", f"/t/{event.slug}/desk/"))
    yield Look(by, "", (f"/t/{event.slug}/roles/",))
    yield Look(guest, "", ("/me/invitations/", f"/t/{event.slug}/"))
    yield Look(None, f"/i/{invitation_token(link)}/", ("/i/",))
    yield Look(a.a_user("newcomer"), f"/i/{invitation_token(link)}/", ("/i/",))


def _registration() -> Iterator[Look]:
    event = an_event_with_registration(questions=QUESTIONS[1:], name="Autumn cup " + "w" * 40)
    guest = a.a_user("kaede-" + "w" * 40)
    registered(event, "Kaede " + "w" * 50, person=guest)
    token = token_of(registered(event, "Momiji"))
    here = f"/t/{event.slug}/"
    yield Look(event.created_by, "", (f"{here}registrations/", f"{here}registrations/form/"))
    yield Look(guest, "", (f"{here}register/mine/",))
    open_to_all = ("register/", "register/sent/", "register/link/", f"register/{token}/")
    yield Look(None, "", tuple(f"{here}{path}" for path in open_to_all))
    pairs = an_event_with_registration(**PAIRS, name="Pairs " + "w" * 40)
    captain = registered(pairs, "Sakura " + "w" * 50)
    place = add_member(registration=captain, name="Yuki " + "w" * 50)
    yield Look(None, "", (path_of(captain), path_of_place(place)))
    yield Look(a.a_user("yuki-" + "w" * 40), "", (path_of_place(place),))


def _seasons() -> Iterator[Look]:
    season = a_long_season(f"League of {'w' * 60}")
    by, here = season.created_by, f"/seasons/{season.slug}/"
    somebody, event = season.people.order_by("row")[0], season.events.order_by("pk")[0].tournament
    public = ("/seasons/", here, f"{here}events/", f"{here}people/{somebody.uuid}/")
    club = f"/clubs/{club_key(somebody.club)}/"
    yield Look(None, "", (*public, f"{here}?q=nobody", f"{here}clubs/", "/clubs/", club, "/data/"))
    yield Look(by, "", (*public, "/seasons/new/", f"{here}edit/", f"{here}people/", f"{here}run/"))
    yield Look(by, "", (f"/t/{event.slug}/seasons/",))
    yield from _other_seasons()


def _other_seasons() -> Iterator[Look]:
    """Seasons without anything and closed ones, people who were merged, an event that is asked for, a joined club."""
    empty = a_season(name="Nothing yet " + "w" * 60)
    nothing = tuple(f"/seasons/{empty.slug}/{tab}" for tab in ("", "events/", "clubs/"))
    yield Look(None, "", (*nothing, "/seasons/?q=nothing-of-this", "/clubs/?q=nothing-of-this"))
    yield Look(empty.created_by, "", (*nothing, *(f"/seasons/{empty.slug}/{tab}" for tab in ("people/", "run/"))))
    season = a_season_with_a_history("Closed league of " + "w" * 60)
    by, here = season.created_by, f"/seasons/{season.slug}/"
    closed = tuple(f"{here}{tab}" for tab in ("", "events/", "people/", "run/"))
    yield Look(by, "", closed)
    asked = season.events.get(state="asked").tournament
    yield Look(asked.created_by, "", (f"/t/{asked.slug}/seasons/", "/me/follow/"))
    member = season.people.select_related("user").exclude(user=None)[0]
    guest = member.user
    assert guest is not None
    join_club(user=guest, key=club_key(member.club))
    yield Look(guest, "", (f"/clubs/{club_key(member.club)}/", here, f"{here}people/{member.uuid}/"))
    close_season(season=season, by=by)
    yield Look(by, "", closed)
    make_next_season(season=season, by=by, name="The next league of " + "w" * 60)
    yield Look(by, "", (f"{here}run/",))


def _teams() -> Iterator[Look]:
    event = boards.a_running_night(people=4)
    yield Look(event.created_by, "", tuple(f"/t/{event.slug}/{tab}" for tab in ("lineups/", "print/1/?sheet=lineups")))
    captain = next(iter(captains_of(event).values()))
    yield Look(None, "", (f"/t/{event.slug}/lineups/{captain_token(captain)}/",))


def _chain() -> Iterator[Look]:
    waits = StagePlan(kind=KNOCK_OUT.kind, name=KNOCK_OUT.name, waits=True)
    event = a_night(then=(waits,), name="Pools and a cup")
    play_and_close(event, 1)
    here, category = f"/t/{event.slug}/", CategoryPlan("Novices of " + "w" * 40)
    prizes = [PrizePlan("A cup of " + "w" * 60, amount=Decimal(20)), PrizePlan("A fan", last=3, category=1)]
    shown = {"publish": "now", "currency": "EUR"}
    set_prizes(tournament=event, by=event.created_by, changes=shown, categories=[category], prizes=prizes)
    tabs = ("draw/2/", "share/", "ranking/", "ranking/poster-a4/", "prizes/", "certificates/")
    yield Look(event.created_by, "", tuple(f"{here}{tab}" for tab in tabs))
    uuid = PrizeCategory.objects.filter(tournament=event).values_list("uuid", flat=True)[0]
    yield Look(event.created_by, "", (f"{here}prizes/{uuid}/",))
    other: Tournament = a_night(name="Cup that is on")
    play_and_close(other, 1)
    draw_stage(tournament=other, by=other.created_by, order=2)
    yield Look(other.created_by, "", (f"/t/{other.slug}/bracket/", f"/t/{other.slug}/stage/2/void/"))


def _of_bots(league: League) -> Iterator[Look]:
    slug, failed = league.bot.slug, league.failed.bot.slug
    letter, key, _at = rows_of(league.failed.bot, league.owner)[0]
    of_one = (f"/b/{slug}/audit/", f"/b/{slug}/emblem/", f"/b/{slug}/name/")
    mine = (*of_one, f"/b/{failed}/failures/", f"/b/{failed}/failures/{letter}{key}/")
    yield Look(league.owner, "", mine)
    league.rival.email_wanted = "rival@example.org"
    league.rival.save(update_fields=["email_wanted"])
    yield Look(league.rival, "", (f"/me/mail/confirm/{link_token_of_address(league.rival)}/",))
    challenge = a_challenge()
    bot = challenge.candidate.bot
    yield Look(challenge.by, "", ("/c/", f"/c/new/?bot={bot.slug}", f"/c/{challenge.uuid}/"))
    hook = league.organiser.hooks.get()
    yield Look(league.organiser, "", (f"/t/{league.draft.slug}/clock/", f"/me/hooks/{hook.uuid}/"))
    yield Look(a.a_user("operator", is_staff=True), "", ("/ops/", "/ops/audit/"))
    uid = urlsafe_base64_encode(force_bytes(league.rival.pk))
    reset = f"/reset/{uid}/{default_token_generator.make_token(league.rival)}/"
    stop = f"/me/notices/stop/{unsubscribe_token(league.rival, '')}/"
    yield Look(None, "", (reset, stop, "/docs/decisions/0013-a-finished-leg-is-shown-at-once/"))
