"""Turns an answer that is no success into an error."""
from __future__ import annotations

import json
import re
from typing import Any, Dict, Optional

import httpx

from .errors import ERROR_CLASSES, TYPE_BY_STATUS, ApiError


DIGITS_MAX = 18
"""More seconds than anyone waits, and few enough for every Python to read."""


def api_error_of(answer: httpx.Response, attempts: int) -> ApiError:
    status = answer.status_code
    body = _error_in(text_of(answer))
    kind = body.get("type")
    if not isinstance(kind, str) or not kind:
        kind = _type_of(status)
    message = body.get("message") or f"The server answered {status} without an error of the API."
    return _error_of(
        kind,
        str(message),
        status=status,
        attempts=attempts,
        field=_text(body.get("field")),
        request_id=_text(body.get("request_id")) or answer.headers.get("x-request-id"),
        retry_after_seconds=_retry_after(answer.headers.get("retry-after"), body.get("retry_after_seconds")),
    )


def text_of(answer: httpx.Response) -> str:
    """A proxy may put a byte order mark before it."""
    return answer.text.lstrip("\ufeff")


def refuse(kind: str, field: Optional[str], message: str) -> ApiError:
    """The error that the server would give, before anything is sent."""
    return _error_of(kind, message, field=field)


def _error_of(kind: str, message: str, **details: Any) -> ApiError:
    """A type that is newer than this SDK has the class of its status."""
    of_status = ERROR_CLASSES[_type_of(details.get("status") or 400)]
    return ERROR_CLASSES.get(kind, of_status)(message, type=kind, **details)


def _type_of(status: int) -> str:
    return TYPE_BY_STATUS.get(status, "internal_error" if status >= 500 else "validation_error")


def _error_in(text: str) -> Dict[str, Any]:
    try:
        body = json.loads(text)
    except ValueError:
        return {}
    error = body.get("error") if isinstance(body, dict) else None
    return error if isinstance(error, dict) else {}


def _text(value: Any) -> Optional[str]:
    return value if isinstance(value, str) else None


def _retry_after(header: Any, in_body: Any) -> Optional[int]:
    seconds = _seconds(header)
    return _seconds(in_body) if seconds is None else seconds


def _seconds(value: Any) -> Optional[int]:
    """Whole seconds. A date, which the header may be, is none."""
    text = str(value) if isinstance(value, (int, str)) else ""
    return int(text[:DIGITS_MAX]) if re.fullmatch(r"[0-9]+", text) else None
