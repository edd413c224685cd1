#!/bin/sh
# nodemailer 10.6.0: `greetingTimeout` ends with `connectionTimeout`, though the connection is open
#
# One would guess: `connectionTimeout` bounds the connection ("how many milliseconds to wait for the connection to
#   establish") and `greetingTimeout` the wait for the greeting after it, as the README describes them.
# What happens: the wait for the greeting is cut by what is left of `connectionTimeout`. With a connection that opens at
#   once, `connectionTimeout: 1000` and `greetingTimeout: 60000`, a greeting after two seconds is too late.
# Why it matters here: RFC 5321 (4.5.3.2.1) allows five minutes for the greeting, and relays that look up their client use
#   some of it. A short limit for dead hosts needs a socket of one's own (libs/carriers/src/smtp/smtp-session.ts).
# Seen: nodemailer 10.6.0, Node 20 and 24, 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . nodemailer@10.6.0 >/dev/null
cat >look.cjs <<'JS'
const { createServer } = require('node:net');
const { createTransport } = require('nodemailer');
const { version } = require('nodemailer/package.json');

const GREETING_AFTER_MS = 2_000;

function sent(port, timeouts) {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true, ...timeouts });
  return transport.verify().then(
    () => 'greeted',
    ({ code, message }) => `${code} ${message}`,
  );
}

const server = createServer((socket) => {
  socket.on('error', () => undefined);
  setTimeout(() => socket.write('220 slow.example\r\n'), GREETING_AFTER_MS);
  socket.on('data', (chunk) => socket.write(/^QUIT/i.test(chunk) ? '221 bye\r\n' : '250 ok\r\n'));
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  console.log(`nodemailer ${version}, a server that greets after ${GREETING_AFTER_MS} ms`);
  const seen = [];
  for (const connectionTimeout of [1_000, 61_000]) {
    const outcome = await sent(port, { connectionTimeout, greetingTimeout: 60_000 });
    seen.push(`connectionTimeout ${connectionTimeout}, greetingTimeout 60000: ${outcome}`);
  }
  console.log(seen.join('\n'));
  const isAsSeen = seen[0].includes('ETIMEDOUT') && seen[1].endsWith('greeted');
  if (!isAsSeen) {
    console.log('This has changed. The first was ETIMEDOUT, the second greeted.');
    process.exitCode = 1;
  }
  process.exit();
});
JS
node look.cjs
