/**
 * `npm run test:nightly -- agents`: the command line of the official MCP Inspector (from npm, kept as other tools of checks are)
 * uses the agent endpoint of a running `npm start` with a separate agent key, in test mode.
 */
import { strict as assert } from 'node:assert';
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cache, once, orSkipped } from './tool-cache.mjs';

const PACKAGE = '@modelcontextprotocol/inspector@2.12.0';
const TOOLS = ['get_pricing', 'send_otp', 'verify_otp', 'get_otp', 'send_sms', 'get_sms'];
/** The CLI's exit code where a tool answers `isError`. */
const TOOL_FAILED = 5;
const run = promisify(execFile);
const directory = orSkipped(PACKAGE, inspector, console.log);
if (directory === undefined) process.exit(0);
const program = join(
  directory,
  'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);

const file = `${process.env.DATA_DIR ?? '.data'}/dev-credentials.json`;
const credentials = JSON.parse(readFileSync(file, 'utf8'));
const key = await newKey({ daily_budget_credits: 12, countries: ['NG'] });

const { tools } = await inspect('tools/list');
assert.deepEqual(
  tools.map(({ name }) => name),
  TOOLS,
);
for (const { name, annotations, outputSchema } of tools) {
  assert.equal(annotations.readOnlyHint, name.startsWith('get_'), name);
  assert.equal(outputSchema.type, 'object', name);
}
console.log(`tools/list: ${TOOLS.join(', ')}`);

const otp = await call('send_otp', { phone_number: '+2348030000001' });
assert.equal(otp.structuredContent.status, 'pending');
const checked = await call('verify_otp', { otp_id: otp.structuredContent.id, code: '123456' });
assert.equal(checked.structuredContent.valid, true);
const read = await call('get_otp', { id: otp.structuredContent.id });
assert.equal(read.structuredContent.status, 'verified');
const text = { to: '+2348030000001', from: 'Acme', body: 'Hello', idempotency_key: 'one' };
const sms = await call('send_sms', text);
assert.equal(
  (await call('get_sms', { id: sms.structuredContent.id })).structuredContent.to,
  text.to,
);
const again = await call('send_sms', text);
assert.deepEqual(again.structuredContent, sms.structuredContent);
const abroad = await call('send_sms', { ...text, to: '+254712000001', idempotency_key: 'two' });
assert.equal(abroad.structuredContent.error.type, 'country_not_enabled');
const spent = await call('send_sms', { ...text, idempotency_key: 'three' });
const { type, field } = spent.structuredContent.error;
assert.deepEqual([type, field], ['insufficient_credits', 'daily_budget']);
assert.ok((await call('get_pricing', {})).structuredContent.countries.length > 0);
console.log(`${PACKAGE} has called all six tools; another country and a spent budget are refused`);

function inspector() {
  const folder = join(cache, PACKAGE.replaceAll(/[@/]/g, '-'));
  const flags = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix'];
  return once(folder, (into) => {
    execFileSync('npm', ['install', PACKAGE, ...flags, into], { stdio: 'inherit' });
  });
}

async function newKey(bounds) {
  const { base_url: base, operator_token: token, workspace_id: workspace } = credentials;
  const response = await fetch(`${base}/operator/v1/workspaces/${workspace}/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ mode: 'test', permission: 'agent', ...bounds }),
  });
  return (await response.json()).key;
}

function call(name, given) {
  return inspect('tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(given));
}

async function inspect(method, ...more) {
  const url = `${credentials.base_url}/mcp`;
  const header = ['--header', `Authorization: Bearer ${key}`];
  const asked = ['--cli', url, '--transport', 'http', '--method', method, ...header, ...more];
  const { stdout } = await run(process.execPath, [program, ...asked]).catch((error) => {
    if (error.code === TOOL_FAILED) return error;
    throw error;
  });
  return JSON.parse(stdout);
}
