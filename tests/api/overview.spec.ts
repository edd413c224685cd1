/** The overview of a workspace beside its ledger. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from '@jest/globals';
import { Browser } from '../support/browser.js';
import { freshNumber } from '../support/numbers.js';
import { untilVerified } from '../support/records.js';
import { Customer, useSystem } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
const DOMAIN = `mail-${randomUUID()}.example`;
interface Figures {
  spent_credits: number;
}

const DAY_MS = 24 * 3_600_000;
let user: Browser;
let customer: Customer;

beforeAll(async () => {
  user = new Browser(suite.system);
  const { json } = await user.signUp({ billing_country: 'NG' });
  const id = json.workspace.workspace_id as string;
  const key = await user.request('POST', '/dashboard/keys', { mode: 'live', permission: 'full' });
  const liveKey = key.json.key as string;
  customer = new Customer(suite, { id, liveKey, testKey: '' });
  const topUp = { credits: 1_000, kind: 'purchase' };
  await suite.operator.request('POST', `/workspaces/${id}/top-ups`, topUp);
  const domain = await customer.post('/v1/domains', { name: DOMAIN });
  await suite.system.simulator.post('/_simulator/dns', { records: domain.json.records });
  await untilVerified(customer, domain.json.id);
});

/** Returns a number whose messages every carrier reports as failed. */
async function failing(): Promise<string> {
  const to = freshNumber();
  await suite.scenario({ to, receipts: [{ after_ms: 10, outcome: 'failed' }] });
  return to;
}

/** Sends of each channel and each end. Returns how many. */
async function sendAll(): Promise<number> {
  const accepted = async (sent: Promise<{ status: number; json: { id: string } }>) => {
    const { status, json } = await sent;
    expect(status).toBeLessThan(300);
    return json.id;
  };
  const code = await accepted(customer.sendOtp());
  await accepted(customer.post(`/v1/otp/${code}/resend`, undefined));
  await accepted(customer.sendSms({ message: 'A'.repeat(400) }));
  await accepted(customer.sendSms({ phone_number: '+254712000123' }));
  await accepted(customer.sendOtp({ phone_number: await failing() }));
  await accepted(customer.sendSms({ phone_number: await failing() }));
  const send_at = new Date(Date.now() + DAY_MS).toISOString();
  const later = { to: freshNumber(), from: 'Acme', body: 'Later.', send_at };
  const scheduled = await accepted(customer.post('/v1/sms', later));
  await accepted(customer.post(`/v1/sms/${scheduled}/cancel`, undefined));
  const email = { from: `Acme <hello@${DOMAIN}>`, subject: 'Hello', text: 'Hello.' };
  const to = ['ada', 'eve'].map((name) => `${name}-${randomUUID()}@example.com`);
  await accepted(customer.post('/v1/emails', { ...email, to }));
  // The email counts for each recipient.
  return 8;
}

it('the charges and refunds of an overview are those of the ledger', async () => {
  const sends = await sendAll();
  const sum = (entries: Record<string, unknown>[], kind: string) =>
    entries.reduce((all, one) => all + (one['kind'] === kind ? Number(one['credits']) : 0), 0);
  await waitUntil('the refunds of what failed and was cancelled', async () => {
    const entries = await customer.ledger();
    return entries.filter(({ kind }) => kind === 'refund').length === 3;
  });
  const from = new Date(Date.now() - DAY_MS).toISOString();
  for (const interval of ['hour', 'day']) {
    await waitUntil(`an overview by ${interval} with all refunds`, async () => {
      const path = `/dashboard/overview?interval=${interval}&from=${from}`;
      const { total, groups } = (await user.request('GET', path)).json;
      const entries = await customer.ledger();
      expect(total.sends).toBe(sends);
      expect(total.charged_credits).toBe(-sum(entries, 'charge'));
      const spent = groups.reduce((all: number, one: Figures) => all + one.spent_credits, 0);
      expect(spent).toBe(total.spent_credits);
      return total.refunded_credits === sum(entries, 'refund');
    });
  }
  const month = new Date().toISOString().slice(0, 7);
  expect((await user.request('GET', `/dashboard/statements/${month}`)).status).toBe(200);
  const next = await user.request('GET', '/dashboard/statements/2099-12');
  expect(next.json.error).toMatchObject({ type: 'validation_error', field: 'month' });
});
