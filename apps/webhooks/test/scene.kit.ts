import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import {
  type CreatedWebhook,
  type EndpointId,
  type ErrorType,
  type IdempotencyClaim,
  newId,
  type Page,
  type Route,
  type RouteRequest,
  routes,
  type UpdateWebhookBody,
  type WebhookDeliveryRecord,
  type WebhookRecord,
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
export const own = () => ({ workspace_id: workspaceId, is_trial: false });

/** Calls a route for the workspace, as the gateway does. Returns the body of the answer. */
export async function ask<Body = unknown>(
  route: Route,
  { id, ...request }: RouteRequest & { id?: string } = {},
): Promise<Body> {
  const parameters = { ...request.parameters, ...(id !== undefined && { id }) };
  return (await service.serve<Body>(route, { ...own(), ...request, parameters })).body as Body;
}

/** What a refused route throws. */
export const refusedAs = (type: ErrorType, field?: string) =>
  expect.objectContaining({ type, field });

/** Creates an endpoint of variant B at the receiver. */
export function createWebhook(events: string[], claim: IdempotencyClaim | null = null) {
  const body = { url: `${receiver.origin}/hook`, events, description: 'Orders' };
  return ask<CreatedWebhook>(routes.createWebhook, { body, claim });
}

export const updateWebhook = (id: EndpointId, body: UpdateWebhookBody, more: RouteRequest = {}) =>
  ask<WebhookRecord>(routes.updateWebhook, { id, body, ...more });

export async function deliveriesOf(id: EndpointId, filter: object = {}) {
  const query = { limit: 200, ...filter };
  return (await ask<Page<WebhookDeliveryRecord>>(routes.listWebhookDeliveries, { id, query })).data;
}
