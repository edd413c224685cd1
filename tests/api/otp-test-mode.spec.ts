/** One-time passwords of test mode: decisions 12 and 16; domain 8.3. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { freshNumber } from '../support/numbers.js';
import { type Customer, expectError, useSystem } from '../support/suite.js';

const suite = useSystem();
let customer: Customer;

beforeAll(async () => {
  customer = await suite.customer({ credits: 20_000 });
});

describe('a one-time password of test mode', () => {
  const test = () => ({ key: customer.testKey });
  const sendTest = async (phone_number: string, body = {}) => {
    const answer = await customer.sendOtp({ phone_number, ...body }, test());
    expect(answer.status).toBe(200);
    return answer.json;
  };

  it.each([4, 5, 6, 7, 8])('decisions 12: a code of %d digits is known', async (length) => {
    const { id } = await sendTest(freshNumber(), { code_length: length });
    const answer = await customer.verify(id, '12345678'.slice(0, length), test());
    expect(answer.json).toMatchObject({ valid: true, status: 'verified' });
    expect((await customer.getOtp(id, test())).json.test_mode).toBe(true);
  });

  it('decisions 12: any other number is delivered after one second', async () => {
    const { id, created_at } = await sendTest(freshNumber());
    const { delivered_at } = await customer.otpWith('delivered', id, { key: customer.testKey });
    expect(Date.parse(delivered_at) - Date.parse(created_at)).toBeGreaterThanOrEqual(950);
  });

  it.each(['+12025550100', '+447700900000'])(
    'decisions 12: a live key is refused the fictional %s',
    async (phone_number) => {
      const answer = await customer.sendOtp({ phone_number });
      expectError(answer, 400, 'validation_error', 'phone_number');
      const inTest = await customer.sendOtp({ phone_number }, test());
      expect(inTest.status).toBe(200);
    },
  );
});
