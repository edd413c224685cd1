/**
 * The peer that a team would build: graphile-worker, one job for each delivery, at concurrency 24. A job signs the body,
 * posts it, and keeps the attempt. Adds the jobs of each event in one statement; prints the milliseconds until all are
 * done, adding included, as the product's time includes its fan-out.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import pg from 'pg';
import { Pool } from 'undici';

const { url, paths, bodies } = JSON.parse(readFileSync(process.env.WORK, 'utf8'));
const database = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 26 });
const receivers = new Pool(url, { connections: 24 });
const quiet = new Logger(() => () => undefined);
const total = paths.length * bodies.length;
let done = 0;
let finished;
const allDone = new Promise((resolve) => (finished = resolve));

await database.query(`create table if not exists attempts (
  id uuid primary key, event text not null, path text not null, status int not null,
  attempted_at timestamptz not null default now())`);

async function deliver({ path, body, event }) {
  const id = randomUUID();
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', 'secret')
    .update(`${id}.${timestamp}.${body}`)
    .digest('hex');
  const answer = await receivers.request({
    method: 'POST',
    path,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
    },
    body,
  });
  await answer.body.dump();
  await database.query('insert into attempts (id, event, path, status) values ($1, $2, $3, $4)', [
    id,
    event,
    path,
    answer.statusCode,
  ]);
  if (answer.statusCode >= 300) throw new Error(`answered ${answer.statusCode}`);
  done += 1;
  if (done === total) finished();
}

const utils = await makeWorkerUtils({ pgPool: database, logger: quiet });
await utils.migrate();
const runner = await run({
  pgPool: database,
  concurrency: 24,
  pollInterval: 1_000,
  noHandleSignals: true,
  logger: quiet,
  taskList: { deliver },
});
const startedAt = performance.now();
for (const [event, body] of bodies.entries()) {
  const jobs = paths.map((path) => ({
    identifier: 'deliver',
    payload: { path, body, event: String(event) },
  }));
  await database.query(
    `select graphile_worker.add_jobs(array(
       select json_populate_recordset(null::graphile_worker.job_spec, $1::json)))`,
    [JSON.stringify(jobs)],
  );
}
await allDone;
process.stdout.write(String(performance.now() - startedAt));
await runner.stop();
await utils.release();
await database.end();
await receivers.close();
