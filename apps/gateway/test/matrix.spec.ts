/**
 * Calls every route with every credential. The expectations follow from the decisions on keys,
 * sessions and operators alone (sections 2, 13 and 24), never from the constants that the guards
 * read.
 */
import { beforeAll, expect, it } from '@jest/globals';
import { errorTypesOf, ROUTES, type WorkspaceId } from '@watchword/contracts';
import { OPERATOR_TOKEN, UNLIMITED } from './gateway.kit.js';
import { freshIp, newOperatorUser, Person } from './person.kit.js';
import { gateway, liftAddressLimits, useGateway } from './one-gateway.kit.js';

type Verdict = 401 | 403 | 'admitted';
type Kind =
  | 'unauthenticated'
  | 'key'
  | 'owner'
  | 'member'
  | 'without-csrf'
  | 'operator'
  | 'operator-user'
  | 'operator-without-csrf';

interface Credential {
  name: string;
  kind: Kind;
  permission?: string;
  headers: Record<string, string>;
}

interface Cell {
  method: string;
  path: string;
  url: string;
  /** The errors that the document lists. */
  types: string[];
}

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';
const SENDING = ['/v1/sms', '/v1/sms/batch', '/v1/emails', '/v1/emails/batch'];
const OWNERS = [
  'PATCH /dashboard/workspace',
  'POST /dashboard/members',
  'GET /dashboard/audit',
  'HEAD /dashboard/audit',
  'GET /dashboard/invitations',
  'HEAD /dashboard/invitations',
  'DELETE /dashboard/invitations/:id',
  'POST /dashboard/payments',
  'GET /dashboard/payments',
  'HEAD /dashboard/payments',
  'GET /dashboard/payments/:id',
  'HEAD /dashboard/payments/:id',
  'GET /dashboard/top-up',
  'HEAD /dashboard/top-up',
  'PUT /dashboard/top-up',
  'DELETE /dashboard/top-up/authorisation',
  'POST /dashboard/prefixes/:prefix/lift',
  // Removes another member, which need not exist.
  'DELETE /dashboard/members/:id',
];
const WITHOUT_CSRF: Kind[] = ['without-csrf', 'operator-without-csrf'];
const SESSIONS = ['/auth/me', '/auth/password', '/auth/email/confirmation'];
const CELLS_MIN = 2_000;

let credentials: Credential[];

useGateway({
  TRUSTED_PROXIES: '1',
  SIGNUP: 'open',
  PLATFORM_EMAIL_FROM: 'accounts@acme.example',
});

beforeAll(async () => {
  await liftAddressLimits();
  credentials = [...unauthenticated(), ...(await keys()), ...(await people()), operator()];
});

it('decisions 28: every route refuses and admits every credential as decided', async () => {
  const wrong: string[] = [];
  let cells = 0;
  for (const credential of credentials) {
    for (const cell of cellsOf()) {
      const expected = verdictOf(cell, credential);
      const { status } = await ask(cell, credential);
      cells += 1;
      const isRight =
        expected === 'admitted'
          ? status !== 401 && status !== 403 && status < 500
          : status === expected;
      if (!isRight) wrong.push(`${cell.method} ${cell.url}: ${credential.name}: ${status}`);
      if (status === 403 && !cell.types.includes('permission_error')) {
        wrong.push(`${cell.method} ${cell.path} does not list its 403`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(cells).toBeGreaterThanOrEqual(CELLS_MIN);
}, 240_000);

/**
 * Returns all cells: ids of both forms, and HEAD wherever there is GET. The end of the session
 * comes last.
 */
function cellsOf(): Cell[] {
  const ordered = [...ROUTES].toSorted(
    (one, other) => Number(one.path === '/auth/logout') - Number(other.path === '/auth/logout'),
  );
  return ordered.flatMap((route) => {
    const { method, path } = route;
    const types = errorTypesOf(route);
    const ids = path.includes(':') ? [UNKNOWN_ID, 'x'] : [''];
    const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
    return methods.flatMap((one) =>
      ids.map((id) => ({ method: one, path, url: urlOf(path, id), types })),
    );
  });
}

function urlOf(path: string, id: string): string {
  // An admitted stream has no end; a bad query ends it.
  if (path === '/dashboard/stream') return `${path}?after=x`;
  return path
    .split('/')
    .map((segment) => (segment.startsWith(':') ? id : segment))
    .join('/');
}

function verdictOf({ method, path, url }: Cell, credential: Credential): Verdict {
  if (path.startsWith('/operator/')) return operatorVerdict(method, credential);
  if (path.startsWith('/dashboard/') || SESSIONS.includes(path)) {
    return sessionVerdict(method, path, url, credential);
  }
  if (path === '/auth/logout' && WITHOUT_CSRF.includes(credential.kind)) return 403;
  // Basic authentication only.
  if (path.startsWith('/twilio/')) return 401;
  if (path === '/mcp')
    return credential.kind === 'key' ? keyVerdict(method, path, credential) : 401;
  if (!path.startsWith('/v1/') || path === '/v1/pricing') return 'admitted';
  return credential.kind === 'key' ? keyVerdict(method, path, credential) : 401;
}

function operatorVerdict(method: string, { kind }: Credential): Verdict {
  if (kind === 'operator-without-csrf') return isRead(method) ? 'admitted' : 403;
  return ['operator', 'operator-user'].includes(kind) ? 'admitted' : 401;
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

function sessionVerdict(method: string, path: string, url: string, { kind }: Credential): Verdict {
  if (kind === 'unauthenticated' || kind === 'key' || kind === 'operator') return 401;
  if (WITHOUT_CSRF.includes(kind) && !isRead(method)) return 403;
  // A text that is no id gives 404 before any other check.
  if (url === '/dashboard/members/x') return 'admitted';
  return kind === 'member' && OWNERS.includes(`${method} ${path}`) ? 403 : 'admitted';
}

function keyVerdict(method: string, path: string, { permission }: Credential): Verdict {
  const allowed = {
    full: path !== '/mcp',
    otp: path === '/v1/otp' || path.startsWith('/v1/otp/'),
    sending: method === 'POST' && SENDING.includes(path),
    agent: path === '/mcp',
  }[permission as 'full' | 'otp' | 'sending' | 'agent'];
  return allowed ? 'admitted' : 403;
}

function ask({ method, url }: Cell, { headers }: Credential) {
  const payload = isRead(method) ? undefined : {};
  return gateway.call({
    method: method as 'GET',
    url,
    headers: { 'x-forwarded-for': freshIp(), ...headers },
    payload: payload as object,
  });
}

function unauthenticated(): Credential[] {
  const unknown = `svc_live_${'0'.repeat(32)}`;
  const authorizations: [string, string][] = [
    ['another scheme', 'Basic c3ZjOng='],
    ['no scheme', unknown],
    ['no token', 'Bearer '],
    ['a short key', 'Bearer svc_live_short'],
    ['an unknown live key', `Bearer ${unknown}`],
    ['an unknown test key', `Bearer svc_test_${'0'.repeat(32)}`],
    ["a webhook's secret", 'Bearer whsec_AAAA'],
    ['a wrong operator token', `Bearer ${'x'.repeat(40)}`],
  ];
  return [
    { name: 'nothing', kind: 'unauthenticated', headers: {} },
    {
      name: 'an unknown session',
      kind: 'unauthenticated',
      headers: { cookie: `svc_session=${'a'.repeat(43)}` },
    },
    ...authorizations.map(([name, authorization]): Credential => ({
      name,
      kind: 'unauthenticated',
      headers: { authorization },
    })),
  ];
}

async function keys(): Promise<Credential[]> {
  const [own, other] = [
    await gateway.newWorkspace(UNLIMITED),
    await gateway.newWorkspace(UNLIMITED),
  ];
  const made: Credential[] = [];
  for (const mode of ['live', 'test']) {
    for (const permission of ['full', 'sending', 'otp', 'agent']) {
      const { key } = await newKey(own.workspace_id, mode, permission);
      made.push(keyCredential(`a ${mode} key of ${permission}`, permission, key));
    }
    const revoked = await newKey(own.workspace_id, mode, 'full');
    await gateway.operator('DELETE', `/keys/${revoked.key_id}`);
    const headers = { authorization: `Bearer ${revoked.key}` };
    made.push({ name: `a revoked ${mode} key`, kind: 'unauthenticated', headers });
  }
  made.push(keyCredential("another workspace's live key", 'full', other.live_key));
  made.push(keyCredential("another workspace's test key", 'full', other.test_key));
  return made;
}

async function newKey(workspaceId: WorkspaceId, mode: string, permission: string) {
  const { body } = await gateway.operator('POST', `/workspaces/${workspaceId}/keys`, {
    mode,
    permission,
  });
  return body as { key: string; key_id: string };
}

function keyCredential(name: string, permission: string, key: string): Credential {
  return { name, kind: 'key', permission, headers: { authorization: `Bearer ${key}` } };
}

/**
 * Returns the users. The sessions without a CSRF token come first, because a log-out with it ends
 * them.
 */
async function people(): Promise<Credential[]> {
  const [owner, member] = [new Person(gateway), new Person(gateway)];
  await owner.signUp();
  const staff = await newOperatorUser(gateway);
  const invited = await owner.call('POST', '/dashboard/members', { email: member.email });
  await member.signUp({ invitation_token: invited.body.invitation_token });
  const { cookie } = owner;
  const headersOf = (person: Person) => ({
    cookie: person.cookie,
    'x-csrf-token': person.csrfToken,
  });
  return [
    { name: 'a session without CSRF token', kind: 'without-csrf', headers: { cookie } },
    {
      name: 'an operator without CSRF token',
      kind: 'operator-without-csrf',
      headers: { cookie: staff.cookie },
    },
    { name: 'a member', kind: 'member', headers: headersOf(member) },
    { name: 'an owner', kind: 'owner', headers: headersOf(owner) },
    { name: 'a user who is an operator', kind: 'operator-user', headers: headersOf(staff) },
  ];
}

function operator(): Credential {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  return { name: 'the operator', kind: 'operator', headers };
}
