"""Turns JSON into dataclasses and back. Members that this version does not know are left out."""
from __future__ import annotations

import dataclasses
import re
import sys
from datetime import datetime, timezone
from enum import Enum
from functools import lru_cache
from typing import Any, Dict, List, Literal, Mapping, Union, get_args, get_origin, get_type_hints

__all__ = ["UNSET", "Literal", "Unset", "decode", "encode", "given", "wire_name"]


class Unset(Enum):
    """The value of a member that is left out, where None would be sent as null."""

    UNSET = "unset"


UNSET = Unset.UNSET


def given(members: Dict[str, Any], *nullable: str) -> Dict[str, Any]:
    """The members that the caller gave: None is one only where null has a meaning."""
    return {
        name: value
        for name, value in members.items()
        if value is not UNSET and (value is not None or name in nullable)
    }


def encode(value: Any) -> Any:
    if isinstance(value, datetime):
        aware = value if value.tzinfo else value.astimezone()
        return aware.isoformat()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            wire_name(field): encode(getattr(value, field.name))
            for field in dataclasses.fields(value)
            if not _is_left_out(getattr(value, field.name), field)
        }
    if isinstance(value, Mapping):
        return {name: encode(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(member) for member in value]
    return value


def _is_left_out(value: Any, field: "dataclasses.Field[Any]") -> bool:
    return value is UNSET or (value is None and field.default is None)


def wire_name(field: "dataclasses.Field[Any]") -> str:
    """A member whose name is a word of Python ends in an underscore here."""
    return field.name.rstrip("_")


def decode(kind: Any, value: Any) -> Any:
    if value is None or kind is Any:
        return value
    if get_origin(kind) is Union:
        return _decode_union(get_args(kind), value)
    if get_origin(kind) in (list, List):
        return [decode(get_args(kind)[0], one) for one in value] if isinstance(value, list) else value
    if get_origin(kind) is dict:
        return value
    if kind is datetime:
        return _time(value)
    if dataclasses.is_dataclass(kind) and isinstance(value, dict):
        return _decode_members(kind, value)
    return value


def _decode_members(kind: Any, value: Dict[str, Any]) -> Any:
    hints = _hints(kind)
    members = {
        field.name: decode(hints[field.name], value.get(wire_name(field)))
        for field in dataclasses.fields(kind)
    }
    return kind(**members)


def _decode_union(kinds: Any, value: Any) -> Any:
    """Takes the first class whose members with one value fit, and that has the most of the others."""
    classes = [kind for kind in kinds if dataclasses.is_dataclass(kind)]
    if not classes:
        inner = [kind for kind in kinds if kind is not type(None)]
        return decode(inner[0], value) if len(inner) == 1 else value
    if not isinstance(value, dict):
        return value
    fitting = [kind for kind in classes if _fits(kind, value)] or classes
    return _decode_members(max(fitting, key=lambda kind: _known(kind, value)), value)


def _fits(kind: Any, value: Dict[str, Any]) -> bool:
    for field in dataclasses.fields(kind):
        hint = _hints(kind)[field.name]
        if get_origin(hint) is Literal and len(get_args(hint)) == 1:
            if value.get(wire_name(field)) != get_args(hint)[0]:
                return False
    return True


def _known(kind: Any, value: Dict[str, Any]) -> int:
    return sum(wire_name(field) in value for field in dataclasses.fields(kind))


@lru_cache(maxsize=None)
def _hints(kind: Any) -> Dict[str, Any]:
    return get_type_hints(kind, vars(sys.modules[kind.__module__]))


def _time(value: Any) -> Any:
    """Python before 3.11 reads neither "Z" nor one digit of a second's fraction."""
    match = re.match(r"^(.{19})(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$", value) if isinstance(value, str) else None
    if not match:
        return value
    seconds, fraction, zone = match.groups()
    microseconds = (fraction or "0").ljust(6, "0")[:6]
    moment = datetime.fromisoformat(f"{seconds}.{microseconds}{'+00:00' if zone == 'Z' else zone}")
    return moment.astimezone(timezone.utc)
