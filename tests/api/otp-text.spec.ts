/** Texts of one-time passwords: decisions 13; domain 6.3 to 6.5. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Browser } from '../support/browser.js';
import { freshNumber } from '../support/numbers.js';
import { type Customer, expectError, UNLIMITED_OTPS, useSystem } from '../support/suite.js';

const suite = useSystem();
let customer: Customer;

beforeAll(async () => {
  customer = await suite.customer({ credits: 50_000, settings: UNLIMITED_OTPS });
});

describe('the text of a code', () => {
  const sendWith = async (settings: Record<string, unknown>, body = {}) => {
    const own = await suite.customer({ credits: 1_000, settings });
    const number = freshNumber();
    const { status, json } = await own.sendOtp({ phone_number: number, ...body });
    expect(status).toBe(200);
    const [arrived] = await suite.handsetWith(1, number);
    const [code] = /\b\d{6}\b/.exec(arrived!.body) ?? [];
    return { arrived: arrived!, code: code!, cost: json.credit_cost as number };
  };

  it('decisions 13: the workspace can have its own, by language', async () => {
    const otp_text = { en: '{code} opens {brand} for {minutes} minutes', fr: 'Code {code}' };
    const english = await sendWith({ otp_text }, { ttl_seconds: 120 });
    expect(english.arrived.body).toBe(`${english.code} opens Acme for 2 minutes`);
    const french = await sendWith({ otp_text }, { language: 'fr' });
    expect(french.arrived.body).toBe(`Code ${french.code}`);
  });

  it('6: a long one is charged by the segment', async () => {
    const two = await sendWith({ otp_text: { en: `{code} ${'x'.repeat(160)}` } });
    expect(two).toMatchObject({ cost: 10, arrived: { segments: 2 } });
    const wide = await sendWith({ otp_text: { en: '₦ {code}' } });
    expect(wide).toMatchObject({ cost: 5, arrived: { encoding: 'UCS-2' } });
  });

  it('1.6: the name of the workspace stands there as it is, as quoted and charged', async () => {
    const own = await suite.customer({ credits: 1_000, name: 'Ọmọ “x” 🏦' });
    const number = freshNumber();
    const quote = await own.post('/v1/quote', { kind: 'otp', phone_number: number });
    const { json } = await own.sendOtp({ phone_number: number });
    const [arrived] = await suite.handsetWith(1, number);
    expect(arrived!.body).toMatch(/^Your Ọmọ “x” 🏦 code is \d{6}\. /);
    const { body, segments, encoding, credits } = quote.json;
    expect(body.replace('000000', /\d{6}/.exec(arrived!.body)![0])).toBe(arrived!.body);
    expect(arrived).toMatchObject({ segments, encoding: 'UCS-2' });
    expect([encoding, segments, json.credit_cost]).toEqual(['UCS-2', 2, credits]);
  });

  it('domain 6.3: the dashboard warns of a name that makes codes UCS-2, while it does', async () => {
    const owner = new Browser(suite.system);
    expect((await owner.signUp({ workspace_name: 'Ọjà' })).status).toBe(200);
    const path = '/dashboard/workspace';
    const warned = await owner.request('GET', path);
    expect(warned.json.warnings).toMatchObject([{ code: 'brand_outside_gsm7', field: 'name' }]);
    const renamed = await owner.request('PATCH', path, { name: 'Oja' });
    expect([renamed.status, 'warnings' in renamed.json]).toEqual([200, false]);
  });

  it('domain 6.4: webotp_domain adds the origin-bound last line, which is measured too', async () => {
    const webotp_domain = 'app.example.com';
    const { arrived, code } = await sendWith({ webotp_domain });
    expect(arrived.body.split('\n').slice(-2)).toEqual(['', `@app.example.com #${code}`]);
    const en = `{code} ${'x'.repeat(140)}`;
    expect((await sendWith({ otp_text: { en } })).cost).toBe(5);
    expect((await sendWith({ otp_text: { en }, webotp_domain })).cost).toBe(10);
  });

  it('domain 6.5: android_app_hash is the last line', async () => {
    const { arrived } = await sendWith({ android_app_hash: 'FA+9qCX9VSu' });
    expect(arrived.body.split('\n').at(-1)).toBe('FA+9qCX9VSu');
  });

  it('a name with which a text for an Android app needs two segments is refused', async () => {
    const own = await suite.customer({ settings: { android_app_hash: 'FA+9qCX9VSu' } });
    const rename = (name: string) =>
      suite.operator.request('PATCH', `/workspaces/${own.id}`, { name });
    expectError(await rename('Ọjà'), 400, 'validation_error', 'name');
    expect((await rename('Café')).status).toBe(200);
  });

  const refusals: [settings: Record<string, unknown>, field: string][] = [
    [{ otp_text: { en: 'no code here' } }, 'otp_text.en'],
    [{ otp_text: { fr: '{code} {name}' } }, 'otp_text.fr'],
    [{ otp_text: { de: '{code}' } }, 'otp_text.de'],
    [{ otp_text: { en: `{code}${'{brand}'.repeat(68)}` } }, 'otp_text.en'],
    [{ webotp_domain: 'https://app.example.com' }, 'webotp_domain'],
    [{ webotp_domain: 'app.example.com/login' }, 'webotp_domain'],
    [{ webotp_domain: 'app.example.com:8443' }, 'webotp_domain'],
    [{ webotp_domain: 'App.Example.com' }, 'webotp_domain'],
    [{ webotp_domain: 'user@example.com' }, 'webotp_domain'],
    [{ webotp_domain: '127.0.0.1' }, 'webotp_domain'],
    [{ webotp_domain: 'two words.com' }, 'webotp_domain'],
    [{ webotp_domain: '' }, 'webotp_domain'],
    [{ android_app_hash: 'short' }, 'android_app_hash'],
    [{ android_app_hash: 'FA+9qCX9VS!' }, 'android_app_hash'],
    [{ android_app_hash: 'FA+9qCX9VSu', webotp_domain: 'example.com' }, 'android_app_hash'],
    [
      { android_app_hash: 'FA+9qCX9VSu', otp_text: { en: `{code}${'x'.repeat(150)}` } },
      'otp_text.en',
    ],
    [{ otp_resend_max: -1 }, 'otp_resend_max'],
    [{ otp_resend_max: 6 }, 'otp_resend_max'],
    [{ strict_otp: 'yes' }, 'strict_otp'],
  ];
  it.each(refusals)('decisions 13: %j is refused', async (settings, field) => {
    expectError(await customer.settings(settings), 400, 'validation_error', `settings.${field}`);
  });

  it('what is refused together is refused one after the other too; null takes it back', async () => {
    const own = await suite.customer();
    expect((await own.settings({ webotp_domain: 'example.com' })).status).toBe(200);
    const second = await own.settings({ android_app_hash: 'FA+9qCX9VSu' });
    expectError(second, 400, 'validation_error', 'settings.android_app_hash');
    const swap = { android_app_hash: 'FA+9qCX9VSu', webotp_domain: null };
    expect((await own.settings(swap)).json.settings).toMatchObject(swap);
  });

  it('strict_otp refuses short codes and long lives', async () => {
    const strict = await suite.customer({ settings: { strict_otp: true } });
    expectError(await strict.sendOtp({ code_length: 5 }), 400, 'validation_error', 'code_length');
    expectError(await strict.sendOtp({ ttl_seconds: 601 }), 400, 'validation_error', 'ttl_seconds');
    expect((await strict.sendOtp({ code_length: 6, ttl_seconds: 600 })).status).toBe(200);
  });
});
