"""Errors of the SDK. The class of each error type is in `errors`."""
from __future__ import annotations

from typing import Optional


class WatchwordError(Exception):
    """Every error of the SDK."""


class ApiError(WatchwordError):
    """The API refused the request, or the SDK did because the API would. Match on `type`.

    `status` is None where the SDK refused the request before it was sent.
    """

    def __init__(
        self,
        message: str,
        *,
        type: str,
        attempts: int = 0,
        status: Optional[int] = None,
        field: Optional[str] = None,
        request_id: Optional[str] = None,
        retry_after_seconds: Optional[int] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.type = type
        self.attempts = attempts
        self.status = status
        self.field = field
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds


class ConnectionError(WatchwordError):
    """No complete answer came. The request may have had an effect: repeat it with the same `idempotency_key`."""

    def __init__(self, message: str, *, idempotency_key: Optional[str], attempts: int) -> None:
        super().__init__(message)
        self.idempotency_key = idempotency_key
        self.attempts = attempts


class TimeoutError(ConnectionError):
    """No answer came within the time-out."""


class SignatureError(WatchwordError):
    """A delivery whose signature is wrong, missing or too old. Answer it with 401."""
