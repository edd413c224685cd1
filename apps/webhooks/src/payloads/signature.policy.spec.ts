import { describe, expect, it } from '@jest/globals';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { newSecret } from '../endpoints/new-secret.js';
import { signedHeaders, signingKey } from './signature.policy.js';

function headersOf(
  secret: string,
  event: { id: string; type: string; body: Buffer },
  atMs: number,
  previous: { secret: string; expiresAtMs: number } | null = null,
): Record<string, string> {
  const keys = {
    current: signingKey(secret),
    previous: previous && { ...signingKey(previous.secret), expiresAtMs: previous.expiresAtMs },
  };
  const flat = signedHeaders(keys, event, atMs);
  const names = flat.filter((_, index) => index % 2 === 0);
  return Object.fromEntries(names.map((name, index) => [name, flat[index * 2 + 1]!]));
}

/** Returns a body with difficult content: markup, emoji, line separators, large numbers. */
function randomBody(index: number): Buffer {
  const text = ['<b>&', '🎉', '\u2028', '"\\', 'é', '\u0001', String(Number.MAX_SAFE_INTEGER)];
  const noise = randomBytes(index % 40).toString('latin1');
  const parts = text.map((part, place) => part.repeat((index + place) % 3));
  return Buffer.from(JSON.stringify({ index, text: parts.join('') + noise }), 'utf8');
}

describe('signatures', () => {
  it('match the published vector of Svc-Signature', () => {
    const body =
      '{"id":"evt_01","type":"sms.delivered","created_at":"2026-11-20T08:00:00.000Z","data":{}}';
    const event = { id: 'evt_01', type: 'sms.delivered', body: Buffer.from(body) };
    const headers = headersOf('whsec_test', event, 1_795_161_600_999);
    expect(headers['svc-signature']).toBe(
      't=1795161600,v1=9caac9d7959766821aeac9b2d8f7352785400de59cf51de7f8a2f00f97bf9488',
    );
    expect(headers['svc-event']).toBe('sms.delivered');
    expect(headers['webhook-id']).toBe('evt_01');
    expect(headers['webhook-timestamp']).toBe('1795161600');
  });

  it('match the published vector of Standard Webhooks', () => {
    const event = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      type: 'test',
      body: Buffer.from('{"test": 2432232314}'),
    };
    const headers = headersOf('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', event, 1_614_265_330_000);
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('verify by independent code for a thousand bodies, and for none with a bit flipped', () => {
    for (let index = 0; index < 1_000; index += 1) {
      const secret = newSecret();
      const body = randomBody(index);
      const event = { id: `evt_${index}`, type: 'sms.sent', body };
      const headers = headersOf(secret, event, Date.now());
      const library = new Webhook(secret);
      library.verify(body.toString('utf8'), headers);
      const expected = createHmac('sha256', secret).update(body).digest();
      expect(timingSafeEqual(Buffer.from(headers['x-svc-signature']!, 'hex'), expected)).toBe(true);
      const flipped = Buffer.from(body);
      flipped[index % flipped.length]! ^= 1;
      expect(() => library.verify(flipped.toString('utf8'), headers)).toThrow();
    }
  });

  it('decisions 4: are made with both secrets until the old one expires, the plain one with the new only', () => {
    const [fresh, old] = [newSecret(), newSecret()];
    const event = { id: 'evt_1', type: 'otp.sent', body: Buffer.from('{}') };
    const atMs = Date.now();
    const during = headersOf(fresh, event, atMs, { secret: old, expiresAtMs: atMs + 1 });
    const after = headersOf(fresh, event, atMs, { secret: old, expiresAtMs: atMs });
    const seconds = Math.floor(atMs / 1_000);
    const hex = (secret: string, text: string) =>
      createHmac('sha256', secret).update(text).digest('hex');
    expect(during['svc-signature']).toBe(
      `t=${seconds},v1=${hex(fresh, `${seconds}.{}`)},v1=${hex(old, `${seconds}.{}`)}`,
    );
    expect(after['svc-signature']).toBe(`t=${seconds},v1=${hex(fresh, `${seconds}.{}`)}`);
    expect(during['x-svc-signature']).toBe(hex(fresh, '{}'));
    new Webhook(fresh).verify('{}', during);
    new Webhook(old).verify('{}', during);
    expect(() => new Webhook(old).verify('{}', after)).toThrow();
  });
});
