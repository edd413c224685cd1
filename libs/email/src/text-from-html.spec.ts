import { describe, expect, it } from '@jest/globals';
import { textFromHtml } from './text-from-html.js';

describe('the text derived from HTML', () => {
  it.each([
    [
      'cells and rows apart, as innerText of Chromium 141',
      '<table><tr><th>Item</th> <th>Price</th></tr>\n<tr><td>Tea</td><td><b>250</b></td></tr></table>',
      'Item\tPrice\nTea\t250',
    ],
    [
      'rows in sections, and text around',
      'a<table><thead><tr><td>b</td></tr></thead><tbody><tr><td>c</td><td>d</td></tr></tbody></table>e',
      'a\nb\nc\td\n\ne',
    ],
    [
      'a table in a cell',
      '<table><tr><td><table><tr><td>in</td><td>ner</td></tr></table></td></tr></table>',
      'in\tner',
    ],
    ['paragraphs', '<p>Hello <b>Ada</b></p><p>Bye</p>', 'Hello Ada\n\nBye'],
  ])('has %s', async (_title, html, text) => expect(await textFromHtml(html)).toBe(text));

  it('is empty for HTML that is too large', async () => {
    expect(await textFromHtml('<p>x</p>'.repeat(100_000))).toBe('');
  });
});
