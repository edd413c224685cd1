import { type Answer, type TestGateway, UNLIMITED } from './gateway.kit.js';

export const NIL = '00000000-0000-0000-0000-000000000000';

/** Settings of a workspace that has these limits and no others. */
export const limits = (values: object) => ({ limits: { ...UNLIMITED.limits, ...values } });

/** The requests that limits count. The gateway is asked for when they are sent. */
export function limitedRequests(gateway: () => TestGateway) {
  return {
    otp: (key: string, phone = '+2348031234567', headers = {}) =>
      gateway().post('/v1/otp/send', key, { phone_number: phone }, headers),
    sms: (key: string, phone = '+2348031234567') =>
      gateway().post('/v1/sms/send', key, { phone_number: phone, message: 'Hi' }),
    list: (key: string) => gateway().get('/v1/sms', key),
  };
}

/** The statuses of requests that are sent one after the other. */
export async function statuses(count: number, request: (index: number) => Promise<Answer>) {
  const answers: number[] = [];
  for (let index = 0; index < count; index += 1) answers.push((await request(index)).status);
  return answers;
}
