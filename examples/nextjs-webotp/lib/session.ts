import { createHmac, timingSafeEqual } from 'node:crypto';

export const SESSION = 'session';
/** The browser's cookie with the id of the code that was sent to it. */
export const OTP = 'otp';
export const COOKIE = { httpOnly: true, sameSite: 'strict', path: '/' } as const;

function signatureOf(phone: string): string {
  const secret = process.env.SESSION_SECRET;
  if (!secret) throw new Error('Set SESSION_SECRET, for example to `openssl rand -hex 32`.');
  return createHmac('sha256', secret).update(phone).digest('hex');
}

export const sessionOf = (phone: string) => `${phone}.${signatureOf(phone)}`;

/** The phone number of a session, or undefined where nobody is signed in. A real one would end, too. */
export function phoneOf(session: string | undefined): string | undefined {
  const [phone = '', signature = ''] = session?.split('.') ?? [];
  if (phone === '') return undefined;
  const expected = Buffer.from(signatureOf(phone));
  const given = Buffer.from(signature);
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
  return isOurs ? phone : undefined;
}
