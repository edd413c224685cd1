"""Runs the cases of behaviour.json with the Python SDK: one JSON text a line, in and out. With `async` by asyncio."""
import asyncio
import json
import re
import sys

import watchword
from watchword._codec import encode


class Clock:
    def __init__(self):
        self.at = 1_000.0
        self.sleeps = []

    def sleep(self, seconds):
        self.sleeps.append(round(seconds * 1_000))
        self.at += seconds

    async def sleep_async(self, seconds):
        self.sleep(seconds)

    def options(self, is_async):
        sleep = self.sleep_async if is_async else self.sleep
        return {"sleep": sleep, "now": lambda: self.at, "random": lambda: 0.0}


def snake(name):
    return re.sub(r"[A-Z]", lambda letter: "_" + letter.group().lower(), name)


def in_python(members):
    """Names and units of Python."""
    named = {snake(name): value for name, value in (members or {}).items()}
    if "timeout_ms" in named:
        named["timeout"] = named.pop("timeout_ms") / 1_000
    return named


def arguments(request):
    positional = list(request.get("path", []))
    named = dict(request.get("query") or {})
    body = request.get("body")
    if isinstance(body, list) or request["resource"] == "quotes":
        positional.append(body)
    elif body is not None:
        named.update({name + "_" if name == "from" else name: value for name, value in body.items()})
    return positional, named, watchword.RequestOptions(**in_python(request.get("options")))


def page_of(page):
    return {"data": page.data, "next": page.next}


def run_sync(request, clock):
    client = watchword.Watchword(**in_python(request["client"]), **clock.options(False))
    with client:
        positional, named, options = arguments(request)
        method = getattr(getattr(client, snake(request["resource"])), snake(request["method"]))
        result = method(*positional, **named, options=options)
        if request.get("as") == "items":
            return list(result)
        return page_of(result.page()) if request.get("as") == "page" else result


async def run_async(request, clock):
    client = watchword.AsyncWatchword(**in_python(request["client"]), **clock.options(True))
    async with client:
        positional, named, options = arguments(request)
        method = getattr(getattr(client, snake(request["resource"])), snake(request["method"]))
        result = method(*positional, **named, options=options)
        if request.get("as") == "items":
            return [one async for one in result]
        return page_of(await result.page()) if request.get("as") == "page" else await result


def verify(given):
    return watchword.verify_webhook(
        given["body"],
        given["headers"],
        given["secrets"],
        tolerance_seconds=given.get("toleranceSeconds", 300),
        accept_untimed=given.get("acceptUntimed", False),
        now=lambda: given["nowSeconds"],
    )


def described(error):
    name = type(error).__name__
    if isinstance(error, watchword.ApiError):
        return {
            "kind": "api",
            "class": name,
            "type": error.type,
            "field": error.field,
            "status": error.status,
            "requestId": error.request_id,
            "retryAfterSeconds": error.retry_after_seconds,
            "attempts": error.attempts,
        }
    if isinstance(error, watchword.ConnectionError):
        kind = "timeout" if isinstance(error, watchword.TimeoutError) else "connection"
        has_key = error.idempotency_key is not None
        return {"kind": kind, "class": name, "attempts": error.attempts, "hasKey": has_key}
    if isinstance(error, watchword.SignatureError):
        return {"kind": "signature", "class": name}
    return {"kind": "other", "message": repr(error)}


def answer_to(request, is_async):
    clock = Clock()
    try:
        if "verify" in request:
            value = verify(request["verify"])
        elif is_async:
            value = asyncio.run(run_async(request, clock))
        else:
            value = run_sync(request, clock)
        return {"value": encode(value), "sleeps": clock.sleeps}
    except Exception as error:
        return {"error": described(error), "sleeps": clock.sleeps}


for line in sys.stdin:
    print(json.dumps(answer_to(json.loads(line), "async" in sys.argv)), flush=True)
