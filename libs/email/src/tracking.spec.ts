import { describe, expect, it } from '@jest/globals';
import { EmailTokens } from './tokens.js';
import { trackedHtml } from './tracking.js';

const secret = 'tracking-secret';
const tokens = new EmailTokens(secret);
const ref = { emailId: '0198f3a2-7c1e-7d55-9a31-2f4b8c6d0e12', recipient: 0 };
const base = { baseUrl: 'https://links.example.com', secret, ref };
const clicks = (html: string, unsubscribe?: string) =>
  trackedHtml(html, { ...base, opens: false, clicks: true }, unsubscribe);

/** Returns the targets of the links in the result. */
function targets(html: string): string[] {
  const found = html.matchAll(/https:\/\/links\.example\.com\/t\/c\/([\w-]+)/g);
  return [...found].map(([, token]) => tokens.readClick(token!)!.url);
}

describe('links', () => {
  it.each([
    ['<a href="https://a.example/?x=1&amp;y=2">x</a>', 'https://a.example/?x=1&y=2'],
    ['<a\n  href = "https://a.example/"\n>x</a>', 'https://a.example/'],
    ['<area shape=rect href="https://a.example/">', 'https://a.example/'],
    ['<a title=">" href="https://a.example/">x</a>', 'https://a.example/'],
    ['<a href="&#104;ttps://a.example/">x</a>', 'https://a.example/'],
    ['<p>1 < 2<a href="https://a.example/">x</a>', 'https://a.example/'],
  ])('of %s lead through the click route', (html, target) => {
    expect(targets(clicks(html))).toEqual([target]);
  });

  it.each([
    '<a href="mailto:a@b.example">x</a>',
    '<a href="#top">x</a>',
    '<a href="/relative">x</a>',
    '<a href="javascript:alert(1)">x</a>',
    '<a data-notrack href="https://a.example/">x</a>',
    '<!-- <a href="https://a.example/">x</a> -->',
    '<style>a { content: "<a href=https://a.example/>" }</style>',
    '<script>x = "<a href=\'https://a.example/\'>"</script>',
    '<img src="https://a.example/x.png">',
    '<a href="https://a.example/',
    '<a href="https://links.example.com/u/token">x</a>',
    'plain text, https://a.example/',
  ])('%s stays as it is', (html) => {
    expect(clicks(html)).toBe(html);
  });

  it('leave the unsubscribe link alone', () => {
    const html = '<a href="https://other.example/u/1">stop</a>';
    expect(clicks(html, 'https://other.example/u/1')).toBe(html);
    expect(targets(clicks(html))).toEqual(['https://other.example/u/1']);
  });
});

describe('the pixel', () => {
  const opens = (html: string) => trackedHtml(html, { ...base, opens: true, clicks: false });

  it('is the last element', () => {
    expect(opens('<p>x</p>')).toMatch(/^<p>x<\/p><img src="https:\/\/links[^"]+" width="1"[^>]+>$/);
    expect(opens('<body><p>x</p></BODY></html>')).toMatch(/<\/p><img [^>]+><\/BODY><\/html>$/);
    // In lower case these letters have two characters each.
    expect(opens('<body>İİ</body></html>')).toMatch(/^<body>İİ<img [^>]+><\/body><\/html>$/);
  });

  it('is a plain image, because SpamAssassin 4.0.1 takes hidden ones for spam', () => {
    expect(opens('x')).toMatch(/ width="1" height="1" alt="">$/);
  });

  it('names the recipient', () => {
    const [, token] = /\/t\/o\/([\w-]+)"/.exec(opens('x'))!;
    expect(tokens.readOpen(token!)).toEqual(ref);
  });
});
