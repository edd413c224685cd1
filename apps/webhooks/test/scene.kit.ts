import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import {
  type EndpointId,
  type IdempotencyClaim,
  newId,
  type WorkspaceId,
} from '@watchword/contracts';
import type { TestDatabase } from '@watchword/testing';
import { TestReceiver } from './receiver.kit.js';
import { openTestDatabase, TestProcess, type TestProcessOptions } from './webhooks.kit.js';

/** One for the spec file. */
export let database: TestDatabase;
/** New for each test, as are the two below. */
export let service: TestProcess;
export let receiver: TestReceiver;
export let workspaceId: WorkspaceId;

/** Milliseconds of an attempt: short, and longer than a busy machine stands still. */
export const ATTEMPT_MS = 2_000;

/** Opens the above before the tests of a spec file, and closes them. */
export function openScene(options: TestProcessOptions = {}): void {
  beforeAll(async () => {
    database = await openTestDatabase();
  });

  afterAll(() => database?.drop());

  beforeEach(async () => {
    receiver = await TestReceiver.start();
    service = await TestProcess.open(database, options);
    workspaceId = newId();
  });

  afterEach(async () => {
    await service.stop();
    await receiver.stop();
  });
}

/** Stops the service if it still runs, and opens another with the same clock. */
export async function reopen(options: TestProcessOptions = {}): Promise<void> {
  await service.stop();
  service = await TestProcess.open(database, { clock: service.clock, ...options });
}

export function nextWorkspace(): void {
  workspaceId = newId();
}

export const calls = () => service.webhooks.calls;
export const own = () => ({ workspace_id: workspaceId });

/** Creates an endpoint of variant B at the receiver. */
export async function createWebhook(events: string[], idempotency: IdempotencyClaim | null = null) {
  const wanted = { url: `${receiver.origin}/hook`, events, description: 'Orders' };
  const made = await calls().createWebhook({ ...own(), ...wanted, idempotency });
  if (!('webhook' in made)) throw new Error(made.verdict);
  return made.webhook;
}

export async function deliveriesOf(id: EndpointId, filter: object = {}) {
  const page = await calls().listWebhookDeliveries({ ...own(), id, limit: 200, ...filter });
  if (!('data' in page)) throw new Error(page.verdict);
  return page.data;
}
