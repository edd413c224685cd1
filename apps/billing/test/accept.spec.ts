import { describe, expect, it } from '@jest/globals';
import { type AcceptResult, asId, newId, TOPICS } from '@watchword/contracts';
import { createPool } from '@watchword/postgres';
import { balanceOf, count, keyed, openWallet, queueOf, replicaOn, send } from './billing.kit.js';
import { billing, calls, pool, useBilling } from './one-billing.kit.js';

const HOUR_MS = 3_600_000;

useBilling();

function tally(results: AcceptResult[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { verdict } of results) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}

describe('listing what was accepted', () => {
  it('names what a workspace sent a moment ago, newest first, of both modes', async () => {
    const [workspace, other] = [await openWallet(calls, 1_000), await openWallet(calls, 1_000)];
    const recent = (since: number) =>
      calls.listRecentSends({
        workspace_id: workspace,
        test_mode: null,
        since: new Date(billing.clock.now() - since).toISOString(),
      });
    const first = send(workspace);
    const second = send(workspace, { test_mode: true });
    const resend = {
      otp_id: first.send.message_id,
      code_length: 6,
      expires_at: new Date(billing.clock.now()).toISOString(),
      remaining: 2,
    };
    const again = send(workspace, { kind: 'otp', sms: null, otp: null, resend });
    for (const request of [first, second, again, send(other)]) await calls.accept(request);
    const named = [second, first].map(({ send: { message_id, kind } }) => ({ message_id, kind }));
    expect(await recent(1_000)).toEqual({ data: named });
    expect(await recent(-1_000)).toEqual({ data: [] });
  });
});

describe('accepting a send', () => {
  it('charges, records and queues it together', async () => {
    const workspace = await openWallet(calls, 100);
    const request = keyed(send(workspace, { segments: 3 }), 'one');
    const result = await calls.accept(request);
    const command = {
      ...request.send,
      credits: 15,
      credit_price: { amount: 100, currency: 'NGN' },
      price_rule: 'country:NG@1',
      created_at: '2026-01-05T09:00:00.000Z',
    };
    expect(result).toEqual({ verdict: 'accepted', command });
    expect(await balanceOf(calls, workspace)).toBe(85);
    const list = await calls.listEntries({ workspace_id: workspace, limit: 1 });
    expect(list).toMatchObject({
      data: [{ kind: 'charge', credits: -15, balance_after: 85, message_id: command.message_id }],
    });
    const queued = await queueOf(pool, TOPICS.sendCommands.name);
    expect(queued.at(-1)).toEqual({
      key: command.destination,
      message_id: command.message_id,
      payload: command,
    });
    const wanted = { workspace_id: workspace, test_mode: null, message_id: command.message_id };
    expect(await calls.findAcceptance(wanted)).toEqual({ command });
    expect(await calls.findAcceptance({ ...wanted, workspace_id: newId() })).toEqual({
      command: null,
    });
    expect(await calls.findAcceptance({ ...wanted, test_mode: false })).toEqual({ command });
    expect(await calls.findAcceptance({ ...wanted, test_mode: true })).toEqual({ command: null });
    expect(await calls.findAcceptance({ ...wanted, message_id: asId('no-id') })).toEqual({
      command: null,
    });
  });

  it('never lets a send that is too expensive block a later cheap one', async () => {
    const workspace = await openWallet(calls, 27);
    const segments = [2, 9, 1, 4, 1, 2, 1];
    const results = await Promise.all(
      segments.map((each) => calls.accept(send(workspace, { segments: each }))),
    );
    expect(results.map(({ verdict }) => verdict)).toEqual([
      'accepted',
      'insufficient_credits',
      'accepted',
      'insufficient_credits',
      'accepted',
      'insufficient_credits',
      'accepted',
    ]);
    expect(results[1]).toEqual({
      verdict: 'insufficient_credits',
      balance: 17,
      required: 45,
    });
    expect(await balanceOf(calls, workspace)).toBe(2);
  });

  it('judges each workspace of a batch by itself', async () => {
    const rich = await openWallet(calls, 1_000);
    const poor = await openWallet(calls, 4);
    const results = await Promise.all([
      calls.accept(send(poor)),
      calls.accept(send(rich)),
      calls.accept(send(newId())),
      calls.accept(send(rich)),
    ]);
    expect(results.map(({ verdict }) => verdict)).toEqual([
      'insufficient_credits',
      'accepted',
      'unknown_workspace',
      'accepted',
    ]);
    expect(await balanceOf(calls, rich)).toBe(990);
    expect(await balanceOf(calls, poor)).toBe(4);
  });

  it('isolates a send that cannot be processed', async () => {
    const workspace = await openWallet(calls, 1_000);
    const poison = send(workspace, { message_id: asId('not-a-uuid') });
    const requests = [
      ...Array.from({ length: 20 }, () => send(workspace)),
      poison,
      send(workspace),
    ];
    const outcomes = await Promise.allSettled(requests.map((request) => calls.accept(request)));
    expect(outcomes.map(({ status }) => status).filter((status) => status === 'rejected')).toEqual([
      'rejected',
    ]);
    expect(outcomes[20]!.status).toBe('rejected');
    expect(await balanceOf(calls, workspace)).toBe(1_000 - 21 * 5);
  });
});

describe('an idempotency key', () => {
  it('decisions 7: an idempotency key gives one charge and the same answer, in parallel and later', async () => {
    const workspace = await openWallet(calls, 100);
    const attempts = Array.from({ length: 10 }, () => keyed(send(workspace), 'k'));
    const results = await Promise.all(attempts.map((attempt) => calls.accept(attempt)));
    expect(tally(results)).toEqual({ accepted: 1, replayed: 9 });
    const commands = results.map((result) => 'command' in result && result.command);
    for (const command of commands) expect(command).toEqual(commands[0]);
    expect(await balanceOf(calls, workspace)).toBe(95);

    billing.clock.advance(HOUR_MS);
    const { idempotency } = attempts[0]!;
    const replay = await calls.findReplay({ workspace_id: workspace, idempotency });
    expect(replay).toEqual({ verdict: 'replayed', command: commands[0] });
    expect(await calls.accept(keyed(send(workspace), 'k'))).toEqual(replay);
  });

  it('8: an idempotency key counts for 24 hours, and then as new', async () => {
    const workspace = await openWallet(calls, 100);
    const { clock } = billing;
    const first = await calls.accept(keyed(send(workspace), 'k', 'one'));
    clock.advance(24 * HOUR_MS - 1);
    expect((await calls.accept(keyed(send(workspace), 'k', 'one'))).verdict).toBe('replayed');
    clock.advance(1);
    const again = await calls.accept(keyed(send(workspace), 'k', 'two'));
    expect(again.verdict).toBe('accepted');
    expect(again).not.toEqual(first);
    expect((await calls.accept(keyed(send(workspace), 'k', 'one'))).verdict).toBe(
      'idempotency_conflict',
    );
    expect(await balanceOf(calls, workspace)).toBe(90);
  });

  it('holds against replicas that race for it', async () => {
    const url = billing.database.url;
    const options = { url, schema: 'billing', max: 2, applicationName: 'replica' };
    const pools = [createPool(options), createPool(options), pool];
    const replicas = await Promise.all(pools.map((each) => replicaOn(each, billing.clock)));
    const workspace = await openWallet(calls, 10_000);
    const before = await count(pool, 'acceptances');
    const results = await Promise.all(
      Array.from({ length: 600 }, (_, index) =>
        replicas[index % 3]!.accept(keyed(send(workspace), `race-${index % 40}`)),
      ),
    );
    await Promise.all(pools.slice(0, 2).map((each) => each.end()));
    expect(tally(results)).toEqual({ accepted: 40, replayed: 560 });
    expect(await count(pool, 'acceptances')).toBe(before + 40);
    expect(await balanceOf(calls, workspace)).toBe(10_000 - 40 * 5);
  });
});

describe('replicas of billing', () => {
  it('spend one hot wallet exactly to zero together', async () => {
    const options = { url: billing.database.url, schema: 'billing', max: 2, applicationName: 'b' };
    const second = createPool(options);
    const replicas = [calls, await replicaOn(second, billing.clock)];
    const workspace = await openWallet(calls, 5 * 300);
    const results = await Promise.all(
      Array.from({ length: 600 }, (_, index) => replicas[index % 2]!.accept(send(workspace))),
    );
    await second.end();
    expect(tally(results)).toEqual({ accepted: 300, insufficient_credits: 300 });
    expect(await balanceOf(calls, workspace)).toBe(0);
  });
});
