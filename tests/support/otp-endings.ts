import { freshNumber } from './numbers.js';
import { type Customer, wrongCodeFor } from './suite.js';

/** OTPs that have ended, each in another way, with what may be done about them. */
export const endings: [how: string, type: string, make: (by: Customer) => Promise<string>][] = [
  [
    'was verified',
    'otp_already_verified',
    async (by) => {
      const { id, code } = await by.readOtp();
      await by.verify(id, code);
      return id;
    },
  ],
  [
    'had too many wrong codes',
    'max_attempts_exceeded',
    async (by) => {
      const { id, code } = await by.readOtp();
      for (let count = 0; count < 5; count += 1) await by.verify(id, wrongCodeFor(code));
      return id;
    },
  ],
  ['expired', 'otp_expired', async (by) => (await by.expiredOtp()).id],
  [
    'failed',
    'conflict',
    async (by) => {
      const phone_number = freshNumber();
      await by.suite.scenario({
        to: phone_number,
        receipts: [{ after_ms: 20, outcome: 'failed' }],
      });
      const { json } = await by.sendOtp({ phone_number });
      await by.otpWith('failed', json.id);
      return json.id as string;
    },
  ],
  [
    'was cancelled',
    'conflict',
    async (by) => {
      const { id } = await by.readOtp();
      await by.post(`/v1/otp/${id}/cancel`, undefined);
      return id;
    },
  ],
];
