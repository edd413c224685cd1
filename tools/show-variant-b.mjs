/**
 * A first day with variant B and with an agent, against `npm start`: `node
 * tools/show-variant-b.mjs`. Prints each request with its answer. Each run has its own workspace.
 */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { asker, credentials, Receiver, until } from './show-kit.mjs';

const { base_url: base, operator_token: operator } = credentials;
const ask = asker(base);
/** A retry that was still to come would come within this. */
const RETRY_MS = 6_000;

const TEXT = { to: '+2348031234576', from: 'Acme', body: 'Your table is ready.' };
const inMs = (ms) => new Date(Date.now() + ms).toISOString();

async function openWorkspace() {
  console.log('# A workspace, its endpoint, and its sender ID');
  const asked = { name: 'Acme', credits: 1_000, billing_country: 'NG' };
  const { json: workspace } = await ask(operator, 'POST', '/operator/v1/workspaces', asked);
  const { live_key: key, workspace_id: id } = workspace;
  const receiver = new Receiver();
  await receiver.open();
  const endpoint = { url: receiver.url, events: ['*'] };
  const webhook = (await ask(key, 'POST', '/v1/webhooks', endpoint)).json;
  receiver.secret = webhook.secret;
  return { id, key, receiver, webhook };
}

async function registerSender({ id, key, receiver }) {
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
  await until('the event of the approval', () =>
    receiver.received.some(({ type }) => type === 'sender_id.approved'),
  );
}

async function sendBatch({ key, receiver }) {
  console.log('\n# A template, and a batch of five with one bad number');
  const template = { name: 'Order shipped', body: 'Hi {{name}}, order {{order}} is on its way.' };
  const { slug } = (await ask(key, 'POST', '/v1/sms-templates', template)).json;
  const numbers = ['+2348031234571', '+2348031234572', '0803', '+2348031234574', '+2348031234575'];
  const messages = numbers.map((to, index) => ({
    to,
    variables: { name: 'Ada', order: index + 1 },
  }));
  const batch = { from: 'Acme', template: slug, messages };
  const idempotency = { 'idempotency-key': 'batch-1' };
  const { json: outcome } = await ask(key, 'POST', '/v1/sms/batch', batch, idempotency);
  assert.deepEqual([outcome.accepted, outcome.failed], [4, 1]);
  const { json: again } = await ask(key, 'POST', '/v1/sms/batch', batch, idempotency);
  assert.deepEqual(again, outcome);
  const sent = outcome.data.flatMap(({ sms }) => (sms ? [sms.id] : []));
  await until('all four are delivered, verified', () =>
    sent.every((one) => receiver.has('sms.queued', one) && receiver.has('sms.delivered', one)),
  );
}

async function cancelAndSchedule({ key, receiver }) {
  console.log('\n# One is cancelled, one is scheduled');
  const inAnHour = { ...TEXT, send_at: inMs(3_600_000) };
  const cancelled = (await ask(key, 'POST', '/v1/sms', inAnHour)).json;
  await ask(key, 'POST', `/v1/sms/${cancelled.id}/cancel`);
  const sendAt = inMs(3_000);
  const scheduled = (await ask(key, 'POST', '/v1/sms', { ...TEXT, send_at: sendAt })).json;
  await until('the scheduled one is delivered', () => receiver.has('sms.delivered', scheduled.id));
  await until('the event of the cancellation', () => receiver.has('sms.cancelled', cancelled.id));
  const isQueued = ({ type, data }) => type === 'sms.queued' && data.sms_id === scheduled.id;
  const queued = receiver.received.find(isQueued);
  const lateMs = Date.parse(queued.created_at) - Date.parse(sendAt);
  console.log(`  it was handed over ${lateMs} ms after its moment`);
}

/** A finally failed delivery is never retried; only a recovery repeats it. */
async function breakAndRecover({ key, receiver, webhook }) {
  console.log('\n# The endpoint breaks, and recovers');
  const path = `/v1/webhooks/${webhook.id}`;
  const eventsOf = async (status) => {
    const { json } = await ask(key, 'GET', `${path}/deliveries?status=${status}&limit=200`);
    return json.data.map(({ event_id: eventId }) => eventId).toSorted();
  };
  receiver.isBroken = true;
  const since = new Date().toISOString();
  const missed = (await ask(key, 'POST', '/v1/sms', { ...TEXT, to: '+2348031234577' })).json;
  await until(
    'three events wait for a retry',
    async () => (await eventsOf('pending')).length === 3,
  );
  await ask(key, 'PATCH', path, { status: 'disabled' });
  await until('all three have failed', async () => (await eventsOf('failed')).length === 3);
  const failed = await eventsOf('failed');
  receiver.isBroken = false;
  const before = receiver.received.length;
  await ask(key, 'PATCH', path, { status: 'enabled' });
  await sleep(RETRY_MS);
  assert.equal(receiver.received.length, before, 'something came without a recovery');
  assert.deepEqual(await eventsOf('pending'), []);
  const recovery = (await ask(key, 'POST', `${path}/recover`, { since })).json;
  assert.equal(recovery.total, failed.length);
  await until('what was missed has arrived', () => receiver.has('sms.delivered', missed.id));
  await until('the recovery is done', async () => {
    const { json } = await ask(key, 'GET', `${path}/recover/${recovery.id}`);
    return json.status === 'done' && json.done === failed.length;
  });
  const recovered = () => receiver.received.slice(before).map(({ id }) => id);
  await until('with the same ids', () => recovered().length >= failed.length);
  assert.deepEqual(recovered().toSorted(), failed);
}

async function newAgent(id) {
  const bounds = { daily_budget_credits: 10, countries: ['NG'] };
  const agent = { mode: 'live', permission: 'agent', ...bounds };
  const { json: made } = await ask(operator, 'POST', `/operator/v1/workspaces/${id}/keys`, agent);
  let calls = 0;
  return async (args) => {
    const params = { name: 'send_sms', arguments: args };
    const rpc = { jsonrpc: '2.0', id: ++calls, method: 'tools/call', params };
    const accept = { accept: 'application/json, text/event-stream' };
    return (await ask(made.key, 'POST', '/mcp', rpc, accept)).json.result;
  };
}

const sms = (number) => ({
  ...TEXT,
  to: `+234803123460${number}`,
  idempotency_key: `sms-${number}`,
});

async function spendBudget({ id }) {
  console.log('\n# An agent spends its budget');
  const sendSms = await newAgent(id);
  const asked = await sendSms({ ...sms(0), dry_run: true });
  assert.equal(asked.structuredContent.would_pass, true);
  const abroad = await sendSms({ ...sms(1), to: '+254722200001' });
  assert.equal(abroad.structuredContent.error.type, 'country_not_enabled');
  let spent = 0;
  let refusal;
  while (refusal === undefined && spent < 10) {
    const result = await sendSms(sms(spent));
    if (result.isError) refusal = result.structuredContent.error;
    else spent += 1;
  }
  assert.deepEqual([refusal?.type, refusal?.field], ['insufficient_credits', 'daily_budget']);
  console.log(`\n= the budget is used up after ${spent} messages`);
}

const workspace = await openWorkspace();
await registerSender(workspace);
await sendBatch(workspace);
await cancelAndSchedule(workspace);
await breakAndRecover(workspace);
await spendBudget(workspace);
workspace.receiver.close();
