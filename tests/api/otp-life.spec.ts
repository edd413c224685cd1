/** Life of a one-time password beyond its first send: decisions 3, 13 and 16; domain 6.3 to 6.5. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { inLessThan, inTime } from '../support/in-time.js';
import { freshNumber, magicNumber } from '../support/numbers.js';
import { WebhookReceiver } from '../support/receiver.js';
import {
  type Customer,
  expectError,
  expectRefusedByLimit,
  instant,
  type Scenario,
  unknownId,
  useSystem,
  uuidV7,
  wrongCodeFor,
} from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
let customer: Customer;

const unlimited = {
  limits: {
    otp_sends_per_number_per_10_minutes: null,
    otp_verifications_per_number_per_10_minutes: null,
  },
};

beforeAll(async () => {
  customer = await suite.customer({ credits: 50_000, settings: unlimited });
});

const resend = (id: string, by = customer, send = {}) =>
  by.post(`/v1/otp/${id}/resend`, undefined, send);
const cancel = (id: string, by = customer, send = {}) =>
  by.post(`/v1/otp/${id}/cancel`, undefined, send);

/** Sends with the live key and reads the code from the handset. */
async function sendAndRead(
  body: Record<string, unknown> = {},
  by = customer,
  number = freshNumber(),
) {
  const { status, json } = await by.sendOtp({ phone_number: number, ...body });
  expect(status).toBe(200);
  const code = await suite.codeAt(number);
  return { id: json.id as string, number, code, expiresAt: json.expires_at as string };
}

/** OTPs that have ended, each in another way, with what may be done about them. */
const endings: [how: string, type: string, make: (by: Customer) => Promise<string>][] = [
  [
    'was verified',
    'otp_already_verified',
    async (by) => {
      const { id, code } = await sendAndRead({}, by);
      expect((await by.verify(id, code)).json.valid).toBe(true);
      return id;
    },
  ],
  [
    'had too many wrong codes',
    'max_attempts_exceeded',
    async (by) => {
      const { id, code } = await sendAndRead({}, by);
      for (let count = 0; count < 5; count += 1) await by.verify(id, wrongCodeFor(code));
      return id;
    },
  ],
  ['expired', 'otp_expired', async (by) => (await by.expiredOtp()).id],
  [
    'failed',
    'conflict',
    async (by) => {
      const phone_number = freshNumber();
      await suite.scenario({ to: phone_number, receipts: [{ after_ms: 20, outcome: 'failed' }] });
      const { json } = await by.sendOtp({ phone_number });
      await by.otpWith('failed', json.id);
      return json.id as string;
    },
  ],
  [
    'was cancelled',
    'conflict',
    async (by) => {
      const { id } = await sendAndRead({}, by);
      expect((await cancel(id, by)).status).toBe(200);
      return id;
    },
  ],
];

describe('POST /v1/otp/{id}/resend', () => {
  it('decisions 3: the same code, the same expiry, the next best provider, charged', async () => {
    const payer = await suite.customer({ credits: 100 });
    const { id, number, code, expiresAt } = await sendAndRead({}, payer);
    const { status, json } = await resend(id, payer);
    expect(status).toBe(200);
    expect(json).toEqual({
      id,
      phone_number: number,
      country_code: 'NG',
      credit_cost: 5,
      status: 'pending',
      code_length: 6,
      expires_at: expiresAt,
      created_at: expect.stringMatching(instant),
      resend_id: expect.stringMatching(uuidV7),
      resends_remaining: 2,
    });
    const [first, second] = await suite.handsetWith(2, number);
    expect([first!.provider, second!.provider]).toEqual(['africas_talking', 'twilio']);
    expect(second!.body).toBe(first!.body);
    expect(second!.body).toContain(code);
    expect(await payer.balance()).toBe(90);
    const charges = (await payer.ledger()).filter(({ kind }) => kind === 'charge');
    expect(charges.map((entry) => entry['message_id']).toSorted()).toEqual(
      [id, json.resend_id].toSorted(),
    );
    const record = (await payer.getOtp(id)).json;
    expect(record).toMatchObject({ credit_cost: 5, expires_at: expiresAt });
    expect((await payer.verify(id, code)).json).toMatchObject({ valid: true, attempts_used: 1 });
  });

  it('decisions 3: at most three per OTP, also at once', async () => {
    const payer = await suite.customer({ credits: 1_000, settings: unlimited });
    const { id, number } = await sendAndRead({}, payer);
    const answers = await Promise.all(Array.from({ length: 12 }, () => resend(id, payer)));
    const accepted = answers.filter(({ status }) => status === 200);
    expect(accepted.map(({ json }) => json.resends_remaining).toSorted()).toEqual([0, 1, 2]);
    for (const answer of answers) if (answer.status !== 200) expectError(answer, 409, 'conflict');
    const arrived = await suite.handsetWith(4, number);
    expect(new Set(arrived.map(({ body }) => body)).size).toBe(1);
    expectError(await resend(id, payer), 409, 'conflict');
    expect(await payer.balance()).toBe(980);
  });

  it('decisions 13: otp_resend_max is the number', async () => {
    const settings = { ...unlimited, otp_resend_max: 1 };
    const once = await suite.customer({ credits: 100, settings });
    const { id } = await sendAndRead({}, once);
    expect((await resend(id, once)).json.resends_remaining).toBe(0);
    expectError(await resend(id, once), 409, 'conflict');
    await once.settings({ otp_resend_max: 0 });
    const never = await sendAndRead({}, once);
    expectError(await resend(never.id, once), 409, 'conflict');
    expect(await once.balance()).toBe(85);
  });

  it('straight after the send it waits for the first provider instead of refusing', async () => {
    const { json } = await customer.sendOtp();
    expect((await resend(json.id)).status).toBe(200);
  });

  it('a code that no provider has taken cannot be sent again yet', async () => {
    const submit = { kind: 'accept', delay_ms: 4_500 };
    const answer = await inLessThan(submit.delay_ms, async () => {
      const phone_number = freshNumber();
      await suite.scenario({ to: phone_number, submit, receipts: [] });
      const { json } = await customer.sendOtp({ phone_number });
      return resend(json.id);
    });
    expectError(answer, 409, 'conflict');
    expect(answer.headers['retry-after']).toBe('1');
  });

  it.each(endings)('an OTP that %s is 409 %s', async (_, type, make) => {
    expectError(await resend(await make(customer)), 409, type);
  });

  it('unknown, foreign, of the other mode and no UUID are 404', async () => {
    const stranger = await suite.customer();
    const foreign = (await stranger.sendOtp()).json.id;
    const test = (await customer.sendOtp({}, { key: customer.testKey })).json.id;
    const { json } = await resend((await sendAndRead()).id);
    for (const id of [unknownId, foreign, test, 'nonsense', json.resend_id]) {
      expectError(await resend(id), 404, 'not_found');
    }
    expectError(await customer.getOtp(json.resend_id), 404, 'not_found');
    expectError(await customer.verify(json.resend_id, '123456'), 404, 'not_found');
  });

  it('counts as a send to that number, and a refused one is not used up', async () => {
    const limits = { otp_sends_per_number_per_10_minutes: 2 };
    const limited = await suite.customer({ credits: 100, settings: { limits } });
    const { id } = await sendAndRead({}, limited);
    expect((await resend(id, limited)).status).toBe(200);
    expectRefusedByLimit(await resend(id, limited), 600);
    expect(await limited.balance()).toBe(90);
    await limited.settings(unlimited);
    expect((await resend(id, limited)).json.resends_remaining).toBe(1);
  });

  it('5: without credits it is 402, and not used up', async () => {
    const poor = await suite.customer({ credits: 5, settings: unlimited });
    const { id, code } = await sendAndRead({}, poor);
    expectError(await resend(id, poor), 402, 'insufficient_credits');
    const topUp = { credits: 5, kind: 'bonus' };
    await suite.operator.request('POST', `/workspaces/${poor.id}/top-ups`, topUp);
    expect((await resend(id, poor)).json.resends_remaining).toBe(2);
    expect((await poor.verify(id, code)).json.valid).toBe(true);
  });

  const losses: [how: string, scenario: Pick<Scenario, 'submit' | 'receipts'>][] = [
    ['every provider refuses', { submit: { kind: 'refuse' } }],
    ['the carrier reports as failed', { receipts: [{ after_ms: 20, outcome: 'failed' }] }],
  ];
  it.each(losses)('5: one that %s gives back its own charge only', async (_, scenario) => {
    const payer = await suite.customer({ credits: 100, settings: unlimited });
    // A provider that refuses is passed over for that network for ten minutes: a network of no other test.
    const { id, number, code } = await sendAndRead({}, payer, freshNumber('NG-airtel'));
    await payer.otpWith('delivered', id);
    await suite.scenario({ to: number, ...scenario });
    const { json } = await resend(id, payer);
    await waitUntil('the refund', async () => (await payer.balance()) === 95);
    const refunds = (await payer.ledger()).filter(({ kind }) => kind === 'refund');
    expect(refunds).toMatchObject([{ message_id: json.resend_id, credits: 5 }]);
    expect((await payer.getOtp(id)).json).toMatchObject({ status: 'delivered' });
    expect((await payer.verify(id, code)).json.valid).toBe(true);
  });

  it('an OTP whose first text is lost lives on by its resend', async () => {
    const lostAfterMs = 2_500;
    const { phone_number, id, resent } = await inLessThan(lostAfterMs, async () => {
      const phone_number = freshNumber();
      const receipts = [{ after_ms: lostAfterMs, outcome: 'failed' }];
      await suite.scenario({ provider: 'africas_talking', to: phone_number, receipts });
      await suite.scenario({ provider: 'twilio', to: phone_number, receipts: [] });
      const { id } = (await customer.sendOtp({ phone_number })).json;
      return { phone_number, id, resent: await resend(id) };
    });
    expect(resent.status).toBe(200);
    // Its receipt is due after the one of the lost text.
    const marker = freshNumber();
    const receipts = [{ after_ms: lostAfterMs, outcome: 'delivered' }];
    await suite.scenario({ to: marker, receipts });
    const later = await customer.sendOtp({ phone_number: marker });
    await customer.otpWith('delivered', later.json.id);
    expect((await customer.getOtp(id)).json.status).toBe('sent');
    const code = await suite.codeAt(phone_number);
    expect((await customer.verify(id, code)).json.valid).toBe(true);
  });

  it('2.6: that another provider delivers it does not change who sent it first', async () => {
    const phone_number = freshNumber();
    await suite.scenario({ provider: 'africas_talking', to: phone_number, receipts: [] });
    const { json } = await customer.sendOtp({ phone_number });
    const before = (await customer.otpWith('sent', json.id)).timeline;
    expect(before.at(-1)).toMatchObject({ status: 'sent', provider: 'africas_talking' });
    expect((await resend(json.id)).status).toBe(200);
    const after = (await customer.otpWith('delivered', json.id)).timeline;
    expect(after.slice(0, -1)).toEqual(before);
    expect(after.at(-1)).toMatchObject({ status: 'delivered', provider: 'twilio' });
  });

  it('7: a key is answered the same again, after the end of the OTP too', async () => {
    const payer = await suite.customer({ credits: 100, settings: unlimited });
    const { id, number, code } = await sendAndRead({}, payer);
    const headers = { 'idempotency-key': 'again' };
    const first = await resend(id, payer, { headers });
    const second = await resend(id, payer, { headers });
    await suite.handsetWith(2, number);
    await payer.verify(id, code);
    const third = await resend(id, payer, { headers });
    for (const replay of [second, third]) {
      expect(replay.status).toBe(200);
      expect(replay.text).toBe(first.text);
      expect(replay.headers['idempotent-replayed']).toBe('true');
    }
    expect(await payer.balance()).toBe(90);
    expect(await suite.handset(number)).toHaveLength(2);
    const other = await payer.post(`/v1/otp/${id}/resend`, { other: true }, { headers });
    expectError(other, 409, 'idempotency_conflict');
  });

  it('12: in test mode nothing is charged', async () => {
    const payer = await suite.customer({ credits: 0 });
    const key = payer.testKey;
    const { json } = await payer.sendOtp({ phone_number: magicNumber(3) }, { key });
    for (const remaining of [2, 1, 0]) {
      const answer = await resend(json.id, payer, { key });
      expect(answer.json).toMatchObject({ credit_cost: 5, resends_remaining: remaining });
    }
    expectError(await resend(json.id, payer, { key }), 409, 'conflict');
    expect(await payer.ledger()).toEqual([]);
    expect((await payer.verify(json.id, '123456', { key })).json.valid).toBe(true);
  });
});

describe('POST /v1/otp/{id}/cancel', () => {
  it('decisions 3: after a provider took it, nothing is given back', async () => {
    const payer = await suite.customer({ credits: 10 });
    const { id, code } = await sendAndRead({}, payer);
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
  ] as const;
  it.each(unanswered)(
    'decisions 16: while a submit is open that %s, refunded tells the truth',
    async (_, submit, refunded) => {
      const { payer, phone_number, answer, meanwhile } = await inTime(async () => {
        const payer = await suite.customer({ credits: 10 });
        const phone_number = freshNumber('NG-airtel');
        await suite.scenario({ to: phone_number, submit, receipts: [] });
        const { json } = await payer.sendOtp({ phone_number });
        await sleep(300);
        const cancelling = cancel(json.id, payer);
        await sleep(300);
        const meanwhile = [await payer.verify(json.id, '000000'), await cancel(json.id, payer)];
        const answer = await cancelling;
        // Not cancelled before the submit began, nor after it was answered.
        const isOpen = answer.status === 200 && answer.json.provider_attempts.length > 0;
        return isOpen ? { payer, phone_number, answer, meanwhile } : undefined;
      });
      for (const refused of meanwhile) expectError(refused, 409, 'conflict');
      expect(answer.json).toMatchObject({ status: 'failed', reason: 'cancelled', refunded });
      expect(await payer.balance()).toBe(refunded ? 10 : 5);
      expect(answer.json.sent_at === null).toBe(refunded);
      expect((await suite.handset(phone_number)).length).toBe(refunded ? 0 : 1);
    },
  );

  it('straight after the send it works, and costs what the ledger says', async () => {
    const payer = await suite.customer({ credits: 1_000 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { json } = await payer.sendOtp();
        return cancel(json.id, payer);
      }),
    );
    const refunded = answers.filter(({ json }) => json.refunded === true).length;
    for (const { status, json } of answers) {
      expect(status).toBe(200);
      expect(json).toMatchObject({ status: 'failed', reason: 'cancelled' });
    }
    expect(await payer.balance()).toBe(1_000 - 5 * (20 - refunded));
  });

  it('8: fires otp.failed', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      const listener = await suite.customer({ credits: 10 });
      await suite.operator.putWebhook(listener.workspace, receiver.url);
      const { id } = await sendAndRead({}, listener);
      await cancel(id, listener);
      const [event] = await waitUntil('the event', () => {
        const events = receiver.events('otp.failed', id);
        return events.length > 0 && events;
      });
      const { data } = event!.json;
      expect(data).toMatchObject({ status: 'failed', reason: 'cancelled', refunded: false });
    } finally {
      await receiver.close();
    }
  });

  it.each(endings)('decisions 3: an OTP that %s is 409 conflict', async (_, _type, make) => {
    expectError(await cancel(await make(customer)), 409, 'conflict');
  });

  it('unknown, foreign, of the other mode and no UUID are 404', async () => {
    const stranger = await suite.customer();
    const foreign = (await stranger.sendOtp()).json.id;
    const test = (await customer.sendOtp({}, { key: customer.testKey })).json.id;
    for (const id of [unknownId, foreign, test, 'nonsense']) {
      expectError(await cancel(id), 404, 'not_found');
    }
  });

  it('7: a key is answered the same again; another body under it is a conflict', async () => {
    const { id } = await sendAndRead();
    await customer.otpWith('delivered', id);
    const headers = { 'idempotency-key': `cancel ${id}` };
    const first = await cancel(id, customer, { headers });
    const second = await cancel(id, customer, { headers });
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.text).toBe(first.text);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(second.headers['idempotent-replayed']).toBe('true');
    const other = await customer.post(`/v1/otp/${id}/cancel`, { other: true }, { headers });
    expectError(other, 409, 'idempotency_conflict');
    expectError(await cancel(id), 409, 'conflict');
  });

  it('12: in test mode it tells the refund that live would have made', async () => {
    const payer = await suite.customer({ credits: 0 });
    const key = payer.testKey;
    const sent = (await payer.sendOtp({ phone_number: magicNumber(3) }, { key })).json.id;
    await payer.otpWith('sent', sent, { key });
    const pending = (await payer.sendOtp({ phone_number: magicNumber(29) }, { key })).json.id;
    expect((await cancel(pending, payer, { key })).json).toMatchObject({ refunded: true });
    expect((await cancel(sent, payer, { key })).json).toMatchObject({ refunded: false });
    expect(await payer.ledger()).toEqual([]);
  });

  it.each(['cancel', 'resend'])(
    '10: %s takes POST only, and a JSON object at most',
    async (act) => {
      const path = `/v1/otp/${unknownId}/${act}`;
      const get = await customer.get(path);
      expectError(get, 405, 'validation_error');
      expect(get.headers['allow']).toBe('POST');
      expectError(await customer.post(path, [1]), 400, 'validation_error');
      expectError(await customer.post(path, {}), 404, 'not_found');
    },
  );
});

describe('the text of a code', () => {
  const sendWith = async (settings: Record<string, unknown>, body = {}) => {
    const own = await suite.customer({ credits: 1_000, settings });
    const number = freshNumber();
    const { status, json } = await own.sendOtp({ phone_number: number, ...body });
    expect(status).toBe(200);
    const [arrived] = await suite.handsetWith(1, number);
    const [code] = /\b\d{6}\b/.exec(arrived!.body) ?? [];
    return { arrived: arrived!, code: code!, cost: json.credit_cost as number };
  };

  it('decisions 13: the workspace can have its own, by language', async () => {
    const otp_text = { en: '{code} opens {brand} for {minutes} minutes', fr: 'Code {code}' };
    const english = await sendWith({ otp_text }, { ttl_seconds: 120 });
    expect(english.arrived.body).toBe(`${english.code} opens Acme for 2 minutes`);
    const french = await sendWith({ otp_text }, { language: 'fr' });
    expect(french.arrived.body).toBe(`Code ${french.code}`);
  });

  it('6: a long one is charged by the segment', async () => {
    const two = await sendWith({ otp_text: { en: `{code} ${'x'.repeat(160)}` } });
    expect(two).toMatchObject({ cost: 10, arrived: { segments: 2 } });
    const wide = await sendWith({ otp_text: { en: '₦ {code}' } });
    expect(wide).toMatchObject({ cost: 5, arrived: { encoding: 'UCS-2' } });
  });

  it('domain 6.4: webotp_domain adds the origin-bound last line, which is measured too', async () => {
    const webotp_domain = 'app.example.com';
    const { arrived, code } = await sendWith({ webotp_domain });
    expect(arrived.body.split('\n').slice(-2)).toEqual(['', `@app.example.com #${code}`]);
    const en = `{code} ${'x'.repeat(140)}`;
    expect((await sendWith({ otp_text: { en } })).cost).toBe(5);
    expect((await sendWith({ otp_text: { en }, webotp_domain })).cost).toBe(10);
  });

  it('domain 6.5: android_app_hash is the last line', async () => {
    const { arrived } = await sendWith({ android_app_hash: 'FA+9qCX9VSu' });
    expect(arrived.body.split('\n').at(-1)).toBe('FA+9qCX9VSu');
  });

  const refusals: [settings: Record<string, unknown>, field: string][] = [
    [{ otp_text: { en: 'no code here' } }, 'otp_text.en'],
    [{ otp_text: { fr: '{code} {name}' } }, 'otp_text.fr'],
    [{ otp_text: { de: '{code}' } }, 'otp_text.de'],
    [{ otp_text: { en: `{code}${'{brand}'.repeat(68)}` } }, 'otp_text.en'],
    [{ webotp_domain: 'https://app.example.com' }, 'webotp_domain'],
    [{ webotp_domain: 'app.example.com/login' }, 'webotp_domain'],
    [{ webotp_domain: 'app.example.com:8443' }, 'webotp_domain'],
    [{ webotp_domain: 'App.Example.com' }, 'webotp_domain'],
    [{ webotp_domain: 'user@example.com' }, 'webotp_domain'],
    [{ webotp_domain: '127.0.0.1' }, 'webotp_domain'],
    [{ webotp_domain: 'two words.com' }, 'webotp_domain'],
    [{ webotp_domain: '' }, 'webotp_domain'],
    [{ android_app_hash: 'short' }, 'android_app_hash'],
    [{ android_app_hash: 'FA+9qCX9VS!' }, 'android_app_hash'],
    [{ android_app_hash: 'FA+9qCX9VSu', webotp_domain: 'example.com' }, 'android_app_hash'],
    [
      { android_app_hash: 'FA+9qCX9VSu', otp_text: { en: `{code}${'x'.repeat(150)}` } },
      'otp_text.en',
    ],
    [{ otp_resend_max: -1 }, 'otp_resend_max'],
    [{ otp_resend_max: 6 }, 'otp_resend_max'],
    [{ strict_otp: 'yes' }, 'strict_otp'],
  ];
  it.each(refusals)('decisions 13: %j is refused', async (settings, field) => {
    expectError(await customer.settings(settings), 400, 'validation_error', `settings.${field}`);
  });

  it('what is refused together is refused one after the other too; null takes it back', async () => {
    const own = await suite.customer();
    expect((await own.settings({ webotp_domain: 'example.com' })).status).toBe(200);
    const second = await own.settings({ android_app_hash: 'FA+9qCX9VSu' });
    expectError(second, 400, 'validation_error', 'settings.android_app_hash');
    const swap = { android_app_hash: 'FA+9qCX9VSu', webotp_domain: null };
    expect((await own.settings(swap)).json.settings).toMatchObject(swap);
  });

  it('reliability: strict_otp refuses short codes and long lives', async () => {
    const strict = await suite.customer({ settings: { strict_otp: true } });
    expectError(await strict.sendOtp({ code_length: 5 }), 400, 'validation_error', 'code_length');
    expectError(await strict.sendOtp({ ttl_seconds: 601 }), 400, 'validation_error', 'ttl_seconds');
    expect((await strict.sendOtp({ code_length: 6, ttl_seconds: 600 })).status).toBe(200);
  });
});
