import { expect, it } from '@jest/globals';
import { writtenDigits } from './written-digits.js';

it.each([
  '123456',
  '123 456',
  ' 123456\n',
  '123-456',
  '1 2 3\t4 5 6',
  '123\u2013456',
  '123\u2212456',
  '123\u2011456',
  '123\u00a0456',
  '123\u202f456',
  '123\u3000456',
  '\ufeff123456',
  '\u200e123\u200b456\u202c',
  '123\u00ad456',
  '\u2068123456\u2069',
  '1\ufe0f23456',
  '\u0661\u0662\u0663\u0664\u0665\u0666',
  '\u06f1\u06f2\u06f3-\u06f4\u06f5\u06f6',
  '\u0967\u0968\u0969\u096a\u096b\u096c',
  '\uff11\uff12\uff13\uff14\uff15\uff16',
  '\u07c1\u07c2\u07c3\u07c4\u07c5\u07c6',
  '\u{1d7cf}\u{1d7da}\u{1d7e5}\u{1d7f0}\u{1d7fb}\u{1d7d4}',
  '\u{1e951}\u{1e952}\u{1e953}\u{1e954}\u{1e955}\u{1e956}',
])('a code that is typed as %j is read', (written) =>
  expect(writtenDigits(written)).toBe('123456'),
);

it.each(['12345a', '123.456', 'l23456', '\u00b923456', ''])(
  'a code that is typed as %j is wrong',
  (written) => expect(writtenDigits(written)).not.toBe('123456'),
);

it('each decimal digit of Unicode in a typed code has its value', () => {
  const digits = Array.from({ length: 0x2_0000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /\p{Nd}/u.test(character));
  expect(digits.length % 10).toBe(0);
  for (const [index, digit] of digits.entries())
    expect(writtenDigits(digit)).toBe(String(index % 10));
});
