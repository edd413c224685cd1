import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { crashList, laterCrashes } from './crash-point.js';

const source = stripTypeScriptTypes(
  readFileSync(new URL('./crash-point.ts', import.meta.url), 'utf8'),
);

/** Passes `before` three times and `after` once, and prints each pass. */
const program = `${source}
  const { writeSync } = await import('node:fs');
  for (const pass of [1, 2, 3]) {
    crashPoint('before');
    writeSync(1, String(pass));
  }
  crashPoint('after');
  writeSync(1, 'end');
`;

interface End {
  printed: string;
  signal: NodeJS.Signals | null;
  code: number | null;
}

function run(crashAt: string | undefined): Promise<End> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: crashAt === undefined ? {} : { CRASH_AT: crashAt },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ printed, signal, code }));
  });
}

describe('a crash point', () => {
  it.each([
    ['before', ''],
    ['before:1', ''],
    ['before:2', '1'],
    ['before:3', '12'],
    ['after:1', '123'],
    ['after:1,before:1', '123'],
  ])('named by CRASH_AT=%s kills the process there', async (crashAt, printed) => {
    expect(await run(crashAt)).toEqual({ printed, signal: 'SIGKILL', code: null });
  });

  it.each([[undefined], [''], ['elsewhere:1'], ['before:4'], [',before:1']])(
    'does nothing with CRASH_AT=%s',
    async (crashAt) => {
      expect(await run(crashAt)).toEqual({ printed: '123end', signal: null, code: 0 });
    },
  );
});

describe('a list of crashes', () => {
  const crash = { point: 'relay.publish.after-send', pass: 1 };
  const other = { point: 'kafka.offset.before-commit', pass: 50 };

  it('has one for each life, and none for a life that is to last', () => {
    const list = crashList([null, crash, other]);
    expect(list).toBe(',relay.publish.after-send:1,kafka.offset.before-commit:50');
    expect(laterCrashes(list)).toBe(crashList([crash, other]));
    expect(laterCrashes(crashList([crash, other]))).toBe(crashList([other]));
  });

  it('comes to its end', () => {
    expect(laterCrashes(crashList([crash]))).toBe('');
    expect(laterCrashes('')).toBe('');
    expect(laterCrashes(undefined)).toBe('');
  });
});
