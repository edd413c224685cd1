import { expect, it } from '@jest/globals';
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

it('an account that does not start keeps no other one from starting, and is logged', async () => {
  const lines: string[] = [];
  const logger = createLogger(
    { service: 'dispatch', level: 'warn' },
    { write: (line) => lines.push(line) },
  );
  const well = new ScriptedProvider('well');
  const accounts = [new Failing('failing'), new Hanging('hanging'), well];
  const connections = new CarrierConnections(
    new Map(accounts.map((one) => [one.name, one])),
    {} as ConnectionReports,
    {} as ConnectionInbound,
    {} as SimulatedReceipts,
    { startProviders: async () => undefined } as unknown as Emails,
    logger,
  );
  await connections.start(10);
  const told = lines.map((line) => JSON.parse(line) as { msg: string; provider: string });
  expect(told.map(({ msg, provider }) => `${provider}: ${msg}`)).toEqual([
    'failing: a provider did not start',
    'failing: provider is not ready',
    'hanging: provider is not ready',
  ]);
});
