#!/usr/bin/env node
/** The command line `watchword`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from './run.js';
import type { Terminal } from './terminal.js';

const ONLY_THE_USER = 0o600;
const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort());
// A reader such as `head` that ends is no error.
process.stdout.once('error', () => process.exit(0));

async function readSecret(question: string): Promise<string | undefined> {
  const isTerminal = process.stdin.isTTY;
  if (isTerminal) process.stderr.write(question);
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: hidden, terminal: isTerminal });
  for await (const line of lines) {
    lines.close();
    if (isTerminal) process.stderr.write('\n');
    return line;
  }
  return undefined;
}

const terminal: Terminal = {
  write: (text) => void process.stdout.write(text),
  note: (text) => void process.stderr.write(`${text}\n`),
  environment: process.env,
  isInteractive: process.stdout.isTTY === true,
  signal: stopping.signal,
  fetch: (...request) => fetch(...request),
  hostname: hostname(),
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: async (milliseconds, signal) => {
    await sleep(milliseconds, undefined, signal ? { signal } : {});
  },
  readSecret,
  readFile: (path) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return undefined;
    }
  },
  writeFile: (path, text) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: ONLY_THE_USER });
  },
};

process.exitCode = await run(process.argv.slice(2), terminal);
