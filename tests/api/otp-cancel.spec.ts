/** Cancelled one-time passwords: decisions 3 and 16. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { earlyEnough } from '../support/early-enough.js';
import { freshNumber, magicNumber } from '../support/numbers.js';
import {
  type Customer,
  expectError,
  instant,
  UNLIMITED_OTPS,
  useSystem,
} from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

import { endings } from '../support/otp-endings.js';

const suite = useSystem();
let customer: Customer;

beforeAll(async () => {
  customer = await suite.customer({ credits: 50_000, settings: UNLIMITED_OTPS });
});

const cancel = (id: string, by = customer, send = {}) =>
  by.post(`/v1/otp/${id}/cancel`, undefined, send);

describe('POST /v1/otp/{id}/cancel', () => {
  it('decisions 3: after a provider took it, nothing is given back', async () => {
    const payer = await suite.customer({ credits: 10 });
    const { id, code } = await payer.readOtp();
    await payer.otpWith('delivered', id);
    const answer = await cancel(id, payer);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      id,
      status: 'failed',
      reason: 'cancelled',
      refunded: false,
      failed_at: expect.stringMatching(instant),
    });
    const hops = answer.json.timeline as Record<string, unknown>[];
    expect(hops.map(({ status }) => status)).toEqual(['queued', 'sent', 'delivered', 'failed']);
    expect(hops.at(-1)).toMatchObject({ reason: 'cancelled', refunded: false });
    expect((await payer.getOtp(id)).text).toBe(answer.text);
    expectError(await payer.verify(id, code), 409, 'conflict');
    expect(await payer.balance()).toBe(5);
  });

  const unanswered = [
    ['is taken after all', { kind: 'accept', delay_ms: 3_000 }, false],
    ['is refused in the end', { kind: 'refuse', delay_ms: 3_000 }, true],
    ['is never answered', { kind: 'hang' }, true],
    ['is taken without an answer', { kind: 'accept_then_lose_answer', delay_ms: 1_500 }, false],
  ] as const;
  it.each(unanswered)(
    'decisions 16: while a submit is open that %s, refunded tells the truth',
    async (_, submit, refunded) => {
      const attempt = async () => {
        const payer = await suite.customer({ credits: 10 });
        const phone_number = freshNumber('NG-airtel');
        const isLost = submit.kind === 'accept_then_lose_answer';
        const receipts = isLost ? [{ after_ms: 700, outcome: 'delivered' }] : [];
        await suite.scenario({ to: phone_number, submit, receipts });
        const { json } = await payer.sendOtp({ phone_number });
        const record = async () => (await payer.getOtp(json.id)).json;
        const { updated_at } = await waitUntil('the submit', async () => {
          const now = await record();
          return now.provider_attempts.length > 0 && now;
        });
        const cancelling = cancel(json.id, payer);
        const isAsked = async () => (await record()).updated_at !== updated_at;
        await waitUntil('the cancellation to be on record', isAsked);
        const meanwhile = [await payer.verify(json.id, '000000'), await cancel(json.id, payer)];
        return { payer, phone_number, answer: await cancelling, meanwhile };
      };
      // Not cancelled before the submit began, nor after it was answered.
      const { payer, phone_number, answer, meanwhile } = await earlyEnough(
        attempt,
        (made) => made.answer.status === 200 && made.answer.json.provider_attempts.length > 0,
      );
      for (const refused of meanwhile) expectError(refused, 409, 'conflict');
      expect(answer.json).toMatchObject({ status: 'failed', reason: 'cancelled', refunded });
      expect(await payer.balance()).toBe(refunded ? 10 : 5);
      expect(answer.json.sent_at === null).toBe(refunded);
      expect((await suite.handset(phone_number)).length).toBe(refunded ? 0 : 1);
    },
  );

  it('straight after the send it works, and costs what the ledger says', async () => {
    // A busy machine refuses many at once with a 503.
    const SENDS = 6;
    const payer = await suite.customer({ credits: 1_000 });
    const answers = await Promise.all(
      Array.from({ length: SENDS }, async () => {
        const { json } = await payer.sendOtp();
        return cancel(json.id, payer);
      }),
    );
    const refunded = answers.filter(({ json }) => json.refunded === true).length;
    for (const { status, json } of answers) {
      expect(status).toBe(200);
      expect(json).toMatchObject({ status: 'failed', reason: 'cancelled' });
    }
    expect(await payer.balance()).toBe(1_000 - 5 * (SENDS - refunded));
  });

  it.each(endings)('decisions 3: an OTP that %s is 409 conflict', async (_, _type, make) => {
    expectError(await cancel(await make(customer)), 409, 'conflict');
  });

  it('decisions 12: a cancellation in test mode shows the refund that live would have made', async () => {
    const payer = await suite.customer({ credits: 0 });
    const key = payer.testKey;
    const sent = (await payer.sendOtp({ phone_number: magicNumber(3) }, { key })).json.id;
    await payer.otpWith('sent', sent, { key });
    const pending = (await payer.sendOtp({ phone_number: magicNumber(29) }, { key })).json.id;
    expect((await cancel(pending, payer, { key })).json).toMatchObject({ refunded: true });
    expect((await cancel(sent, payer, { key })).json).toMatchObject({ refunded: false });
    expect(await payer.ledger()).toEqual([]);
  });
});
