import { describe, expect, it } from '@jest/globals';
import { gateway, useGateway } from './one-gateway.kit.js';

useGateway();

describe('GET /console', () => {
  it('decisions 22: is a page that runs only the scripts of this server', async () => {
    const { status, headers, text } = await gateway.get('/console');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toContain("script-src 'self';");
    expect(text.match(/<script/g)).toHaveLength(1);
    const etag = String(headers['etag']);
    const again = await gateway.get('/console', undefined, { 'if-none-match': etag });
    expect(again.status).toBe(304);
  });

  it('finds every script that its scripts import', async () => {
    const { text: page } = await gateway.get('/console');
    const [, first = ''] = /src="([^"]+)"/.exec(page) ?? [];
    const seen = new Set<string>();
    const open = [first];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const { status, headers, text } = await gateway.get(path);
      expect([path, status, headers['content-type']]).toEqual([
        path,
        200,
        'text/javascript; charset=utf-8',
      ]);
      for (const [, file] of text.matchAll(/from '\.\/([^']+)'/g)) open.push(`/console/${file}`);
    }
    expect(seen).toContain('/console/carriers.view.js');
    for (const file of ['none.js', 'main.ts', '..%2fpackage.json', 'main.js.map']) {
      expect((await gateway.get(`/console/${file}`)).status).toBe(404);
    }
  });
});
