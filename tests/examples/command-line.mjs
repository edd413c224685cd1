import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { run, until, whileRunning } from './support.mjs';

const README = join(import.meta.dirname, '../../cli/README.md');

/** Each line of the table in the README, as printed there, but for what it can only give as an example. */
export async function check(folder, { file }) {
  mkdirSync(folder);
  const env = { CREDENTIALS: file, HOME: folder };
  const typed = async (line) => run('bash', ['-ec', line], { cwd: folder, env });
  await typed('npm init --yes; npm install --install-links ../../sdks/typescript');
  const received = [];
  const receiver = createServer((request, response) => {
    received.push(request.headers);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const hook = `http://localhost:${receiver.address().port}/hook`;
  const rows = [...readFileSync(README, 'utf8').matchAll(/^\| `(npx watchword [^`]+)`/gm)];
  const lines = rows.map(([, line]) => line.replace('http://localhost:8080/hook', hook));
  const sent = {};
  try {
    // The first one waits for a person.
    for (const line of lines.slice(1)) {
      if (line.includes(' listen ')) {
        // npx does not pass on the signal that stops it.
        const command = line.replace('npx watchword', 'node_modules/.bin/watchword').split(' ');
        const starts = (output) => async () => /Forwarding events/.exec(output()) ?? undefined;
        await whileRunning(command, { cwd: folder, env }, (output) =>
          until('listen to start', starts(output)),
        );
        continue;
      }
      const output = await typed(
        line
          .replace(' ID ', ` ${sent.otp} `)
          .replace('--sequence 3', `--sequence ${sent.event}`)
          .replace('messages tail', 'messages tail --polls 1'),
      );
      if (line.includes('otp send')) sent.otp = output.split(' ')[0];
      if (line.includes('events list')) {
        const first = async () => /#(\d+)/.exec(await typed(line))?.[1];
        sent.event = await until('the event of trigger', first);
      }
    }
  } finally {
    receiver.close();
  }
  assert.equal(received.length, 1);
  assert.ok(received[0]['svc-signature']);
  return `${lines.length - 1} lines of its README worked as printed`;
}
