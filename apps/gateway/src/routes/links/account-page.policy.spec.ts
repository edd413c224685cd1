import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { accountPage } from './account-page.policy.js';

/** Runs the script of a page in a document with the page's form, and submits it. */
async function submitted(page: 'reset' | 'confirm', isChecked: boolean) {
  const html = accountPage(page, 'en');
  const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(html) ?? [];
  const data = [...html.matchAll(/ data-(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]);
  const controls: Record<string, object> = { button: { disabled: false } };
  if (html.includes('type="password"')) controls['[type=password]'] = { value: 'a new password' };
  if (html.includes('type="checkbox"')) controls['[type=checkbox]'] = { checked: isChecked };
  let submit: ((event: object) => Promise<void>) | undefined;
  const form = {
    ...{ hidden: true, dataset: Object.fromEntries(data) },
    querySelector: (selector: string) => controls[selector] ?? null,
    addEventListener: (_: string, listener: typeof submit) => (submit = listener),
  };
  const note = { textContent: '' };
  const calls: [path: string, body: unknown][] = [];
  runInNewContext(script, {
    URLSearchParams,
    document: {
      querySelector: (selector: string) => (selector === 'form' ? form : note),
      documentElement: { lang: 'en' },
    },
    location: { hash: '#token=abc', pathname: '/' },
    history: { replaceState: () => undefined },
    fetch: async (path: string, { body }: { body: string }) => {
      calls.push([path, JSON.parse(body)]);
      return { status: 204 };
    },
  });
  await submit?.({ preventDefault: () => undefined });
  return { calls, note: note.textContent, isHidden: form.hidden };
}

describe('the page of a password reset', () => {
  it('sets the password, and says so', async () => {
    const { calls, note, isHidden } = await submitted('reset', false);
    const body = { reset_token: 'abc', new_password: 'a new password' };
    expect(calls).toEqual([['/auth/password/reset', body]]);
    expect(note).toMatch(/^Your new password is set\. You are logged out/);
    expect(isHidden).toBe(true);
  });

  it('decisions 24: revokes the keys where its box is checked, and says so', async () => {
    const { calls, note } = await submitted('reset', true);
    expect(calls[0]?.[1]).toMatchObject({ revoke_keys: true });
    expect(note).toMatch(/the API keys are revoked/);
  });
});

describe('the page of a confirmation', () => {
  it('asks for no password and no keys', async () => {
    const { calls } = await submitted('confirm', true);
    expect(calls).toEqual([['/auth/email/confirm', { confirmation_token: 'abc' }]]);
  });
});
