import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { acceptedRecord } from '../src/messages/accepted-record.policy.js';
import { openGateway, type TestGateway, UNLIMITED, type WorkspaceKeys } from './gateway.kit.js';

/**
 * A foreign id makes the same internal calls as an unknown one, so neither time nor content of the
 * answer shows no difference. Dispatch's specs compare the statements behind the calls.
 */
let gateway: TestGateway;
let owner: WorkspaceKeys;
let outsider: WorkspaceKeys;
const made: string[] = [];

type Calls = Record<string, (request: never) => Promise<unknown>>;

function recording(service: string, calls: object): void {
  for (const [name, call] of Object.entries(calls as Calls)) {
    (calls as Calls)[name] = (request) => {
      made.push(`${service}.${name} ${Object.keys(request).toSorted().join(',')}`);
      return call(request);
    };
  }
}

beforeAll(async () => {
  const before = async ({ billing, dispatch }: { billing: object; dispatch: object }) => {
    recording('billing', (billing as { calls: object }).calls);
    recording('dispatch', (dispatch as { calls: object }).calls);
  };
  gateway = await openGateway({}, undefined, { before });
  owner = await gateway.newWorkspace(UNLIMITED);
  outsider = await gateway.newWorkspace(UNLIMITED);
});

afterAll(() => gateway?.close());

async function sent(isArrived: boolean): Promise<string> {
  const body = { phone_number: '+2348031234567' };
  const { id } = (await gateway.post('/v1/otp/send', owner.live_key, body)).body;
  if (isArrived) {
    const command = gateway.billing.commands.get(id)!;
    gateway.dispatch.messages.set(id, acceptedRecord(command));
  }
  return id;
}

const actions: [string, (id: string, key: string) => Promise<{ status: number }>][] = [
  ['verify', (otp_id, key) => gateway.post('/v1/otp/verify', key, { otp_id, code: '123456' })],
  ['resend', (id, key) => gateway.post(`/v1/otp/${id}/resend`, key, undefined)],
  ['cancel', (id, key) => gateway.post(`/v1/otp/${id}/cancel`, key, undefined)],
  ['get', (id, key) => gateway.get(`/v1/otp/${id}`, key)],
];

/** Returns the calls of one request, without the gateway's own. */
async function callsOf(request: () => Promise<{ status: number }>): Promise<string[]> {
  made.length = 0;
  expect((await request()).status).toBe(404);
  return made.filter((call) => !call.includes('listPrefixRestrictions'));
}

it.each(actions)(
  'decisions 24: %s: a foreign id takes the calls of an unknown one',
  async (_, act) => {
    for (const key of [owner.test_key, outsider.live_key, outsider.test_key]) {
      for (const isArrived of [false, true]) {
        const foreign = await sent(isArrived);
        const expected = await callsOf(() => act(newId(), key));
        expect(expected.length).toBeGreaterThan(0);
        expect(await callsOf(() => act(foreign, key))).toEqual(expected);
      }
    }
  },
);
