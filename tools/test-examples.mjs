/**
 * `npm run test:nightly -- examples`: each program of `examples/`, in a copy, with what its README says, against a
 * product on free ports; the commands of the guide to the SDKs; and what programs written for Twilio in Python
 * do. What a machine lacks is skipped with a sentence.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './set-up.mjs';
import startSharedSystem, { stopSharedSystem } from '../tests/support/shared-system.setup.mjs';

const run = promisify(execFile);
/** Each has the commands that must work, and a program that throws where the example does not do what it should. */
const ON_ONE_PROCESS = {
  'android-sms-retriever': ['keytool -help'],
  'fastapi-webhooks': ['python3 -m venv --help'],
  'command-line': ['npm --version'],
  'start-in-your-language': ['npm --version', 'python3 -m venv --help', 'go version'],
  twilio: ['python3 -m venv --help'],
  'better-auth': ['npm --version'],
  'nextjs-webotp': ['npm --version'],
};
const ON_A_CLUSTER = { 'go-topics': ['go version', 'java -version', 'mvn --version'] };

const work = mkdtempSync(join(tmpdir(), 'watchword-examples-'));
const wanted = process.argv.slice(2);
let failed = 0;
try {
  await run(process.execPath, [join(root, 'tools/build-sdk.mjs')], { cwd: root });
  for (const name of ['examples', 'sdks', 'docs/reference']) {
    const filter = (path) => !/\/(?:node_modules|\.venv|\.next)$/.test(path);
    cpSync(join(root, name), join(work, name), { recursive: true, filter });
  }
  await onASystem(ON_ONE_PROCESS);
  process.env['WATCHWORD_PROGRAM'] = 'apps/cluster/dist/main.js';
  await onASystem(ON_A_CLUSTER);
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;

/** Starts a system where an example needs it. */
async function onASystem(examples) {
  const ready = [];
  for (const [name, tools] of Object.entries(examples)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const missing = await firstFailing(tools);
    if (missing === undefined) ready.push(name);
    else console.log(`${name}: skipped, because \`${missing}\` fails on this machine`);
  }
  if (ready.length === 0) return;
  await startSharedSystem();
  try {
    const file = process.env['WATCHWORD_CREDENTIALS'];
    const credentials = JSON.parse(readFileSync(file, 'utf8'));
    for (const name of ready) await tryOut(name, { credentials, file });
  } finally {
    await stopSharedSystem();
  }
}

async function tryOut(name, product) {
  try {
    const { check } = await import(`../tests/examples/${name}.mjs`);
    console.log(`${name}: ${await check(join(work, 'examples', name), product)}`);
  } catch (error) {
    failed += 1;
    console.error(`${name}: failed\n${error.stderr || ''}${error.stdout || ''}${error.stack}`);
  }
}

async function firstFailing(commands) {
  for (const command of commands) {
    const isThere = await run('sh', ['-c', command]).then(
      () => true,
      () => false,
    );
    if (!isThere) return command;
  }
  return undefined;
}
