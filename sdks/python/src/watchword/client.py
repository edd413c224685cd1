"""`Watchword` and `AsyncWatchword`."""
from __future__ import annotations

import asyncio
import os
import random as chance
import re
import time
from typing import Any, Awaitable, Callable, Optional

import httpx

from . import _async_resources, _resources
from ._answers import refuse
from ._async_transport import AsyncTransport
from ._call import Settings, user_agent
from ._transport import Transport

LOCAL = "http://127.0.0.1:3000"
KEY = re.compile(r"svc_(live|test)_[A-Za-z0-9]{32}")


def _settings(
    api_key: Optional[str],
    base_url: Optional[str],
    mode: Optional[str],
    timeout: float,
    max_retries: int,
    language: Optional[str],
    own_user_agent: Optional[str],
    now: Callable[[], float],
    random: Callable[[], float],
) -> Settings:
    key = api_key or os.environ.get("WATCHWORD_KEY") or ""
    address = base_url or os.environ.get("WATCHWORD_BASE_URL") or LOCAL
    _check_key(key, mode)
    if not re.match(r"https?://[^/]", address):
        raise refuse("validation_error", "base_url", "base_url must begin with https:// or http://.")
    return Settings(
        key, address.rstrip("/"), timeout, max_retries, language, user_agent(own_user_agent), now, random
    )


def _check_key(key: str, mode: Optional[str]) -> None:
    if key == "":
        message = "Give an API key: api_key, or WATCHWORD_KEY in the environment."
        raise refuse("authentication_error", None, message)
    match = KEY.fullmatch(key)
    if match is None:
        message = "The API key must be svc_live_ or svc_test_ and 32 letters and digits."
        raise refuse("authentication_error", None, message)
    if mode is not None and match.group(1) != mode:
        raise refuse("authentication_error", None, f"The API key must begin with svc_{mode}_.")


class Watchword:
    """A client.

    Args:
        api_key: `svc_live_…` or `svc_test_…`; by default the environment's WATCHWORD_KEY.
        base_url: By default the environment's WATCHWORD_BASE_URL, else a local `npm start`.
        mode: `live` or `test`. Refuses a key of the other mode, so that a test cannot send.
        timeout: Seconds of one try.
        max_retries: Tries after the first.
        language: Language of the error's message: `en` or `fr`; by default that of the workspace.
        user_agent: Name and version of your program, put before those of the SDK.
        http: A client of httpx, for example with a proxy.
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        *,
        base_url: Optional[str] = None,
        mode: Optional[str] = None,
        timeout: float = 30.0,
        max_retries: int = 3,
        language: Optional[str] = None,
        user_agent: Optional[str] = None,
        http: Optional[httpx.Client] = None,
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.monotonic,
        random: Callable[[], float] = chance.random,
    ) -> None:
        settings = _settings(
            api_key, base_url, mode, timeout, max_retries, language, user_agent, now, random
        )
        self.is_test_mode = settings.api_key.startswith("svc_test_")
        self._transport = Transport(settings, http or httpx.Client(), sleep)
        self.otp = _resources.OtpResource(self._transport)
        self.sms = _resources.SmsResource(self._transport)
        self.messages = _resources.MessagesResource(self._transport)
        self.emails = _resources.EmailsResource(self._transport)
        self.templates = _resources.TemplatesResource(self._transport)
        self.sender_ids = _resources.SenderIdsResource(self._transport)
        self.domains = _resources.DomainsResource(self._transport)
        self.suppressions = _resources.SuppressionsResource(self._transport)
        self.quotes = _resources.QuotesResource(self._transport)
        self.prices = _resources.PricesResource(self._transport)
        self.balance = _resources.BalanceResource(self._transport)
        self.ledger = _resources.LedgerResource(self._transport)
        self.events = _resources.EventsResource(self._transport)
        self.webhooks = _resources.WebhooksResource(self._transport)
        self.system = _resources.SystemResource(self._transport)

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> "Watchword":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


class AsyncWatchword:
    """The client for asyncio. Its arguments are those of `Watchword`."""

    def __init__(
        self,
        api_key: Optional[str] = None,
        *,
        base_url: Optional[str] = None,
        mode: Optional[str] = None,
        timeout: float = 30.0,
        max_retries: int = 3,
        language: Optional[str] = None,
        user_agent: Optional[str] = None,
        http: Optional[httpx.AsyncClient] = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        now: Callable[[], float] = time.monotonic,
        random: Callable[[], float] = chance.random,
    ) -> None:
        settings = _settings(
            api_key, base_url, mode, timeout, max_retries, language, user_agent, now, random
        )
        self.is_test_mode = settings.api_key.startswith("svc_test_")
        self._transport = AsyncTransport(settings, http or httpx.AsyncClient(), sleep)
        self.otp = _async_resources.AsyncOtpResource(self._transport)
        self.sms = _async_resources.AsyncSmsResource(self._transport)
        self.messages = _async_resources.AsyncMessagesResource(self._transport)
        self.emails = _async_resources.AsyncEmailsResource(self._transport)
        self.templates = _async_resources.AsyncTemplatesResource(self._transport)
        self.sender_ids = _async_resources.AsyncSenderIdsResource(self._transport)
        self.domains = _async_resources.AsyncDomainsResource(self._transport)
        self.suppressions = _async_resources.AsyncSuppressionsResource(self._transport)
        self.quotes = _async_resources.AsyncQuotesResource(self._transport)
        self.prices = _async_resources.AsyncPricesResource(self._transport)
        self.balance = _async_resources.AsyncBalanceResource(self._transport)
        self.ledger = _async_resources.AsyncLedgerResource(self._transport)
        self.events = _async_resources.AsyncEventsResource(self._transport)
        self.webhooks = _async_resources.AsyncWebhooksResource(self._transport)
        self.system = _async_resources.AsyncSystemResource(self._transport)

    async def close(self) -> None:
        await self._transport.close()

    async def __aenter__(self) -> "AsyncWatchword":
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()
