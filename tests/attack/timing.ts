/**
 * Measures whether the time of an answer reveals what its content does not. Pairs of requests, in
 * random order and with raised limits, are compared by their medians: a foreign id and an unknown
 * one, a wrong and the right code, a known and an unknown email address. `TIMING_CALLS` is the
 * number of calls per route with ids.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { benchNumber } from '../../bench/support/bench-number.ts';
import { median, printTable } from '../../bench/support/figures.ts';
import { Environment } from '../../bench/support/environment.ts';

const idCalls = benchNumber('TIMING_CALLS', 10_000);
const codeCalls = benchNumber('TIMING_CODES', 1_000);
const EMAIL_CALLS = 200;
/** Below the limit of failures for each account and minute. */
const FAILURES_PER_ACCOUNT = 4;
const WARM_UP_PAIRS = 100;

type Act = () => Promise<void>;
type Client = (
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  key?: string,
) => Promise<Answer>;
interface Answer {
  readonly status: number;
  readonly json: Record<string, unknown>;
}

async function timing(): Promise<void> {
  const environment = await Environment.open();
  const agent = new Agent({ connections: 1, pipelining: 1 });
  try {
    const services = 'gateway,billing,dispatch,webhooks';
    const settings = { TRUSTED_PROXIES: '1', HOST: '127.0.0.1', SIGNUP: 'open' };
    const product = await environment.product(services, 2, {
      key: 'test_key',
      environment: settings,
    });
    const client = clientOf(product.url, agent);
    const [owner, other] = product.keys as [string, string];
    const rows = [
      ...(await foreignIds(client, owner, other)),
      await codes(client, owner),
      await emails(client),
    ];
    printTable(['compared', 'calls', 'p50 ms', 'p50 ms', 'difference', 'allowed'], rows.map(cells));
    if (rows.some(({ difference, allowed }) => difference > allowed)) process.exitCode = 1;
  } finally {
    await agent.close();
    await environment.close();
  }
}

interface Row {
  readonly name: string;
  readonly calls: number;
  readonly medians: readonly [number, number];
  readonly difference: number;
  readonly allowed: number;
}

function cells({ name, calls, medians, difference, allowed }: Row): (string | number)[] {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  return [
    name,
    calls,
    ...medians.map((ms) => ms.toFixed(3)),
    percent(difference),
    percent(allowed),
  ];
}

async function foreignIds(client: Client, owner: string, other: string): Promise<Row[]> {
  const { json } = await client('POST', '/v1/otp/send', { phone_number: number() }, owner);
  const foreign = json['id'] as string;
  const routes: [string, (id: string) => Promise<Answer>][] = [
    ['verify', (otp_id) => client('POST', '/v1/otp/verify', { otp_id, code: '123456' }, other)],
    ['resend', (id) => client('POST', `/v1/otp/${id}/resend`, undefined, other)],
    ['get', (id) => client('GET', `/v1/otp/${id}`, undefined, other)],
  ];
  const rows: Row[] = [];
  for (const [name, ask] of routes) {
    const act = (id: () => string) => async () => expectStatus(await ask(id()), 404);
    const pair = [act(() => foreign), act(() => randomUUID())] as const;
    rows.push(await compared(`${name}: foreign, unknown id`, pair, idCalls, 0.05));
  }
  return rows;
}

/** Sends each code before the measurement, and guesses it once. */
async function codes(client: Client, owner: string): Promise<Row> {
  const sent: string[] = [];
  const pairs = codeCalls / 2 + WARM_UP_PAIRS;
  for (let count = 0; count < pairs * 2; count += 1) {
    const { json } = await client('POST', '/v1/otp/send', { phone_number: number() }, owner);
    sent.push(json['id'] as string);
  }
  const guess = (code: string) => async () => {
    const body = { otp_id: sent.pop(), code };
    expectStatus(await client('POST', '/v1/otp/verify', body, owner), 200);
  };
  return compared('verify: wrong, right code', [guess('999999'), guess('123456')], codeCalls, 0.1);
}

async function emails(client: Client): Promise<Row> {
  const pairs = EMAIL_CALLS / 2 + 4;
  const known = Array.from({ length: Math.ceil(pairs / FAILURES_PER_ACCOUNT) }, newEmail);
  for (const email of known) {
    const body = {
      email,
      password: `correct ${randomUUID()}`,
      workspace_name: 'Acme',
      name: 'Ada',
    };
    const { status } = await client('POST', '/auth/signup', body);
    if (status >= 300) throw new Error(`sign-up answered ${status}`);
  }
  const uses = known.flatMap((email) => Array<string>(FAILURES_PER_ACCOUNT).fill(email));
  const login = (email: () => string) => async () => {
    const body = { email: email(), password: `wrong ${randomUUID()}` };
    expectStatus(await client('POST', '/auth/login', body), 401);
  };
  const pair = [login(() => uses.pop()!), login(newEmail)] as const;
  return compared('login: known, unknown email', pair, EMAIL_CALLS, 0.1, 4);
}

async function compared(
  name: string,
  [one, other]: readonly [Act, Act],
  calls: number,
  allowed: number,
  warmUp = WARM_UP_PAIRS,
): Promise<Row> {
  const times: [number[], number[]] = [[], []];
  for (let pair = 0; pair < warmUp + calls / 2; pair += 1) {
    const first = randomInt(2);
    for (const side of [first, 1 - first]) {
      const startedAt = performance.now();
      await (side === 0 ? one : other)();
      if (pair >= warmUp) times[side as 0 | 1].push(performance.now() - startedAt);
    }
  }
  const medians = [median(times[0]), median(times[1])] as const;
  const difference = Math.abs(medians[0] - medians[1]) / Math.max(...medians);
  return { name, calls, medians, difference, allowed };
}

/**
 * Returns a client with requests from different addresses, so that no limit by address
 * applies.
 */
function clientOf(url: string, dispatcher: Agent): Client {
  let address = 0;
  return async (method, path, body, key) => {
    address += 1;
    const { statusCode: status, body: answer } = await request(`${url}${path}`, {
      method,
      dispatcher,
      headers: {
        'x-forwarded-for': `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { authorization: `Bearer ${key}` }),
      },
      body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    return { status, json: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
  };
}

function expectStatus({ status, json }: Answer, expected: number): void {
  if (status !== expected) throw new Error(`${status}, not ${expected}: ${JSON.stringify(json)}`);
}

let numbers = 0;
function number(): string {
  numbers += 1;
  return `+234803${String(4_000_000 + numbers)}`;
}

function newEmail(): string {
  return `${randomUUID()}@example.com`;
}

await timing();
