#!/bin/sh
# smpp 0.5.1: an optional text parameter without a NUL at its end
#
# One would guess: a parameter ends where its length says (SMPP 3.4, 3.2.4), so a missing NUL does no harm. ch-smpp and
#   go-smpp write `receipted_message_id` so.
# What happens: the decoder knows the length and reads on to the next zero byte. The id swallows the head of the
#   parameter behind it, here of `message_state` (tag 0427): 8c2f77 gets the bytes 04 27 behind it. With `message_state`
#   in front of it, at the end of the PDU, the same id is right, so it depends on the order.
# Why it matters here: such a receipt matches no message, and the message stays `sent`. So receipts and messages are
#   read by a decoder of our own (libs/carriers/src/smpp/delivery.ts), and the library encodes.
# Seen: smpp 0.5.1, Node 24, 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . smpp@0.5.1 >/dev/null
cat >look.cjs <<'JS'
const { PDU } = require('smpp');
const { version } = require('smpp/package.json');

const id = Buffer.from('8c2f77');
const option = (tag, value) => Buffer.concat([Buffer.from([tag >> 8, tag & 255, 0, value.length]), value]);
const [named, state] = [option(0x1e, id), option(0x427, Buffer.from([2]))];

/** The receipt without addresses and text: 17 bytes of empty mandatory parameters, esm_class 4. */
function read(options) {
  const body = Buffer.alloc(17);
  body[7] = 4;
  const pdu = Buffer.concat([Buffer.alloc(16), body, ...options]);
  pdu.writeUInt32BE(pdu.length, 0);
  pdu.writeUInt32BE(5, 4);
  return JSON.stringify(new PDU(pdu).receipted_message_id);
}

console.log(`smpp ${version}, the id ${JSON.stringify(id.toString())} in six bytes`);
const [last, first] = [read([state, named]), read([named, state])];
console.log(`behind message_state: ${last}`);
console.log(`before message_state: ${first}`);
process.exitCode = last === '"8c2f77"' && first !== last ? 0 : 1;
JS
node look.cjs
