/**
 * The whole life of an email, against `npm start`: `node tools/show-email.mjs`. A domain is
 * verified against the local DNS, an email is signed, delivered, opened and clicked, another
 * bounces and suppresses its address, and a reader unsubscribes. Prints each request with its
 * answer. Each run has its own workspace and domain.
 */
import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { asker, credentials, Receiver, until } from './show-kit.mjs';

const { base_url: base, operator_token: operator, simulator_url: simulator } = credentials;
const ask = asker(base);
const simulate = asker(simulator);
/** A hit sooner after the delivery counts as one of a machine. */
const PERSON_MS = 2_200;
/** A second hit within a second is the same one. */
const OTHER_HIT_MS = 1_100;
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };

async function openWorkspace() {
  console.log('# A workspace and its endpoint');
  const asked = { name: 'Acme', credits: 100, billing_country: 'NG' };
  const { json: workspace } = await ask(operator, 'POST', '/operator/v1/workspaces', asked);
  const receiver = new Receiver();
  await receiver.open();
  const { live_key: key } = workspace;
  const webhook = await ask(key, 'POST', '/v1/webhooks', { url: receiver.url, events: ['*'] });
  receiver.secret = webhook.json.secret;
  return { id: workspace.workspace_id, key, receiver, run: randomUUID().slice(0, 8) };
}

async function verifyDomain({ key, receiver, run }) {
  console.log('\n# A domain, from its creation to verified');
  const name = `mail-${run}.example`;
  const { json: created } = await ask(key, 'POST', '/v1/domains', { name });
  assert.equal(created.status, 'pending');
  for (const { purpose, type, name: owner, value } of created.records) {
    console.log(`  ${purpose.padEnd(8)} ${type.padEnd(5)} ${owner}  ${value.slice(0, 60)}`);
  }
  const early = { from: `a@${name}`, to: 'ada@example.com', subject: 'Early', text: 'Hi' };
  const refused = await ask(key, 'POST', '/v1/emails', early);
  assert.deepEqual([refused.status, refused.json.error.type], [400, 'domain_unverified']);
  const path = `/v1/domains/${created.id}`;
  const { json: absent } = await ask(key, 'POST', `${path}/verify`, {});
  assert.equal(absent.status, 'pending');
  const records = created.records.map(({ type, name: owner, value, priority }) => ({
    ...{ type, name: owner, value },
    ...(priority === null ? {} : { priority }),
  }));
  // The simulator is the name server; a POST leaves other records there.
  await simulate('', 'POST', '/_simulator/dns', { records });
  const { json: verified } = await ask(key, 'POST', `${path}/verify`, {});
  assert.equal(verified.status, 'verified');
  assert.ok(verified.records.every(({ status }) => status === 'verified'));
  await until('the event of the verification', () =>
    receiver.received.some(({ type }) => type === 'domain.verified'),
  );
  return { name, dkim: verified.records.find(({ purpose }) => purpose === 'DKIM') };
}

/** Returns the emails in the local mailbox for an address. */
async function mailOf(address) {
  const query = new URLSearchParams({ to: address });
  return (await fetch(`${simulator}/_simulator/emails?${query}`)).json();
}

/** Quoted-printable undone as far as links need it. */
const plain = (raw) => raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');

async function deliver({ key, receiver, run }, domain) {
  console.log('\n# An email is sent, signed, delivered, opened and clicked');
  const to = `ada-${run}@example.com`;
  const email = {
    ...{ from: `Acme <hello@${domain.name}>`, to, subject: 'Your order 1042 – réçu' },
    html: '<p>It is <b>on its way</b>. <a href="https://acme.example/orders/1042">Follow it</a></p>',
    ...{ track_opens: true, track_clicks: true, tags: ['orders'], metadata: { order: 1042 } },
    attachments: [{ filename: 'receipt.txt', content: Buffer.from('Paid').toString('base64') }],
  };
  const idempotency = { 'idempotency-key': `order-${run}` };
  const { status, json } = await ask(key, 'POST', '/v1/emails', email, idempotency);
  assert.deepEqual([status, json.status], [202, 'queued']);
  const again = await ask(key, 'POST', '/v1/emails', email, idempotency);
  assert.deepEqual(again.json, json);
  await until('it is delivered, as the report of the receiver says', () =>
    receiver.has('email.delivered', json.id),
  );
  const [{ raw, id }, ...others] = await mailOf(to);
  assert.equal(others.length, 0, 'one copy');
  const resolver = async () => [[domain.dkim.value]];
  const { results } = await dkimVerify(raw, { resolver });
  assert.equal(results[0].status.result, 'pass');
  console.log(`= mailauth says of its signature: ${results[0].status.result}`);
  const page = await fetch(`${simulator}/emails`);
  assert.equal(page.status, 200);
  const html = await fetch(`${simulator}/emails/${id}/html`);
  assert.match(html.headers.get('content-security-policy'), /sandbox/);
  assert.match(await html.text(), /on its way/);
  console.log(`= its reader sees it at ${simulator}/emails`);
  await sleep(PERSON_MS);
  const [, pixel] = /src="[^"]*(\/t\/o\/[\w.-]+)"/.exec(plain(raw));
  const [, link] = /href="[^"]*(\/t\/c\/[\w-]+)"/.exec(plain(raw));
  await fetch(base + pixel, { headers: BROWSER });
  const followed = await fetch(base + link, { headers: BROWSER, redirect: 'manual' });
  assert.equal(followed.headers.get('location'), 'https://acme.example/orders/1042');
  await until('the event of the click', () => receiver.has('email.clicked', json.id));
  const { json: record } = await ask(key, 'GET', `/v1/emails/${json.id}`);
  assert.deepEqual([record.status, record.open_count, record.click_count], ['delivered', 1, 1]);
  console.log(`  ${record.timeline.map(({ status: hop }) => hop).join(' -> ')}`);
}

async function bounce({ key, receiver, run }, domain) {
  console.log('\n# An email bounces, and its address is suppressed');
  const to = `gone-${run}@example.com`;
  const submit = { kind: 'refuse', code: '550 5.1.1' };
  await simulate('', 'POST', '/_simulator/scenarios', { provider: 'smtp', to, submit });
  const email = { from: `a@${domain.name}`, to, subject: 'Hello', text: 'Hi' };
  const { json } = await ask(key, 'POST', '/v1/emails', email);
  await until('the event of the bounce', () => receiver.has('email.bounced', json.id));
  const bounced = receiver.of(json.id).find(({ type }) => type === 'email.bounced').data;
  assert.deepEqual([bounced.recipient, bounced.bounce.type], [to, 'permanent']);
  const { json: list } = await ask(key, 'GET', '/v1/suppressions?channel=email');
  assert.deepEqual(
    list.data.map(({ address, origin, scope }) => [address, origin, scope]),
    [[to, 'bounce', 'all']],
  );
  const before = (await ask(key, 'GET', '/v1/balance')).json.balance;
  const refused = await ask(key, 'POST', '/v1/emails', { ...email, to: ['ada@example.com', to] });
  const { type, field } = refused.json.error;
  assert.deepEqual([refused.status, type, field], [400, 'address_suppressed', 'to.1']);
  assert.equal((await ask(key, 'GET', '/v1/balance')).json.balance, before, 'nothing is charged');
  await ask(key, 'DELETE', `/v1/suppressions/${to}`);
}

async function unsubscribe({ key, receiver, run }, domain) {
  console.log('\n# A reader unsubscribes with one click');
  const to = `bob-${run}@example.com`;
  const email = { from: `a@${domain.name}`, to, subject: 'News', html: '<p>News</p>' };
  const marketing = { ...email, category: 'marketing' };
  const { json } = await ask(key, 'POST', '/v1/emails', marketing);
  await until('it is delivered', () => receiver.has('email.delivered', json.id));
  const [{ raw }] = await mailOf(to);
  assert.match(raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click/im);
  const [, link] = /(\/u\/[\w-]+)/.exec(raw.replaceAll(/\r\n[ \t]+/g, ''));
  assert.equal((await fetch(base + link)).status, 200);
  const { json: none } = await ask(key, 'GET', '/v1/suppressions?channel=email');
  assert.deepEqual(none.data, [], 'a page that is only looked at changes nothing');
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  for (const _click of [1, 2]) {
    assert.equal((await fetch(base + link, { method: 'POST', body })).status, 200);
    await sleep(OTHER_HIT_MS);
  }
  await until('the event of the opt-out', () => receiver.has('email.unsubscribed', json.id));
  const refused = await ask(key, 'POST', '/v1/emails', marketing);
  assert.deepEqual([refused.status, refused.json.error.type], [400, 'address_suppressed']);
  assert.equal((await ask(key, 'POST', '/v1/emails', email)).status, 202);
  const told = receiver.of(json.id).filter(({ type }) => type === 'email.unsubscribed');
  assert.equal(told.length, 1, 'once, however often the link is used');
}

async function cancel({ key, receiver }, domain) {
  console.log('\n# A scheduled email is cancelled and refunded');
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const email = { from: `a@${domain.name}`, subject: 'Later', text: 'Hi', send_at: sendAt };
  const before = (await ask(key, 'GET', '/v1/balance')).json.balance;
  const to = ['ada@example.com', 'bob@example.com'];
  const { json } = await ask(key, 'POST', '/v1/emails', { ...email, to });
  const { json: cancelled } = await ask(key, 'POST', `/v1/emails/${json.id}/cancel`, {});
  assert.deepEqual([cancelled.status, cancelled.text], ['cancelled', 'Hi']);
  await until('the event of the cancellation', () => receiver.has('email.cancelled', json.id));
  assert.equal((await ask(key, 'GET', '/v1/balance')).json.balance, before);
}

const workspace = await openWorkspace();
const domain = await verifyDomain(workspace);
await deliver(workspace, domain);
await bounce(workspace, domain);
await unsubscribe(workspace, domain);
await cancel(workspace, domain);
workspace.receiver.close();
console.log('\n= an email’s whole life, as asserted');
