/**
 * `node tests/upgrade/rolling.ts [--rate 200] [--seed n] [--keep]`: the release that
 * `deploy/last-release` names and this one, from two checkouts, on one Kafka, PostgreSQL and Redis. Under load
 * the replicas are replaced one by one, forward and back; then the checker holds the invariants.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICE_NAMES } from '@watchword/config';
import { type Fault, type FaultRun } from '../faults/fault-run.ts';
import { runStages } from '../faults/run-faults.ts';
import type { Exchange } from '../invariants/client-log.ts';
import { ClusterProcesses } from '../support/cluster-processes.ts';
import { migrateTo, MixedCluster } from './mixed-cluster.ts';
import { checkOut, lastRelease, type Release, root } from './release-checkout.ts';
import { lastRecord } from './released.ts';
import { contractions, readFacts, type SchemaFacts, withoutUnused } from './schema-facts.ts';

/** Milliseconds in which one replica of each service is of one release, and one of the other. */
const SIDE_BY_SIDE_MS = 10_000;
const PAUSE_MS = 2_000;

/** Returns the customer's failed requests, without those that carriers' faults caused. */
function failedSince(run: FaultRun, from: number): Exchange[] {
  return run.log.log.exchanges.filter(
    ({ sentAt, status }) => sentAt >= from && (status === null || status >= 500),
  );
}

/** What programs of either release rely on. */
async function factsOf(run: FaultRun): Promise<SchemaFacts> {
  return withoutUnused(await readFacts(run.databaseUrl), lastRecord().unused);
}

/** The schemas first, then every replica of this number, then the others. */
function roll(cluster: MixedCluster, release: Release): Fault {
  return async (run) => {
    const from = Date.now();
    const processes = new ClusterProcesses(join(run.dataDir, 'dev-credentials.json'));
    const before = await factsOf(run);
    run.say(migrateTo(release, processes).trim().replaceAll('\n', '\n  '));
    for (const lost of contractions(before, await factsOf(run))) run.expect(false, lost);
    const leaving: { what: string; at: number }[] = [];
    const back = run.away(`replicas replaced by ${release.name}`, { sendsGoOn: true });
    for (const replica of [1, 2]) {
      for (const service of SERVICE_NAMES) {
        const startedAt = performance.now();
        leaving.unshift({ what: `${service} ${replica}`, at: Date.now() });
        await cluster.replace(processes, service, replica, release);
        const tookMs = Math.round(performance.now() - startedAt);
        run.say(`${service} ${replica} is ${release.name} after ${tookMs} ms`);
      }
      await sleep(replica === 1 ? SIDE_BY_SIDE_MS : PAUSE_MS);
    }
    back();
    const failed = failedSince(run, from);
    const requests = run.log.log.exchanges.filter(({ sentAt }) => sentAt >= from).length;
    run.say(`${failed.length} of ${requests} requests failed`);
    for (const { status, answer, sentAt, answeredAt } of failed.slice(0, 20)) {
      const { what, at } = leaving.find((one) => one.at <= answeredAt) ?? { what: 'nobody', at: 0 };
      const when = `sent ${sentAt - at} ms and lost ${answeredAt - at} ms after ${what} got its signal to leave`;
      run.say(`  ${status === null ? 'no answer' : `${status} ${answer}`}, ${when}`);
    }
    run.expect(failed.length === 0, `${failed.length} requests failed`);
  };
}

const say = (text: string) => console.log(text);

export async function rollForwardAndBack(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'watchword-upgrade-'));
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  const commit = lastRelease();
  say(`building the last release, ${commit}`);
  const last = await checkOut(commit, say);
  const now: Release = { name: 'this version', directory: root };
  const cluster = new MixedCluster(directory, last);
  await runStages({}, () => [
    {
      shape: { program: cluster.program },
      faults: { forward: roll(cluster, now), back: roll(cluster, last) },
    },
  ]);
}

if (import.meta.main) await rollForwardAndBack();
