/** Makes what the examples of the OpenAPI document need, so that each can be sent as it is. */
import { waitUntil } from './wait-until.js';
import type { Route } from '@watchword/contracts';
import { Records, WEBHOOK_URL } from './records.js';
import { type SessionHeaders, signUp } from './session.js';
import type { Customer, Suite } from './suite.js';

type Json = Record<string, unknown>;
type Maker = (route: Route) => Promise<string>;

const OWNER = { email: 'owner@example.com', password: 'staple battery horse' };
const OTHER = { email: 'grace@example.org', password: OWNER.password };
const SENDER_ID_CREDITS = 10_000;

/** A path and a body for every route, with ids of records that exist. */
export class ExampleRequests {
  private readonly records: Records;

  private constructor(
    private readonly suite: Suite,
    private readonly customer: Customer,
    private readonly session: SessionHeaders,
    private readonly otherUserId: string,
    private readonly otpId: string,
  ) {
    this.records = new Records(suite, customer, customer.testKey);
  }

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
    if (access === 'session' || access === 'optional-session') return { ...this.session, ...type };
    if (access === 'anybody') return type;
    const { operator_token: token } = this.suite.system.credentials;
    return { authorization: `Bearer ${token}`, ...type };
  }

  async bodyFor({ path, example }: Route): Promise<unknown> {
    if (path.endsWith('/recover')) return { since: new Date().toISOString() };
    // The example drains the account, which would change what other specs see.
    if (path === '/operator/v1/carriers/:id') return { state: 'active' };
    // Nigeria's list is left to other specs: this one is sent for Benin.
    if (path.startsWith('/operator/v1/dnd/')) return 'number\n+2290197123456\n';
    if (path === '/v1/otp/verify') return { ...(example as Json), otp_id: this.otpId };
    if (path === '/auth/email/confirm') return { confirmation_token: await this.confirmation() };
    if (path !== '/auth/password/reset') return example;
    const reset = `/users/${this.otherUserId}/password-reset`;
    const { json } = await this.suite.operator.request('POST', reset);
    return { ...(example as Json), reset_token: json.reset_token };
  }

  /** Returns the link that the other user's sign-up got. */
  private async confirmation(): Promise<string> {
    const to = encodeURIComponent(OTHER.email);
    const { json } = await this.suite.system.simulator.get(`/_simulator/emails?to=${to}`);
    const [{ raw }] = json as [{ raw: string }];
    return /#token=([\w-]{43})/.exec(raw.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='))![1]!;
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
    ['/v1/otp/', () => this.records.deliveredOtp()],
    [
      '/v1/sms/',
      ({ path }) => (path.endsWith('/cancel') ? this.records.scheduledSms() : this.records.sms()),
    ],
    ['/dashboard/messages/', () => this.ownMessage()],
    ['/dashboard/statements/', async () => '2026-11'],
    ['/v1/sms-templates/', () => this.records.template()],
    ['/v1/sender-ids/', () => this.records.senderId()],
    ['/operator/v1/sender-ids/', () => this.records.senderId()],
    ['/v1/suppressions/', async () => encodeURIComponent(await this.records.suppressedNumber())],
    ['/v1/domains/', () => this.records.domain()],
    ['/v1/emails/', () => this.records.scheduledEmail()],
    ['/operator/v1/workspaces/:id/suppressions/', () => this.records.suppressedAddress()],
    ['/v1/webhook', ({ path }) => this.webhookId(path)],
    ['/dashboard/keys/', () => this.ownKey()],
    ['/dashboard/payments/', () => this.payment()],
    ['/operator/v1/payments/', () => this.payment()],
    ['/dashboard/invitations/', () => this.invitation()],
    ['/dashboard/members/', async () => this.otherUserId],
    ['/operator/v1/keys/', async () => (await this.customer.newKey('test')).keyId],
    ['/operator/v1/users/', async () => this.otherUserId],
    ['/operator/v1/messages/', () => this.records.deliveredSms()],
    ['/operator/v1/dnd/', async () => 'BJ'],
    ['/operator/v1/carriers/', async () => 'twilio'],
  ];

  private async webhookId(path: string): Promise<string> {
    const webhook = await this.records.webhook();
    if (path.startsWith('/v1/webhook-deliveries/')) return this.records.delivery(webhook);
    if (!path.includes(':recovery_id')) return webhook;
    return `${webhook}/recover/${await this.records.recovery(webhook)}`;
  }

  private async payment(): Promise<string> {
    const body = { credits: 10, provider: 'manual' };
    const send = { headers: { ...this.session } };
    return (await this.suite.http.post('/dashboard/payments', body, send)).json.payment_id;
  }

  private async invitation(): Promise<string> {
    const send = { headers: { ...this.session } };
    const body = { email: 'hopper@example.org' };
    return (await this.suite.http.post('/dashboard/members', body, send)).json.id;
  }

  /** A code of the session's workspace that has reached its handset. */
  private async ownMessage(): Promise<string> {
    const headers = { ...this.session };
    const { json } = await this.suite.http.post('/dashboard/keys', { mode: 'test' }, { headers });
    const key = json.key as string;
    const body = { phone_number: '+2348031234567' };
    const sent = await this.suite.http.post('/v1/otp/send', body, { key });
    const id = sent.json.id as string;
    await waitUntil('the delivery', async () => {
      const record = await this.suite.http.get(`/v1/otp/${id}`, { key });
      return record.json.status === 'delivered';
    });
    return id;
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
