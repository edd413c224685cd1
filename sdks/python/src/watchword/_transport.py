from __future__ import annotations

from typing import Any, Callable, Optional, Union

import httpx

from ._call import Call, Done, RequestOptions, Sending, Settings


class Transport:
    def __init__(self, settings: Settings, http: httpx.Client, sleep: Callable[[float], None]) -> None:
        self._settings = settings
        self._http = http
        self._sleep = sleep

    def send(self, call: Call, options: Optional[RequestOptions]) -> Any:
        sending = Sending(call, options, self._settings)
        while True:
            outcome = sending.result_or_error(self._try(sending))
            if isinstance(outcome, Done):
                return outcome.result
            delay = sending.delay_after(outcome)
            if delay is None:
                raise outcome
            self._sleep(delay)

    def _try(self, sending: Sending) -> Union[httpx.Response, Exception]:
        try:
            return self._http.request(**sending.request())
        except httpx.HTTPError as cause:
            return cause

    def close(self) -> None:
        self._http.close()
