#!/bin/sh
# smtp-server 3.21.6: a client that closes its side after QUIT never gets the answer to its message
#
# One would guess: a client that pipelines the end of the content and QUIT and then closes only its sending side (shutdown
#   for writing, as TCP allows) still reads "250" and "221" for what it sent.
# What happens: the message arrives, the handler accepts it, and nothing is written: the socket closes with the client's
#   end. The client takes the message for undelivered and sends it again.
# Why it matters here: Exim does this with a server that announces PIPELINING, so each of its bounces came twice. The
#   listener does not announce it (apps/gateway/src/messages/email/inbound-smtp.listener.ts).
# Seen: smtp-server 3.21.6, Node 20 and 24, 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . smtp-server@3.21.6 >/dev/null
cat >look.cjs <<'JS'
const { connect } = require('node:net');
const { SMTPServer } = require('smtp-server');

const accepted = [];
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  onData(stream, _session, done) {
    stream.resume();
    // The message is stored somewhere first.
    stream.on('end', () => setTimeout(() => (accepted.push('message'), done()), 200));
  },
});

/** Sends a message, then QUIT, then closes its side or waits. Returns the codes that it read. */
function talk(port, closes) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let read = '';
    const steps = [
      'EHLO a.example\r\n',
      'MAIL FROM:<>\r\n',
      'RCPT TO:<b@c.example>\r\n',
      'DATA\r\n',
      'Subject: x\r\n\r\nx\r\n.\r\nQUIT\r\n',
    ];
    socket.on('data', (chunk) => {
      read += chunk;
      if (!/(?:^|\n)\d{3} [^\n]*\r\n$/.test(read)) return;
      const step = steps.shift();
      if (step === undefined) return;
      if (steps.length === 0) read = '';
      socket.write(step);
      if (steps.length === 0 && closes) socket.end();
    });
    socket.on('error', () => undefined);
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve((read.match(/^\d{3}/gm) ?? []).join(' ') || 'nothing'));
  });
}

server.listen(0, '127.0.0.1', async () => {
  const { port } = server.server.address();
  const waits = await talk(port, false);
  const closes = await talk(port, true);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const seen = [
    `a client that waits reads: ${waits}`,
    `a client that closes its side reads: ${closes}`,
    `messages accepted: ${accepted.length}`,
  ];
  console.log(seen.join('\n'));
  const expected = [
    'a client that waits reads: 250 221',
    'a client that closes its side reads: nothing',
    'messages accepted: 2',
  ];
  if (seen.join() !== expected.join()) {
    console.log(`This has changed. It was:\n${expected.join('\n')}`);
    process.exitCode = 1;
  }
  process.exit();
});
JS
node look.cjs
