/** Hands each line to the Worker of `sdks/behaviour/worker.ts` in workerd, and prints its answer. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const [packages, script] = process.argv.slice(2);
const { Miniflare } = createRequire(`${packages}/`)('miniflare');
const workers = new Miniflare({
  modules: [{ type: 'ESModule', path: 'worker.mjs', contents: readFileSync(script, 'utf8') }],
  compatibilityDate: '2026-01-01',
});
await workers.ready;
for await (const body of createInterface({ input: process.stdin })) {
  const answer = await workers.dispatchFetch('http://worker', { method: 'POST', body });
  process.stdout.write(`${await answer.text()}\n`);
}
await workers.dispose();
