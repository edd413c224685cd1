/** What recipients read of a workspace: its name and its own texts. Decisions 28. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Browser } from '../support/browser.js';
import { freshNumber } from '../support/numbers.js';
import { expectError, useSystem } from '../support/suite.js';

const suite = useSystem();

interface Owner {
  browser: Browser;
  id: string;
  key: string;
}

async function owner(workspace_name: string): Promise<Owner> {
  const browser = new Browser(suite.system);
  const { json } = await browser.signUp({ workspace_name });
  const made = await browser.request('POST', '/dashboard/keys', { mode: 'live' });
  return { browser, id: json.workspace.workspace_id, key: made.json.key };
}

const PATH = '/dashboard/workspace';
const change = ({ browser }: Owner, patch: object) => browser.request('PATCH', PATH, patch);
const setText = (by: Owner, en: string) => change(by, { settings: { otp_text: { en } } });
const buy = ({ id }: Owner) =>
  suite.operator.request('POST', `/workspaces/${id}/top-ups`, { credits: 100, kind: 'purchase' });

async function arrived({ key }: Owner): Promise<string> {
  const to = freshNumber();
  const { status } = await suite.http.post('/v1/otp/send', { phone_number: to }, { key });
  expect(status).toBe(200);
  return (await suite.handsetWith(1, to))[0]!.body;
}

const LINKS = [
  'Code {code}: evil.co/x',
  'Code {code}, see https://3232235777/',
  'Code {code} of evil.{brand}',
  'Code {code} ｅｖｉｌ。ｃｏ',
];
const NAMES = ['Your GTBank code is {code}', 'G.T. bank: {code}', '{code} for PayPaI'];
const SPAM = 'Congratulations! You WON $5000! Claim your prize: http://bit.ly/w1n {code}';

describe('a trial workspace', () => {
  let trial: Owner;

  beforeAll(async () => {
    trial = await owner('Acme');
  });

  it.each([...LINKS, ...NAMES])(
    'decisions 28: a trial workspace may not set the text %j',
    async (en) => {
      expectError(await setText(trial, en), 400, 'validation_error', 'settings.otp_text.en');
      const { json } = await trial.browser.request('GET', PATH);
      expect(json.settings.otp_text).toEqual({});
    },
  );

  it('decisions 28: a trial workspace may set a plain text, and no domain of its own', async () => {
    expect((await setText(trial, '{brand}: {code} for {minutes} minutes.')).status).toBe(200);
    const settings = { webotp_domain: 'app.example.com' };
    const refused = await change(trial, { settings });
    expectError(refused, 400, 'validation_error', 'settings.webotp_domain');
    expect(await arrived(trial)).toMatch(/^Acme: \d{6} for 10 minutes\.$/);
  });

  it('decisions 28: a name and a text that are set at once cannot together name a bank', async () => {
    const own = await owner('Acme');
    const [renamed, worded] = await Promise.all([
      change(own, { name: 'Zen' }),
      setText(own, '{brand}ith Bank: {code}'),
    ]);
    expect([renamed.status, worded.status].filter((status) => status === 200)).toHaveLength(1);
  });

  it('decisions 28: a trial workspace keeps the text that an operator set, and may change others', async () => {
    const own = await owner('Acme');
    const settings = { otp_text: { en: LINKS[0] }, webotp_domain: 'app.example.com' };
    const set = await suite.operator.request('PATCH', `/workspaces/${own.id}`, { settings });
    expect(set.status).toBe(200);
    expect((await change(own, { name: 'Engines', settings })).status).toBe(200);
    expect(await arrived(own)).toMatch(/^Code \d{6}: evil\.co\/x/);
  });

  it.each(['GTBank evil.co/x', 'Opay', 'evil.co', '0Pay'])(
    'decisions 28: recipients read the platform’s name instead of %j until the workspace buys credits',
    async (name) => {
      const own = await owner(name);
      const quote = { kind: 'otp', phone_number: freshNumber() };
      const { json } = await suite.http.post('/v1/quote', quote, { key: own.key });
      expect(json.body).toMatch(/^Your Watchword code is /);
      expect(await arrived(own)).toMatch(/^Your Watchword code is \d{6}\./);
      await buy(own);
      expect(await arrived(own)).toContain(`Your ${name} code is `);
    },
  );
});

describe('a workspace that bought credits', () => {
  it('decisions 28: a workspace that bought credits may set a link, and nothing that anti-spam blocks', async () => {
    const own = await owner('Acme');
    await buy(own);
    expect((await setText(own, '{code} is your code for app.example.com')).status).toBe(200);
    expectError(await setText(own, SPAM), 400, 'validation_error', 'settings.otp_text.en');
    const settings = { otp_text: { en: SPAM } };
    const set = await suite.operator.request('PATCH', `/workspaces/${own.id}`, { settings });
    expect(set.status).toBe(200);
  });

  it('decisions 28: a workspace may not take a name that makes its text spam', async () => {
    const own = await owner('Acme');
    await buy(own);
    expect((await setText(own, '{brand} {code}')).status).toBe(200);
    const name = 'You WON $5000! bit.ly/w1n';
    expectError(await change(own, { name }), 400, 'validation_error', 'name');
    expect((await change(own, { name: 'Engines' })).status).toBe(200);
  });
});
