/** Decisions 5: what is taken, what is given back, and what never costs anything. */
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { freshNumber, magicNumber, REFUSED_PLAN } from '../support/numbers.js';
import { WebhookReceiver } from '../support/receiver.js';
import { type Customer, unknownId, useSystem } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
const receivers: WebhookReceiver[] = [];

afterAll(() => Promise.all(receivers.map((receiver) => receiver.close())));

const entriesOf = async (by: Customer, id: string) =>
  (await by.ledger()).filter((one) => one['message_id'] === id);
const topUp = (by: Customer, body: object) =>
  suite.operator.request('POST', `/workspaces/${by.id}/top-ups`, body);

describe('money', () => {
  it('decisions 5: ledger: the balance is the sum of its entries, in credits', async () => {
    const payer = await suite.customer({ credits: 500 });
    await payer.sendOtp();
    await payer.sendSms({ phone_number: freshNumber('GH') });
    await topUp(payer, { credits: 7, kind: 'bonus' });
    const number = freshNumber(REFUSED_PLAN);
    await suite.scenario({ to: number, submit: { kind: 'refuse' } });
    const { json } = await payer.sendSms({ phone_number: number });
    await payer.smsWith('failed', json.id);
    const entries = await payer.ledger();
    const sum = entries.reduce((total, { credits }) => total + Number(credits), 0);
    expect(sum).toBe(500 - 5 - 30 + 7);
    expect(await payer.balance()).toBe(sum);
    const { json: shown } = await payer.get('/v1/balance');
    expect(shown).toMatchObject({ workspace_id: payer.id, balance: sum });
    expect(entries[0]).toMatchObject({ balance_after: sum });
  });

  it('decisions 5: top-ups are trial, purchase, bonus and adjustment', async () => {
    const payer = await suite.customer({ credits: 0 });
    const kinds = ['trial', 'purchase', 'bonus', 'adjustment'];
    for (const kind of kinds) {
      const { status, json } = await topUp(payer, { credits: 10, kind });
      expect([status, json.kind, json.credits]).toEqual([201, kind, 10]);
    }
    const entries = await payer.ledger();
    const listed = entries.map(({ kind, top_up_kind }) => [kind, top_up_kind]).toReversed();
    expect(listed).toEqual(kinds.map((kind) => ['top_up', kind]));
    expect((await topUp(payer, { credits: 10, kind: 'gift' })).status).toBe(400);
  });

  it('decisions 5: refund once: for failed and blocked, never for expired or wrong codes', async () => {
    const payer = await suite.customer({ settings: { anti_spam: 'block' } });
    const lost = freshNumber('GB');
    await suite.scenario({
      to: lost,
      receipts: [1, 20, 40].map((after_ms) => ({ after_ms, outcome: 'failed' })),
    });
    const expired = await payer.expiredOtp();
    const failed = await payer.sendSms({ phone_number: lost });
    const spam = 'URGENT: account blocked, send your PIN at http://bit.ly/unblock-now';
    const blocked = await payer.sendSms({ message: spam });
    const exhausted = await payer.sendOtp();
    for (let time = 0; time < 5; time += 1) await payer.verify(exhausted.json.id, 'wrong');
    await payer.smsWith('failed', failed.json.id);
    await payer.smsWith('blocked', blocked.json.id);
    const kinds = async (id: string) => (await entriesOf(payer, id)).map(({ kind }) => kind);
    for (const { json } of [failed, blocked]) {
      expect(await kinds(json.id)).toEqual(['refund', 'charge']);
    }
    for (const id of [expired.id, exhausted.json.id]) expect(await kinds(id)).toEqual(['charge']);
  });

  it('decisions 5: test keys debit nothing, and tell the cost and the refund of live', async () => {
    const payer = await suite.customer({ credits: 3 });
    const key = payer.testKey;
    const sent = await payer.sendSms({ phone_number: magicNumber(10) }, { key });
    expect(sent.json.credit_cost).toBe(5);
    const record = await payer.smsWith('failed', sent.json.id, { key });
    expect(record).toMatchObject({ credit_cost: 5, refunded: true, test_mode: true });
    expect(await payer.balance()).toBe(3);
    expect((await payer.ledger()).map(({ kind }) => kind)).toEqual(['top_up']);
  });

  it('decisions 5: refused: a 4xx or a 429 never charges', async () => {
    const settings = { country_enforcement: 'enforce' };
    const payer = await suite.customer({ credits: 30, settings });
    const headers = { 'idempotency-key': randomUUID() };
    const number = { phone_number: freshNumber() };
    await payer.sendOtp(number, { headers });
    for (const _ of [1, 2]) await payer.sendOtp(number);
    const balance = await payer.balance();
    const { key } = await payer.newKey('live', 'sending');
    const answers = [
      await payer.sendOtp({ code_length: 9 }),
      await payer.sendOtp({}, { key: 'nonsense' }),
      await payer.sendSms({ message: 'x'.repeat(700) }),
      await payer.sendOtp({ phone_number: freshNumber('KE') }),
      await payer.sendOtp({}, { key }),
      await payer.getOtp(unknownId),
      await payer.sendOtp({}, { headers }),
      await payer.sendOtp(number),
    ];
    const statuses = [400, 401, 402, 403, 403, 404, 409, 429];
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    expect(await payer.balance()).toBe(balance);
  });

  it('decisions 5: credit_balance.low fires once per crossing of the threshold', async () => {
    const settings = { low_balance_threshold: 20 };
    const payer = await suite.customer({ credits: 30, settings });
    const receiver = await WebhookReceiver.start();
    receivers.push(receiver);
    await suite.operator.putWebhook(payer.workspace, receiver.url, ['credit_balance.low']);
    const lows = () => receiver.events('credit_balance.low').map(({ json }) => json.data);
    const sends = async (count: number) => {
      for (let time = 0; time < count; time += 1) await payer.sendOtp();
    };
    const heard = (count: number) =>
      waitUntil(`${count} low balances`, () => (lows().length >= count ? true : undefined));
    // At the threshold it is not low yet. Below it, it is announced once.
    await sends(4);
    await heard(1);
    await topUp(payer, { credits: 15, kind: 'purchase' });
    await sends(2);
    await heard(2);
    expect(lows()).toEqual([
      { workspace_id: payer.id, balance: 15, threshold: 20 },
      { workspace_id: payer.id, balance: 15, threshold: 20 },
    ]);
  });
});
