/**
 * The checker: holds the ten invariants of the architecture against a stopped or idle system, from its
 * database and from what those outside saw. `node tests/invariants/check.ts <directory>` checks the logs and
 * the data directory that a fault test left behind with `--keep`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPool, startEmbeddedPostgres } from '@watchword/postgres';
import { type BusState, readEmbeddedBus } from './bus-state.ts';
import { checkClientView, checkLimits, checkReplays } from './client.check.ts';
import {
  type ClientLog,
  type HandsetMessage,
  readClientLog,
  type ReceivedAttempt,
} from './client-log.ts';
import { checkDrained } from './drain.check.ts';
import type { ReceivedEmail } from './email-evidence.ts';
import { checkEvents } from './event.check.ts';
import { collectEvidence } from './evidence.ts';
import { checkStates, checkVerifications } from './message.check.ts';
import { checkCharges, checkLedger } from './money.check.ts';
import { checkCarriers } from './provider.check.ts';
import type { InvariantReport } from './tally.ts';

export interface CheckOptions {
  /** URL of the superuser: the checker reads all schemas and tests what roles may do. */
  databaseUrl: string;
  clientLog: ClientLog;
  simulatorMessages: HandsetMessage[];
  receiverLog: ReceivedAttempt[];
  /** All copies in the local mailbox, where it was watched. */
  mailbox?: ReceivedEmail[] | undefined;
  /** State of Kafka at the end. The embedded bus is read from the database. */
  bus?: BusState | undefined;
  /** Gateways that count the limits together. Default 1. */
  gateways?: number | undefined;
}

export async function checkInvariants(options: CheckOptions): Promise<InvariantReport[]> {
  const database = createPool({
    url: options.databaseUrl,
    applicationName: 'watchword-checker',
    max: 2,
    statementTimeoutMs: 60_000,
  });
  try {
    const evidence = await collectEvidence(database, options);
    const bus = options.bus ?? (await readEmbeddedBus(database));
    return [
      await checkLedger(evidence),
      checkCharges(evidence),
      checkClientView(evidence),
      checkCarriers(evidence),
      checkEvents(evidence),
      checkStates(evidence),
      checkReplays(evidence),
      checkVerifications(evidence),
      await checkDrained(database, bus, options.clientLog.silentDestinations),
      checkLimits(evidence, options.gateways),
    ];
  } finally {
    await database.end();
  }
}

export function holds(reports: readonly InvariantReport[]): boolean {
  return reports.every(({ violationCount }) => violationCount === 0);
}

/** Renders one line per invariant, then the first violations. */
export function renderReports(reports: readonly InvariantReport[]): string {
  const statements = reports.map(({ statement }) => statement.length);
  const width = Math.max(...statements);
  const rows = reports.map(({ invariant, statement, checked, violationCount }) => {
    const verdict = violationCount === 0 ? 'holds' : `${violationCount} VIOLATIONS`;
    const count = String(checked).padStart(8);
    return `| ${String(invariant).padStart(2)} | ${statement.padEnd(width)} | ${count} | ${verdict} |`;
  });
  const head = [
    `|  # | ${'invariant'.padEnd(width)} | ${'checked'.padStart(8)} | verdict |`,
    `|---:|${'-'.repeat(width + 2)}|---------:|---------|`,
  ];
  const details = reports.flatMap(({ invariant, violations }) =>
    violations.map((violation) => `  ${invariant}: ${violation}`),
  );
  return [...head, ...rows, ...details].join('\n');
}

/** Returns the number of gateways of a run: one, unless its credentials name more. */
export function gatewaysOf(directory: string): number {
  const file = readFileSync(join(directory, 'data', 'dev-credentials.json'), 'utf8');
  const { services = [] } = JSON.parse(file) as { services?: { name: string }[] };
  return Math.max(1, services.filter(({ name }) => name === 'gateway').length);
}

/** Returns the directory of a run's database: the test's servers', else the system's. */
export function databaseDirectory(directory: string): string {
  const servers = join(directory, 'servers');
  return existsSync(servers) ? servers : join(directory, 'data');
}

async function main(directory: string): Promise<void> {
  const read = <Value>(name: string) =>
    JSON.parse(readFileSync(join(directory, name), 'utf8')) as Value;
  const server = await startEmbeddedPostgres({ directory: databaseDirectory(directory) });
  try {
    const reports = await checkInvariants({
      databaseUrl: server.url,
      clientLog: readClientLog(join(directory, 'client.ndjson')),
      simulatorMessages: read('simulator.json'),
      receiverLog: read('receiver.json'),
      mailbox: existsSync(join(directory, 'mailbox.json')) ? read('mailbox.json') : undefined,
      gateways: gatewaysOf(directory),
      bus: existsSync(join(directory, 'bus.json')) ? read('bus.json') : undefined,
    });
    console.log(renderReports(reports));
    process.exitCode = holds(reports) ? 0 : 1;
  } finally {
    await server.stop();
  }
}

if (import.meta.main) {
  const [directory] = process.argv.slice(2);
  if (directory === undefined) {
    console.error('Which directory? node tests/invariants/check.ts <directory>');
    process.exitCode = 1;
  } else {
    await main(directory);
  }
}
