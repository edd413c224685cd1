import type { WorkspaceId } from '@watchword/contracts';
import { type DevCredentials, UserError } from '@watchword/host';

const NAME = 'Acme Shop';
const NUMBERS = ['+2348031234', '+2547123456', '+2332441234'];
/** Numbers of the test mode whose last two digits choose the end: docs/guides/try-failures.md. */
const ENDS = ['00', '03', '11', '16', '20', '29', '50', '58', '61'];

export interface Shop {
  readonly workspaceId: WorkspaceId;
  /** The owner of the demo workspace, who becomes the owner of this one. */
  readonly user: string;
  readonly email: string;
  readonly password: string;
  /** False if an earlier run has made it. */
  readonly isNew: boolean;
  /** Returns the credits of a segment by country. */
  prices(): Promise<ReadonlyMap<string, number>>;
  /** Makes the owner an operator, who sees all pages, and registers what other pages list. */
  open(): Promise<void>;
  sendToday(progress: (count: number, total: number) => void): Promise<void>;
}

interface Answer {
  status: number;
  // Bodies of many routes.
  // eslint-disable-next-line typescript/no-explicit-any
  json: any;
  cookie: string;
}

type Headers = Record<string, string>;

/** Logs the owner of the demo workspace in, and makes the shop that has none of the messages yet. */
export async function openShop(credentials: DevCredentials): Promise<Shop> {
  const { base_url: base, operator_token: token, email, password } = credentials;
  const call = callerOf(base);
  const operator = { authorization: `Bearer ${token}` };
  const { json } = await call('POST', '/auth/login', {}, { email, password });
  // Without a name, the log-in is to the workspace that was joined last.
  const isNew = json.workspace.name !== NAME;
  const workspaceId: WorkspaceId = isNew
    ? await makeWorkspace(call, operator)
    : json.workspace.workspace_id;
  const user = json.user.user_id;
  const enter = async () => {
    const body = { email, password, workspace_id: workspaceId };
    const { json: session, cookie } = await call('POST', '/auth/login', {}, body);
    return { cookie, 'x-csrf-token': String(session.csrf_token) };
  };
  return {
    ...{ workspaceId, user, email, password, isNew },
    prices: async () => pricesOf(await call('GET', '/operator/v1/prices', operator)),
    async open() {
      await call('PUT', `/operator/v1/users/${user}/operator`, operator);
      await register(call, await enter());
    },
    async sendToday(progress) {
      const session = await enter();
      const sends = [...liveSends(), ...testSends()];
      const codes: SentCode[] = [];
      for (const [index, { mode, path, body }] of sends.entries()) {
        const { status, json: sent } = await call('POST', path, inMode(session, mode), body);
        if (status === 200 && mode === 'live' && 'code_length' in sent) codes.push(sent);
        if ((index + 1) % 20 === 0 || index + 1 === sends.length) progress(index + 1, sends.length);
      }
      await verifyMost(call, credentials.simulator_url, codes, inMode(session, 'live'));
    },
  };
}

async function makeWorkspace(call: Call, operator: Headers): Promise<WorkspaceId> {
  const body = { name: NAME, billing_country: 'NG' };
  const { json } = await call('POST', '/operator/v1/workspaces', operator, body);
  const limits = { variant_b_burst: 500, variant_b_per_second: 100 };
  await call('PATCH', `/operator/v1/workspaces/${json.workspace_id}`, operator, {
    settings: { limits, enabled_countries: ['NG', 'KE', 'GH'] },
  });
  return json.workspace_id;
}

function callerOf(base: string) {
  return async (method: string, path: string, headers: Headers, body?: object): Promise<Answer> => {
    const answer = await fetch(base + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';', 1);
    if (answer.status >= 500) throw new UserError(`${method} ${path}: ${answer.status} ${text}`);
    return { status: answer.status, json: text === '' ? null : JSON.parse(text), cookie };
  };
}

type Call = ReturnType<typeof callerOf>;

function inMode(session: Headers, mode: 'live' | 'test'): Headers {
  return { ...session, 'x-watchword-mode': mode };
}

function pricesOf({ json }: Answer): ReadonlyMap<string, number> {
  const countries = json.countries as Record<string, { credits: number }>;
  return new Map(Object.entries(countries).map(([code, { credits }]) => [code, credits]));
}

/** What other pages list. */
async function register(call: Call, session: Headers): Promise<void> {
  const live = inMode(session, 'live');
  await call('POST', '/v1/sender-ids', live, {
    ...{ sender_id: 'Acme', registered_entity: 'Acme Online Shopping Limited' },
    ...{ countries: ['NG', 'KE', 'GH'], use_case: 'Order updates to customers of the shop.' },
    sample_message: 'Acme: your order 1042 is on its way.',
  });
  await call('POST', '/v1/sms-templates', live, {
    name: 'Order shipped',
    body: 'Hi {{name}}, order {{order}} is on its way.',
  });
  await call('POST', '/v1/domains', live, { name: 'mail.acme-shop.example' });
  await call('POST', '/v1/suppressions', live, { address: 'ada.lovelace@example.com' });
  await call('POST', '/dashboard/keys', session, {
    ...{ name: 'Checkout', mode: 'live', permission: 'full' },
  });
}

interface SentCode {
  id: string;
  phone_number: string;
}

/** Reads codes on the simulator's handset, as customers do. One in four is never entered. */
async function verifyMost(
  call: Call,
  simulator: string,
  codes: readonly SentCode[],
  headers: Headers,
): Promise<void> {
  for (const [index, { id, phone_number: to }] of codes.entries()) {
    if (index % 4 === 3) continue;
    const answer = await fetch(`${simulator}/_simulator/messages?${new URLSearchParams({ to })}`);
    const received = (await answer.json()) as { body: string }[];
    const code = /\b\d{6}\b/.exec(received.at(-1)?.body ?? '')?.[0];
    if (code) await call('POST', '/v1/otp/verify', headers, { otp_id: id, code });
  }
}

interface Send {
  mode: 'live' | 'test';
  path: string;
  body: object;
}

function liveSends(): Send[] {
  return Array.from({ length: 30 }, (_, index) => {
    const phone_number = `${NUMBERS[index % NUMBERS.length]}${String(index)
      .padStart(3, '0')
      .slice(index % NUMBERS.length === 0 ? 0 : 1)}`;
    const message = `Acme: your order ${2_042 + index} is on its way.`;
    return index % 3 === 0
      ? { mode: 'live', path: '/v1/sms/send', body: { phone_number, message } }
      : { mode: 'live', path: '/v1/otp/send', body: { phone_number } };
  });
}

function testSends(): Send[] {
  const codes = ENDS.map((end) => ({ phone_number: `+23480300000${end}` }));
  const emails = ['delivered@sim.test', 'bounced@sim.test', 'complained@sim.test'].map((to) => ({
    ...{ from: 'Acme Shop <orders@mail.acme-shop.example>', to },
    ...{ subject: 'Your order 1042 has shipped', text: 'It is on its way.' },
  }));
  return [
    ...codes.map((body): Send => ({ mode: 'test', path: '/v1/otp/send', body })),
    ...emails.map((body): Send => ({ mode: 'test', path: '/v1/emails', body })),
  ];
}
