"""Check of the JSON types in a request body: text where the description says text, and so on.

The fields of the framework convert: a name of 1e9 becomes "1000000000.0", the word "off" becomes false. A program that
sends them has a mistake, of which the description of the API warned it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rest_framework import serializers

Field = serializers.Field[Any, Any, Any, Any]
TYPES: Final[dict[type[Field], type | tuple[type, ...]]] = {
    serializers.BooleanField: bool,
    serializers.CharField: str,
    serializers.UUIDField: str,
    serializers.IntegerField: (int, float),
    serializers.FloatField: (int, float),
}
"""What `json.loads` makes of the type that the description gives a field; 5.0 is an integer in JSON Schema, too."""


def require_types(of: serializers.Serializer[Any], data: Mapping[str, Any]) -> None:
    """Raise ValidationError, naming every field whose value has another JSON type than the description says."""
    faults = _of_object(of, data)
    if faults:
        raise serializers.ValidationError(faults)


def _of_object(of: serializers.Serializer[Any], data: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: _of_value(of.fields[name], value) for name, value in data.items() if name in of.fields}
    return {name: faults for name, faults in found.items() if faults}


def _of_value(field: Field, value: Any) -> Any:
    """Return the faults of a value and of what is within it, as ValidationError takes them."""
    if field.read_only or value is None:
        return None
    if isinstance(field, serializers.Serializer):
        return _of_object(field, value) if isinstance(value, Mapping) else None
    child = getattr(field, "child", None)
    if child is not None:
        return _of_parts(child, value)
    return None if _fits(field, value) else [serializers.ErrorDetail(_words(field), code="invalid")]


def _of_parts(child: Field, value: Any) -> dict[str, Any]:
    """Return the faults of the items of a list or the values of an object, by place."""
    is_list = isinstance(value, list)
    parts = enumerate(value) if is_list else value.items() if isinstance(value, Mapping) else ()
    found = {str(place): _of_value(child, part) for place, part in parts}
    return {place: faults for place, faults in found.items() if faults}


def _fits(field: Field, value: Any) -> bool:
    for kind, types in TYPES.items():
        if isinstance(field, kind):
            return isinstance(value, types) and (types is bool or not isinstance(value, bool))
    return True


def _words(field: Field) -> str:
    return str(field.error_messages["invalid"])
