/** Modes are walls (decisions 24): a key sees and touches messages of its own mode only. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { freshNumber } from '../support/numbers.js';
import { type Customer, expectError, unknownId, useSystem } from '../support/suite.js';

const suite = useSystem();
let customer: Customer;
let stranger: Customer;

beforeAll(async () => {
  customer = await suite.customer({ credits: 5_000 });
  stranger = await suite.customer({ credits: 5_000 });
});

interface Sent {
  readonly mode: string;
  readonly otp: string;
  readonly sms: string;
  readonly own: string;
  readonly foreign: readonly string[];
}

async function sent(mode: 'live' | 'test'): Promise<Sent> {
  const [own, other] =
    mode === 'live' ? [customer.liveKey, customer.testKey] : [customer.testKey, customer.liveKey];
  const otp = (await customer.sendOtp({}, { key: own })).json.id as string;
  const sms = (await customer.sendSms({}, { key: own })).json.id as string;
  const foreign = [other, stranger.liveKey, stranger.testKey];
  return { mode, otp, sms, own, foreign };
}

/** Every route that takes the id of a message. */
const routes: [string, (sent: { otp: string; sms: string }, key: string) => Promise<unknown>][] = [
  ['GET /v1/otp/{id}', ({ otp }, key) => customer.getOtp(otp, { key })],
  ['GET /v1/sms/{id}', ({ sms }, key) => customer.getSms(sms, { key })],
  ['POST /v1/otp/verify', ({ otp }, key) => customer.verify(otp, '123456', { key })],
  ['POST /v1/otp/{id}/resend', ({ otp }, key) => action(otp, 'resend', key)],
  ['POST /v1/otp/{id}/cancel', ({ otp }, key) => action(otp, 'cancel', key)],
];

const action = (otp: string, name: string, key: string) =>
  customer.post(`/v1/otp/${otp}/${name}`, undefined, { key });

describe.each(['live', 'test'] as const)('a message of %s mode', (mode) => {
  it.each(routes)(
    '%s: another mode or workspace finds it no more than an unknown id',
    async (_, ask) => {
      const message = await sent(mode);
      await customer.otpWith('delivered', message.otp, {
        key: message.own,
      });
      const ofMessage = ({ json }: { json: { error: object } }) => ({
        ...json.error,
        request_id: undefined,
      });
      for (const key of message.foreign) {
        const foreign = (await ask(message, key)) as never;
        expectError(foreign, 404, 'not_found');
        const nobodys = { otp: unknownId, sms: unknownId };
        expect(ofMessage(foreign)).toEqual(ofMessage((await ask(nobodys, key)) as never));
      }
    },
  );

  it('the attempts and the resends of a code are not burned from outside', async () => {
    const { otp, own, foreign } = await sent(mode);
    await customer.otpWith('delivered', otp, { key: own });
    for (const key of foreign) {
      for (let count = 0; count < 3; count += 1) await customer.verify(otp, '000000', { key });
      await action(otp, 'resend', key);
    }
    const { json } = await customer.verify(otp, '99999999'.slice(0, 6), { key: own });
    expect(json).toMatchObject({ valid: false, attempts_remaining: 4 });
    expect((await action(otp, 'resend', own)).status).toBe(200);
  });

  it('is in the lists of its own mode only', async () => {
    const { otp, sms, own, foreign } = await sent(mode);
    const isTest = mode === 'test';
    for (const [path, id] of [
      ['/v1/otp', otp],
      ['/v1/sms', sms],
    ]) {
      const listed = async (key: string, filter = '') => {
        const { json } = await customer.get(`${path}?limit=200${filter}`, { key });
        return (json.data as { id: string }[]).some((one) => one.id === id);
      };
      expect(await listed(own)).toBe(true);
      expect(await listed(own, `&test_mode=${isTest}`)).toBe(true);
      expect(await listed(own, `&test_mode=${!isTest}`)).toBe(false);
      for (const key of foreign) {
        expect(await listed(key)).toBe(false);
        expect(await listed(key, `&test_mode=${isTest}`)).toBe(false);
      }
    }
  });
});

it('a code of test mode does not verify with the live key', async () => {
  const phone_number = freshNumber();
  const key = customer.testKey;
  const { id } = (await customer.sendOtp({ phone_number }, { key })).json;
  await customer.otpWith('delivered', id, { key });
  expectError(await customer.verify(id, '123456'), 404, 'not_found');
  expect((await customer.verify(id, '123456', { key })).json.valid).toBe(true);
});

it('a filter for the other mode gives an empty page', async () => {
  for (const [key, other] of [
    [customer.liveKey, true],
    [customer.testKey, false],
  ] as const) {
    for (const path of ['/v1/otp', '/v1/sms']) {
      const answer = await customer.get(`${path}?test_mode=${other}`, { key });
      expect([answer.status, answer.json]).toEqual([200, { data: [] }]);
    }
  }
});
