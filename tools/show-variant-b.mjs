/**
 * A first day with variant B, and an agent's, against `npm start`: `node tools/show-variant-b.mjs`.
 * Prints each request with its answer. Each run has a workspace of its own.
 */
import { strict as assert } from 'node:assert';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const file = `${process.env.DATA_DIR ?? '.data'}/dev-credentials.json`;
const { base_url: base, operator_token: operator } = JSON.parse(readFileSync(file, 'utf8'));
const SHOWN_MAX = 400;
const PATIENCE_MS = 30_000;

async function ask(token, method, path, body, more = {}) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(base + path, { method, headers, ...sent });
  const text = await response.text();
  console.log(`\n> ${method} ${path} ${body ? JSON.stringify(body).slice(0, SHOWN_MAX) : ''}`);
  console.log(`< ${response.status} ${text.slice(0, SHOWN_MAX)}`);
  return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
}

async function until(what, holds) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(200)) {
    if (await holds()) return console.log(`\n= ${what}`);
  }
  throw new Error(`never came: ${what}`);
}

// A receiver that verifies what it gets, and can be broken.
const received = [];
let [secret, isBroken] = ['', false];
const receiver = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  const [, time, given] = /^t=(\d+),v1=([0-9a-f]+)/.exec(request.headers['svc-signature']);
  const hmac = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
  assert.equal(given, hmac, 'a signature that is not ours');
  const event = JSON.parse(body);
  console.log(`  ~ ${isBroken ? 'refused' : 'verified'} ${event.type}, sequence ${event.sequence}`);
  if (!isBroken) received.push(event);
  response.writeHead(isBroken ? 500 : 200).end();
}).listen(0, '127.0.0.1');
const url = () => `http://127.0.0.1:${receiver.address().port}/hooks`;
const has = (type, id) => received.some((event) => event.type === type && event.data.sms_id === id);

console.log('# A workspace, its endpoint, and its sender ID');
const asked = { name: 'Acme', credits: 1_000, billing_country: 'NG' };
const { json: workspace } = await ask(operator, 'POST', '/operator/v1/workspaces', asked);
const { live_key: key, workspace_id: id } = workspace;
const events = ['*'];
const webhook = (await ask(key, 'POST', '/v1/webhooks', { url: url(), events })).json;
secret = webhook.secret;
const wish = {
  sender_id: 'Acme',
  countries: ['NG'],
  registered_entity: 'Acme Ltd',
  use_case: 'Order updates',
  sample_message: 'Acme: your order 1042 is on its way.',
};
assert.equal((await ask(key, 'POST', '/v1/sender-ids', wish)).status, 403);
const purchase = { credits: 10_000, kind: 'purchase' };
await ask(operator, 'POST', `/operator/v1/workspaces/${id}/top-ups`, purchase);
const sender = (await ask(key, 'POST', '/v1/sender-ids', wish)).json;
const review = { countries: ['NG'], status: 'approved' };
await ask(operator, 'POST', `/operator/v1/sender-ids/${sender.id}/reviews`, review);
await until('the approval is told', () => received.some((e) => e.type === 'sender_id.approved'));

console.log('\n# A template, and a batch of five with one bad number');
const template = { name: 'Order shipped', body: 'Hi {{name}}, order {{order}} is on its way.' };
const { slug } = (await ask(key, 'POST', '/v1/sms-templates', template)).json;
const messages = [
  '+2348031234571',
  '+2348031234572',
  '0803',
  '+2348031234574',
  '+2348031234575',
].map((to, index) => ({ to, variables: { name: 'Ada', order: index + 1 } }));
const batch = { from: 'Acme', template: slug, messages };
const idempotency = { 'idempotency-key': 'batch-1' };
const { json: outcome } = await ask(key, 'POST', '/v1/sms/batch', batch, idempotency);
assert.deepEqual([outcome.accepted, outcome.failed], [4, 1]);
const { json: again } = await ask(key, 'POST', '/v1/sms/batch', batch, idempotency);
assert.deepEqual(again, outcome);
const sent = outcome.data.flatMap(({ sms }) => (sms ? [sms.id] : []));
await until('all four are delivered, verified', () =>
  sent.every((one) => has('sms.queued', one) && has('sms.delivered', one)),
);

console.log('\n# One is cancelled, one is scheduled');
const text = { to: '+2348031234576', from: 'Acme', body: 'Your table is ready.' };
const inMs = (ms) => new Date(Date.now() + ms).toISOString();
const cancelled = (await ask(key, 'POST', '/v1/sms', { ...text, send_at: inMs(3_600_000) })).json;
await ask(key, 'POST', `/v1/sms/${cancelled.id}/cancel`);
const sendAt = inMs(3_000);
const scheduled = (await ask(key, 'POST', '/v1/sms', { ...text, send_at: sendAt })).json;
await until('the scheduled one is delivered', () => has('sms.delivered', scheduled.id));
await until('the cancelled one is told', () => has('sms.cancelled', cancelled.id));
const queued = received.find((e) => e.type === 'sms.queued' && e.data.sms_id === scheduled.id);
const lateMs = Date.parse(queued.created_at) - Date.parse(sendAt);
console.log(`  it was handed over ${lateMs} ms after its moment`);

console.log('\n# The endpoint breaks, and recovers');
isBroken = true;
const since = new Date().toISOString();
const missed = (await ask(key, 'POST', '/v1/sms', { ...text, to: '+2348031234577' })).json;
await sleep(1_000);
await ask(key, 'PATCH', `/v1/webhooks/${webhook.id}`, { status: 'disabled' });
isBroken = false;
await ask(key, 'PATCH', `/v1/webhooks/${webhook.id}`, { status: 'enabled' });
const path = `/v1/webhooks/${webhook.id}/recover`;
const recovery = (await ask(key, 'POST', path, { since })).json;
await until('what was missed has arrived', () => has('sms.delivered', missed.id));
await ask(key, 'GET', `${path}/${recovery.id}`);

console.log('\n# An agent spends its budget');
const agent = { mode: 'live', permission: 'agent', daily_budget_credits: 10, countries: ['NG'] };
const made = await ask(operator, 'POST', `/operator/v1/workspaces/${id}/keys`, agent);
let calls = 0;
const call = async (name, args) => {
  const rpc = {
    jsonrpc: '2.0',
    id: ++calls,
    method: 'tools/call',
    params: { name, arguments: args },
  };
  const accept = { accept: 'application/json, text/event-stream' };
  const { json } = await ask(made.json.key, 'POST', '/mcp', rpc, accept);
  return json.result;
};
const sms = (number) => ({
  ...text,
  to: `+234803123460${number}`,
  idempotency_key: `sms-${number}`,
});
assert.equal(
  (await call('send_sms', { ...sms(0), dry_run: true })).structuredContent.would_pass,
  true,
);
const abroad = await call('send_sms', { ...sms(1), to: '+254722200001' });
assert.equal(
  abroad.structuredContent?.error?.type ?? JSON.parse(abroad.content[0].text).error.type,
  'country_not_enabled',
);
let spent = 0;
let refusal;
while (refusal === undefined && spent < 20) {
  const result = await call('send_sms', sms(spent % 10));
  if (result.isError) refusal = JSON.parse(result.content[0].text).error;
  else spent += 1;
}
assert.deepEqual([refusal?.type, refusal?.field], ['insufficient_credits', 'daily_budget']);
console.log(`\n= the budget is used up after ${spent} messages`);
receiver.close();
receiver.closeAllConnections();
