import { describe, expect, it } from '@jest/globals';
import { hasOnlyLinksTo, mayHoldLink } from './text-links.js';

const DOMAINS = ['acme.com', 'pay.example.co.uk'];

describe('a text whose links all lead to listed domains', () => {
  it.each([
    'See https://acme.com/a.html?x=1#y now.',
    'See ACME.com.',
    'see acme.com, or www.acme.com: thanks',
    '(help.acme.com:8080/x) costs NGN 3.50, v1.2',
    'Voir « acme.com » ou “acme.com/x”…',
    'https://pay.example.co.uk/%20x\nhttps://a.pay.example.co.uk',
  ])('%s', (text) => {
    expect(hasOnlyLinksTo(DOMAINS, text)).toBe(true);
  });
});

describe('a text with another link, without one, or with a doubt', () => {
  it.each([
    ['without a link', 'Your account is blocked. Call 08031234567.'],
    ['with numbers alone', 'It costs 3.50 since 12.05.2026 at noon'],
    ['with an abbreviation', 'acme.com, e.g. at noon'],
    ['with one more link', 'See acme.com or bit.ly/3xY'],
    ['with a name in front', 'https://acme.com.evil.tld/x'],
    ['with an end that is listed', 'https://evilacme.com'],
    ['above a listed sub-domain', 'https://example.co.uk'],
    ['with an email address', 'Write to jane@acme.com'],
    ['with user info', 'https://acme.com@evil.tld'],
    ['with a backslash', String.raw`https://evil.tld\.acme.com`],
    ['with an encoded dot', 'https://acme.com%2eevil.tld'],
    ['with a query and no path', 'acme.com?evil.tld'],
    ['with a redirect in the query', 'https://acme.com/go?to=https://evil.tld'],
    ['with a scheme and one slash', 'acme.com http:/evil.com.1'],
    ['with a scheme and no slash', 'acme.com http:evil.com.1'],
    ['with a symbol before the dot', 'acme.com \u{1f4a9}.la'],
    ['with a currency sign and a name', 'acme.com $1.evil'],
    ['with a broken escape', 'acme.com/%evil.tld'],
    ['with two dots', 'acme.com..evil.tld'],
    ['with a full-width dot', 'acme.com evil。tld'],
    ['with an unseen space', 'acme.com evil\u200bacme.com'],
    ['with an emoji', '\u{1f600}acme.com'],
    ['with Cyrillic letters', 'https://\u0430cme.com'],
    ['with an address', 'acme.com or 41.203.88.12/x'],
    ['with an address in one number', 'acme.com or http://3232235777/x'],
    ['with another scheme', 'acme.com or whatsapp://send'],
    ['with a top-level domain that goes on', 'acme.com evil.tld_'],
    ['with a point without a space', 'acme.com today.Call'],
  ])('%s', (_, text) => {
    expect(hasOnlyLinksTo(DOMAINS, text)).toBe(false);
  });

  it('answers for a long text whose characters become several', () => {
    // A search for a dot behind each letter would take minutes.
    const long = `acme.com ${'\u3316'.repeat(30_000)} ${'a.'.repeat(30_000)}`;
    expect(hasOnlyLinksTo(DOMAINS, long)).toBe(false);
  });

  it('is every text where nothing is listed', () => {
    expect(hasOnlyLinksTo([], 'https://acme.com')).toBe(false);
  });
});

describe('a host, an address or a scheme', () => {
  it.each([
    'GTBank evil.co/x',
    'Open https://3232235777/',
    'Call 10.0.0.1',
    'evil。co',
    'münchen.xn--p1ai',
    'Bye.Now',
  ])('is in %j', (text) => expect(mayHoldLink(text)).toBe(true));

  it.each([
    'Acme Inc.',
    'St. John & Sons',
    'A.B.C Ltd',
    'Code 1234. It costs 3.50, v1.2',
    'a/b: c',
    '',
  ])('is not in %j', (text) => expect(mayHoldLink(text)).toBe(false));
});
