import { describe, expect, it } from '@jest/globals';
import { asciiDomain, parseMailbox } from './address.js';

const mailbox = (text: string) => {
  const parsed = parseMailbox(text);
  return parsed.ok ? parsed.mailbox : parsed.problem.en;
};

describe('an address', () => {
  it.each([
    ['ada@example.com', null, 'ada@example.com'],
    ['Ada.Lovelace+news@Mail.Example.COM', null, 'Ada.Lovelace+news@mail.example.com'],
    ['Ada <ada@example.com>', 'Ada', 'ada@example.com'],
    ['  Ada Lovelace   <ada@example.com> ', 'Ada Lovelace', 'ada@example.com'],
    ['"Lovelace, Ada" <ada@example.com>', 'Lovelace, Ada', 'ada@example.com'],
    ['"A \\"B\\" C" <a@example.com>', 'A "B" C', 'a@example.com'],
    ['Ünïcödé 🎉 <a@example.com>', 'Ünïcödé 🎉', 'a@example.com'],
    ['<ada@example.com>', null, 'ada@example.com'],
    ['a@münchen.de', null, 'a@xn--mnchen-3ya.de'],
    ["o'brien!#$%&*/=?^_`{|}~-@example.com", null, "o'brien!#$%&*/=?^_`{|}~-@example.com"],
  ])('%s', (text, name, address) => {
    expect(mailbox(text)).toEqual({ name, address });
  });
});

const CONTROLS = ['\r', '\n', '\r\n', '\0', '\t', '\u000b', '\u001b', '\u007f', '\u0085', '\u2028'];
const DIRECTIONS = ['\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069', '\ufeff', '\ud800'];

const injections = [...CONTROLS, ...DIRECTIONS].flatMap((character) => [
  `ada@example.com${character}Bcc: eve@example.com`,
  `Ada${character}Bcc: eve@example.com <ada@example.com>`,
  `"Ada${character}" <ada@example.com>`,
  `ada${character}@example.com`,
]);

const HOSTILE = [
  ...injections,
  '',
  ' ',
  '@',
  'ada',
  'ada@localhost',
  'ada@example.com, eve@example.com',
  'ada@example.com <eve@example.com>',
  'Ada <ada@example.com> <eve@example.com>',
  'Ada <ada@example.com>, Eve <eve@example.com>',
  'Friends: ada@example.com, eve@example.com;',
  'Ada <ada@example.com',
  'a@b@example.com',
  '"a b"@example.com',
  '"a@b"@example.com',
  'ada.@example.com',
  'a..b@example.com',
  'ädä@example.com',
  'ada@[127.0.0.1]',
  'ada@-example.com',
  'ada@example..com',
  'ada@exam_ple.com',
  'ada@example.com/path',
  'ada@example.com:25',
  'ada@example.com%0d%0aBcc:eve@example.com',
  'mailto:ada@example.com',
  '(comment) ada@example.com',
  `${'a'.repeat(65)}@example.com`,
  `ada@${'a'.repeat(64)}.com`,
  `ada@${'a.'.repeat(126)}com`,
  `${'x'.repeat(129)} <ada@example.com>`,
  `ada@example.com${' '.repeat(600)}`,
];

describe('a text that is not one address, or would be more', () => {
  it.each(HOSTILE.map((text) => [JSON.stringify(text), text]))('%s', (_shown, text) => {
    expect(parseMailbox(text)).toEqual({
      ok: false,
      problem: { en: expect.stringMatching(/^must /), fr: expect.stringMatching(/^(?:ne )?doit /) },
    });
  });
});

describe('a domain', () => {
  it.each([
    ['Example.COM', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['example.com.', null],
    ['a.1', null],
    ['', null],
  ])('%j is %j', (text, ascii) => expect(asciiDomain(text)).toBe(ascii));
});
