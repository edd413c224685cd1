"""Helps to test your code with a key that begins with `svc_test_`. Nothing is sent or charged."""
from __future__ import annotations

CODE = "12345678"
"""The code of every one-time password of a test key is the first digits of this."""

OUTCOMES = {
    "delivered": "00",
    "no_receipt": "03",
    "absent_subscriber": "11",
    "no_route": "16",
    "opted_out": "20",
    "provider_timeout": "29",
    "insufficient_credits": "33",
    "rate_limited": "36",
    "content_blocked": "40",
    "second_carrier": "50",
    "expired": "61",
    "single_attempt": "62",
}
"""What happens to a message, by the last two digits of the number."""

RANGES = {"NG": "+23480300000", "KE": "+2547120000", "US": "+120255501"}


def test_number(outcome: str, country: str = "NG") -> str:
    """A number whose messages end in this way, for example `test_number("no_route")`."""
    return RANGES[country] + OUTCOMES[outcome]


def test_code(length: int = 6) -> str:
    """The code of a one-time password that a test key sent."""
    return CODE[:length]
