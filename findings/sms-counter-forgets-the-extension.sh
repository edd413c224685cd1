#!/bin/sh
# sms-counter 1.0.0 (Node): names the GSM extension table and counts its characters once
#
# One would guess: a counter that answers `GSM_7BIT_EX` counts `{`, `[`, `~` or `€` twice, as each is sent as an escape and a
#   code (3GPP TS 23.038, 6.2.1 and 6.2.1.1), and so do three other counters of that registry.
# What happens: the function that collects such characters is not called; the number of its parameters, 0, is taken for
#   theirs, so `length` is that of the text. 100 braces have 60 `remaining`: they are 200 septets and two messages.
# Why it matters here: a form that counts with it promises one segment, and we charge for each that is sent. `POST /v1/quote`
#   answers what a text costs (docs/guides/send-messages.md).
# Seen: sms-counter 1.0.0, sms-length 0.2.2, split-sms 0.1.7, sms-segments-calculator 1.3.0, Node 24, 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  sms-counter@1.0.0 sms-length@0.2.2 split-sms@0.1.7 sms-segments-calculator@1.3.0 >/dev/null
cat >look.cjs <<'JS'
const { default: smsCounter } = require('sms-counter');
const { count } = require('sms-length');
const { SegmentedMessage } = require('sms-segments-calculator');
const { split } = require('split-sms');

const texts = {
  '160 letters': 'a'.repeat(160),
  '100 braces': '{}'.repeat(50),
  '160 braces': '{}'.repeat(80),
  'a euro sign among 160': `${'a'.repeat(159)}€`,
};
console.log('sms-counter 1.0.0 | sms-length 0.2.2, split-sms 0.1.7, sms-segments-calculator 1.3.0');
const seen = Object.entries(texts).map(([name, text]) => {
  const { encoding, length, messages, remaining } = smsCounter.count(text);
  const others = [count(text).messages, split(text).parts.length, new SegmentedMessage(text).segmentsCount];
  return `${name}: ${encoding}, length ${length}, remaining ${remaining}, messages ${messages} | ${others.join(', ')}`;
});
console.log(seen.join('\n'));
const expected = [
  '160 letters: GSM_7BIT, length 160, remaining 0, messages 1 | 1, 1, 1',
  '100 braces: GSM_7BIT_EX, length 100, remaining 60, messages 1 | 2, 2, 2',
  '160 braces: GSM_7BIT_EX, length 160, remaining 0, messages 1 | 3, 3, 3',
  'a euro sign among 160: GSM_7BIT_EX, length 160, remaining 0, messages 1 | 2, 2, 2',
];
if (seen.join() !== expected.join()) {
  console.log(`This has changed. It was:\n${expected.join('\n')}`);
  process.exitCode = 1;
}
JS
node look.cjs
