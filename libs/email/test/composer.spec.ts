import { afterAll, expect, it } from '@jest/globals';
import { composeEmail, EmailComposer } from '../src/index.js';
import { textFromHtml } from '../src/text-from-html.js';
import { generatedOrders } from './generated-emails.kit.js';

const composer = new EmailComposer({ threads: 1 });
afterAll(() => composer.close());

it('says the size of a message without its signature', async () => {
  for (const order of generatedOrders(20, 7)) {
    const unsigned = { ...order, dkim: null };
    expect(await composer.sizeOf(order)).toBe((await composeEmail(unsigned)).length);
  }
});

it('says what is wrong with an email that the API must have refused', async () => {
  const [order] = generatedOrders(1, 7);
  const content = { ...order!.content, subject: 'a\r\nBcc: x@example.com' };
  await expect(composer.sizeOf({ ...order!, content })).rejects.toThrow('control character');
});

it('takes empty HTML for none, so that no empty part with a pixel hides the text', async () => {
  const [order] = generatedOrders(1, 7);
  const content = { ...order!.content, html: '', text: 'Hello', attachments: [] };
  const ref = { emailId: '0198f3a2-7c1e-7d55-9a31-2f4b8c6d0e12', recipient: 0 };
  const baseUrl = 'https://links.example.com';
  const tracking = { baseUrl, secret: 's', ref, opens: true, clicks: true };
  const message = String(await composeEmail({ ...order!, content, tracking, dkim: null }));
  expect(message).toContain('Content-Type: text/plain');
  expect(message).not.toContain('text/html');
});

it('derives the text of HTML, whether it is short or long', async () => {
  for (const count of [1, 5_000]) {
    const html = '<p>Hello <b>Ada</b></p>'.repeat(count);
    const text = await composer.textOf(html);
    expect([text.split('Hello Ada').length - 1, text]).toEqual([count, await textFromHtml(html)]);
  }
});
