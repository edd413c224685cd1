#!/bin/sh
# mailparser 3.14.2: the machine-readable part of a bounce is part of the text, unless it has a file name
#
# One would guess: `message/delivery-status` of a `multipart/report` (RFC 3464) is an attachment, like the
#   `message/rfc822` behind it, as in postal-mime 4.0.0.
# What happens: without a Content-Disposition its fields are appended to `text`, with nothing between the words of the mail
#   server and the fields but a line break, and no attachment has the type. With `attachment; filename=...` the same
#   part is an attachment, and the text ends before it. The option `keepDeliveryStatus` makes both alike.
# Why it matters here: a program that looks for the attachment reads a bounce of one server and none of another, and one
#   that reads `text` takes the fields for the server's words. Our reader of bounces sets the option
#   (libs/email/src/report-message.ts).
# Seen: mailparser 3.14.2, postal-mime 4.0.0, Node 24, 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . mailparser@3.14.2 postal-mime@4.0.0 >/dev/null
cat >look.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { simpleParser } from 'mailparser';
import PostalMime from 'postal-mime';

const bounce = (disposition) =>
  [
    'From: MAILER-DAEMON@mx.example',
    'To: bounces@shop.example',
    'Subject: Undelivered',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=B',
    '',
    '--B',
    'Content-Type: text/plain',
    '',
    'Your message could not be delivered.',
    '--B',
    'Content-Type: message/delivery-status',
    ...disposition,
    '',
    'Reporting-MTA: dns; mx.example',
    '',
    'Final-Recipient: rfc822; ada@example.com',
    'Action: failed',
    'Status: 5.1.1',
    '--B',
    'Content-Type: message/rfc822',
    '',
    'Subject: Your order',
    '',
    'It has shipped.',
    '--B--',
    '',
  ].join('\r\n');

function seenOf(text, types) {
  return `${types.join(' and ')}; the text ${text.includes('Status: 5.1.1') ? 'has' : 'lacks'} the status`;
}

const versionOf = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version;
console.log(`mailparser ${versionOf('mailparser')}, postal-mime ${versionOf('postal-mime')}`);
const seen = [];
for (const disposition of [[], ['Content-Disposition: attachment; filename=details.txt']]) {
  const source = bounce(disposition);
  const one = await simpleParser(source);
  const other = await PostalMime.parse(source);
  const form = disposition.length === 0 ? 'without a name' : 'with a name';
  seen.push(`${form}, mailparser: ${seenOf(one.text, one.attachments.map((part) => part.contentType))}`);
  seen.push(`${form}, postal-mime: ${seenOf(other.text, other.attachments.map((part) => part.mimeType))}`);
}
console.log(seen.join('\n'));
const both = 'message/delivery-status and message/rfc822; the text lacks the status';
const expected = [
  'without a name, mailparser: message/rfc822; the text has the status',
  `without a name, postal-mime: ${both}`,
  `with a name, mailparser: ${both}`,
  `with a name, postal-mime: ${both}`,
];
if (seen.join() !== expected.join()) {
  console.log(`This has changed. It was:\n${expected.join('\n')}`);
  process.exitCode = 1;
}
JS
node look.mjs
