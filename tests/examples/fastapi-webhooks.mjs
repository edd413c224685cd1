import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { call, freePort, until, venv, whileRunning } from './support.mjs';

const GENUINE = { sequence: 4_000, event: 'otp.sent', timestamp: '2026-11-21T00:08:48Z', data: {} };

/** A real delivery is handled; a replay is seen before, under another id too; a forged or old one is refused. */
export async function check(folder, { credentials }) {
  const sdk = join(folder, '../../sdks/python');
  const bin = await venv(join(folder, '.venv'), ['-r', join(folder, 'requirements.txt'), sdk]);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { base_url: base, workspace_id: workspace, operator_token: operator } = credentials;
  const webhook = `${base}/operator/v1/workspaces/${workspace}/webhook`;
  const { secret } = await call('PUT', webhook, operator, { url: `${url}/hooks` });
  const env = { WATCHWORD_WEBHOOK_SECRET: `whsec_b2xk,${secret}` };
  const command = [join(bin, 'uvicorn'), 'receiver:app', '--port', port];
  await whileRunning(command, { cwd: folder, env }, async () => {
    await until('the receiver', async () => (await fetch(`${url}/events`)).ok || undefined);
    await call('POST', `${base}/v1/otp/send`, credentials.live_key, {
      phone_number: '+2348031234571',
    });
    const events = () => fetch(`${url}/events`).then((answer) => answer.json());
    await until('otp.sent', async () => (await events()).find(({ name }) => name === 'otp.sent'));
    const now = Math.floor(Date.now() / 1_000);
    const deliver = (id, at, key = secret) => post(`${url}/hooks`, id, at, key);
    assert.equal(await deliver('one', now), '200 handled');
    assert.equal(await deliver('one', now), '200 seen before');
    assert.equal(await deliver('two', now), '200 seen before');
    assert.match(await deliver('three', now - 301), /^401 .*300 seconds/);
    assert.match(await deliver('three', now, 'whsec_ZWxzZQ=='), /^401 No signature/);
    const handled = (await events()).filter(({ sequence }) => sequence === GENUINE.sequence);
    assert.equal(handled.length, 1);
  });
  return 'a delivery was handled once, replays and forged ones were not';
}

async function post(url, id, at, key) {
  const body = JSON.stringify(GENUINE);
  const signature = createHmac('sha256', key).update(`${at}.${body}`).digest('hex');
  const headers = { 'svc-signature': `t=${at},v1=${signature}`, 'webhook-id': id };
  const answer = await fetch(url, { method: 'POST', headers, body });
  return `${answer.status} ${await answer.text()}`;
}
