import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { composeEmail, dkimRecordValue, newDkimKey } from '../src/index.js';
import { EmailComposer } from '../src/index.js';
import { dkimpy, pythonVerdicts } from './dkimpy.kit.js';
import { generatedOrders } from './generated-emails.kit.js';

const DOMAIN = 'mail.example.com';
const SELECTOR = 'ww1';
const EMAILS = 500;

const key = await newDkimKey();
const signing = { domain: DOMAIN, selector: SELECTOR, privateKeyPem: key.privateKeyPem };
const record = dkimRecordValue(key.publicKeyBase64);
const orders = generatedOrders(EMAILS, 20_261_122).map((order) => ({ ...order, dkim: signing }));
const signed = await Promise.all(orders.map(composeEmail));

async function resolver(name: string, type: string): Promise<string[][]> {
  if (type === 'TXT' && name === `${SELECTOR}._domainkey.${DOMAIN}`) return [[record]];
  throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
}

async function mailauthVerdict(raw: Buffer): Promise<string> {
  const { results } = await dkimVerify(raw, { resolver });
  return results.map(({ status }) => status.result).join(',');
}

describe(`${EMAILS} generated emails`, () => {
  it('decisions 20: generated emails have DKIM signatures that mailauth verifies', async () => {
    const verdicts = await Promise.all(signed.map(mailauthVerdict));
    expect(verdicts.filter((verdict) => verdict !== 'pass')).toEqual([]);
  });

  const python = dkimpy();
  const title = 'have signatures that dkimpy verifies';
  (python === null ? it.skip : it)(
    python === null ? `${title} (skipped: no Python 3 with pip)` : title,
    async () => {
      const verdicts = await pythonVerdicts(python!, signed, record);
      expect(verdicts).toEqual(Array(EMAILS).fill('pass'));
    },
    120_000,
  );

  it('are the same bytes when they are composed again, in a thread too', async () => {
    const composer = new EmailComposer({ threads: 2 });
    const again = await Promise.all(orders.slice(0, 100).map((order) => composer.compose(order)));
    await composer.close();
    expect(again.map((raw, index) => raw.equals(signed[index]!))).toEqual(Array(100).fill(true));
  });

  it('hold no line above 998 bytes, no bare line end and no 8-bit byte', () => {
    const bad = signed.filter((raw) => {
      const text = raw.toString('latin1');
      const lines = text.split('\r\n');
      return lines.some((line) => line.length > 998 || /[\r\n\u0080-\u00ff]/.test(line));
    });
    expect(bad.length).toBe(0);
  });

  it('sign both headers of a one-click unsubscribe', () => {
    const marketing = signed.find((raw) => raw.includes('List-Unsubscribe:'))!;
    const fields = /\sh=([^;]+);/
      .exec(marketing.toString('latin1'))![1]!
      .replaceAll(/\s/g, '')
      .split(':');
    expect(fields).toEqual(expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post']));
  });
});

describe('a signature', () => {
  it('breaks when the email is changed', async () => {
    const changed = Buffer.from(
      signed[0]!.toString('latin1').replace('Subject: ', 'Subject: x'),
      'latin1',
    );
    expect(await mailauthVerdict(changed)).not.toBe('pass');
  });

  it('is never left out because the key is of no use', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const dkim = { ...signing, privateKeyPem };
    await expect(composeEmail({ ...orders[0]!, dkim })).rejects.toThrow();
    const noKey = { ...signing, privateKeyPem: 'x' };
    await expect(composeEmail({ ...orders[0]!, dkim: noKey })).rejects.toThrow();
  });
});
