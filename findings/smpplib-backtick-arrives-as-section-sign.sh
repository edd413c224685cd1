#!/bin/sh
# smpplib 2.2.4 (Python): a backtick leaves as the octet of the section sign, and a section sign makes the text UCS-2
#
# One would guess: the default alphabet of 3GPP TS 23.038 has "§" at 5F and no backtick, so a text with a backtick falls
#   back to UCS-2, and one with "§" (of a law or a contract) stays at 160 characters.
# What happens: the library's table has a backtick at 5F, where its source fills gaps with that character. The text
#   `code` leaves in the default alphabet as 5F 63 6F 64 65 5F, and node's smpp reads §code§. A text with "§" is sent in
#   UCS-2 instead, which holds 70 characters.
# Why it matters here: two programs that count segments by "the GSM alphabet" differ for such texts, and a handset shows
#   another text than the one that was sent. Our table is that of 23.038 (libs/telephony/src/gsm7.ts).
# Seen: smpplib 2.2.4, Python 3.11; smpp 0.5.1, Node 24, 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet smpplib==2.2.4
npm install --silent --no-audit --no-fund --prefix . smpp@0.5.1 >/dev/null
cat >texts.py <<'PY'
import json
from smpplib.gsm import make_parts

seen = []
for text in ["`code`", "§ 312"]:
    [part], coding, _ = make_parts(text)
    seen.append([text, part.hex(), coding])
print(json.dumps(seen))
PY
python/bin/python texts.py >texts.json
cat >look.cjs <<'JS'
const { readFileSync } = require('node:fs');
const { PDU } = require('smpp');
const { version } = require('smpp/package.json');

function read(hex, data_coding) {
  const sent = new PDU('deliver_sm', { data_coding, short_message: Buffer.from(hex, 'hex') });
  return new PDU(sent.toBuffer()).short_message.message;
}

console.log(`smpplib 2.2.4 writes, smpp ${version} reads`);
const seen = JSON.parse(readFileSync('texts.json', 'utf8')).map(
  ([text, hex, coding]) => `${text}: data_coding ${coding}, ${hex.length / 2} octets, read as ${read(hex, coding)}`,
);
console.log(seen.join('\n'));
const expected = [
  '`code`: data_coding 0, 6 octets, read as §code§',
  '§ 312: data_coding 8, 10 octets, read as § 312',
];
if (seen.join() !== expected.join()) {
  console.log(`This has changed. It was:\n${expected.join('\n')}`);
  process.exitCode = 1;
}
JS
node look.cjs
