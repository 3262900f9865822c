"""What follows from an account on every page: its language, its time zone."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone, translation

from accounts.zones import zone_of


class AccountLanguage:
    """Speak the language that the signed-in person chose; everybody else keeps what the browser asks for.

    Stands after AuthenticationMiddleware. Without a session cookie nothing is looked up.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.user.is_authenticated and request.user.language:
            translation.activate(request.user.language)
            request.LANGUAGE_CODE = translation.get_language()
        return self.get_response(request)


class ReadersZone:
    """Show times in the reader's own zone; what belongs to an event is shown in the event's (bots.views.page).

    Stands after AuthenticationMiddleware. What programs read stays in UTC.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path.startswith("/api/"):
            return self.get_response(request)
        with timezone.override(zone_of(request)):
            return self.get_response(request)
