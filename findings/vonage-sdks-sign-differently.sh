#!/bin/sh
# Vonage's SDKs: @vonage/auth 1.15.0 signs what @vonage/sms 1.21.0 refuses; Python's `md5` is not "MD5 hash"
#
# One would guess: what one package of an SDK signs, its neighbour verifies, and the method `md5`, the default of the SDK
#   for Python, is the one that Vonage calls "MD5 hash", the default of its accounts.
# What happens: Vonage signs `&name=value` of all parameters sorted by name, and only a `&` or `=` inside a value becomes
#   `_`. `createSignatureHash` of @vonage/auth replaces those between the parameters as well, has no `&` before the first,
#   and signs values percent-encoded: `verifySignature` of @vonage/sms refuses each of its signatures. In Python, `md5` is
#   an HMAC. Its documentation says to pass None for "MD5 hash": that raises a TypeError, so this SDK has no such method.
#   With `sha256`, Python and @vonage/sms agree.
# Why it matters here: our check follows Vonage's own description, and @vonage/sms accepts what it computes
#   (libs/carriers/src/vonage/signature.ts). `signature_method` says which of the two MD5 is which.
# Seen: vonage-http-client 1.5.2 for Python 3.11, @vonage/auth 1.15.0 and @vonage/sms 1.21.0 for Node 24, 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check vonage-http-client==1.5.2
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @vonage/auth@1.15.0 @vonage/sms@1.21.0 >/dev/null
cat >callback.json <<'JSON'
{ "api_key": "key", "msisdn": "2348031234567", "text": "a=1&b=2", "timestamp": "1764374400", "to": "20880" }
JSON
cat >sign.py <<'PY'
import json
from vonage_http_client.auth import Auth


def sign(method):
    try:
        return Auth(api_key="key", signature_secret="word", signature_method=method).sign_params(fields)
    except TypeError as error:
        return type(error).__name__


fields = json.load(open("callback.json"))
print(json.dumps({"md5": sign("md5"), "None": sign(None), "sha256": sign("sha256")}))
PY
python/bin/python sign.py >python.json
cat >look.cjs <<'JS'
const { createHash, createHmac } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { AlgorithmTypes, Auth } = require('@vonage/auth');
const { SMS } = require('@vonage/sms');

const read = (name) => JSON.parse(readFileSync(name, 'utf8'));
const fields = read('callback.json');
const python = read('python.json');
const names = Object.keys(fields).sort();
const described = names.map((name) => `&${name}=${fields[name].replace(/[&=]/g, '_')}`).join('');
const signatures = {
  md5hash: createHash('md5').update(`${described}word`).digest('hex'),
  md5hmac: createHmac('md5', 'word').update(described).digest('hex'),
  sha256hmac: createHmac('sha256', 'word').update(described).digest('hex'),
};

async function look() {
  const seen = [];
  for (const [method, signature] of Object.entries(signatures)) {
    const algorithm = AlgorithmTypes[method];
    const auth = new Auth({ apiKey: 'key', signature: { secret: 'word', algorithm } });
    const { sig } = await auth.createSignatureHash(fields);
    const sms = new SMS(auth);
    const verdict = (each) => (sms.verifySignature(each, fields, 'word', algorithm) ? 'accepts' : 'refuses');
    seen.push(`${method}: @vonage/sms ${verdict(signature)} the described signature, ${verdict(sig)} that of @vonage/auth`);
  }
  for (const [method, signature] of Object.entries(python)) {
    const name = Object.keys(signatures).find((each) => signatures[each] === signature) ?? signature;
    seen.push(`Python, ${method}: ${name}`);
  }
  return seen;
}

look().then((seen) => {
  console.log('vonage-http-client 1.5.2, @vonage/auth 1.15.0, @vonage/sms 1.21.0');
  console.log(seen.join('\n'));
  const expected = [
    ...Object.keys(signatures).map(
      (method) => `${method}: @vonage/sms accepts the described signature, refuses that of @vonage/auth`,
    ),
    'Python, md5: md5hmac',
    'Python, None: TypeError',
    'Python, sha256: sha256hmac',
  ];
  if (seen.join() !== expected.join()) {
    console.log(`This has changed. It was:\n${expected.join('\n')}`);
    process.exitCode = 1;
  }
});
JS
node look.cjs
