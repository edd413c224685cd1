import { expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { OtpSecrets } from './otp-secrets.js';

const secrets = new OtpSecrets('p'.repeat(32), ['ab'.repeat(32)]);

it('decisions 3: codes are uniform digits with their leading zeros', () => {
  const counts = new Map<string, number>();
  const samples = 40_000;
  for (let n = 0; n < samples; n += 1) {
    const code = secrets.newCode(4);
    expect(code).toMatch(/^\d{4}$/);
    for (const [index, digit] of [...code].entries()) {
      const cell = `${index}${digit}`;
      counts.set(cell, (counts.get(cell) ?? 0) + 1);
    }
  }
  const expected = samples / 10;
  const chiSquare = [...counts.values()].reduce(
    (sum, n) => sum + (n - expected) ** 2 / expected,
    0,
  );
  // 36 degrees of freedom; a fair generator exceeds 80 once in 25,000 runs.
  expect(chiSquare).toBeLessThan(80);
});

it('4.1: codes are compared by a hash that another message or pepper does not share', () => {
  const [id, other] = [newId(), newId()];
  const hash = secrets.hash(id, '123456');
  expect(secrets.isRight(secrets.hash(id, '123456'), hash)).toBe(true);
  expect(secrets.isRight(secrets.hash(id, '123457'), hash)).toBe(false);
  expect(secrets.isRight(secrets.hash(other, '123456'), hash)).toBe(false);
  // Of a message that nobody knows, and of a damaged row.
  for (const wrong of ['', hash.slice(1), `${hash} `]) {
    expect(secrets.isRight(secrets.hash(id, '123456'), wrong)).toBe(false);
  }
  const elsewhere = new OtpSecrets('q'.repeat(32), ['ab'.repeat(32)]);
  expect(elsewhere.hash(id, '123456')).not.toBe(hash);
});

it('codes are sealed for one message only, never twice alike', () => {
  const id = newId();
  const sealed = new Set(Array.from({ length: 600 }, () => secrets.seal(id, '0042')));
  expect(sealed.size).toBe(600);
  for (const one of sealed) expect(secrets.open(id, one)).toBe('0042');
  const [first = ''] = sealed;
  expect(() => secrets.open(newId(), first)).toThrow();
  expect(() => new OtpSecrets('p'.repeat(32), ['cd'.repeat(32)]).open(id, first)).toThrow();
});
