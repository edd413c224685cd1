#!/bin/sh
# axios-retry 4.5.0, got 16.1.0: a hook that draws the Idempotency-Key draws another one for each retry
#
# One would guess: a retry sends the same request again. A hook before the request, the usual place for headers of all
#   calls, has run by then, and the key that makes retries safe stays the same. So it is with ky and httpx-retries.
# What happens: axios-retry sends the request through the instance again, with its interceptors, and got runs
#   `beforeRequest` before each try. A key drawn there replaces that of the first try. What keeps it: an interceptor that
#   leaves a key that is there, `init` of got, or a key in the headers of the call.
# Why it matters here: a try whose answer was lost may have been accepted. Its retry with another key is another message,
#   with a charge of its own (docs/guides/retry-safely.md).
# Seen: axios 1.21.1, axios-retry 4.5.0, got 16.1.0, ky 2.1.0 for Node 24, httpx-retries 0.6.0 for Python 3.11, 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check httpx==0.28.1 httpx-retries==0.6.0
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  axios@1.21.1 axios-retry@4.5.0 got@16.1.0 ky@2.1.0 >/dev/null
cat >send.py <<'PY'
import sys
import uuid
import httpx
from httpx_retries import Retry, RetryTransport


def add_key(request):
    request.headers["Idempotency-Key"] = str(uuid.uuid4())


transport = RetryTransport(retry=Retry(total=1, allowed_methods=["POST"], backoff_factor=0))
with httpx.Client(transport=transport, event_hooks={"request": [add_key]}) as client:
    client.post(sys.argv[1], json={})
PY
cat >look.mjs <<'JS'
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import axios from 'axios';
import axiosRetry from 'axios-retry';
import got from 'got';
import ky from 'ky';

const HEADER = 'Idempotency-Key';
let keys = [];
const server = createServer((request, response) => {
  keys.push(request.headers['idempotency-key']);
  response.writeHead(keys.length === 1 ? 503 : 200, { 'content-type': 'application/json' });
  request.resume().on('end', () => response.end('{}'));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${server.address().port}/`;

const options = { retries: 1, retryCondition: axiosRetry.isRetryableError };
function instance(addKey) {
  const made = axios.create();
  axiosRetry(made, options);
  made.interceptors.request.use((request) => {
    addKey(request.headers);
    return request;
  });
  return made;
}
const retry = { limit: 1, methods: ['POST'] };
const calls = {
  'axios-retry, interceptor': () =>
    instance((headers) => headers.set(HEADER, randomUUID())).post(url, {}),
  'axios-retry, interceptor that leaves a key': () =>
    instance((headers) => headers.has(HEADER) || headers.set(HEADER, randomUUID())).post(url, {}),
  'got, beforeRequest': () => {
    const addKey = ({ headers }) => {
      headers['idempotency-key'] = randomUUID();
    };
    return got.extend({ retry, hooks: { beforeRequest: [addKey] } }).post(url, { json: {} });
  },
  'got, init': () => {
    const addKey = (given) => {
      given.headers = { 'idempotency-key': randomUUID() };
    };
    return got.extend({ retry, hooks: { init: [addKey] } }).post(url, { json: {} });
  },
  'ky, beforeRequest': () => {
    const addKey = ({ request }) => {
      request.headers.set(HEADER, randomUUID());
    };
    return ky.post(url, { json: {}, retry: { limit: 1, methods: ['post'] }, hooks: { beforeRequest: [addKey] } });
  },
  'httpx-retries, request hook': () => promisify(execFile)('python/bin/python', ['send.py', url]),
};

const seen = [];
for (const [name, call] of Object.entries(calls)) {
  keys = [];
  await call();
  seen.push(`${name}: ${keys.length} tries, ${new Set(keys).size === 1 ? 'one key' : 'a key each'}`);
}
server.close();
server.closeAllConnections();
console.log('axios-retry 4.5.0, got 16.1.0, ky 2.1.0, httpx-retries 0.6.0');
console.log(seen.join('\n'));
const expected = [
  'axios-retry, interceptor: 2 tries, a key each',
  'axios-retry, interceptor that leaves a key: 2 tries, one key',
  'got, beforeRequest: 2 tries, a key each',
  'got, init: 2 tries, one key',
  'ky, beforeRequest: 2 tries, one key',
  'httpx-retries, request hook: 2 tries, one key',
];
if (seen.join() !== expected.join()) {
  console.log(`This has changed. It was:\n${expected.join('\n')}`);
  process.exitCode = 1;
}
JS
node look.mjs
