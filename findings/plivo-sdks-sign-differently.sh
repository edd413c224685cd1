#!/bin/sh
# plivo 4.63.0 (Python) and plivo 4.79.0 (Node): the same callback has two signatures of version 3
#
# One would guess: the carrier's own SDKs compute one signature for one request, as both implement its version 3.
# What happens: they agree on ports, letter case, encoded paths, queries out of order and repeated fields. They differ
#   where the URL has a user and password (Python signs them, Node leaves them out), where its path has a `;parameter`
#   (Python leaves it out, Node signs it), and for a GET whose parameters are passed beside the URL that has them (Python
#   counts each once, Node twice). Only one of the two can be what the carrier sends.
# Why it matters here: a check against one SDK says nothing for such addresses. Those that we give to Plivo have plain
#   paths and a query, where both agree, and fields come from the body alone (libs/carriers/src/plivo/signature.ts).
# Seen: plivo 4.63.0 for Python 3.11, plivo 4.79.0 for Node 24, 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet plivo==4.63.0
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . plivo@4.79.0 >/dev/null
cat >calls.json <<'JSON'
[
  ["a port, letters, a query", "POST", "https://A.example:8443/Cb?b=2&a=1", { "Status": "delivered" }],
  ["an encoded path, a repeated field", "POST", "https://a.example/c%20b?m=a%20b", { "To": ["2", "1"] }],
  ["a user and password", "POST", "https://user:word@a.example/cb?m=1", { "Status": "delivered" }],
  ["a parameter of the path", "POST", "https://a.example/cb;v=1?m=1", { "Status": "delivered" }],
  ["a GET, its parameters given twice", "GET", "https://a.example/cb?To=1", { "To": "1" }]
]
JSON
cat >sign.py <<'PY'
import json
from plivo.utils.signature_v3 import construct_get_url, construct_post_url, get_signature_v3

for _, method, url, fields in json.load(open("calls.json")):
    signed = construct_get_url(url, fields) if method == "GET" else construct_post_url(url, fields)
    print(get_signature_v3("token", signed.decode(), "nonce").decode())
PY
python/bin/python sign.py >signatures
cat >look.cjs <<'JS'
const { readFileSync } = require('node:fs');
const { validateV3Signature } = require('plivo');
const { version } = require('plivo/package.json');

const calls = JSON.parse(readFileSync('calls.json', 'utf8'));
const signatures = readFileSync('signatures', 'utf8').split('\n');
console.log(`plivo 4.63.0 for Python signs, plivo ${version} for Node verifies`);
const seen = calls.map(([what, method, url, fields], index) => {
  const isSame = validateV3Signature(method, url, 'nonce', 'token', signatures[index], fields);
  return `${what}: ${isSame ? 'the same' : 'another'} signature`;
});
console.log(seen.join('\n'));
const expected = calls.map(([what], index) => `${what}: ${index < 2 ? 'the same' : 'another'} signature`);
if (seen.join() !== expected.join()) {
  console.log(`This has changed. It was:\n${expected.join('\n')}`);
  process.exitCode = 1;
}
JS
node look.cjs
