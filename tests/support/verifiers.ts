import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Received } from './receiver.js';

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Go compiles once; a busy machine takes its time. */
const BUILD_TIMEOUT_MS = 240_000;
let program: string | undefined;

/** Returns the path of Go, or undefined without it. */
export function goCommand(): string | undefined {
  const places = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/go/bin'];
  return places.map((place) => join(place, 'go')).find((file) => existsSync(file));
}

/** An independent program in another language, written from the guide. */
export function verifyInPython(received: Received, secret: string): unknown {
  return verified('python3', [fileOf('verify-webhook.py')], received, secret);
}

export function verifyInGo(go: string, received: Received, secret: string): unknown {
  program ??= builtWith(go);
  return verified(program, [], received, secret);
}

function builtWith(go: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'watchword-go-'));
  const file = join(directory, 'verify-webhook');
  const { status, stderr } = spawnSync(
    go,
    ['build', '-o', file, fileOf('verify-webhook/main.go')],
    {
      encoding: 'utf8',
      timeout: BUILD_TIMEOUT_MS,
      env: { HOME: directory, ...process.env, GO111MODULE: 'off', GOFLAGS: '' },
    },
  );
  if (status !== 0) throw new Error(`go build: ${stderr}`);
  return file;
}

function verified(
  command: string,
  parameters: readonly string[],
  { headers, rawBody }: Received,
  secret: string,
): unknown {
  const now = Math.floor(Date.now() / 1_000);
  const input = JSON.stringify({ headers, body: rawBody, secret, now });
  const { stdout, stderr } = spawnSync(command, parameters, { input, encoding: 'utf8' });
  return stdout === '' ? stderr : JSON.parse(stdout);
}
