import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type EmailContent, EMAIL_BYTES_MAX, newId } from '@watchword/contracts';
import { composeEmail, EmailComposer, ownLinks, trackingBytesMax } from '@watchword/email';
import { EmailSize } from './email-size.js';
import { sizeBounds } from './size-bounds.policy.js';

const MIB = 1024 * 1024;
const email = {
  from: 'Acme <a@acme.example>',
  to: ['ada@example.com'],
  cc: [],
  reply_to: [],
  subject: 'Hello',
  headers: {},
  from_domain: 'acme.example',
  recipients: ['ada@example.com'],
  category: 'transactional' as const,
  track_opens: false,
  track_clicks: false,
};
const platform = {
  config: { trackingHost: '', callbackBaseUrl: 'https://gateway.example', host: '', port: 0 },
} as never;
const LINK = '<a href=http://a.b>x</a>';
const contentOf = (given: Partial<EmailContent>): EmailContent => ({
  ...{ html: null, text: null, attachments: [] },
  ...given,
});

describe('the size of an email', () => {
  let asked = 0;
  let composed = 0;
  const composer = {
    sizeOf: async () => {
      asked += 1;
      return composed;
    },
  } as unknown as EmailComposer;
  const check = (content: EmailContent) =>
    new EmailSize(composer, platform).check(email as never, content);

  beforeEach(() => {
    asked = 0;
    composed = EMAIL_BYTES_MAX;
  });

  it('between the two is asked of the composer, which works in a thread', async () => {
    const content = contentOf({ html: 'a'.repeat(9 * MIB) });
    await check(content);
    composed += 1;
    await expect(check(content)).rejects.toMatchObject({ field: 'attachments' });
    expect(asked).toBe(2);
  });
});

describe('the links of an email', () => {
  const composer = new EmailComposer({ threads: 1 });
  const checked = (wishes: object) =>
    new EmailSize(composer, platform).check(
      { ...email, ...wishes } as never,
      contentOf({ html: LINK.repeat(110_000), text: '' }),
    );
  afterAll(() => composer.close());

  it('count, where it has them', async () => {
    await checked({ track_opens: true });
    await checked({ category: 'marketing' });
    await expect(checked({ track_clicks: true })).rejects.toMatchObject({ field: 'attachments' });
  });
});

describe('its bounds', () => {
  const baseUrl = 'https://links.acme.example';
  const owner = { emailId: newId(), workspaceId: newId(), recipient: 0, address: 'ada@a.bc' };
  const wishes = { category: 'marketing', track_opens: true, track_clicks: true } as const;

  it.each([
    ['what is encoded threefold', contentOf({ html: '===='.repeat(20_000), text: '=' })],
    ['a file', contentOf({ text: 'a', attachments: [fileOf(300_000)] })],
    ['short links', contentOf({ html: LINK.repeat(2_000) })],
    ['long links', contentOf({ html: `<a href="https://a.b/${'é'.repeat(900)}">`.repeat(99) })],
    ['nothing but a file', contentOf({ text: '', attachments: [fileOf(300_000)] })],
  ])('hold for %s', async (_, content) => {
    const order = { content: { ...email, ...content }, messageId: 'a@b', dateMs: 0, dkim: null };
    const links = ownLinks(wishes, owner, { baseUrl, secret: 'links' });
    const { length } = await composeEmail({ ...order, ...links });
    const { least, most } = sizeBounds(
      content,
      trackingBytesMax(content.html ?? '', { baseUrl }),
      [],
    );
    expect(length).toBeGreaterThanOrEqual(least);
    expect(length).toBeLessThanOrEqual(most);
  });
});

function fileOf(base64Length: number) {
  const content = 'A'.repeat(base64Length - (base64Length % 4));
  return { filename: 'a.bin', content, content_type: 'application/octet-stream', content_id: null };
}
