/** Creates records of a workspace with one of its keys. */
import { randomUUID } from 'node:crypto';
import { freshNumber } from './numbers.js';
import type { Customer, Suite } from './suite.js';
import { waitUntil } from './wait-until.js';

type Json = Record<string, unknown>;

/** Its name has no address, so a delivery to it ends at once. */
export const WEBHOOK_URL = 'https://example.com/hooks';
const HOUR_MS = 3_600_000;

export class Records {
  constructor(
    readonly suite: Suite,
    readonly customer: Customer,
    readonly key: string,
    /** Emails come from it. Test mode asks for no verified domain. */
    readonly mailDomain = 'acme.example',
  ) {}

  /** The answer to a call that makes something. */
  async created(path: string, body: Json): Promise<Json & { id: string }> {
    const answer = await this.customer.post(path, body, { key: this.key });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  }

  async made(path: string, body: Json): Promise<string> {
    return (await this.created(path, body)).id;
  }

  async deliveredOtp(): Promise<string> {
    const id = await this.made('/v1/otp/send', { phone_number: freshNumber() });
    await this.customer.otpWith('delivered', id, { key: this.key });
    return id;
  }

  sms(): Promise<string> {
    return this.made('/v1/sms/send', { phone_number: freshNumber(), message: 'Hello' });
  }

  async deliveredSms(): Promise<string> {
    const id = await this.sms();
    await this.customer.smsWith('delivered', id, { key: this.key });
    return id;
  }

  scheduledSms(): Promise<string> {
    const message = { to: freshNumber(), from: 'Acme', body: 'Hello' };
    return this.made('/v1/sms', { ...message, send_at: inAnHour() });
  }

  email(): Json {
    const from = `hello@${this.mailDomain}`;
    const to = `${fresh()}@${this.mailDomain === 'acme.example' ? 'sim.test' : 'example.org'}`;
    return { from, to, subject: 'Hello', text: 'Hi' };
  }

  scheduledEmail(): Promise<string> {
    return this.made('/v1/emails', { ...this.email(), send_at: inAnHour() });
  }

  template(): Promise<string> {
    return this.made('/v1/sms-templates', { name: 'Order', body: 'Hi {{name}}, {{order}}' });
  }

  senderId(): Promise<string> {
    return this.made('/v1/sender-ids', {
      sender_id: `Acme ${fresh()}`,
      countries: ['NG'],
      registered_entity: 'Acme Ltd',
      use_case: 'Order updates.',
      sample_message: 'Your order 1042 is on its way.',
    });
  }

  domain(): Promise<string> {
    return this.made('/v1/domains', { name: `${fresh()}.example` });
  }

  async suppressedAddress(): Promise<string> {
    const address = `${fresh()}@example.com`;
    await this.created('/v1/suppressions', { address });
    return address;
  }

  /** Opted out as its owner does it: with STOP in answer to a message. */
  async suppressedNumber(): Promise<string> {
    const number = freshNumber();
    const { json } = await this.customer.sendSms({ phone_number: number, sender_id: 'Acme' });
    await this.customer.smsWith('delivered', json.id);
    const stop = { from: number, to: 'Acme', body: 'STOP' };
    await this.suite.system.simulator.post('/_simulator/inbound', stop);
    await waitUntil('the opt-out', async () => {
      const list = await this.customer.get('/v1/suppressions');
      return list.text.includes(number) || undefined;
    });
    return number;
  }

  /** Creates an endpoint for an event that no test causes. */
  webhook(): Promise<string> {
    return this.made('/v1/webhooks', { url: WEBHOOK_URL, events: ['email.complained'] });
  }

  /** Creates a delivery of a test event. */
  delivery(webhook: string): Promise<string> {
    return this.made(`/v1/webhooks/${webhook}/test`, {});
  }

  recovery(webhook: string): Promise<string> {
    return this.made(`/v1/webhooks/${webhook}/recover`, { since: new Date().toISOString() });
  }
}

/** Returns a word of six characters that almost certainly is unique. */
function fresh(): string {
  return `x${randomUUID().slice(0, 5)}`;
}

function inAnHour(): string {
  return new Date(Date.now() + HOUR_MS).toISOString();
}

/** The name of a new domain of the customer, with its records published. */
export async function verifiedDomain(
  suite: Suite,
  customer: Customer,
  { without = '' }: { without?: string } = {},
): Promise<string> {
  const name = `${fresh()}.example.net`;
  const { json } = await customer.post('/v1/domains', { name });
  const published = (json.records as Json[]).filter(({ purpose }) => purpose !== without);
  const records = published.map(({ type, name: owner, value, priority }) => ({
    ...{ type, name: owner, value },
    ...(priority === null ? {} : { priority }),
  }));
  await suite.system.simulator.post('/_simulator/dns', { records });
  await untilVerified(customer, json.id);
  return name;
}

/** A name server that answers late is asked again. */
export async function untilVerified(customer: Customer, domainId: string): Promise<void> {
  await waitUntil(`domain ${domainId} to be verified`, async () => {
    const { json } = await customer.post(`/v1/domains/${domainId}/verify`, {});
    return json.status === 'verified';
  });
}
