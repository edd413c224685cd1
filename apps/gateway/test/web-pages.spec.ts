import { describe, expect, it } from '@jest/globals';
import { offerLogInLink } from '../src/people/log-in-link.js';
import { renderWaitingPage, webPagePolicy } from '../src/routes/public/web-page.policy.js';
import { gateway, useGateway } from './one-gateway.kit.js';
import { newOwner } from './person.kit.js';

useGateway();

describe('the pages', () => {
  it('decisions 22: /console leads to the operators’ pages', async () => {
    const { status, headers } = await gateway.get('/console');
    expect([status, headers['location']]).toEqual([302, '/app#/operator/messages']);
  });

  it('answer with a page under a strict policy, built or not', async () => {
    const { status, headers } = await gateway.get('/app');
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(webPagePolicy('n')).not.toContain('unsafe');
  });

  it.each(['..%2Fpackage.json', 'index.html', 'made-of', 'nothing.js'])(
    'do not serve %s as a file',
    async (file) => expect((await gateway.get(`/app/${file}`)).status).toBe(404),
  );

  it('say how far the build is, and escape its errors', () => {
    expect(renderWaitingPage('building', 'en')).toContain('Step 2 of 2');
    expect(renderWaitingPage('installing', 'fr')).toContain('Étape 1 sur 2');
    expect(renderWaitingPage('failed: <b>', 'en')).toContain('&lt;b>');
    expect(renderWaitingPage('', 'en')).toContain('node tools/build-sites.mjs');
  });
});

describe('the link of npm start', () => {
  const use = (token: string, headers: object = {}) =>
    gateway.call({
      method: 'POST',
      url: '/auth/link',
      headers: { host: '127.0.0.1:8300', ...headers },
      payload: { token },
    });

  it('logs its owner in, once, on this machine only', async () => {
    const own = await newOwner(gateway);
    const owner = { email: own.email, workspaceId: own.workspaceId };
    const token = offerLogInLink(gateway.platform, owner);
    expect((await use('wrong')).body.error).toMatchObject({
      type: 'validation_error',
      field: 'token',
    });
    expect((await use(token, { host: 'evil.example.com' })).status).toBe(400);
    expect((await use(token, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(400);
    const entered = await use(token);
    expect(entered.body).toMatchObject({ user: { email: own.email } });
    expect(String(entered.headers['set-cookie'])).toContain('HttpOnly');
    expect((await use(token)).status).toBe(400);
  });
});
