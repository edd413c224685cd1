import { afterAll, describe, expect, it } from '@jest/globals';
import { buttonsOf, closeConsole, type ConsolePage, openConsole } from './page.kit.js';

afterAll(closeConsole);

const REFUSED = { error: { message: 'Too many requests.', request_id: 'r1' } };
const NUMBER = '+2348031234567';

describe('the console', () => {
  it('asks for errors in its own language, whatever that of the browser is', async () => {
    const { calls } = await openConsole(() => undefined);
    expect(calls).not.toHaveLength(0);
    for (const { headers } of calls) expect(headers['accept-language']).toBe('en');
  });

  it('empties the page of a view that does not load, and tries it again', async () => {
    let isAway = false;
    const page = await openConsole(({ path }) =>
      isAway && path.includes('/audit') ? [429, REFUSED] : undefined,
    );
    expect(page.main.textContent).toContain('No carrier account is configured.');
    isAway = true;
    await page.open('#audit');
    expect(page.main.textContent).toBe('Audit Try again');
    expect(page.note.textContent).toBe('Too many requests. (request r1)');
    isAway = false;
    await page.press('Try again');
    expect(page.main.textContent.trim()).toBe('Audit Nothing is recorded.');
    expect(page.note.textContent).toBe('');
  });

  it('leaves a refused search where it can be corrected', async () => {
    const page = await openConsole(({ path }) =>
      path.includes('id=wrong') ? [400, REFUSED] : undefined,
    );
    await page.open('#messages');
    await page.submit({ id: 'wrong' });
    expect(page.main.textContent).toContain('Try again');
    await page.submit({ id: 'right' });
    expect(askedOf(page)).toEqual({ limit: '50', id: 'right' });
    expect(page.main.textContent).not.toContain('Try again');
  });

  it('leads back to the newer pages of a list, too', async () => {
    const ROWS: Record<string, object> = {
      '': { data: [row('newest')], next_cursor: 'one' },
      one: { data: [row('middle')], next_cursor: 'two' },
      two: { data: [row('oldest')] },
    };
    const page = await openConsole(({ path }) => {
      const url = new URL(path, 'http://console');
      if (!url.pathname.endsWith('/audit')) return undefined;
      return [200, ROWS[url.searchParams.get('cursor') ?? ''] ?? {}];
    });
    await page.open('#audit');
    const seen = [];
    for (const word of ['Older', 'Older', 'Newer', 'Newer']) {
      await page.press(word);
      const [shown] = page.main.querySelectorAll('code');
      seen.push([shown?.textContent, ...buttonsOf(page)]);
    }
    expect(seen).toEqual([
      ['GET middle', 'Newer', 'Older'],
      ['GET oldest', 'Newer'],
      ['GET middle', 'Newer', 'Older'],
      ['GET newest', 'Older'],
    ]);
  });
});

describe('a search for a number', () => {
  it('keeps the number out of the addresses in the history', async () => {
    const page = await search();
    expect(askedOf(page)).toEqual({ limit: '50', status: 'failed', to: NUMBER });
    expect(page.visited).toEqual(['#messages', '#messages?status=failed']);
  });

  it('searches anew for another number at the same address', async () => {
    const page = await search();
    await page.submit({ to: '+2348030000000', status: 'failed' });
    expect(askedOf(page)).toMatchObject({ to: '+2348030000000' });
    expect(page.visited).toHaveLength(2);
  });

  it('is forgotten at another address', async () => {
    const page = await search();
    await page.open('#messages');
    expect(askedOf(page)).toEqual({ limit: '50' });
    const [field] = page.main.querySelectorAll('input');
    expect(field?.['value']).toBeUndefined();
  });

  it('is forgotten at the next session', async () => {
    const page = await search();
    await page.press('Sign out');
    await page.submit({ email: 'grace@acme.example', password: 'a password' });
    expect(askedOf(page)).toEqual({ limit: '50', status: 'failed' });
  });
});

async function search(): Promise<ConsolePage> {
  const page = await openConsole(() => undefined);
  await page.open('#messages');
  await page.submit({ to: NUMBER, status: 'failed' });
  return page;
}

/** Parameters of the last call. */
function askedOf({ calls }: ConsolePage): Record<string, string> {
  const url = new URL(calls.at(-1)?.path ?? '', 'http://console');
  return Object.fromEntries(url.searchParams);
}

function row(path: string): object {
  const actor = { type: 'operator', user_id: null, email: null };
  return { actor, path, created_at: '', method: 'GET', status: 200, effect: null, client_ip: null };
}
