"""Lists. Iterating reads all of a list, one page at a time; `page` reads one page."""
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, AsyncIterator, Generic, Iterator, List, Optional, TypeVar

from ._call import Call, RequestOptions
from ._codec import decode
from ._errors import WatchwordError

if TYPE_CHECKING:
    from ._async_transport import AsyncTransport
    from ._transport import Transport

Item = TypeVar("Item")


@dataclass(frozen=True)
class Page(Generic[Item]):
    data: List[Item]
    next: Optional[str]
    """None on the last page."""


class _PagesBase(Generic[Item]):
    def __init__(self, transport: Any, call: Call, options: Optional[RequestOptions], parameter: str) -> None:
        self._transport = transport
        self._call = call
        self._options = options
        self._parameter = parameter

    def _call_of(self, next: Optional[str]) -> Call:
        query = self._call.query if next is None else {**self._call.query, self._parameter: next}
        return replace(self._call, query=query, result=Any)

    def _page_of(self, answer: Any) -> Page[Item]:
        following = answer.get(f"next_{self._parameter}")
        data = [decode(self._call.result, one) for one in answer.get("data") or []]
        return Page(data, None if following is None or following == "" else str(following))

    def _next_of(self, page: Page[Item], before: Optional[str]) -> Optional[str]:
        if page.next is not None and page.next == before:
            raise WatchwordError("The page names itself as the next one.")
        return page.next


class Pages(_PagesBase[Item]):
    _transport: "Transport"

    def page(self, next: Optional[str] = None) -> Page[Item]:
        """The first page, or the one that `next` of the page before names."""
        return self._page_of(self._transport.send(self._call_of(next), self._options))

    def __iter__(self) -> Iterator[Item]:
        page = self.page()
        yield from page.data
        following = page.next
        while following is not None:
            page = self.page(following)
            yield from page.data
            following = self._next_of(page, following)


class AsyncPages(_PagesBase[Item]):
    _transport: "AsyncTransport"

    async def page(self, next: Optional[str] = None) -> Page[Item]:
        """The first page, or the one that `next` of the page before names."""
        return self._page_of(await self._transport.send(self._call_of(next), self._options))

    async def __aiter__(self) -> AsyncIterator[Item]:
        page = await self.page()
        for one in page.data:
            yield one
        following = page.next
        while following is not None:
            page = await self.page(following)
            for one in page.data:
                yield one
            following = self._next_of(page, following)
