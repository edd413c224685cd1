from __future__ import annotations

from typing import Any, Awaitable, Callable, Optional, Union

import httpx

from ._call import Call, Done, RequestOptions, Sending, Settings


class AsyncTransport:
    def __init__(
        self, settings: Settings, http: httpx.AsyncClient, sleep: Callable[[float], Awaitable[None]]
    ) -> None:
        self._settings = settings
        self._http = http
        self._sleep = sleep

    async def send(self, call: Call, options: Optional[RequestOptions]) -> Any:
        sending = Sending(call, options, self._settings)
        while True:
            outcome = sending.result_or_error(await self._try(sending))
            if isinstance(outcome, Done):
                return outcome.result
            delay = sending.delay_after(outcome)
            if delay is None:
                raise outcome
            await self._sleep(delay)

    async def _try(self, sending: Sending) -> Union[httpx.Response, Exception]:
        try:
            return await self._http.request(**sending.request())
        except httpx.HTTPError as cause:
            return cause

    async def close(self) -> None:
        await self._http.aclose()
