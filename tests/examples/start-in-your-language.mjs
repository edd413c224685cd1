import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, run } from './support.mjs';

const GUIDE = join(import.meta.dirname, '../../docs/guides/start-in-your-language.md');

/** The commands of the guide, as printed there, on a copy whose SDK is built. */
export async function check(folder, { credentials }) {
  mkdirSync(folder);
  const blocks = [...readFileSync(GUIDE, 'utf8').matchAll(/^```sh\n(.*?)^```/gms)].map(
    ([, block]) => block,
  );
  const [, ...commands] = blocks;
  assert.equal(commands.length, 4);
  const env = {
    CLONE: join(folder, '../..'),
    WATCHWORD_BASE_URL: credentials.base_url,
    WATCHWORD_KEY: credentials.test_key,
  };
  const script = commands
    .join('\n')
    .replace(/^npm --prefix "\$CLONE" run build:sdk$/m, '')
    .replaceAll('4000', await freePort());
  const output = await run('bash', ['-ec', script], { cwd: folder, env });
  assert.match(output, /^true verified\n(?:.*\n)*True verified\n(?:.*\n)*true verified\n/m);
  assert.match(output, /sms\.failed .*503 .*\nreceived sms\.failed\n.*200 .*try 2/);
  return 'its commands worked as printed';
}
