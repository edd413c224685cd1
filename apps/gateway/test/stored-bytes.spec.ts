import { afterEach, describe, expect, it } from '@jest/globals';
import { gateway } from './one-gateway.kit.js';
import { useSending, workspace } from './sending.kit.js';

useSending();

const MIB = 1_048_576;

const email = (text: string) => ({
  from: 'hi@acme.com',
  to: 'ada@example.com',
  subject: 'Hi',
  text,
});
const send = (text: string, key = workspace.live_key, headers = {}) =>
  gateway.post('/v1/emails', key, email(text), headers);

afterEach(() => {
  gateway.dispatch.emailContents.isFull = false;
  gateway.dispatch.emailContents.released.length = 0;
});

const refuse = () => {
  gateway.billing.script.push(async () => ({
    verdict: 'insufficient_credits',
    balance: 0,
    required: 1,
  }));
};

describe('the content of an email', () => {
  it('decisions 28: the content of an email is deleted when the send is refused or was a replay', async () => {
    const keyed = { 'idempotency-key': 'stored-once' };
    expect((await send('accepted', workspace.live_key, keyed)).status).toBe(202);
    expect(gateway.dispatch.emailContents.released).toEqual([]);
    expect((await send('accepted', workspace.live_key, keyed)).status).toBe(202);
    expect(gateway.dispatch.emailContents.released).toHaveLength(1);
    refuse();
    expect((await send('refused')).status).toBe(402);
    expect(gateway.dispatch.emailContents.released).toHaveLength(2);
    expect(new Set(gateway.dispatch.emailContents.released).size).toBe(2);
  });
});

describe('the bytes of a workspace', () => {
  const boundOf = async (key: string) => {
    expect((await send('bounded', key)).status).toBe(202);
    return gateway.dispatch.emailContents.bounds.at(-1);
  };

  it('decisions 28: the bytes of test emails have a bound, and those of live emails where the operator sets one', async () => {
    expect(await boundOf(workspace.live_key)).toBeNull();
    expect(await boundOf(workspace.test_key)).toEqual({
      bytes_max: 1_024 * MIB,
      both_modes: false,
    });
    const settings = { limits: { stored_bytes_max: 5_000 } };
    const bounded = await gateway.newWorkspace(settings);
    expect(await boundOf(bounded.live_key)).toEqual({ bytes_max: 5_000, both_modes: false });
  });

  it('decisions 28: the bytes of a trial workspace have one bound for both modes until it buys credits', async () => {
    const trial = await gateway.newWorkspace();
    const { workspace_id: id, live_key: live, test_key: test } = trial;
    await gateway.database.pool.query("UPDATE workspaces SET origin = 'sign_up' WHERE id = $1", [
      id,
    ]);
    // The gateway reads the workspace again.
    await gateway.operator('PATCH', `/workspaces/${id}`, { name: 'On trial' });
    const bound = { bytes_max: 100 * MIB, both_modes: true };
    expect([await boundOf(live), await boundOf(test)]).toEqual([bound, bound]);
    gateway.billing.accounts.get(id)!.purchased = 1;
    expect(await boundOf(live)).toBeNull();
  });

  it('decisions 28: a send beyond the bound of bytes is refused before a charge, with a message that says what is full', async () => {
    gateway.dispatch.emailContents.isFull = true;
    const charged = gateway.billing.requests.length;
    const refused = await send('too much', workspace.test_key);
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '3600' },
      body: {
        error: {
          type: 'rate_limited',
          message: expect.stringContaining('test emails fill their 1024 MiB'),
        },
      },
    });
    expect(gateway.billing.requests).toHaveLength(charged);
  });
});
