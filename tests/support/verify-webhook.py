"""Verifies one webhook delivery as docs/guides/receive-webhooks.md describes, with the standard library alone.

Reads {"headers", "body", "secret", "now"} as JSON and prints the names of the signatures that hold.
"""
import base64
import hashlib
import hmac
import json
import sys


def digest(key, text):
    return hmac.new(key, text, hashlib.sha256)


delivery = json.load(sys.stdin)
headers, secret = delivery["headers"], delivery["secret"]
body = delivery["body"].encode("utf-8")
held = []

parts = [part.split("=", 1) for part in headers["svc-signature"].split(",")]
stamp = next(value for name, value in parts if name == "t")
expected = digest(secret.encode(), stamp.encode() + b"." + body).hexdigest()
given = [value for name, value in parts if name == "v1"]
is_fresh = abs(delivery["now"] - int(stamp)) <= 300
if is_fresh and any(hmac.compare_digest(expected, value) for value in given):
    held.append("svc-signature")

key = base64.b64decode(secret.removeprefix("whsec_"))
signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
expected = "v1," + base64.b64encode(digest(key, signed).digest()).decode()
if any(hmac.compare_digest(expected, value) for value in headers["webhook-signature"].split(" ")):
    held.append("webhook-signature")

event = json.loads(body)
is_named = headers["svc-event"] == event["type"] and headers["webhook-id"] == event["id"]
print(json.dumps({"held": held, "named": is_named, "type": event["type"]}))
