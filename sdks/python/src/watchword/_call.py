"""One call, over all its tries: what is sent, and whether it is sent again.

The rules are those of docs/guides/retry-safely.md: a POST always has the same Idempotency-Key, and nothing is sent again
after a final answer.
"""
from __future__ import annotations

import json
import re
import uuid
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Optional, Tuple, Union
from urllib.parse import quote, urlencode

import httpx

from ._answers import api_error_of, refuse, text_of
from ._codec import decode, encode
from ._errors import ApiError, ConnectionError, TimeoutError
from ._version import VERSION

FIRST_BACKOFF_SECONDS = 0.1
BACKOFF_MAX_SECONDS = 2.0
RETRY_AFTER_MAX_SECONDS = 60
"""A longer Retry-After is left to the caller."""
SETTLED_AFTER_SECONDS = 6.0
"""After this time an unanswered try runs no longer, so the next answer is final."""
IDEMPOTENCY_KEY = re.compile(r"[\x20-\x7e]{1,255}")
"""A header carries no other characters."""
E164 = re.compile(r"\+[1-9]\d{7,14}", re.ASCII)


@dataclass(frozen=True)
class RequestOptions:
    """Options of one call."""

    idempotency_key: Optional[str] = None
    """One per message, not per try. The SDK makes one of its own for each POST; give yours to survive a restart."""
    timeout: Optional[float] = None
    """Seconds of one try."""
    max_retries: Optional[int] = None
    """Tries after the first."""
    language: Optional[str] = None
    """Language of the error's message: `en` or `fr`."""


@dataclass(frozen=True)
class Settings:
    api_key: str
    base_url: str
    timeout: float
    max_retries: int
    language: Optional[str]
    user_agent: str
    now: Callable[[], float]
    random: Callable[[], float]


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    body: Any = None
    query: Dict[str, Any] = field(default_factory=dict)
    result: Any = None
    number: Optional[Tuple[str, str]] = None
    """A number without a plus is refused before it is sent: its member, and the error type."""


def segment(name: str, value: str) -> str:
    """A value as one segment of a path."""
    # Two dots would name the path above.
    if isinstance(value, str) and value and value not in (".", ".."):
        return quote(value, safe="")
    raise refuse("validation_error", name, f"{name} must be a text that is not empty, and no dots.")


class Sending:
    """A call with what its tries so far have shown."""

    def __init__(self, call: Call, options: Optional[RequestOptions], settings: Settings) -> None:
        self._call = call
        self._options = options or RequestOptions()
        self._settings = settings
        self._attempts = 0
        self._unanswered_at: Optional[float] = None
        self._is_confirmed = False
        _check_number(call)
        self._key = _key_of(self._options) if call.method == "POST" else None

    def request(self) -> Dict[str, Any]:
        """The arguments of httpx for the next try."""
        self._attempts += 1
        call, settings = self._call, self._settings
        query = {name: _query_text(value) for name, value in call.query.items() if value is not None}
        headers = {
            "authorization": f"Bearer {settings.api_key}",
            "accept": "application/json",
            "user-agent": settings.user_agent,
        }
        language = self._options.language or settings.language
        if language is not None:
            headers["accept-language"] = language
        if self._key is not None:
            headers["idempotency-key"] = self._key
        request: Dict[str, Any] = {
            "method": call.method,
            "url": settings.base_url + call.path + (f"?{urlencode(query)}" if query else ""),
            "headers": headers,
            "timeout": self._options.timeout or settings.timeout,
        }
        if call.body is not None:
            headers["content-type"] = "application/json"
            request["content"] = json.dumps(encode(call.body)).encode()
        return request

    def result_or_error(self, answer: Union[httpx.Response, Exception]) -> Union[ApiError, ConnectionError, "Done"]:
        if isinstance(answer, httpx.Response):
            if not 200 <= answer.status_code < 300:
                return api_error_of(answer, self._attempts)
            try:
                return Done(decode(self._call.result, _body_of(answer)))
            except ValueError as cause:
                answer = cause
        self._unanswered_at = self._settings.now()
        return self._connection_error_of(answer)

    def delay_after(self, error: Union[ApiError, ConnectionError]) -> Optional[float]:
        """Seconds until the next try, or None where this error is the end."""
        if _is_final(error):
            if self._unanswered_at is None or self._is_confirmed or self._key is None:
                return None
            self._is_confirmed = True
            remaining: float = self._unanswered_at + SETTLED_AFTER_SECONDS - self._settings.now()
            return max(0.0, remaining)
        retries = self._attempts - 1
        allowed = self._options.max_retries
        if retries >= (self._settings.max_retries if allowed is None else allowed):
            return None
        after = getattr(error, "retry_after_seconds", None)
        if after is not None:
            return float(after) if after <= RETRY_AFTER_MAX_SECONDS else None
        backoff = min(BACKOFF_MAX_SECONDS, FIRST_BACKOFF_SECONDS * 2.0**retries)
        return backoff * (0.5 + self._settings.random() / 2)

    def _connection_error_of(self, cause: Exception) -> ConnectionError:
        address = self._settings.base_url
        kind, text = ConnectionError, f"No complete answer came from {address}: {cause}"
        if isinstance(cause, httpx.TimeoutException):
            kind, text = TimeoutError, "No answer came within the time-out."
        error = kind(text, idempotency_key=self._key, attempts=self._attempts)
        error.__cause__ = cause
        return error


@dataclass(frozen=True)
class Done:
    result: Any


def _body_of(answer: httpx.Response) -> Any:
    """Every answer is an object, or has no content. All else comes from something between."""
    if answer.status_code == 204:
        return None
    body = json.loads(text_of(answer))
    if not isinstance(body, dict):
        raise ValueError("The answer is no JSON object.")
    return body


def user_agent(own: Optional[str]) -> str:
    return f"{own} watchword-python/{VERSION}" if own else f"watchword-python/{VERSION}"


def _is_final(error: Union[ApiError, ConnectionError]) -> bool:
    """Whether the same request would be answered in the same way."""
    if isinstance(error, ConnectionError):
        return False
    status = error.status or 0
    if status >= 500 or status == 429:
        return False
    return not (status == 409 and error.type == "conflict" and error.retry_after_seconds is not None)


def _key_of(options: RequestOptions) -> str:
    key = options.idempotency_key
    if key is None:
        return str(uuid.uuid4())
    if IDEMPOTENCY_KEY.fullmatch(key):
        return key
    raise refuse("validation_error", "Idempotency-Key", "Idempotency-Key must have 1 to 255 characters of ASCII.")


def _check_number(call: Call) -> None:
    if call.number is None:
        return
    name, kind = call.number
    value = call.body.get(name)
    if not isinstance(value, str) or E164.fullmatch(value):
        return
    raise refuse(kind, name, f'{name} must be a number in E.164, for example "+2348031234567".')


def _query_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(encode(value))
