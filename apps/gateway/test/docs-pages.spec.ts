import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ERROR_CATALOGUE } from '@watchword/contracts';
import { StaticSite } from '../src/routes/public/static-site.js';
import { docsPolicy } from '../src/routes/public/web-page.policy.js';
import { gateway, useGateway } from './one-gateway.kit.js';

useGateway();

const site = new StaticSite('docs');
const isBuilt = async () => (await site.text('inline-scripts.txt')) !== undefined;

interface Group {
  items?: [path: string, source: string][];
}

const groups = JSON.parse(
  readFileSync(new URL('../../docs/pages.json', import.meta.url), 'utf8'),
) as Group[];
const paths = groups.flatMap(({ items = [] }) => items.map(([path]) => path));

describe('the documentation', () => {
  it.each(['/docs', '/docs/'])(
    'answers %s with a page under a strict policy, or says how far its build is',
    async (path) => {
      const { status, headers, text } = await gateway.get(path);
      expect(status).toBe(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(text).not.toMatch(/(?:src|href)="https?:/);
    },
  );

  it('has each page that pages.json names, and the reference', async () => {
    if (!(await isBuilt())) return;
    for (const path of [...paths, 'runbooks', 'api', 'api/dashboard', 'api/operator']) {
      const { status, headers } = await gateway.get(`/docs/${path}`);
      expect([path, status, headers['cache-control']]).toEqual([path, 200, 'no-cache']);
    }
    expect((await gateway.get('/docs/nothing')).status).toBe(404);
  });

  it('has a place for each type of error, to which doc_url leads', async () => {
    if (!(await isBuilt())) return;
    const { text } = await gateway.get('/docs/errors');
    for (const type of Object.keys(ERROR_CATALOGUE)) expect(text).toContain(`id="${type}"`);
  });

  it('serves scripts compressed, and for ever the same', async () => {
    const page = await site.text('index.html');
    if (page === undefined) return;
    const [, script = ''] = /src="(\/docs\/assets\/app[^"]+)"/.exec(page) ?? [];
    const { status, headers } = await gateway.get(script, undefined, { 'accept-encoding': 'br' });
    expect([status, headers['content-encoding']]).toEqual([200, 'br']);
    expect(headers['cache-control']).toContain('immutable');
  });

  it.each(['made-of', '..%2Fpackage.json', 'assets/..%2Fmade-of', 'inline-scripts.txt'])(
    'does not serve %s',
    async (path) => {
      const { status, text } = await gateway.get(`/docs/${path}`);
      if (await isBuilt()) expect(status).not.toBe(200);
      else expect(text).not.toContain('"dependencies"');
    },
  );

  it('runs no inline script but those that its build lists', () => {
    expect(docsPolicy("'sha256-a'")).toContain("script-src 'self' 'sha256-a'; style-src");
  });
});
