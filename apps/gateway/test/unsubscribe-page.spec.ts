/** The page behind the unsubscribe link of an email. */
import { describe, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { EmailTokens } from '@watchword/email';
import { CALLBACK_SECRET } from './gateway.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';

useGateway();

const ADDRESS = 'a&b@acme.example';
const link = () => {
  const ref = { emailId: newId(), recipient: 0, workspaceId: newId(), address: ADDRESS };
  return `/u/${EmailTokens.of(CALLBACK_SECRET).unsubscribe(ref)}`;
};
const call = (method: 'GET' | 'POST', url: string, language: string) =>
  gateway.call({ method, url, headers: { 'accept-language': language } });

describe('the page of an unsubscribe link', () => {
  it.each([
    ['en', 'Unsubscribe', 'Unsubscribed', 'Unknown link'],
    ['fr-CA, en;q=0.5', 'Se désabonner', 'Désabonnement enregistré', 'Lien inconnu'],
    ['de', 'Unsubscribe', 'Unsubscribed', 'Unknown link'],
  ])('for %s is titled %s, then %s', async (language, asks, done, unknown) => {
    const url = link();
    const answers = [
      await call('GET', url, language),
      await call('POST', url, language),
      await call('GET', '/u/none', language),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404]);
    const titles = answers.map(({ text }) => /<h1>(.*)<\/h1>/.exec(text)?.[1]);
    expect(titles).toEqual([asks, done, unknown]);
    const shown = language.startsWith('fr') ? 'fr' : 'en';
    for (const { text, headers } of answers) {
      expect(text).toContain(`<html lang="${shown}">`);
      expect(headers).toMatchObject({ 'cache-control': 'no-store', vary: 'accept-language' });
    }
    for (const { text } of answers.slice(0, 2)) expect(text).toContain('a&amp;b@acme.example');
  });

  it.each([undefined, 'application/octet-stream', 'application/json', 'text/html'])(
    'takes a one-click POST with the type %s (RFC 8058 3.2)',
    async (type) => {
      const headers = type === undefined ? {} : { 'content-type': type };
      const payload = Buffer.from('List-Unsubscribe=One-Click');
      const answer = await gateway.call({ method: 'POST', url: link(), headers, payload });
      expect(answer.status).toBe(200);
    },
  );
});
