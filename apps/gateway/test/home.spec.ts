import { describe, expect, it } from '@jest/globals';
import { gateway, useGateway } from './one-gateway.kit.js';

useGateway();

describe('GET /', () => {
  it('is a page for browsers, with links to the reference and the handset', async () => {
    const { status, headers, text } = await gateway.get('/', undefined, {
      accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
    });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
    const parts = links.filter((link) => link?.startsWith('/docs#'));
    expect(links).toEqual([
      '/docs',
      '/openapi.json',
      '/console',
      'http://127.0.0.1:4010/',
      ...parts,
    ]);
    expect(parts.length).toBeGreaterThan(4);
    const { text: reference } = await gateway.get('/docs');
    for (const part of parts) expect(reference).toContain(`<section id="${part?.slice(6)}">`);
  });

  it('is JSON for programs', async () => {
    const { status, body } = await gateway.get('/');
    expect([status, body]).toMatchObject([
      200,
      { name: 'Watchword', documentation: '/docs', handset: 'http://127.0.0.1:4010/' },
    ]);
  });
});
