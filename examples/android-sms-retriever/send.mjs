/** `node send.mjs <dev-credentials.json> <hash>`: what arrives at a handset, with `npm start` on this machine. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const [file, hash] = process.argv.slice(2);
const credentials = JSON.parse(readFileSync(file, 'utf8'));
const { base_url: base, workspace_id: workspace, simulator_url: simulator } = credentials;
const phone = `+23480${String(Date.now()).slice(-8)}`;

async function call(method, path, token, body) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const options = { method, headers, body: JSON.stringify(body) };
  const response = await fetch(`${base}${path}`, options);
  const answer = await response.json();
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

const settings = { android_app_hash: hash, webotp_domain: null };
const { operator_token: operator, live_key: key } = credentials;
await call('PATCH', `/operator/v1/workspaces/${workspace}`, operator, { settings });
await call('POST', '/v1/otp/send', key, { phone_number: phone });

let messages = [];
while (messages.length === 0) {
  await sleep(100);
  const to = encodeURIComponent(phone);
  messages = await (await fetch(`${simulator}/_simulator/messages?to=${to}`)).json();
}
console.log(messages[0].body);
