#!/bin/sh
# standardwebhooks 1.1.0 (Python): `sign` reads the hour of an aware time and forgets its zone
#
# One would guess: two spellings of one instant, 12:00 at UTC and 14:00 at UTC+2, are signed alike, as `datetime` compares
#   them equal and the header `webhook-timestamp` is the same number.
# What happens: `sign` replaces the zone by UTC instead of converting, so the signature covers a time that is off by the
#   offset. The library's own `verify`, and that for Node, find no matching signature. Only an aware time at UTC, or a
#   naive one that happens to be UTC, is signed right; `datetime.now()` on a server in Lagos is an hour off.
# Why it matters here: customers sign the deliveries of their own tests with the library that verifies ours
#   (docs/guides/receive-webhooks.md), and look for the fault in the secret or in the body.
# Seen: standardwebhooks 1.1.0 for Python 3.11, standardwebhooks 1.1.1 for Node 24, 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet standardwebhooks==1.1.0
npm install --silent --no-audit --no-fund --prefix . standardwebhooks@1.1.1 >/dev/null
cat >sign.py <<'PY'
import json
from datetime import datetime, timedelta, timezone
from standardwebhooks import Webhook, WebhookVerificationError

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = '{"event":"otp.sent"}'
webhook = Webhook(SECRET)
now = datetime.now(timezone.utc)
signed = []
for hours in [0, 2]:
    at = now.astimezone(timezone(timedelta(hours=hours)))
    headers = {"webhook-id": "msg_1", "webhook-timestamp": str(int(at.timestamp()))}
    headers["webhook-signature"] = webhook.sign("msg_1", at, BODY)
    try:
        webhook.verify(BODY, headers)
        seen = "verified"
    except WebhookVerificationError as error:
        seen = str(error)
    signed.append({"zone": f"UTC+{hours}", "equal": at == now, "python": seen, "headers": headers})
print(json.dumps({"secret": SECRET, "body": BODY, "signed": signed}))
PY
python/bin/python sign.py >signed.json
cat >look.cjs <<'JS'
const { readFileSync } = require('node:fs');
const { Webhook } = require('standardwebhooks');
const { version } = require('standardwebhooks/package.json');

const { secret, body, signed } = JSON.parse(readFileSync('signed.json', 'utf8'));
function verdict(headers) {
  try {
    new Webhook(secret).verify(body, headers);
    return 'verified';
  } catch (error) {
    return error.message;
  }
}

console.log(`standardwebhooks 1.1.0 for Python signs, it and ${version} for Node verify`);
const seen = signed.map(
  ({ zone, equal, python, headers }) =>
    `${zone}, ${equal ? 'the same instant' : 'another instant'}: Python ${python}, Node ${verdict(headers)}`,
);
console.log(seen.join('\n'));
const expected = [
  'UTC+0, the same instant: Python verified, Node verified',
  'UTC+2, the same instant: Python No matching signature found, Node No matching signature found',
];
if (seen.join() !== expected.join()) {
  console.log(`This has changed. It was:\n${expected.join('\n')}`);
  process.exitCode = 1;
}
JS
node look.cjs
