/** While CALLBACK_SECRET changes, addresses and links of the old secret and of the new one work. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callbackSecretOf } from '@watchword/carriers';
import { newId } from '@watchword/contracts';
import { renderMetrics } from '@watchword/observability';
import { CALLBACK_SECRET, openGateway, type TestGateway } from './gateway.kit.js';

const NEXT = 'next-callback-secret-0123456789';
const AFTER = 'another-callback-secret-0123456789';
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await openGateway({ CALLBACK_SECRET: `${NEXT},${CALLBACK_SECRET}` });
});

afterAll(() => gateway?.close());

function report(secret: string) {
  const own = callbackSecretOf(secret, 'africas_talking', 'africas_talking');
  return gateway.call({
    method: 'POST',
    url: `/callbacks/africas_talking/${own}?mid=${newId()}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'id=ATXid_1&status=Success&phoneNumber=%2B2348031234567&networkCode=62130',
  });
}

async function reportsBySecond(): Promise<number> {
  const line = /^watchword_callbacks_by_second_secret_total\{.*africas_talking.*\} (\d+)$/m;
  return Number(line.exec(await renderMetrics())?.[1]);
}

describe('a gateway with two callback secrets', () => {
  it('takes reports at the addresses of both, and counts those of the second', async () => {
    expect((await report(NEXT)).status).toBe(200);
    expect(await reportsBySecond()).toBe(0);
    expect((await report(CALLBACK_SECRET)).status).toBe(200);
    expect((await report(CALLBACK_SECRET)).status).toBe(200);
    expect(await reportsBySecond()).toBe(2);
    expect(gateway.published).toHaveLength(3);
    expect((await report(AFTER)).status).toBe(404);
    const lines = gateway.logs.filter((line) => line.includes('second CALLBACK_SECRET'));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ account: 'africas_talking', carrier: 'africas_talking' }),
    ]);
    expect(gateway.logs.join('')).not.toContain(NEXT);
  });
});
