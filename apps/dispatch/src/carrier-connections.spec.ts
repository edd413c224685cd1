import { expect, it } from '@jest/globals';
import type { Provider, ReportSink } from '@watchword/carriers';
import { createLogger } from '@watchword/observability';
import { ScriptedProvider } from '../test/dispatch.kit.js';
import { CarrierConnections } from './carrier-connections.js';
import type { Emails } from './emails/emails.js';
import type { ConnectionReports } from './receipts/connection-reports.js';
import type { ConnectionInbound } from './registrations/do-not-disturb/connection-inbound.js';
import type { SimulatedReceipts } from './receipts/simulated-receipts.js';

class Failing extends ScriptedProvider {
  override start(): Promise<void> {
    return Promise.reject(new Error('no such user'));
  }
  override ready(): boolean {
    return false;
  }
}

class Hanging extends Failing {
  override start(): Promise<void> {
    return new Promise(() => undefined);
  }
}

/** The connections of these accounts, and their log. */
function connectionsOf(accounts: readonly Provider[], reports: object = {}) {
  const lines: string[] = [];
  const logger = createLogger(
    { service: 'dispatch', level: 'warn' },
    { write: (line) => lines.push(line) },
  );
  const connections = new CarrierConnections(
    new Map(accounts.map((one) => [one.name, one])),
    reports as ConnectionReports,
    {} as ConnectionInbound,
    {} as SimulatedReceipts,
    { startProviders: async () => undefined } as unknown as Emails,
    logger,
  );
  const told = () =>
    lines
      .map((line) => JSON.parse(line) as { msg: string; provider: string })
      .map(({ msg, provider }) => `${provider}: ${msg}`);
  return { connections, told };
}

it('an account that does not start keeps no other one from starting, and is logged', async () => {
  const well = new ScriptedProvider('well');
  const accounts = [new Failing('failing'), new Hanging('hanging'), well];
  const { connections, told } = connectionsOf(accounts);
  await connections.start(10);
  expect(told()).toEqual([
    'failing: a provider did not start',
    'failing: provider is not ready',
    'hanging: provider is not ready',
  ]);
});

it('a report on a connection is waited for, and a failure is logged and passed on', async () => {
  let sink: ReportSink = async () => undefined;
  class Connected extends ScriptedProvider {
    override async start(onReports: ReportSink): Promise<void> {
      sink = onReports;
    }
  }
  const recording = Promise.withResolvers<void>();
  const account = new Connected('smpp');
  const { connections, told } = connectionsOf([account], { take: () => recording.promise });
  await connections.start(10);
  const acknowledged = sink([]);
  let isDrained = false;
  const drained = connections.drain().then(() => (isDrained = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isDrained).toBe(false);
  recording.reject(new Error('the database is away'));
  await expect(acknowledged).rejects.toThrow('the database is away');
  await drained;
  expect(told()).toEqual(['smpp: a report or message of a carrier was not recorded']);
});
