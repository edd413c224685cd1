/** Makes what the examples of the OpenAPI document need, so that each can be sent as it is. */
import type { Route } from '@watchword/contracts';
import { freshNumber } from './numbers.js';
import { type SessionHeaders, signUp } from './session.js';
import type { Customer, Suite } from './suite.js';
import { waitUntil } from './wait-until.js';

type Json = Record<string, unknown>;
type Maker = (route: Route) => Promise<string>;

const OWNER = { email: 'owner@example.com', password: 'staple battery horse' };
const OTHER = { email: 'grace@example.org', password: OWNER.password };
const WEBHOOK_URL = 'https://example.com/hooks';
const SENDER_ID_CREDITS = 10_000;

/** A path and a body for every route, with ids of records that exist. */
export class ExampleRequests {
  private applications = 0;

  private constructor(
    private readonly suite: Suite,
    private readonly customer: Customer,
    private readonly session: SessionHeaders,
    private readonly otherUserId: string,
    private readonly otpId: string,
  ) {}

  static async open(suite: Suite): Promise<ExampleRequests> {
    const customer = await suite.customer({});
    const path = `/workspaces/${customer.id}`;
    const purchase = { credits: SENDER_ID_CREDITS, kind: 'purchase' };
    await suite.operator.request('POST', `${path}/top-ups`, purchase);
    await suite.operator.request('PUT', `${path}/webhook`, { url: WEBHOOK_URL });
    const key = customer.testKey;
    const otp = await customer.sendOtp({ phone_number: '+2348031234567' }, { key });
    await customer.otpWith('delivered', otp.json.id, { key });
    const session = await signUp(suite.http, OWNER);
    const headers = { ...session };
    await suite.http.put('/dashboard/webhook', { url: WEBHOOK_URL }, { headers });
    const other = await otherMember(suite, headers);
    return new ExampleRequests(suite, customer, session, other, otp.json.id);
  }

  headersFor({ access, rawBodyBytesMax }: Route): Record<string, string> {
    const type: Record<string, string> =
      rawBodyBytesMax === undefined ? {} : { 'content-type': 'text/csv' };
    if (access === 'key') return { authorization: `Bearer ${this.customer.testKey}`, ...type };
    if (access === 'session') return { ...this.session, ...type };
    if (access === 'anybody') return type;
    const { operator_token: token } = this.suite.system.credentials;
    return { authorization: `Bearer ${token}`, ...type };
  }

  async bodyFor({ path, example }: Route): Promise<unknown> {
    if (path.endsWith('/recover')) return { since: new Date().toISOString() };
    // The example drains the account, which would change what other specs see.
    if (path === '/operator/v1/carriers/:id') return { state: 'active' };
    if (path === '/v1/otp/verify') return { ...(example as Json), otp_id: this.otpId };
    if (path !== '/auth/password/reset') return example;
    const reset = `/users/${this.otherUserId}/password-reset`;
    const { json } = await this.suite.operator.request('POST', reset);
    return { ...(example as Json), reset_token: json.reset_token };
  }

  async pathFor(route: Route): Promise<string> {
    if (route.path === '/operator/v1/users') return `${route.path}?email=${OTHER.email}`;
    if (!route.path.includes(':')) return route.path;
    const [, make] = this.makers.find(([start]) => route.path.startsWith(start)) ?? [];
    const id = make ? await make(route) : this.customer.id;
    const path = route.path.replace(':id/recover/:recovery_id', ':id');
    return path
      .replace(':id/suppressions/:address', `${this.customer.id}/suppressions/:address`)
      .replace(/:\w+/, id);
  }

  private readonly makers: readonly [string, Maker][] = [
    ['/v1/otp/', () => this.deliveredOtp()],
    ['/v1/sms/', ({ path }) => (path.endsWith('/cancel') ? this.scheduledSms() : this.sms())],
    ['/v1/sms-templates/', () => this.template()],
    ['/v1/sender-ids/', () => this.senderId()],
    ['/operator/v1/sender-ids/', () => this.senderId()],
    ['/v1/suppressions/', () => this.suppressedNumber()],
    ['/v1/domains/', () => this.made('/v1/domains', { name: `d${++this.applications}.example` })],
    ['/v1/emails/', () => this.scheduledEmail()],
    ['/operator/v1/workspaces/:id/suppressions/', () => this.suppressedAddress()],
    ['/v1/webhook', ({ path }) => this.webhookId(path)],
    ['/dashboard/keys/', () => this.ownKey()],
    ['/dashboard/payments/', () => this.payment()],
    ['/operator/v1/payments/', () => this.payment()],
    ['/dashboard/members/', async () => this.otherUserId],
    ['/operator/v1/keys/', async () => (await this.customer.newKey('test')).keyId],
    ['/operator/v1/users/', async () => this.otherUserId],
    ['/operator/v1/messages/', () => this.deliveredSms()],
    ['/operator/v1/dnd/', async () => 'BJ'],
    ['/operator/v1/carriers/', async () => 'twilio'],
  ];

  /** The id of what a call with the test key makes. */
  private async made(path: string, body: Json): Promise<string> {
    const answer = await this.customer.post(path, body, { key: this.customer.testKey });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.json.id as string;
  }

  private async deliveredOtp(): Promise<string> {
    const id = await this.made('/v1/otp/send', { phone_number: freshNumber() });
    await this.customer.otpWith('delivered', id, { key: this.customer.testKey });
    return id;
  }

  private sms(): Promise<string> {
    return this.made('/v1/sms/send', { phone_number: freshNumber(), message: 'Hello' });
  }

  private async deliveredSms(): Promise<string> {
    const id = await this.sms();
    await this.customer.smsWith('delivered', id, { key: this.customer.testKey });
    return id;
  }

  private scheduledSms(): Promise<string> {
    const send_at = new Date(Date.now() + 3_600_000).toISOString();
    return this.made('/v1/sms', { to: freshNumber(), from: 'Acme', body: 'Hello', send_at });
  }

  private scheduledEmail(): Promise<string> {
    const send_at = new Date(Date.now() + 3_600_000).toISOString();
    const email = { from: 'a@acme.example', to: 'ada@sim.test', subject: 'Hello', text: 'Hi' };
    return this.made('/v1/emails', { ...email, send_at });
  }

  private async suppressedAddress(): Promise<string> {
    const address = `n${++this.applications}@example.com`;
    await this.customer.post('/v1/suppressions', { address });
    return address;
  }

  private template(): Promise<string> {
    return this.made('/v1/sms-templates', { name: 'Order', body: 'Hi {{name}}, {{order}}' });
  }

  private senderId(): Promise<string> {
    return this.made('/v1/sender-ids', {
      sender_id: `Acme ${++this.applications}`,
      countries: ['NG'],
      registered_entity: 'Acme Ltd',
      use_case: 'Order updates.',
      sample_message: 'Your order 1042 is on its way.',
    });
  }

  /** Opted out as its owner does it: with STOP in answer to a message. */
  private async suppressedNumber(): Promise<string> {
    const number = freshNumber();
    const { json } = await this.customer.sendSms({ phone_number: number, sender_id: 'Acme' });
    await this.customer.smsWith('delivered', json.id);
    const stop = { from: number, to: 'Acme', body: 'STOP' };
    await this.suite.system.simulator.post('/_simulator/inbound', stop);
    await waitUntil('the opt-out', async () => {
      const list = await this.customer.get('/v1/suppressions');
      return list.text.includes(number) || undefined;
    });
    return encodeURIComponent(number);
  }

  private async webhookId(path: string): Promise<string> {
    const webhook = await this.made('/v1/webhooks', { url: WEBHOOK_URL, events: ['*'] });
    const own = `/v1/webhooks/${webhook}`;
    if (path.startsWith('/v1/webhook-deliveries/')) return this.made(`${own}/test`, {});
    if (!path.includes(':recovery_id')) return webhook;
    const recovery = await this.made(`${own}/recover`, { since: new Date().toISOString() });
    return `${webhook}/recover/${recovery}`;
  }

  private async payment(): Promise<string> {
    const body = { credits: 10, provider: 'manual' };
    const send = { headers: { ...this.session } };
    return (await this.suite.http.post('/dashboard/payments', body, send)).json.payment_id;
  }

  private async ownKey(): Promise<string> {
    const send = { headers: { ...this.session } };
    return (await this.suite.http.post('/dashboard/keys', { mode: 'test' }, send)).json.key_id;
  }
}

/** The id of a second user, in the workspace of the first. */
async function otherMember(suite: Suite, headers: Record<string, string>): Promise<string> {
  const body = { email: OTHER.email, role: 'member' };
  const { json } = await suite.http.post('/dashboard/members', body, { headers });
  const session = await signUp(suite.http, { ...OTHER, invitation_token: json.invitation_token });
  const me = await suite.http.get('/auth/me', { headers: { ...session } });
  return me.json.user.user_id as string;
}
