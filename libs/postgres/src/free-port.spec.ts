import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { freePort } from './free-port.js';

function oneByOne(...ports: number[]): () => number {
  return () => {
    const port = ports.shift();
    if (port === undefined) throw new Error('all of them are taken');
    return port;
  };
}

/** Several, because one may be taken. All are above the ports that `freePort` chooses from. */
const OTHERS = Array.from({ length: 20 }, (_, index) => 30_000 + index);

describe('free ports', () => {
  it('are given once, though nothing listens on them yet', async () => {
    const given = await freePort();
    const next = await freePort();
    expect(OTHERS).toContain(await freePort(oneByOne(given, next, ...OTHERS)));
    const script = `import { freePort } from ${JSON.stringify(import.meta.resolve('./free-port.ts'))};
      const ports = ${JSON.stringify([given, ...OTHERS])};
      console.log(await freePort(() => ports.shift()));`;
    const child = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '-e',
      script,
    ]);
    expect(OTHERS).toContain(Number(child.stdout));
  });
});
