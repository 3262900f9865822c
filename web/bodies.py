"""Check of the fields of a request body: those that the description of its operation names. Any other field is refused,
not ignored.

The rule reads the description itself (`extend_schema`), so it holds for every address, also for a new one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from web.json_types import require_types

WRITING: Final = ("POST", "PUT", "PATCH", "DELETE")
UNKNOWN: Final = "request.unknown_field"
FIXED: Final = "request.fixed_field"
MAX_FAULTS: Final = 20
"""Fields that an answer names, however many were sent."""
MAX_SHOWN: Final = 60
"""Characters of a name that an answer repeats."""
Field = serializers.Field[Any, Any, Any, Any]
Serializer = serializers.Serializer[Any]


class Described(NamedTuple):
    """The description of an operation: the body it takes, and the names of the fields it answers."""

    body: Serializer | None
    answered: frozenset[str]


class UnknownFields(exceptions.APIException):
    """400: fields that are not there, or that cannot be set. Nothing was done."""

    status_code = 400

    def __init__(self, faults: list[dict[str, str]], allowed: list[str]) -> None:
        self.problem_code = faults[0]["code"]
        self.problem_extra = {"errors": faults, "allowed": allowed}
        super().__init__(faults[0]["detail"])


def read_body(kind: type[Serializer], request: Request, *, partial: bool = False) -> dict[str, Any]:
    """Return the content of a body, as its serializer reads it. Raises ValidationError, naming the fields at fault."""
    wanted = kind(data=request.data, partial=partial)
    wanted.is_valid(raise_exception=True)
    return dict(wanted.validated_data)


def require_known(view: APIView, request: Request) -> None:
    """Raise UnknownFields for a body that names what its operation does not take, ValidationError for one with wrong
    types; ParseError, UnsupportedMediaType.
    """
    if request.method not in WRITING:
        return
    method = request.method.lower()
    try:
        data: Any = request.data if hasattr(view, method) else None
    except exceptions.UnsupportedMediaType:
        if request.user.is_authenticated:
            raise
        return  # who is nobody is told first that they have to sign in
    if not isinstance(data, Mapping) or not data:
        return
    of: Any = type(view)
    described = _described(of, method)
    # Lazily: of a body of a million unknown fields only the first MAX_FAULTS are looked at.
    faults = list(islice(_faults(described.body, data, "", described.answered), MAX_FAULTS))
    if faults:
        raise UnknownFields(faults, _taken(described.body))
    if described.body is not None and not hasattr(data, "lists"):  # in a form everything is text
        require_types(described.body, data)


# A description belongs to a class and a method, and to no request: it is worked out once.
@cache
def _described(of: Any, method: str) -> Described:
    """Return the description of a view's method. A method without a description takes no fields; nor does any
    DELETE.
    """
    described = getattr(getattr(of, method), "kwargs", {}).get("schema")
    if described is None or method == "delete":
        return Described(None, frozenset())
    schema, view = described(), of()
    # drf-spectacular sets these for each operation; without them a description cannot be read.
    view.request, view.kwargs = None, {}  # the description is that of no single request
    schema.view, schema.method = view, method.upper()
    answer = _serializer(schema.get_response_serializers())
    return Described(_serializer(schema.get_request_serializer()), frozenset(answer.fields if answer else ()))


def _serializer(declared: Any) -> Serializer | None:
    """Return the serializer in a description's value: itself, its class, or one of them by status or media type."""
    if isinstance(declared, Mapping):
        declared = next(iter(declared.values()), None)
    if isinstance(declared, type):
        declared = declared()
    return declared if isinstance(declared, serializers.Serializer) else None


def _taken(of: Serializer | None) -> list[str]:
    return [name for name, field in (of.fields if of else {}).items() if not field.read_only]


def _faults(
    of: Serializer | None, data: Mapping[Any, Any], pointer: str, answered: frozenset[str]
) -> Iterator[dict[str, str]]:
    """Yield a fault for every field of `data` that cannot be sent, in the order of the body, and for those of the parts
    within.
    """
    fields = of.fields if of else {}
    is_form = hasattr(data, "lists")  # in which an item of a list may be called plays[0]
    for key, value in data.items():
        name = str(key).partition("[")[0] if is_form else str(key)
        # Names are cut before they are repeated: an answer must not echo a megabyte.
        here = f"{pointer}/{_escaped(name)}"
        field = fields.get(name)
        # A field that the operation answers may come back with a changed copy of the object: it is called read-only,
        # not unknown.
        if field is None and name not in answered and name not in _chosen_before(of):
            yield {"pointer": here, "code": UNKNOWN, "detail": _unknown(name, _taken(of))}
        elif field is None or field.read_only:
            yield {"pointer": here, "code": FIXED, "detail": _fixed(name, of)}
        else:
            yield from _within(field, value, here)


def _within(field: Field, value: Any, pointer: str) -> Iterator[dict[str, str]]:
    """Yield the faults of an object in an object, or of a list of them."""
    inner = getattr(field, "child", field)
    if not isinstance(inner, serializers.Serializer):
        return
    parts = [(pointer, value)] if inner is field else []
    if inner is not field and isinstance(value, list):
        parts = [(f"{pointer}/{number}", each) for number, each in enumerate(value)]
    for here, part in parts:
        if isinstance(part, Mapping):
            yield from _faults(inner, part, here, frozenset())


def _unknown(name: str, taken: list[str]) -> str:
    if not taken:
        return _("There is no field “%(name)s” here: this request takes no fields.") % {"name": name[:MAX_SHOWN]}
    shown = {"name": name[:MAX_SHOWN], "fields": ", ".join(taken)}
    return _("There is no field “%(name)s” here. The fields are: %(fields)s.") % shown


def _fixed(name: str, of: Serializer | None) -> str:
    """Return the sentence of a field that is fixed: in the serializer's own words, else since creation, else set by the
    service.
    """
    own: Mapping[str, Any] = getattr(of, "fixed", {})
    if name in own:
        why = str(own[name])
    elif name in _chosen_before(of):
        why = _("This is set at creation and cannot be changed.")
    else:
        why = _("The service sets this; it is read-only.")
    return _("The field “%(name)s” cannot be set here. %(why)s") % {"name": name[:MAX_SHOWN], "why": why}


def _chosen_before(of: Serializer | None) -> Mapping[str, Any]:
    """Return the fields that are chosen when the thing is made that the body `of` changes (`made_with`: their
    serializer).
    """
    found: Mapping[str, Any] = getattr(getattr(of, "made_with", None), "_declared_fields", {})
    return found


def _escaped(name: str) -> str:
    """Return a part of a JSON pointer (RFC 6901)."""
    return name[:MAX_SHOWN].replace("~", "~0").replace("/", "~1")
