import { expect, it } from '@jest/globals';
import type { Provider, SubmitOutcome } from '@watchword/carriers';
import { createLogger } from '@watchword/observability';
import { eventually, FakeClock } from '@watchword/testing';
import { smsCommand } from '../../test/commands.kit.js';
import { accepted, refused, ScriptedProvider } from '../../test/dispatch.kit.js';
import type { Attempt } from '../messages/message.js';
import type { Router } from '../routing/router.js';
import { CarrierCalls, type CarrierCallsParts } from './carrier-calls.js';
import { newMessage } from './new-message.policy.js';
import type { UnmappedCodes } from './unmapped-codes.js';

const attempt = { number: 1, resend: 0, provider: 'twilio' } as Attempt;

function callsOf(
  account: Provider,
  parts: Pick<CarrierCallsParts, 'rules'> & Partial<CarrierCallsParts>,
): CarrierCalls {
  const all = {
    providers: new Map([[account.name, account]]),
    router: { admit: () => 'well', record: () => undefined } as unknown as Router,
    clock: new FakeClock(Date.now()),
    logger: createLogger({ service: 'dispatch', level: 'silent' }),
    unmapped: { note: () => undefined } as unknown as UnmappedCodes,
    ...parts,
  };
  return new CarrierCalls(all, new AbortController().signal);
}

it.each([
  ['a sender ID', 'allowed', true],
  ['a number that sender IDs share', 'replaced', undefined],
] as const)(
  'a refusal for an opt-out from %s opts the number out only if the sender is its own',
  async (_, alphanumeric, optsOut) => {
    const account = new ScriptedProvider('twilio');
    account.senderNumber = '+15005550006';
    account.answer = () => ({ ...refused('opted_out'), optsOut: true }) as SubmitOutcome;
    const rule = { alphanumeric, length_min: 1, reserved_words: [], quiet_hours: null };
    const countries = { NG: { ...rule, last_checked: '2026-07-01' } };
    const calls = callsOf(account, {
      rules: { current: async () => ({ enforcement: 'enforce', countries }) },
    });
    const message = newMessage(smsCommand(), null, new Date());
    const outcome = await calls.submit(message, attempt, null);
    expect(outcome).toMatchObject({ outcome: 'refused', reason: 'opted_out' });
    expect('optsOut' in outcome ? outcome.optsOut : undefined).toBe(optsOut);
    calls.close();
  },
);

it.each([
  ['its own', 'Acme', 'replaced', undefined],
  ['the account’s', null, 'allowed', 'Watchword'],
  ['the account’s number, where names are replaced', null, 'replaced', '+15005550006'],
] as const)('a message is shown to come from %s', async (_, sender_id, alphanumeric, shown) => {
  const account = new ScriptedProvider('twilio');
  account.senderNumber = '+15005550006';
  const rule = { alphanumeric, length_min: 1, reserved_words: [], quiet_hours: null };
  const countries = { NG: { ...rule, last_checked: '2026-07-01' } };
  const calls = callsOf(account, {
    rules: { current: async () => ({ enforcement: 'enforce', countries }) },
  });
  const message = newMessage(smsCommand({ sender_id }), null, new Date());
  const { shownSender } = await calls.submit(message, attempt, null);
  expect(shownSender).toBe(shown);
  calls.close();
});

it.each([
  ['goes to another account', 'no_route', { outcome: 'refused', reason: 'throttled' }],
  ['waits for its slot after a Do Not Disturb refusal', 'dnd_active', { outcome: 'accepted' }],
] as const)('a message whose account is full %s', async (_title, reason, outcome) => {
  const capacity = { concurrency: 1, messagesPerSecond: null, waitingMax: 0 };
  const account = new ScriptedProvider('twilio', true, capacity);
  const other = new ScriptedProvider('other');
  const router = {
    admit: () => 'well',
    record: () => undefined,
    availableFor: () => [other, account],
  } as unknown as Router;
  const rules = { current: async () => ({ enforcement: 'off' as const, countries: {} }) };
  const calls = callsOf(account, { rules, router });
  const message = newMessage(smsCommand(), null, new Date());
  const refusal = { ...attempt, provider: 'vonage', outcome: 'refused', reason } as Attempt;
  const second = { ...attempt, number: 2, reason: null };
  const refusedOnce = { ...message, attempts: [refusal, second] };

  let answer = (_outcome: SubmitOutcome) => {};
  account.answer = () => new Promise((resolve) => (answer = resolve));
  const first = calls.submit(message, attempt, null);
  await eventually(() => expect(account.submits).toHaveLength(1));
  account.answer = () => accepted('later');
  const submitted = calls.submit(refusedOnce, second, null);
  await new Promise((resolve) => setImmediate(resolve));
  answer(accepted('first'));
  expect(await submitted).toMatchObject(outcome);
  await first;
  calls.close();
});
