"""A refusal of a service, put beside the field of a form that it is about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django import forms
from django.core.exceptions import ValidationError

NOWHERE: Final[Mapping[str, str]] = {}


def blame(form: forms.BaseForm, refusal: Exception, *, beside: Mapping[str, str] = NOWHERE, option: str = "") -> bool:
    """Add a refusal to a form with its stable code: to its field, or to the form as a whole, then the answer is False.

    beside: the field by a refusal's code, or by the service's name of it, where the form has another one. option: the
    prefix of the fields for single rules. A refusal may have words of its own for a place beside the field, where
    nothing has to say which one is meant (`beside`). A form that nobody has sent is never to blame.
    """
    if not form.is_bound:
        return False
    extra = getattr(refusal, "extra", {})
    code, named = str(getattr(refusal, "code", "")), str(extra.get("field", ""))
    places = (beside.get(code), beside.get(named), named, f"{option}{extra.get('option')}")
    is_too_often = "retry_after" in extra  # no field is to blame for that
    name = None if is_too_often else next((place for place in places if place in form.fields), None)
    text = getattr(refusal, "beside", "") if name is not None else ""
    form.add_error(name, ValidationError(text or str(refusal), code=code))
    return name is not None
