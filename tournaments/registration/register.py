"""Registering: a person with an account at once, anybody else by a link that is mailed to them and confirmed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from accounts.locking import lock_account
from accounts.models import User
from activity.journal import audit, publish
from core.errors import TournamentError
from core.interchange.tables import EntryRow
from tournaments.domain_events.registration import PersonRegistered, RegistrationChanged
from tournaments.entries import people
from tournaments.entries.birth_years import require_year
from tournaments.entries.people import tidy
from tournaments.models import Entry, Registration, RegistrationSettings, TeamPlace, Tournament
from tournaments.progress import waiting_list
from tournaments.registration.answers import read_answers, write_answers
from tournaments.registration.letters import post_letter, tell_changes
from tournaments.registration.queries import own_registration
from tournaments.registration.set_up import questions_of, require_open, settings_of
from tournaments.registration.team_places import claim, claimed_by, settle, take_place
from web.rate_limits import count, count_from

S = Registration.State
# A hall of people registers from one network; sixty in ten minutes is what guesses of links get as well.
MAX_FROM_NETWORK: Final = 60
NETWORK_WITHIN: Final = timedelta(minutes=10)
# A mailbox that somebody else names must not fill up.
MAX_LETTERS: Final = 3
LETTERS_WITHIN: Final = timedelta(hours=1)
MAX_UNCONFIRMED: Final = 1_000
"""Bound of an event: a program that invents addresses must not fill the table."""
GOOD_FOR: Final = timedelta(days=2)
"""Time in which a registration can be confirmed; then it is deleted."""


@dataclass(frozen=True, slots=True)
class Details:
    """What a person writes about themselves. answers: by uuid of the question. email: only without an account.

    born: the year, where the event has a rule about the ages of partners; elsewhere it is not stored.
    """

    name: str
    club: str = ""
    email: str = ""
    answers: Mapping[str, str] = field(default_factory=dict)
    agrees: bool = False
    born: int | None = None


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sends it: a mark of their network (`web.rate_limits.mark_of`), their language and time zone."""

    network: str
    language: str = ""
    zone: str = ""


def register(
    *,
    tournament: Tournament,
    person: User | None,
    details: Details,
    sender: Sender,
    place: TeamPlace | None = None,
    is_mailed: bool = False,
) -> Registration:
    """Register a person. With an account they are registered at once, else once they confirm by the link in the mail.

    place: in a team, which they take once they have confirmed. is_mailed: they came by the mail that asked them, so
    with its address they have confirmed.
    Sent twice it is one registration, and the second answer says nothing of the first: who does not read the mail must
    not learn whose address is registered. Raises TournamentError "registration.off", "registration.not_open",
    "registration.closed", "registration.answer", "registration.consent", "registration.birth_year",
    "entry.bad_birth_year", "registration.bad_email",
    "registration.twice", "registration.too_many", "entry.name_invalid", "entry.duplicate", "rate.limited" (extra:
    retry_after); AccountGone.
    """
    chosen = settings_of(tournament)
    require_open(chosen, tournament)
    found = own_registration(tournament, person) if person is not None else None
    if found is not None and found.state != S.UNCONFIRMED:
        return found
    answers = check_details(tournament, chosen, details)
    if person is not None:
        return _with_account(tournament, person, details, answers, place)
    return _by_mail(tournament, details, answers, sender, place, is_mailed=is_mailed)


def check_details(event: Tournament, chosen: RegistrationSettings, details: Details) -> dict[int, str]:
    """Return the answers to be stored; raises what `register` raises of names, answers and consent."""
    check_name(event, details.name, details.club)
    answers = read_answers(questions_of(event), details.answers)
    check_year(event, details)
    if chosen.consent and not details.agrees:
        raise TournamentError(_("Agree to the organiser's text to register."), code="registration.consent")
    return answers


def check_year(event: Tournament, details: Details) -> None:
    """Raise TournamentError "registration.birth_year", "entry.bad_birth_year" where the year is asked for."""
    if not event.age_gap:
        return
    if details.born is None:
        message = _("Give your year of birth, which only organisers see: partners have to be some years apart in age.")
        raise TournamentError(message, code="registration.birth_year", extra={"field": "born"})
    require_year(details.born)


def check_name(event: Tournament, name: str, club: str, *, without: Entry | None = None) -> None:
    """Raise TournamentError "entry.name_invalid", "entry.duplicate" in words for the person themselves."""
    try:
        people.check_names(event, [EntryRow(line=1, name=name, club=club)], without=without)
    except TournamentError as refusal:
        # Somebody who withdrew comes back by their own link, so that nobody is entered twice.
        if refusal.code not in ("entry.duplicate", "entry.left"):
            raise
        message = _(
            "%(name)s is already entered. If that is you, ask for your link below. If not, add your club or an initial."
        )
        raise TournamentError(message % {"name": tidy(name)}, code="entry.duplicate") from refusal


def _with_account(
    event: Tournament, person: User, details: Details, answers: Mapping[int, str], place: TeamPlace | None
) -> Registration:
    with transaction.atomic():
        # The account, then the event: the order of everything that takes both.
        account = lock_account(person)
        Tournament.objects.select_for_update().get(pk=event.pk)
        row = _own_row(event, account)
        if row.pk is None or row.state == S.UNCONFIRMED:
            _fill(event, row, details)
            row.save()
            write_answers(row, answers)
            if place is not None:
                claim(place, row)
        # In the same transaction: a name that is taken leaves nothing behind.
        return confirm(row)


def _own_row(event: Tournament, account: User) -> Registration:
    """Return the registration of an account: theirs, the one of their confirmed address, or a new one."""
    rows = Registration.objects.select_for_update().filter(tournament=event)
    key = account.mail_address.lower()
    found = rows.filter(user=account).first()
    if found is not None:
        return found
    found = rows.filter(email_key=key).first() if key else None
    if found is None:
        return Registration(tournament=event, user=account, email_key=key)
    if found.user_id is not None:
        message = _("Another account with your address is registered here already. Log in with that one.")
        raise TournamentError(message, code="registration.twice")
    # The account proves that it reads this mail, so the registration by mail is theirs.
    found.user = account
    found.save(update_fields=["user"])
    return found


def _by_mail(
    event: Tournament,
    details: Details,
    answers: Mapping[int, str],
    sender: Sender,
    place: TeamPlace | None,
    *,
    is_mailed: bool,
) -> Registration:
    address = details.email.strip()
    require_address(address)
    limit(event, address, sender)
    with transaction.atomic():
        if place is not None:  # the event before the registration, as all who take both
            Tournament.objects.select_for_update().get(pk=event.pk)
        row = _row_of_address(event, address, sender)
        if row.state == S.UNCONFIRMED:
            _fill(event, row, details)
            row.email, row.language, row.zone = address, sender.language, sender.zone
            # Confirmed at this moment, it stays as it was confirmed.
            names = ("name", "club", "email", "language", "zone", "consent_at", "birth_year")
            columns = {name: getattr(row, name) for name in names}
            if Registration.objects.filter(pk=row.pk, state=S.UNCONFIRMED).update(**columns):
                write_answers(row, answers)
            if place is not None:
                claim(place, row)
                if is_mailed and place.email.lower() == address.lower():
                    return confirm(row)  # the link came by the mail of this address
        post_letter(row)
    return row


def require_address(address: str) -> None:
    """Raise TournamentError "registration.bad_email"."""
    try:
        validate_email(address)
    except ValidationError as wrong:
        message = _("Give your email address: we send the link to it.")
        raise TournamentError(message, code="registration.bad_email") from wrong


def limit(event: Tournament, address: str, sender: Sender) -> None:
    """Count one more letter to an address, from a network. Raises TournamentError "rate.limited"."""
    wait = count_from("register: ", sender.network, most=MAX_FROM_NETWORK, within=NETWORK_WITHIN)
    if wait is not None:
        raise _too_many(wait)
    limit_letters(event, address)


def limit_letters(event: Tournament, address: str) -> None:
    """Count one more letter to an address. Raises TournamentError "rate.limited"."""
    # A hash: the counters are no list of addresses.
    mark = salted_hmac("hanami.register", f"{event.pk}:{address.lower()}").hexdigest()[:24]
    wait = count(f"register_to: {mark}", most=MAX_LETTERS, within=LETTERS_WITHIN)
    if wait is not None:
        raise _too_many(wait)


def _too_many(wait: int) -> TournamentError:
    message = _("Too many registrations came from here. Try again in %(minutes)s minutes, or log in first.")
    shown = {"minutes": -(-wait // 60)}
    return TournamentError(message % shown, code="rate.limited", extra={"retry_after": wait})


def _row_of_address(event: Tournament, address: str, sender: Sender) -> Registration:
    """Return the registration of an address, made if there is none."""
    rows = Registration.objects.select_related("user", "tournament", "entry__player")
    found = rows.filter(tournament=event, email_key=address.lower()).first()
    if found is not None:
        return found
    if Registration.objects.filter(tournament=event, state=S.UNCONFIRMED).count() >= MAX_UNCONFIRMED:
        message = _("Too many people have not confirmed yet. Try again in an hour, or log in first.")
        raise TournamentError(message, code="registration.too_many")
    new = Registration(tournament=event, email=address, email_key=address.lower(), name="-")
    try:
        # A savepoint: on PostgreSQL a refused insert would end the whole transaction.
        with transaction.atomic():
            new.save()
    except IntegrityError:  # the same form, sent twice at once
        return rows.get(tournament=event, email_key=address.lower())
    return new


def _fill(event: Tournament, row: Registration, details: Details) -> None:
    row.name, row.club = tidy(details.name), tidy(details.club)
    row.consent_at = timezone.now() if details.agrees else None
    row.birth_year = details.born if event.age_gap else None


def send_link(*, tournament: Tournament, address: str, sender: Sender) -> None:
    """Mail the link of a registration to its address once more, if there is one; the answer is the same if not.

    Raises TournamentError "registration.bad_email", "rate.limited".
    """
    require_address(address.strip())
    limit(tournament, address.strip(), sender)
    with transaction.atomic():
        rows = Registration.objects.select_related("user", "tournament", "entry__player")
        row = rows.filter(tournament=tournament, email_key=address.strip().lower()).first()
        if row is not None:
            post_letter(row)


def confirm(registration: Registration) -> Registration:
    """Let a registration count: an entry, a place on the waiting list, or to be approved. Twice changes nothing.

    Raises TournamentError "registration.off", "registration.not_open", "registration.closed", "registration.twice",
    "entry.name_invalid", "entry.duplicate".
    """
    with transaction.atomic():
        # One by one for the whole event: so exactly as many get a place as there are.
        event = Tournament.objects.select_for_update().get(pk=registration.tournament_id)
        row = Registration.objects.select_related("entry__player", "user").get(pk=registration.pk)
        row.tournament = event
        if row.state != S.UNCONFIRMED:
            return row
        chosen = settings_of(event)
        require_open(chosen, event)
        _require_single(row)
        row.confirmed_at = timezone.now()
        place = claimed_by(row) if event.partners else None
        is_held = place is not None and place.is_held
        if place is not None:
            take_place(place, row)
        is_approved = not chosen.needs_approval
        let_in(event, row, is_approved=is_approved, verb=PersonRegistered, has_place=is_held)
    return row


def _require_single(row: Registration) -> None:
    """Raise TournamentError "registration.twice" if an account that reads the same mail is registered already."""
    if row.user_id is None and row.email_key:
        others = Registration.objects.filter(tournament=row.tournament_id, user__email__iexact=row.email_key)
        if others.exclude(user__email_confirmed_at=None).exclude(pk=row.pk).exists():
            message = _("You are registered here already with your account. Log in to see it.")
            raise TournamentError(message, code="registration.twice")


def let_in(
    event: Tournament,
    row: Registration,
    *,
    is_approved: bool,
    verb: type[RegistrationChanged],
    by: User | None = None,
    has_place: bool = False,
) -> None:
    """Give a registration its entry, in its turn, or let it wait for approval. Needs the event's lock.

    has_place: one was held for it, as a member of a team.
    """
    promoted: list[Entry] = []
    if is_approved:
        row.entry = _entry_of(event, row)
        if has_place:
            row.entry.state = Entry.State.ENTERED
            row.entry.save(update_fields=["state"])
        # Everybody goes through the waiting list, so nobody overtakes those who wait.
        promoted = waiting_list.promote_people(event)
        row.entry.refresh_from_db(fields=["state"])
    row.state = S.ACCEPTED if is_approved else S.PENDING
    row.save()
    record(event, row, verb, by=by, promoted=promoted)


def _entry_of(event: Tournament, row: Registration) -> Entry:
    """Return the entry of a registration at the end of the waiting list: a new one, or the one that it had."""
    check_name(event, row.name, row.club, without=row.entry)
    if row.entry is None:
        years = () if row.birth_year is None else (row.birth_year,)
        written = EntryRow(line=1, name=row.name, club=row.club, years=years)
        # Somebody without an account enters in the name of whose event it is.
        return people.enter(event, written, row.user or event.created_by, state=Entry.State.WAITLISTED)
    entry = row.entry
    entry.state, entry.created_at = Entry.State.WAITLISTED, timezone.now()
    entry.save(update_fields=["state", "created_at"])
    return entry


def record(
    event: Tournament,
    row: Registration,
    verb: type[RegistrationChanged],
    *,
    by: User | None = None,
    promoted: list[Entry] | None = None,
) -> None:
    """Notify the person and those who moved up, write the audit, publish. The last step of a transaction."""
    moved = promoted or []
    tell_changes(Registration.objects.filter(pk=row.pk))
    tell_changes(Registration.objects.filter(entry__in=[entry.pk for entry in moved]))
    after: dict[str, object] = {"state": str(row.state)}
    if row.entry is not None:  # its name is public; of others nothing is
        after |= {"entry": str(row.entry.uuid), "name": row.entry.player.name}
    actor = by or row.user
    audit(verb, f"registration:{row.uuid}", actor=actor, channel=event.channel, after=after)
    # Who gets a place at once has moved up for the database alone.
    others = [entry for entry in moved if entry.pk != row.entry_id]
    publish(verb.of(event.channel, after), *waiting_list.record(event, others))
    settle(event)
