import assert from 'node:assert/strict';
import { join } from 'node:path';
import { freePort, npmCi, run, until, whileRunning } from './support.mjs';

const PHONE = '+2348030000000';

/** The page is built and served; a wrong code and a forged cookie open nothing; the right code signs in. */
export async function check(folder, { credentials }) {
  await npmCi(folder);
  await run('nice', ['npm', 'run', 'build'], { cwd: folder });
  const port = await freePort();
  const env = {
    SESSION_SECRET: 'a secret of the test',
    WATCHWORD_BASE_URL: credentials.base_url,
    WATCHWORD_KEY: credentials.test_key,
  };
  const url = `http://127.0.0.1:${port}`;
  const next = join(folder, 'node_modules/next/dist/bin/next');
  await whileRunning([process.execPath, next, 'start', '--port', port], { cwd: folder, env }, () =>
    signIn(url),
  );
  return 'a person signed in on the page';
}

async function signIn(url) {
  const jar = new Map();
  const request = async (path, fields) => {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const body = fields && new URLSearchParams(fields);
    const answer = await fetch(`${url}${path}`, {
      method: fields ? 'POST' : 'GET',
      headers: { cookie },
      body,
    });
    for (const one of answer.headers.getSetCookie()) jar.set(...one.split(';')[0].split('='));
    return { status: answer.status, text: await answer.text() };
  };
  const first = await until('the page', () => request('/'));
  assert.match(first.text, /autocomplete="tel"/i);
  assert.equal((await request('/api/verify', { code: '123456' })).status, 400);
  const refused = await request('/api/send', { phone: '0803' });
  assert.equal(refused.status, 400);
  assert.match(refused.text, /phone_number/);
  assert.equal((await request('/api/send', { phone: '+234 803 000 0000' })).status, 200);
  assert.equal((await request('/api/verify', { code: '654321' })).status, 400);
  jar.set('session', encodeURIComponent(`${PHONE}.forged`));
  assert.doesNotMatch((await request('/')).text, /Signed in/);
  assert.equal((await request('/api/verify', { code: '123456' })).status, 200);
  assert.match(
    (await request('/')).text.replaceAll('<!-- -->', ''),
    /Signed in as \+2348030000000/,
  );
}
