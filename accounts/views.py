"""Views of accounts: sign up, log in, log out, the account page."""

from collections.abc import Sequence
from typing import Any, Final

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.views import LoginView, redirect_to_login
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import services
from accounts.cards import remember
from accounts.errors import TooOften
from accounts.forms import CardsForm, LogInForm, ProfilePart, SignUpForm
from accounts.models import User
from accounts.password_forms import ends_tokens, offer_to_end_tokens
from accounts.sessions import renew_session
from accounts.signals import trying
from accounts.zones import COOKIE, zone_named

# Sessions name the backend that opened them; with several in the settings `login` has to be told which.
BACKEND = "django.contrib.auth.backends.ModelBackend"
APPEARS: Final = ("display_name", "language", "time_zone")
LOOKS: Final = ("theme", "cards", "backs", "letter_keys")


def safe_next(request: HttpRequest, default: str) -> str:
    """Return the address to go to after this form: `next` if it is a path of ours, else `default`."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    hosts = {request.get_host()}
    is_ours = url_has_allowed_host_and_scheme(wanted, allowed_hosts=hosts, require_https=request.is_secure())
    # A path only: `next` comes from a link that anybody may have made.
    return wanted if is_ours and wanted.startswith("/") else default


class LogIn(LoginView):
    """The stock log-in page; django-axes counts failures and answers with the lock-out page."""

    template_name = "accounts/login.html"
    authentication_form = LogInForm
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Log in, unless too many attempts came from this address, no matter what names they were for."""
        name = request.POST.get("username", "").lower()[:150]
        return refusal_of(request, "login", name=name) or super().post(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(next_page=safe_next(self.request, ""), **kwargs)


@never_cache
def admin_door(request: HttpRequest) -> HttpResponse:
    """Send people to the one log-in page, which counts attempts: the administration has none of its own."""
    if not request.user.is_authenticated:
        return redirect_to_login(safe_next(request, reverse("admin:index")))
    if not (isinstance(request.user, User) and request.user.is_staff):
        # Not a 403: whether there is an administration is nobody else's business.
        raise Http404
    return redirect("admin:index")


@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Make an account and log the person in at once."""
    if request.user.is_authenticated:
        return redirect("account")
    refusal = refusal_of(request, "signup")
    if refusal is not None:
        return refusal
    form = SignUpForm(request.POST or None)
    user = _new_account(form) if request.method == "POST" and form.is_valid() else None
    if user is not None:
        login(request, user, backend=BACKEND)
        messages.success(request, _("Welcome, %(name)s. Your account is ready.") % {"name": user.shown_name})
        return redirect(safe_next(request, reverse("first-bot")))
    status = 422 if request.method == "POST" else 200
    return render(request, "accounts/signup.html", {"form": form, "next_page": safe_next(request, "")}, status=status)


def _new_account(form: SignUpForm) -> User | None:
    """Return the account, or None with the refusal on the form."""
    try:
        return services.sign_up(username=form.cleaned_data["username"], password=form.cleaned_data["password1"])
    except ValidationError as refusal:
        # Somebody may have taken the name since the form looked.
        form.add_error("username" if refusal.code == "name.taken" else "password1", refusal)
        return None


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """Show and save how a person appears, in which language and time zone they read."""
    return _part(request, "account", APPEARS, "accounts/account.html")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def display(request: HttpRequest) -> HttpResponse:
    """Show and save how the site looks to a person: theme, cards, keys."""
    return _part(request, "display", LOOKS, "accounts/display.html")


def _part(request: HttpRequest, address: str, part: Sequence[str], template: str) -> HttpResponse:
    """Show and save the settings of one page. address: its name."""
    user = _signed_in(request)
    now = {name: getattr(user, name) for name in services.PROFILE}
    zone = zone_named(request.COOKIES.get(COOKIE, ""))
    data = request.POST if request.method == "POST" else None
    form = ProfilePart(data, instance=user, part=part, zone=zone.key if zone else "UTC")
    if form.is_valid():
        services.save_profile(user=user, **now | {name: form.cleaned_data[name] for name in part})
        messages.success(request, _("Saved."))
        return redirect(address)
    return render(request, template, {"form": form}, status=422 if form.is_bound else 200)


@require_POST
def choose_cards(request: HttpRequest) -> HttpResponse:
    """Store how cards look: with the account, for a visitor in the browser. What is no choice changes nothing."""
    form = CardsForm(request.POST)
    response = redirect(safe_next(request, reverse("rules")))
    if not form.is_valid():
        refused = _("There are no such card pictures. Choose from the list.")
        messages.error(request, refused, extra_tags="cards.unknown")
        return response
    chosen, backs = str(form.cleaned_data["cards"]), str(form.cleaned_data["backs"])
    if isinstance(request.user, User):
        services.choose_cards(user=request.user, cards=chosen, backs=backs)
    else:
        remember(response, chosen, backs, secure=request.is_secure())
    return response


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def change_password(request: HttpRequest) -> HttpResponse:
    """Set a new password; other sessions of the account end, and tokens if they shall; this session goes on."""
    user = _signed_in(request)
    refused = refusal_of_owner(request, user)
    if refused is not None:
        return refused
    form = PasswordChangeForm(user, request.POST or None)
    offer_to_end_tokens(form, user)
    if request.method == "POST" and form.is_valid():
        password = form.cleaned_data["new_password1"]
        changed = services.change_password(user=user, password=password, end_tokens=ends_tokens(form))
        # The new password ends every session, and this one belongs to the person who chose it.
        renew_session(request, changed)
        messages.success(request, _("Your password is changed. Log in again on your other devices."))
        if ends_tokens(form):
            messages.success(request, _("Your tokens no longer work. Make new ones for the programs you trust."))
        return redirect("account")
    return render(request, "accounts/password.html", {"form": form}, status=422 if form.is_bound else 200)


def refusal_of_owner(request: HttpRequest, user: User) -> HttpResponse | None:
    """Return the page for a session in which the account's password is asked for too often; else None."""
    return refusal_of(request, "login") or refusal_of(request, "own_password", address=str(user.uuid))


def refusal_of(request: HttpRequest, what: str, *, address: str = "", name: str = "") -> HttpResponse | None:
    """Return the page for somebody who posts this form too often, else None. Looking at the form is never too often.

    address: what is counted; "" for the address of anyone who asks. name: the account that they want to log in to.
    """
    if request.method != "POST":
        return None
    try:
        trying.send(User, what=what, address=address or str(request.META.get("REMOTE_ADDR", "")), name=name)
    except TooOften as refused:
        return _too_often(request, str(refused), refused.code, refused.retry_after)
    return None


def locked(request: HttpRequest, _response: object = None, _credentials: object = None) -> HttpResponse:
    """Return the page of django-axes: too many wrong passwords for one name from one address."""
    message = _(
        "The password was wrong too many times in a row, so this account is locked for your address for a while."
    )
    return _too_often(request, message, "auth.locked", round(settings.AXES_COOLOFF_TIME * 3600))


def _too_often(request: HttpRequest, message: str, code: str, retry_after: int) -> HttpResponse:
    # Rounded up: a wait of "0 minutes" would be a lie.
    minutes = max(1, -(-retry_after // 60))
    context = {"message": message, "code": code, "minutes": minutes}
    response = render(request, "accounts/locked.html", context, status=429)
    response["Retry-After"] = str(retry_after)
    response["Cache-Control"] = "no-store"
    return response


def _signed_in(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise TypeError("the view is for signed-in people only")
    return request.user
