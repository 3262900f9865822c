"""The administration's page of people: who operates the service. All else about accounts has pages of its own."""

from __future__ import annotations

from typing import Final

from django.contrib import admin, messages
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from accounts.errors import AccountError
from accounts.models import User
from accounts.services import set_operator

REFUSED: Final = "hanami.refused"
"""Key of the request's META that holds a refusal while it is answered: one ModelAdmin serves all threads."""


@admin.register(User)
class People(admin.ModelAdmin[User]):
    """Operators look people up here; those who may do everything (`is_superuser`) make and unmake operators."""

    list_display = ("username", "display_name", "is_staff", "is_superuser", "is_active", "date_joined")
    list_filter = ("is_staff", "is_superuser", "is_active")
    search_fields = ("username", "display_name")
    ordering = ("-pk",)
    # Django would count all accounts for every search.
    show_full_result_count = False
    fields = ("username", "display_name", "date_joined", "is_active", "is_staff", "is_superuser")
    readonly_fields = ("username", "display_name", "date_joined", "is_active")
    # No "delete selected", which would pass by the service.
    actions = None

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return isinstance(request.user, User) and request.user.is_staff

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: people sign up themselves."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Return whether the account may be changed: it is open, and the reader has every right."""
        is_open = obj is None or obj.is_active
        return is_open and isinstance(request.user, User) and request.user.is_staff and request.user.is_superuser

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Refuse: people leave themselves; operators suspend."""
        return False

    def save_model(self, request: HttpRequest, obj: User, form: ModelForm[User], change: bool) -> None:
        """Save through the service, so that it is in the audit; what it refuses is shown on the page."""
        try:
            set_operator(user=obj, by=_operator(request), staff=obj.is_staff, all_rights=obj.is_superuser)
        except AccountError as refused:
            request.META[REFUSED] = f"{refused} ({refused.code})"

    def response_change(self, request: HttpRequest, obj: User) -> HttpResponse:
        """Return to the list; to the same page, with the reason, if it was refused."""
        if REFUSED not in request.META:
            return super().response_change(request, obj)
        messages.error(request, request.META[REFUSED])
        return HttpResponseRedirect(request.path)


def _operator(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise TypeError("the page is for operators only")
    return request.user
