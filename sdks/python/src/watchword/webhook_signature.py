"""Checks the signature of a webhook delivery: `Svc-Signature`, Standard Webhooks, or variant A's `X-Svc-Signature`."""
from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from dataclasses import dataclass
from typing import Callable, List, Mapping, Optional, Sequence, Union

from ._codec import decode
from .errors import SignatureError
from .models import EventOfVariantA, EventOfVariantB

PREFIX = "whsec_"


@dataclass(frozen=True)
class _Signed:
    signatures: List[str]
    content: bytes
    at: Optional[int]
    is_standard: bool


def verify_webhook(
    body: Union[str, bytes],
    headers: Mapping[str, str],
    secrets: Union[str, Sequence[str]],
    *,
    tolerance_seconds: int = 300,
    accept_untimed: bool = False,
    now: Callable[[], float] = time.time,
) -> Union[EventOfVariantA, EventOfVariantB]:
    """The event of a delivery. Raises `SignatureError`.

    Args:
        body: The raw body, before any parsing.
        secrets: The secret of the endpoint; several while one replaces the other.
        tolerance_seconds: How far the time of the signature may be from now.
        accept_untimed: Also takes a delivery that has only `X-Svc-Signature`. That one has no time, so anyone
            who saw the delivery can send it again.
    """
    content = body.encode() if isinstance(body, str) else bytes(body)
    keys = [one for one in ([secrets] if isinstance(secrets, str) else secrets) if one]
    if not keys:
        raise SignatureError("Give the secret of the endpoint, whsec_....")
    lowered = {name.lower(): value for name, value in headers.items()}
    signed = _read(lowered, content, accept_untimed)
    if signed.at is not None and abs(now() - signed.at) > tolerance_seconds:
        raise SignatureError(f"The delivery was signed more than {tolerance_seconds} seconds from now.")
    for secret in keys:
        expected = _expected(secret, signed)
        if any([hmac.compare_digest(one.encode(), expected.encode()) for one in signed.signatures]):
            return _event(content)
    raise SignatureError("No signature of the delivery matches the secret.")


def _read(headers: Mapping[str, str], body: bytes, accept_untimed: bool) -> _Signed:
    timed = headers.get("svc-signature")
    if timed is not None:
        parts = [part.strip().partition("=") for part in timed.split(",")]
        at = next((value for name, _, value in parts if name == "t"), "")
        signatures = [value for name, _, value in parts if name == "v1"]
        return _Signed(signatures, f"{at}.".encode() + body, _seconds(at), False)
    standard = headers.get("webhook-signature")
    if standard is not None:
        at = headers.get("webhook-timestamp", "")
        signatures = [one[len("v1,") :] for one in standard.split(" ") if one.startswith("v1,")]
        prefix = f"{headers.get('webhook-id', '')}.{at}.".encode()
        return _Signed(signatures, prefix + body, _seconds(at), True)
    plain = headers.get("x-svc-signature")
    if plain is None:
        raise SignatureError("The delivery has no signature.")
    if not accept_untimed:
        raise SignatureError("The signature of the delivery has no time, and accept_untimed is off.")
    return _Signed([plain], body, None, False)


def _seconds(text: str) -> int:
    if re.fullmatch(r"[0-9]{1,15}", text):
        return int(text)
    raise SignatureError("The signature of the delivery has no time.")


def _expected(secret: str, signed: _Signed) -> str:
    if not signed.is_standard:
        return hmac.new(secret.encode(), signed.content, hashlib.sha256).hexdigest()
    encoded = secret[len(PREFIX) :] if secret.startswith(PREFIX) else secret
    try:
        key = base64.b64decode(encoded, validate=True)
    except binascii.Error as cause:
        raise SignatureError("The secret of the endpoint must be whsec_ and base64.") from cause
    return base64.b64encode(hmac.new(key, signed.content, hashlib.sha256).digest()).decode()


def _event(body: bytes) -> Union[EventOfVariantA, EventOfVariantB]:
    try:
        event = json.loads(body)
    except ValueError as cause:
        raise SignatureError("The body of the delivery is no JSON object.") from cause
    if not isinstance(event, dict):
        raise SignatureError("The body of the delivery is no JSON object.")
    kind = EventOfVariantB if "type" in event else EventOfVariantA
    decoded: Union[EventOfVariantA, EventOfVariantB] = decode(kind, event)
    return decoded
