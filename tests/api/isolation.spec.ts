/**
 * Modes and workspaces are walls (decisions 24): a foreign id is treated as unknown, wherever an id
 * can be given.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Route, ROUTES } from '@watchword/contracts';
import { type EntryPoint, entryPointsOf, type Named } from '../support/entry-points.js';
import type { Answer } from '../support/http.js';
import { Records, verifiedDomain } from '../support/records.js';
import { waitUntil } from '../support/wait-until.js';
import { type Customer, useSystem } from '../support/suite.js';

const suite = useSystem();

type Mode = 'live' | 'test';

/** A workspace's keys of one mode, and what they can create. */
interface Party {
  readonly records: Records;
  readonly key: string;
  readonly agentKey: string;
}

const MODES = ['live', 'test'] as const;
const SENDER_ID_CREDITS = 10_000;
const NO_LIMITS = {
  variant_b_burst: null,
  sms_per_number_per_minute: null,
  otp_sends_per_number_per_10_minutes: null,
  otp_verifications_per_number_per_10_minutes: null,
};

let customer: Customer;
let owners: Record<Mode, Party>;
let outsiders: Record<Mode, Party>;

async function newCustomer(): Promise<Customer> {
  const made = await suite.customer({ settings: { limits: NO_LIMITS } });
  const purchase = { credits: SENDER_ID_CREDITS, kind: 'purchase' };
  await suite.operator.request('POST', `/workspaces/${made.id}/top-ups`, purchase);
  return made;
}

async function partiesOf(of: Customer): Promise<Record<Mode, Party>> {
  const domain = await verifiedDomain(suite, of);
  const party = async (mode: Mode): Promise<Party> => {
    const [key, from] = mode === 'live' ? [of.liveKey, domain] : [of.testKey, undefined];
    const { key: agentKey } = await of.newKey(mode, 'agent');
    return { records: new Records(suite, of, key, from), key, agentKey };
  };
  return { live: await party('live'), test: await party('test') };
}

beforeAll(async () => {
  customer = await newCustomer();
  owners = await partiesOf(customer);
  outsiders = await partiesOf(await newCustomer());
});

function ask(
  { request }: EntryPoint,
  { key, agentKey }: Party,
  { ids, body }: Named,
): Promise<Answer> {
  if (request.by === 'tool') {
    const params = { name: request.tool, arguments: { ...body, ...ids } };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const accept = 'application/json, text/event-stream';
    return suite.http.post('/mcp', call, { key: agentKey, headers: { accept } });
  }
  const { route, inPath } = request;
  const given = body ?? (route.example as object | undefined);
  const payload = inPath ? given : { ...given, ...ids };
  return suite.http.request(route.method, inPath ? pathWith(route, ids) : route.path, {
    key,
    ...(route.body ? { body: payload } : {}),
  });
}

function pathWith({ path }: Route, ids: Named['ids']): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(ids[name]!));
}

/** Returns an answer without what differs per request: its own id, and the requested ids. */
function answerOf({ status, text }: Answer, { ids }: Named): string {
  const plain = text.replaceAll(/(request_id\\?":\\?")[^"\\]+/g, '$1');
  const said = Object.values(ids).reduce((left, id) => left.replaceAll(id, '<id>'), plain);
  return `${status} ${said}`;
}

function isRefused({ status, json }: Answer): boolean {
  return status >= 400 || json?.result?.isError === true || json?.accepted === 0;
}

const idsOf = (named: Named, idOf: (name: string) => string): Named => ({
  ...named,
  ids: Object.fromEntries(Object.keys(named.ids).map((name) => [name, idOf(name)])),
});

/** Returns names with all ids foreign, and with only the last one foreign. */
async function namesFor(
  entryPoint: EntryPoint,
  asker: Party,
  foreign: Named,
): Promise<[Named, Named][]> {
  const { maker } = entryPoint;
  const nobodys = idsOf(foreign, () => maker.unknown ?? randomUUID());
  const last = Object.keys(foreign.ids).at(-1)!;
  if (Object.keys(foreign.ids).length === 1) return [[foreign, nobodys]];
  const own = await maker.make(asker.records);
  const within = ({ ids }: Named): Named => ({ ...own, ids: { ...own.ids, [last]: ids[last]! } });
  return [
    [foreign, nobodys],
    [within(foreign), within(nobodys)],
  ];
}

async function shown({ key }: Party, { shownAt }: Named): Promise<string[]> {
  const paths = [...shownAt, '/v1/balance'];
  return Promise.all(paths.map(async (path) => (await suite.http.get(path, { key })).text));
}

const otherMode = (mode: Mode): Mode => (mode === 'live' ? 'test' : 'live');

describe.each(MODES)('decisions 24: what a %s key made', (mode) => {
  it.each(entryPointsOf().map((entryPoint) => [entryPoint.name, entryPoint] as const))(
    '%s',
    async (_, entryPoint) => {
      const { scope, make } = entryPoint.maker;
      const mine = await make(owners[mode].records);
      const before = await shown(owners[mode], mine);
      const outside = [outsiders.live, outsiders.test];
      if (scope === 'mode') outside.push(owners[otherMode(mode)]);
      for (const asker of outside) {
        for (const [foreign, unknown] of await namesFor(entryPoint, asker, mine)) {
          const answer = await ask(entryPoint, asker, foreign);
          expect(isRefused(answer) ? '' : answer.text).toBe('');
          expect(answerOf(answer, foreign)).toBe(
            answerOf(await ask(entryPoint, asker, unknown), unknown),
          );
        }
      }
      expect(await shown(owners[mode], mine)).toEqual(before);
      // The owner's own request succeeds, so nothing else refused it.
      const insider = owners[scope === 'mode' ? mode : otherMode(mode)];
      const own = await ask(entryPoint, insider, mine);
      expect(isRefused(own) ? own.text : '').toBe('');
      // Its refund must not look like a change of the next record.
      await waitUntil('its refund to be settled', async () => {
        const texts = await shown(insider, mine);
        return texts.every((text) => !text.includes('"refunded":null'));
      });
    },
  );

  it('the attempts and the resends of a code are not burned from outside', async () => {
    const { records, key } = owners[mode];
    const otp = await records.deliveredOtp();
    const resend = (with_: string) =>
      customer.post(`/v1/otp/${otp}/resend`, undefined, { key: with_ });
    for (const { key: foreign } of [owners[otherMode(mode)], outsiders.live, outsiders.test]) {
      for (let count = 0; count < 3; count += 1) {
        await customer.verify(otp, '000000', { key: foreign });
      }
      await resend(foreign);
    }
    const { json } = await customer.verify(otp, '999999', { key });
    expect(json).toMatchObject({ valid: false, attempts_remaining: 4 });
    expect((await resend(key)).status).toBe(200);
  });

  /** Lists of records that have their own path. `twilio.spec.ts` shows the walls of `/twilio`. */
  const lists = ROUTES.filter(({ method, path, guard, basicAuth }) => {
    const hasRecord = ROUTES.some((one) => one.path.startsWith(`${path}/:`));
    return method === 'GET' && guard === 'key' && hasRecord && !basicAuth;
  });

  it.each(lists.map(({ path }) => path))('%s lists it inside its walls only', async (path) => {
    const entryPoint = entryPointsOf().find(({ name }) => name.includes(` ${path}/:`))!;
    const { ids } = await entryPoint.maker.make(owners[mode].records);
    const listed = async ({ key }: Party) => {
      const { status, text } = await suite.http.get(`${path}${pageOf(path)}`, { key });
      expect(status).toBe(200);
      return text.includes(Object.values(ids)[0]!);
    };
    const own = async () => (await listed(owners[mode])) || undefined;
    await waitUntil(`it to be in ${path}`, own);
    expect(await listed(owners[otherMode(mode)])).toBe(entryPoint.maker.scope === 'workspace');
    expect(await listed(outsiders.live)).toBe(false);
    expect(await listed(outsiders.test)).toBe(false);
  });
});

/** Returns the path of a list with pages. */
function pageOf(path: string): string {
  const { query } = ROUTES.find((route) => route.method === 'GET' && route.path === path)!;
  return query === undefined ? '' : '?limit=200';
}

/** Routes with a filter for the other mode that gives an empty page. */
const filtered = ROUTES.filter(
  ({ guard, query }) => guard === 'key' && 'test_mode' in (query?.['properties'] ?? {}),
);

it.each(filtered.map(({ path }) => path))('%s of the other mode is empty', async (path) => {
  for (const mode of MODES) {
    const { key } = owners[mode];
    const isTest = mode === 'test';
    const answer = await suite.http.get(`${path}?test_mode=${!isTest}`, { key });
    expect([answer.status, answer.json]).toEqual([200, { data: [] }]);
    const own = await suite.http.get(`${path}?test_mode=${isTest}`, { key });
    expect(own.json.data).not.toEqual([]);
  }
});
