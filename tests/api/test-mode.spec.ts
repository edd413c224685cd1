/** Decisions 12: the magic numbers for a live key, and on the routes of one-time passwords. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { magicNumber } from '../support/numbers.js';
import { type Customer, expectError, useSystem } from '../support/suite.js';

const suite = useSystem();
let customer: Customer;

beforeAll(async () => {
  customer = await suite.customer({ credits: 2_000 });
});

describe('reserved numbers', () => {
  it('decisions 12: live keys take them as ordinary numbers; the fictional are refused', async () => {
    for (const digits of [33, 34, 35, 36, 37]) {
      const { status, json } = await customer.sendSms({ phone_number: magicNumber(digits) });
      expect([digits, status, json.credit_cost]).toEqual([digits, 200, 5]);
    }
    for (const phone_number of ['+12025550133', '+447700900033']) {
      const otp = await customer.sendOtp({ phone_number });
      expectError(otp, 400, 'validation_error', 'phone_number');
      const sms = await customer.sendSms({ phone_number });
      expectError(sms, 400, 'phone_invalid', 'phone_number');
    }
  });

  it('decisions 12: native codes are what the carrier simulator answers a live key with', async () => {
    // By receipt, at once, and after the next provider refused as well. That one uses its own
    // network: while only the first provider has answered `no_route`, messages to it start with the
    // second.
    const ends: [digits: number, reason: string, codes: string[]][] = [
      [10, 'unknown_subscriber', ['UserDoesNotExist']],
      [11, 'absent_subscriber', ['AbsentSubscriber']],
      [13, 'subscriber_barred', ['UserAccountSuspended']],
      [19, 'expired', ['Expired']],
      [21, 'dnd_active', ['DoNotDisturbRejection']],
      [23, 'unknown_error', ['Xyz']],
      [20, 'opted_out', ['406']],
      [22, 'unsupported_number', ['404']],
      [25, 'invalid_number', ['403']],
      [15, 'sender_id_rejected', ['402', '21212']],
      [16, 'no_route', ['407', '21612']],
    ];
    const inSouthAfrica = '+27820000016';
    const send = async ([digits]: (typeof ends)[0]) => {
      const phone_number = digits === 16 ? inSouthAfrica : magicNumber(digits);
      return (await customer.sendSms({ phone_number })).json.id as string;
    };
    const check = async (id: string, [, reason, codes]: (typeof ends)[0]) => {
      const record = await customer.smsWith('failed', id);
      expect(record).toMatchObject({ reason, refunded: true, test_mode: false });
      const listed = record.provider_attempts.map((one: { error_code: string }) => one.error_code);
      expect(listed).toEqual(codes);
    };
    const sent = await Promise.all(ends.map(send));
    for (const [index, end] of ends.entries()) await check(sent[index]!, end);
  });

  it.each([4, 5, 6, 7, 8])('decisions 12: a code of %d digits is known', async (length) => {
    const test = { key: customer.testKey };
    const { id } = (await customer.sendOtp({ code_length: length }, test)).json;
    const answer = await customer.verify(id, '12345678'.slice(0, length), test);
    expect(answer.json).toMatchObject({ valid: true, status: 'verified' });
    expect((await customer.getOtp(id, test)).json.test_mode).toBe(true);
  });
});
