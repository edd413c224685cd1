/** Decisions 7: the same key in flight is 409 with Retry-After, on every POST that takes one. */
import { EventEmitter, once } from 'node:events';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId, ROUTES } from '@watchword/contracts';
import { UNLIMITED, type WorkspaceKeys } from './gateway.kit.js';
import type { ScriptedDispatch } from './scripted-services.js';
import { gateway, useGateway } from './one-gateway.kit.js';

/** The operation of dispatch that each of them waits for. */
const CALLS = {
  'POST /v1/sender-ids': 'requestSenderId',
  'POST /v1/sms-templates': 'createSmsTemplate',
  'POST /v1/sms-templates/:id/render': 'renderSmsTemplate',
  'POST /v1/suppressions': 'createSuppression',
  'POST /v1/domains': 'createDomain',
  'POST /v1/domains/:id/verify': 'verifyDomain',
} as const;

const gates = new EventEmitter();
let isHeld = true;
let workspace: WorkspaceKeys;

useGateway({}, undefined, {
  before: async ({ dispatch }) => Object.values(CALLS).forEach((call) => hold(dispatch, call)),
});

beforeAll(async () => {
  workspace = await gateway.newWorkspace(UNLIMITED);
  gateway.billing.accounts.set(workspace.workspace_id, { balance: 0, purchased: 10_000 });
});

function hold({ operations }: ScriptedDispatch, call: string): void {
  const usual = operations[call]!;
  operations[call] = async (request) => {
    if (isHeld) await once(gates, call);
    return usual(request);
  };
}

describe('a key in flight', () => {
  it.each(Object.entries(CALLS))('refuses a second %s', async (name, call) => {
    const { path, example } = ROUTES.find((route) => route.at === name)!;
    const url = path.replace(':id', newId());
    const headers = { 'idempotency-key': call };
    const send = () => gateway.post(url, workspace.live_key, example, headers);
    isHeld = true;
    const first = send();
    while (gates.listenerCount(call) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const second = await send();
    expect([second.status, second.headers['retry-after']]).toEqual([409, '1']);
    expect(second.body.error).toMatchObject({ type: 'conflict', retry_after_seconds: 1 });
    isHeld = false;
    gates.emit(call);
    await first;
    expect((await send()).headers['retry-after']).toBeUndefined();
  });
});
