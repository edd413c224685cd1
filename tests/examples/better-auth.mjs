import assert from 'node:assert/strict';
import { freePort, npmCi, until, whileRunning } from './support.mjs';

const PHONE = '+2348030000000';

/** A wrong code opens nothing, the right one signs in once, and Better Auth's own code is not asked for. */
export async function check(folder, { credentials }) {
  await npmCi(folder);
  const port = await freePort();
  const env = {
    PORT: port,
    BETTER_AUTH_SECRET: 'a secret of the test, long enough for it',
    WATCHWORD_BASE_URL: credentials.base_url,
    WATCHWORD_KEY: credentials.test_key,
  };
  const api = `http://127.0.0.1:${port}/api/auth`;
  const post = (path, body) =>
    fetch(`${api}/phone-number/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: `http://127.0.0.1:${port}` },
      body: JSON.stringify({ phoneNumber: PHONE, ...body }),
    });
  await whileRunning([process.execPath, 'server.ts'], { cwd: folder, env }, async () => {
    await until('the server', async () => (await fetch(`${api}/ok`)).ok || undefined);
    const spaced = await post('send-otp', { phoneNumber: '+234 803 000 0000' });
    assert.equal(spaced.status, 400);
    assert.equal((await post('verify', { code: '123456' })).status, 400, 'no code was sent');
    assert.equal((await post('send-otp')).status, 200);
    assert.equal((await post('verify', { code: '654321' })).status, 400);
    const right = await post('verify', { code: '123456' });
    assert.equal(right.status, 200, await right.clone().text());
    assert.equal((await right.json()).user.phoneNumber, PHONE);
    const cookie = right.headers.getSetCookie().map((one) => one.split(';')[0]);
    const session = await fetch(`${api}/get-session`, { headers: { cookie: cookie.join('; ') } });
    assert.equal((await session.json()).user.phoneNumberVerified, true);
    assert.equal((await post('verify', { code: '123456' })).status, 400, 'a code works once');
  });
  return 'a person signed in with a code of Watchword';
}
