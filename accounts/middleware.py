"""Middleware of every page: the language and the time zone of its reader, names that keep their places."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone, translation

from accounts.directions import isolated_html
from accounts.errors import AccountGone
from accounts.zones import zone_of


class AccountLanguage:
    """Speak the language that the signed-in person chose; everybody else keeps what the browser asks for.

    Stands after AuthenticationMiddleware. Without a session cookie nothing is looked up.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        # LocaleMiddleware has chosen by the browser already; only an account that chose a language overrules it.
        if request.user.is_authenticated and request.user.language:
            translation.activate(request.user.language)
            request.LANGUAGE_CODE = translation.get_language()
        return self.get_response(request)


class IsolateNames:
    """Isolate names that are written from right to left on every page; see `accounts.directions`.

    Stands after CommonMiddleware, which gives the length of the page.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        # Streams and packed answers stay as they are: their text cannot be read here.
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        if is_page and isinstance(response, HttpResponse) and not response.has_header("Content-Encoding"):
            page = response.content.decode(response.charset)
            shown = isolated_html(page)
            if shown != page:
                response.content = shown.encode(response.charset)
        return response


class ReadersZone:
    """Show times in the reader's own zone; what belongs to an event is shown in the event's (web.page).

    Stands after AuthenticationMiddleware. What programs read stays in UTC.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path.startswith("/api/"):
            return self.get_response(request)
        with timezone.override(zone_of(request)):
            return self.get_response(request)


class ClosedAccounts:
    """Tell people whose account was deleted or suspended while they sent something, and log them out; nothing was done.

    Stands after MessageMiddleware. The API says it in its own way.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the redirect to the log-in page, for AccountGone alone."""
        if not isinstance(error, AccountGone):
            return None
        logout(request)
        # After logout, which empties the session that the message might lie in.
        messages.error(request, str(error), extra_tags=error.code)
        return redirect("login")
