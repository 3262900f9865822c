"""Check of the parameters after the question mark of a request: those that the description of its operation names,
with values that the description allows. Anything else is refused, not ignored: a misspelt filter would be answered
with everything, and a misspelt `stage` would change another one.

Like `web.bodies` it reads the description itself (`extend_schema`), so it holds for every address.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import cache
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.views import APIView

from web.bodies import MAX_FAULTS, MAX_SHOWN, UNKNOWN

INVALID: Final = "request.invalid"
FLAGS: Final = ("0", "1", "true", "false")
NUMBER: Final = re.compile(r"[0-9]{1,9}")
LIMIT: Final = "limit"
CURSOR: Final = "cursor"


class Parameter(NamedTuple):
    """A parameter of an operation. allows: whether a text is a value of it; values: what it may be, in words."""

    allows: Callable[[str], bool]
    values: str | Promise


class InvalidParameters(exceptions.APIException):
    """400: parameters that are not there, or values that they cannot have. Nothing was looked for."""

    status_code = 400

    def __init__(self, faults: list[dict[str, str]]) -> None:
        # A value that cannot be is `request.invalid`, like a field of a body; a name that is not there is its own code.
        self.problem_code = UNKNOWN if all(fault["code"] == UNKNOWN for fault in faults) else INVALID
        self.problem_extra = {"errors": faults}
        super().__init__(faults[0]["detail"])


def invalid(name: str, detail: str) -> InvalidParameters:
    """Return the refusal of one parameter."""
    return InvalidParameters([{"pointer": f"/{name}", "code": "field.invalid", "detail": detail}])


def require_described(view: APIView, request: Request) -> None:
    """Raise InvalidParameters for a request with parameters that its operation does not take."""
    query, method = request.query_params, str(request.method).lower().replace("head", "get")
    if not query or not hasattr(view, method):
        return
    of: Any = type(view)
    known = _described(of, method)
    faults = list(_faults(known, query))[:MAX_FAULTS]
    if faults:
        raise InvalidParameters(faults)


def _faults(known: Mapping[str, Parameter], query: Any) -> Iterator[dict[str, str]]:
    for name, values in query.lists():
        pointer = "/" + name[:MAX_SHOWN].replace("~", "~0").replace("/", "~1")
        if name not in known:
            yield {"pointer": pointer, "code": UNKNOWN, "detail": _unknown(name, known)}
            continue
        # An empty value is a form's field that was left empty.
        wrong = next((value for value in values if value and not known[name].allows(value)), None)
        if wrong is not None:
            shown = {"name": name, "value": wrong[:MAX_SHOWN], "values": known[name].values}
            detail = _("%(name)s cannot be “%(value)s”. It may be: %(values)s.") % shown
            yield {"pointer": pointer, "code": "field.invalid", "detail": detail}


def _unknown(name: str, known: Mapping[str, Parameter]) -> str:
    if not known:
        return _("There is no parameter “%(name)s” here: this request takes none.") % {"name": name[:MAX_SHOWN]}
    shown = {"name": name[:MAX_SHOWN], "names": ", ".join(sorted(known))}
    return _("There is no parameter “%(name)s” here. The parameters are: %(names)s.") % shown


# A description belongs to a class and a method, and to no request: it is worked out once.
@cache
def _described(of: Any, method: str) -> Mapping[str, Parameter]:
    """Return the parameters of an operation, by name."""
    view = of()
    # drf-spectacular sets these for each operation; without them a description cannot be read.
    view.request, view.kwargs = None, {}
    own = getattr(getattr(of, method), "kwargs", {}).get("schema")
    schema = own() if own is not None else view.schema
    schema.view, schema.method = view, method.upper()
    found: dict[str, Parameter] = {}
    for each in schema.get_override_parameters():
        if not isinstance(each, OpenApiParameter):
            # A serializer: it reads its fields itself, in the view.
            found |= {name: Parameter(bool, "") for name in (each() if isinstance(each, type) else each).fields}
        elif each.location == OpenApiParameter.QUERY:
            found[each.name] = _parameter(each)
    if method != "get":
        return found
    # Of every list: one that is answered in full has a single page.
    return {CURSOR: Parameter(bool, ""), **found, LIMIT: _limit()}


def _parameter(described: OpenApiParameter) -> Parameter:
    if described.enum:
        words = tuple(map(str, described.enum))
        return Parameter(words.__contains__, ", ".join(words))
    if described.type is OpenApiTypes.BOOL:
        return Parameter(FLAGS.__contains__, ", ".join(FLAGS))
    return Parameter(*KINDS.get(described.type, (bool, "")))


def _limit() -> Parameter:
    # More than a page holds is understood: the page is then as long as one can be.
    return Parameter(lambda text: _is_number(text) and int(text) > 0, gettext_lazy("a number from 1"))


def _is_number(text: str) -> bool:
    return NUMBER.fullmatch(text) is not None


def _is(kind: Callable[[str], object]) -> Callable[[str], bool]:
    def allows(text: str) -> bool:
        try:
            kind(text)
        except ValueError:
            return False
        return True

    return allows


KINDS: Final[Mapping[Any, tuple[Callable[[str], bool], str]]] = {
    OpenApiTypes.INT: (_is_number, "0, 1, 2, 3 .."),
    OpenApiTypes.DATE: (_is(date.fromisoformat), "2026-01-31"),
    OpenApiTypes.UUID: (_is(UUID), "a uuid"),
}
