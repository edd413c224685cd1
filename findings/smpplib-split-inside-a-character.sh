#!/bin/sh
# smpplib 2.2.4 (Python): a long text is cut inside a character, and node's smpp reads another character
#
# One would guess: the parts of a long text can be read one by one, as 3GPP TS 23.040 (9.2.3.24.1) asks: a character of
#   two septets or two 16-bit units stays whole, so a part may be one shorter.
# What happens: `make_parts` encodes first and cuts after 153 octets or 134. An escape (1B) ends the one part and its
#   second half begins the next: node's smpp, which decodes each part, reads "e" for the euro sign. The number of
#   parts differs too: 306 septets with an escape across the border are 3 parts by the rule, and 2 here.
# Why it matters here: such a peer counts fewer segments than we bill, and its text joined part by part is another text.
#   Our segments keep pairs whole (libs/telephony/src/segments.ts), and a part of a longer text is never read as a text
#   of its own, such as an opt-out (libs/carriers/src/smpp/delivery-text.ts).
# Seen: smpplib 2.2.4, Python 3.11; smpp 0.5.1, Node 24, 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet smpplib==2.2.4
npm install --silent --no-audit --no-fund --prefix . smpp@0.5.1 >/dev/null
cat >parts.py <<'PY'
import json
from smpplib.gsm import make_parts

TEXTS = ["a" * 152 + "€" + "b" * 152, "я" * 66 + "𐐷" + "я" * 10]
print(json.dumps([[part.hex() for part in make_parts(text, coding)[0]] for text, coding in zip(TEXTS, [0, 8])]))
PY
python/bin/python parts.py >parts.json
cat >look.cjs <<'JS'
const { readFileSync } = require('node:fs');
const { PDU } = require('smpp');
const { version } = require('smpp/package.json');

/** What the library reads of a deliver_sm with this short_message. */
function read(hex, data_coding) {
  const sent = new PDU('deliver_sm', { esm_class: 0x40, data_coding, short_message: Buffer.from(hex, 'hex') });
  return new PDU(sent.toBuffer()).short_message.message;
}

console.log(`smpplib 2.2.4 writes, smpp ${version} reads`);
const [gsm, ucs2] = JSON.parse(readFileSync('parts.json', 'utf8'));
const units = (text) => [...text].map((one) => one.codePointAt(0).toString(16)).join(' ');
const [first, second] = gsm.map((hex) => read(hex, 0));
const [high, low] = ucs2.map((hex) => read(hex, 8));
const seen = [
  `the euro sign at the border: ${gsm.length} parts, the second begins ${JSON.stringify(second.slice(0, 3))}`,
  `the first ends with ${JSON.stringify(first.slice(-1))}, octet ${gsm[0].slice(-2)}`,
  `a pair at the border: the first ends ${units(high.slice(-1))}, the second begins ${units(low.slice(0, 1))}`,
];
console.log(seen.join('\n'));
const expected = [
  'the euro sign at the border: 2 parts, the second begins "ebb"',
  'the first ends with "\\u001b", octet 1b',
  'a pair at the border: the first ends d801, the second begins dc37',
];
if (seen.join() !== expected.join()) {
  console.log(`This has changed. It was:\n${expected.join('\n')}`);
  process.exitCode = 1;
}
JS
node look.cjs
