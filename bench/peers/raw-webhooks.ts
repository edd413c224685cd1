/** The least that a delivery can cost: an undici loop that posts, and neither signs nor keeps anything. */
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';

const AT_ONCE = 64;
const { url, paths, bodies } = JSON.parse(readFileSync(process.env['WORK'] ?? '', 'utf8')) as {
  url: string;
  paths: string[];
  bodies: string[];
};
const pool = new Pool(url, { connections: AT_ONCE });
const headers = { 'content-type': 'application/json' };
/** The receiver counts none of these. */
const WARM_UP = 1_000;

async function postAll(count: number, pathOf: (index: number) => string): Promise<void> {
  let begun = 0;
  const work = async () => {
    while (begun < count) {
      const index = begun;
      begun += 1;
      const body = bodies[Math.floor(index / paths.length) % bodies.length]!;
      const answer = await pool.request({ method: 'POST', path: pathOf(index), headers, body });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

await postAll(WARM_UP, () => '/fail/warm-up');
const startedAt = performance.now();
await postAll(paths.length * bodies.length, (index) => paths[index % paths.length]!);
process.stdout.write(String(performance.now() - startedAt));
await pool.close();
