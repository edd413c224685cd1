/** `npm run bench -- <name>`: each bench starts all it needs and prints a table with ratios. */
import { acceptBench } from './accept.bench.ts';
import { carriersBench } from './carriers.bench.ts';
import { chainBench } from './chain.bench.ts';
import { clusterBench } from './cluster.bench.ts';
import { growthBench } from './growth.bench.ts';
import { pagesBench } from './pages.bench.ts';
import { startBench } from './start.bench.ts';
import { turnsBench } from './turns.bench.ts';
import { verifyBench } from './verify.bench.ts';
import { webhooksBench } from './webhooks.bench.ts';
import { openRunFolder } from '../tools/run-folder.mjs';

openRunFolder();

const benches: Record<string, () => Promise<void>> = {
  accept: acceptBench,
  carriers: carriersBench,
  chain: chainBench,
  cluster: clusterBench,
  growth: growthBench,
  pages: pagesBench,
  start: startBench,
  turns: turnsBench,
  verify: verifyBench,
  webhooks: webhooksBench,
};

const name = process.argv[2] ?? '';
const bench = benches[name];
if (!bench) {
  console.error(`Which bench? npm run bench -- ${Object.keys(benches).join(' | ')}`);
  process.exit(1);
}
// What a bench has started has sessions of its own, which Ctrl-C does not reach, and ends with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await bench();
