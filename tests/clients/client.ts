/** What a client from openapi-typescript and openapi-fetch does: `client.ts <base URL> <key>`. */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { components, paths } from './watchword.d.ts';

const [baseUrl = '', key] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${key}` };
const watchword = createClient<paths>({ baseUrl, headers });
const numbers = ['+2348030000001', '+2348030000002', '+2348030000003'];
const began = new Date(Date.now() - 60_000).toISOString();

function send(phone_number: string, idempotencyKey: string) {
  const header = { 'Idempotency-Key': idempotencyKey };
  return watchword.POST('/v1/otp/send', { params: { header }, body: { phone_number } });
}

let id = '';
for (const number of numbers) {
  const { data, error } = await send(number, number);
  assert.equal(error, undefined);
  id = data!.id;
}
const checked = await watchword.POST('/v1/otp/verify', { body: { otp_id: id, code: '123 456' } });
assert.equal(checked.data?.valid, true);

const query = { limit: 2, created_after: began, test_mode: true };
const first = await watchword.GET('/v1/otp', { params: { query } });
const { data: listed = [], next_cursor: cursor } = first.data!;
assert.equal(listed.length, 2);
const second = await watchword.GET('/v1/otp', { params: { query: { limit: 2, cursor: cursor! } } });
assert.ok(!listed.some((otp) => otp.id === second.data?.data[0]?.id));

let events: components['schemas']['EventsPage']['data'] = [];
for (let tries = 0; tries < 20 && events.length === 0; tries += 1) {
  events = (await watchword.GET('/v1/events')).data!.data;
  if (events.length === 0) await sleep(500);
}
const [event] = events;
assert.ok(event && event.sequence >= 1);
assert.ok('type' in event ? event.created_at : event.timestamp);

const conflict = await send(numbers[1]!, numbers[0]!);
assert.equal(conflict.response.status, 409);
assert.equal(conflict.error?.error.type, 'idempotency_conflict');

let limited: Response | undefined;
for (let tries = 0; tries < 100 && limited === undefined; tries += 1) {
  const { response } = await watchword.GET('/v1/balance');
  if (response.status === 429) limited = response;
}
assert.ok(Number(limited?.headers.get('retry-after')) >= 1);
