"""Turns an answer that is no success into an error."""
from __future__ import annotations

import json
from typing import Any, Dict, Optional

import httpx

from .errors import ERROR_CLASSES, TYPE_BY_STATUS, ApiError


def api_error_of(answer: httpx.Response, attempts: int) -> ApiError:
    status = answer.status_code
    body = _error_in(answer.text)
    kind = body.get("type")
    if not isinstance(kind, str):
        kind = _type_of(status)
    message = body.get("message") or f"The server answered {status} without an error of the API."
    return _error_of(
        kind,
        str(message),
        status=status,
        attempts=attempts,
        field=_text(body.get("field")),
        request_id=_text(body.get("request_id")) or answer.headers.get("x-request-id"),
        retry_after_seconds=_seconds(answer.headers.get("retry-after", body.get("retry_after_seconds"))),
    )


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


def _seconds(value: Any) -> Optional[int]:
    try:
        seconds = int(value)
    except (TypeError, ValueError):
        return None
    return seconds if seconds >= 0 else None
