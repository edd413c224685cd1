import { beforeEach } from '@jest/globals';
import type { Answer } from './gateway.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';

export const NIL = '00000000-0000-0000-0000-000000000000';

export function useLimitedGateway(): void {
  useGateway({ TRUSTED_PROXIES: '1' });

  /** Far enough that every window of an earlier test has ended. */
  beforeEach(() => gateway.clock.advance(3_700_000));
}

export const otp = (key: string, phone = '+2348031234567', headers = {}) =>
  gateway.post('/v1/otp/send', key, { phone_number: phone }, headers);
export const sms = (key: string, phone = '+2348031234567') =>
  gateway.post('/v1/sms/send', key, { phone_number: phone, message: 'Hi' });
export const list = (key: string) => gateway.get('/v1/sms', key);

/** The statuses of requests that are sent one after the other. */
export async function statuses(count: number, request: (index: number) => Promise<Answer>) {
  const answers: number[] = [];
  for (let index = 0; index < count; index += 1) answers.push((await request(index)).status);
  return answers;
}
