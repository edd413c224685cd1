import { seededRandom } from '@watchword/platform';
import type { ComposeOrder, EmailAttachment } from '../src/index.js';

const NAMES = ['Ada', 'Ünïcödé Café', 'Lovelace, Ada', '王小明', '🎉 Team', "O'Brien", 'Ἀθηνᾶ', ''];
const SUBJECTS = [
  'Plain',
  '',
  'Grüße aus Köln 🎉',
  'x'.repeat(998),
  'ä'.repeat(400),
  '日本語の件名'.repeat(20),
  '=?utf-8?B?not encoded?=',
  'trailing spaces   ',
  'tab\tinside',
];
const LINES = [
  '.',
  '..',
  '.dot at the start',
  'From the start',
  'x'.repeat(2_000),
  'Grüße, 日本語, العربية, 🎉',
  'trailing spaces   ',
  '\ttab',
  '',
  '--boundary--',
  '=3D =20 =',
  'a bare \r return',
  'nul-free \u00a0 space',
];

const UNSUBSCRIBING = {
  unsubscribeUrl: `https://svc.example.com/u/${'t'.repeat(90)}`,
  unsubscribeAddress: `unsub+${'t'.repeat(52)}@send.mail.example.com`,
};

/**
 * Returns generated emails with UTF-8 names and subjects, long lines, attachments, inline images,
 * dots at line starts and 8-bit text.
 */
export function generatedOrders(count: number, seed: number): Omit<ComposeOrder, 'dkim'>[] {
  const next = seededRandom(seed);
  const below = (max: number) => Math.floor(next() * max);
  const pick = <Item>(items: readonly Item[]) => items[below(items.length)]!;
  const text = () =>
    Array.from({ length: below(30) }, () => pick(LINES)).join(pick(['\n', '\r\n']));
  const mailbox = (index: number) => {
    const name = pick(NAMES);
    const address = `user${index}@example${below(9)}.com`;
    return name === '' ? address : `"${name}" <${address}>`;
  };
  const attachment = (): EmailAttachment => {
    const bytes = Buffer.from(Array.from({ length: below(3_000) }, () => below(256)));
    const isInline = next() < 0.3;
    return {
      filename: pick([
        'a.txt',
        'Rechnung März.pdf',
        'レポート.csv',
        'no-extension',
        'x'.repeat(150),
      ]),
      content: bytes.toString('base64'),
      content_type: isInline
        ? 'image/png'
        : pick(['application/pdf', 'text/csv', 'message/rfc822', null]),
      content_id: isInline ? `image${below(99)}` : null,
    };
  };
  const headersOf = (index: number): Record<string, string> =>
    next() < 0.3 ? { 'X-Entity-Ref': `ref-${index}`, 'X-Name': pick(NAMES) || 'x' } : {};
  return Array.from({ length: count }, (_, index) => {
    const html =
      next() < 0.7
        ? `<html><body><p>${text()}</p><a href="https://a.example/${index}">x</a></body></html>`
        : null;
    const emailId = `0198f3a2-7c1e-7d55-9a31-${index.toString(16).padStart(12, '0')}`;
    const isMarketing = next() < 0.3;
    return {
      content: {
        from: `"${pick(NAMES) || 'Sender'}" <sender@mail.example.com>`,
        to: Array.from({ length: 1 + below(4) }, (_one, at) => mailbox(at)),
        cc: next() < 0.2 ? [mailbox(90)] : [],
        reply_to: next() < 0.2 ? [mailbox(91)] : [],
        subject: pick(SUBJECTS),
        html,
        text: html === null || next() < 0.5 ? text() : null,
        headers: headersOf(index),
        attachments: next() < 0.4 ? Array.from({ length: 1 + below(3) }, attachment) : [],
      },
      messageId: `${emailId}@mail.example.com`,
      dateMs: 1_795_161_600_000 + index * 1_000,
      ...(isMarketing ? UNSUBSCRIBING : {}),
      ...(next() < 0.4
        ? {
            tracking: {
              baseUrl: 'https://svc.example.com',
              secret: 'tracking',
              ref: { emailId, recipient: 0 },
              opens: true,
              clicks: true,
            },
          }
        : {}),
    };
  });
}
