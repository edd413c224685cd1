import { describe, expect, it } from '@jest/globals';
import { simpleParser } from 'mailparser';
import { composeEmail, hasControls, headerProblem } from '../src/index.js';
import type { ComposeOrder } from '../src/index.js';

const ORDER: ComposeOrder = {
  content: {
    ...{ from: 'Acme <a@acme.example>', to: ['ada@example.com'], cc: [], reply_to: [] },
    ...{ subject: 'Hello', html: null, text: 'Hi', headers: {}, attachments: [] },
  },
  messageId: '0198@acme.example',
  dateMs: 1_790_000_000_000,
  dkim: null,
};
const SENT = ['content-transfer-encoding', 'content-type', 'date', 'from', 'message-id'];
const USUAL = [...SENT, 'mime-version', 'subject', 'to'];

/** Line ends that some program accepts, each before a header of the attacker. */
const INJECTIONS = [
  ...['\r\n', '\n', '\r', '\n\r', '\r\n\r\n', '\r\n ', '\r\n\t', '\0', '\v', '\f', '\u001b'],
  ...['\u0085', '\u009f', '\u2028', '\u2029', '\u007f', '\u001c', '\u001e', '\b', '\ud800'],
].map((end) => `x${end}Bcc: evil@example.com`);
const RESERVED_NAMES = [
  ...['From', 'sender', 'TO', 'Cc', 'bCC', 'Reply-To', 'Subject', 'Date', 'Message-ID'],
  ...['MIME-Version', 'Content-Type', 'Content-X', 'DKIM-Signature', 'Received', 'Return-Path'],
  ...['List-Unsubscribe', 'List-Unsubscribe-Post', 'Authentication-Results', 'Resent-To'],
  ...['X-SES-Configuration-Set', 'X-Svc-Id', 'ARC-Seal'],
];
const NAMES = [
  ...['', ' ', 'X A', 'X:', ':', 'X: y\r\nBcc', 'X\r\nBcc', 'X\n', 'X\r', '\tX', ' Bcc', 'Bcc '],
  ...['X\0', 'Bcc\u200b', 'Ünï', 'Вcc', 'X\u2028Bcc', 'X\u0085Bcc', 'x'.repeat(77)],
];

async function headersOf(content: Partial<ComposeOrder['content']>): Promise<string[]> {
  const raw = await composeEmail({ ...ORDER, content: { ...ORDER.content, ...content } });
  const head = raw.subarray(0, raw.indexOf('\r\n\r\n')).toString('latin1');
  const lines = head.split(/\r\n(?![ \t])/);
  return lines.map((line) => line.slice(0, line.indexOf(':')).toLowerCase()).toSorted();
}

describe('a hostile header', () => {
  it.each([...RESERVED_NAMES, ...NAMES])('named %j is refused', async (name) => {
    expect(headerProblem(name, 'v')).not.toBeNull();
    await expect(headersOf({ headers: { [name]: 'v' } })).rejects.toThrow('header');
  });

  it.each(INJECTIONS)('with the value %j is refused', async (value) => {
    expect(hasControls(value)).toBe(true);
    expect(headerProblem('X-A', value)).not.toBeNull();
    await expect(headersOf({ headers: { 'X-A': value } })).rejects.toThrow('header');
    await expect(headersOf({ subject: value })).rejects.toThrow('control character');
  });

  it.each([
    ...['Bcc: evil@example.com', '=?utf-8?Q?x=0D=0ABcc:_evil@example.com?=', '%0d%0aBcc: e@x.de'],
    ...['\\r\\nBcc: evil@example.com', '&#13;&#10;Bcc: e@x.de', 'a\tBcc: e@x.de', ': :', '; a=b'],
    ...['é'.repeat(400), 'a '.repeat(499), '嘊Bcc: e@x.de', '\u010d\u010aBcc: e@x.de', '"', "'"],
  ])('value %j stays one header', async (value) => {
    expect(await headersOf({ headers: { 'X-A': value } })).toEqual([...USUAL, 'x-a'].toSorted());
    expect(await headersOf({ subject: value })).toEqual(USUAL.toSorted());
  });
});

/** Returns the header names of an attachment's part. */
async function partOf(attachment: object): Promise<string[]> {
  const file = { filename: 'a.bin', content: 'SGVsbG8=', ...attachment };
  const content = { ...ORDER.content, attachments: [file] };
  const raw = (await composeEmail({ ...ORDER, content })).toString('latin1');
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(raw) ?? [];
  expect((await simpleParser(raw)).attachments).toHaveLength(1);
  const parts = raw.split(`--${boundary}`);
  expect(parts).toHaveLength(4);
  const head = parts[2]!.slice(2, parts[2]!.indexOf('\r\n\r\n'));
  const lines = head.split(/\r\n(?![ \t])/);
  return lines.map((line) => line.slice(0, line.indexOf(':')).toLowerCase()).toSorted();
}

describe('a hostile attachment', () => {
  it.each(INJECTIONS)('named %j is refused', async (filename) => {
    await expect(partOf({ filename })).rejects.toThrow('control character');
  });

  it.each(INJECTIONS)('of the content type or id %j is refused', async (text) => {
    await expect(partOf({ content_type: `text/plain; a=${text}` })).rejects.toThrow('content type');
    await expect(partOf({ content_id: text })).rejects.toThrow('content id');
  });
});
