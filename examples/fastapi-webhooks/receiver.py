"""A receiver of webhooks: it verifies each delivery, and handles each event once, however often it comes."""
import os
import sqlite3
from contextlib import closing
from typing import Union

from fastapi import FastAPI, Request, Response
from starlette.concurrency import run_in_threadpool

from watchword import SignatureError, verify_webhook
from watchword.models import EventOfVariantA, EventOfVariantB

# Two while one replaces the other: WATCHWORD_WEBHOOK_SECRET=whsec_new,whsec_old
SECRETS = os.environ["WATCHWORD_WEBHOOK_SECRET"].split(",")
DATABASE = os.environ.get("DATABASE", "events.sqlite")

app = FastAPI()

with closing(sqlite3.connect(DATABASE)) as database, database:
    database.execute("CREATE TABLE IF NOT EXISTS events (sequence INTEGER PRIMARY KEY, name TEXT)")


@app.post("/hooks")
async def receive(request: Request) -> Response:
    body = await request.body()  # the raw bytes: JSON that was parsed and printed has another signature
    try:
        event = verify_webhook(body, request.headers, SECRETS)
    except SignatureError as error:
        return Response(str(error), status_code=401)
    is_new = await run_in_threadpool(handle, event)
    # An event that came before is answered with 200 too, or it would be sent again.
    return Response("handled" if is_new else "seen before")


def handle(event: Union[EventOfVariantA, EventOfVariantB]) -> bool:
    """`sequence` is in the signed body. Write your effect in the same transaction: a crash then loses neither."""
    name = event.type if isinstance(event, EventOfVariantB) else event.event
    with closing(sqlite3.connect(DATABASE)) as database, database:
        added = database.execute("INSERT OR IGNORE INTO events VALUES (?, ?)", (event.sequence, name))
        return added.rowcount == 1


@app.get("/events")
def events() -> list:
    """Deliveries come in any order; `sequence` has the order of the events."""
    with closing(sqlite3.connect(DATABASE)) as database:
        rows = database.execute("SELECT sequence, name FROM events ORDER BY sequence")
        return [{"sequence": sequence, "name": name} for sequence, name in rows]
