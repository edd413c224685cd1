import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EMAIL_BYTES_MAX, EmailReport, newId } from '@watchword/contracts';
import { EmailTokens } from '@watchword/email';
import { freePort } from '@watchword/postgres';
import { Ajv } from 'ajv';
import { createTransport } from 'nodemailer';
import { CALLBACK_SECRET, openGateway, type TestGateway } from './gateway.kit.js';

const tokens = EmailTokens.of(CALLBACK_SECRET);
const DAY_MS = 86_400_000;
/** Written by the programs, and read one by one in libs/email/src/real-bounces.spec.ts. */
const BOUNCES = join(import.meta.dirname, '../../../libs/email/fixtures/bounces');
let gateway: TestGateway;
let port: number;

beforeAll(async () => {
  port = await freePort();
  gateway = await openGateway({ INBOUND_SMTP_PORT: String(port) });
});

beforeEach(() => {
  gateway.published.length = 0;
});

afterAll(() => gateway?.close());

interface Bounce {
  action?: string;
  status?: string;
  reportType?: string;
  part?: string;
  fields?: string;
}

function report({
  action = 'failed',
  status = '5.1.1',
  reportType = 'delivery-status',
  part = 'message/delivery-status',
  fields = `Reporting-MTA: dns; x\r\n\r\nFinal-Recipient: rfc822; victim@example.com\r\nAction: ${action}\r\nStatus: ${status}`,
}: Bounce = {}): string {
  return [
    'From: MAILER-DAEMON@mx.example.com',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${reportType}; boundary=b`,
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'x',
    '--b',
    `Content-Type: ${part}`,
    '',
    fields,
    '--b--',
    '',
  ].join('\r\n');
}

const complaint = (type: string) =>
  report({
    reportType: 'feedback-report',
    part: 'message/feedback-report',
    fields: `Feedback-Type: ${type}`,
  });

interface Sent {
  from?: string;
  to?: string | string[];
  raw?: string;
}

const newRef = () => ({ emailId: newId(), recipient: 2 });
const pathOf = (ref = newRef(), expiresInMs = DAY_MS) =>
  `${tokens.returnPath(ref, gateway.clock.now() + expiresInMs)}@send.example.com`;

/** Returns the answer's code; 250 for an accepted message. */
async function mail({ from = '', to = pathOf(), raw = report() }: Sent = {}): Promise<number> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  try {
    await transport.sendMail({ envelope: { from, to: [to].flat() }, raw });
    return 250;
  } catch (error) {
    return (error as { responseCode?: number }).responseCode ?? 0;
  } finally {
    transport.close();
  }
}

const payloads = () => gateway.published.map(({ payload }) => JSON.parse(payload));

describe('a message to a return path', () => {
  it.each([
    [
      'a failure',
      report(),
      { kind: 'bounced', suppress: true, bounce: { type: 'permanent', sub_type: 'no_email' } },
    ],
    ['a delivery', report({ action: 'delivered', status: '2.0.0' }), { kind: 'delivered' }],
    ['a complaint', complaint('abuse'), { kind: 'complained', complaint: { type: 'abuse' } }],
  ])('reports %s', async (_title, raw, expected) => {
    const ref = newRef();
    expect(await mail({ to: pathOf(ref), raw })).toBe(250);
    const [message] = gateway.published;
    expect(message).toMatchObject({ key: ref.emailId, type: 'svc.email-report.v1' });
    const [payload] = payloads();
    expect(payload).toMatchObject({
      email_id: ref.emailId,
      recipient: 2,
      provider: null,
      ...expected,
    });
    expect(new Ajv({ strict: false }).validate(EmailReport, payload)).toBe(true);
  });

  it('is read when it returns a large email whole (notqmail, OpenSMTPD 6.8.0p2)', async () => {
    const raw = `${report()}${'x'.repeat(EMAIL_BYTES_MAX)}`;
    expect(await mail({ raw })).toBe(250);
    expect(payloads()).toMatchObject([{ kind: 'bounced', suppress: true }]);
  });

  it.each([
    ['chasquid', 'nouser', 'permanent', true],
    ['dma', 'grey', 'transient', false],
    ['exim', 'down', 'transient', false],
    ['haraka', 'full', 'transient', false],
    ['maddy', 'norelay', 'permanent', false],
    ['nullmailer', 'grey', 'transient', false],
    ['opensmtpd', 'down', 'transient', false],
    ['postfix', 'nouser', 'permanent', true],
    ['sendmail', 'sender', 'permanent', false],
  ])('of %s is taken and read: %s', async (program, name, type, suppress) => {
    const raw = readFileSync(join(BOUNCES, program, `${name}.eml`), 'latin1');
    expect(await mail({ raw })).toBe(250);
    expect(payloads()).toMatchObject([{ kind: 'bounced', suppress, bounce: { type } }]);
  });

  it('announces no PIPELINING, so that the sender waits for each answer (Exim 4.96)', async () => {
    const socket = connect(port, '127.0.0.1');
    const words = createInterface(socket)[Symbol.asyncIterator]();
    await words.next();
    socket.write('EHLO mx.example.com\r\n');
    const lines: string[] = [];
    do lines.push(String((await words.next()).value));
    while (lines.at(-1)!.startsWith('250-'));
    socket.destroy();
    expect(lines.map((line) => line.slice(4))).not.toContain('PIPELINING');
  });

  it('has the same id when it comes again', async () => {
    const [to, raw] = [pathOf(), report()];
    await mail({ to, raw });
    await mail({ to: to.toUpperCase(), raw });
    const [first, second] = payloads();
    expect(second.report_id).toBe(first.report_id);
  });

  it('decisions 26: reports a complaint from any sender', async () => {
    expect(await mail({ from: 'fbl@isp.example', raw: complaint('fraud') })).toBe(250);
    expect(payloads()).toMatchObject([{ kind: 'complained' }]);
  });
});

describe('a message to an unsubscribe address', () => {
  const addressOf = (ref = newRef(), expiresInMs = DAY_MS) =>
    `${tokens.unsubscribeMailbox(ref, gateway.clock.now() + expiresInMs)}@send.example.com`;

  it('unsubscribes its reader, with any body', async () => {
    const ref = newRef();
    const raw = 'Subject: unsubscribe\r\n\r\n\r\n';
    expect(await mail({ from: 'ada@example.com', to: addressOf(ref), raw })).toBe(250);
    const [payload] = payloads();
    expect(payload).toMatchObject({ kind: 'unsubscribed', email_id: ref.emailId, recipient: 2 });
    expect(new Ajv({ strict: false }).validate(EmailReport, payload)).toBe(true);
  });

  it('changes nothing when a program answers by itself, or the address is not live', async () => {
    expect(await mail({ to: addressOf() })).toBe(250);
    const from = 'ada@example.com';
    expect(await mail({ from, to: addressOf(newRef(), -2 * 3_600_000) })).toBe(550);
    const others = EmailTokens.of('another-secret-0123456789');
    const local = others.unsubscribeMailbox(newRef(), gateway.clock.now() + DAY_MS);
    expect(await mail({ from, to: `${local}@send.example.com` })).toBe(550);
    expect(gateway.published).toEqual([]);
  });
});

const forgedPaths = (): readonly (readonly [string, string])[] => {
  const others = EmailTokens.of('another-secret-0123456789');
  const local = tokens.returnPath(newRef(), gateway.clock.now() + DAY_MS);
  const swapped = `${local.slice(0, -1)}${local.endsWith('a') ? 'b' : 'a'}`;
  return [
    ['nobody', 'bounce@send.example.com'],
    ['the postmaster', 'postmaster@send.example.com'],
    ['a person elsewhere', 'victim@gmail.example'],
    ['an empty token', 'bounce+@send.example.com'],
    ['a random token', `bounce+${'a'.repeat(52)}@send.example.com`],
    ['a short token', `${local.slice(0, -4)}@send.example.com`],
    ['a long token', `${local}aaaa@send.example.com`],
    ['a changed token', `${swapped}@send.example.com`],
    ['a changed recipient', `${local.slice(0, 34)}z${local.slice(35)}@send.example.com`],
    ['another prefix', `unsub+${local.slice(7)}@send.example.com`],
    ['a token without its prefix', `${local.slice(7)}@send.example.com`],
    [
      'a token of another installation',
      `${others.returnPath(newRef(), gateway.clock.now() + DAY_MS)}@x.example`,
    ],
    ['an expired token', pathOf(newRef(), -2 * 3_600_000)],
    ['a token long expired', pathOf(newRef(), -90 * DAY_MS)],
    ['a relay by percent', `victim%gmail.example@send.example.com`],
    ['a relay by bang', `gmail.example!victim@send.example.com`],
    ['a quoted relay', `"victim@gmail.example"@send.example.com`],
    ['a token in the domain', `victim@${local.slice(7)}.example.com`],
  ];
};

describe('what is forged changes nothing', () => {
  it('decisions 26: to addresses that are not ours', async () => {
    for (const [title, to] of forgedPaths()) {
      expect([title, await mail({ to })]).toEqual([title, title === 'a quoted relay' ? 501 : 550]);
    }
    expect(gateway.published).toEqual([]);
  });

  it('from people: only servers write notifications, from the empty address', async () => {
    const senders = [
      'mallory@evil.example',
      'MAILER-DAEMON@mx.example.com',
      'postmaster@gmail.example',
    ];
    for (const from of senders) {
      for (const action of ['failed', 'delivered', 'delayed']) {
        expect(await mail({ from, raw: report({ action }) })).toBe(250);
      }
    }
    expect(gateway.published).toEqual([]);
  });

  it.each([
    ['a reply', 'Subject: Re: hello\r\n\r\nThanks!\r\n'],
    ['not-spam', complaint('not-spam')],
  ])('decisions 26: with %s', async (_title, raw) => {
    expect(await mail({ raw })).toBe(250);
    expect(gateway.published).toEqual([]);
  });

  it('with more than an email may have', async () => {
    const raw = `${report()}${'x'.repeat(EMAIL_BYTES_MAX + 1_100_000)}`;
    expect(await mail({ raw })).toBe(552);
    expect(gateway.published).toEqual([]);
  });

  it('for two recipients in one message', async () => {
    await mail({ to: [pathOf(), pathOf()] });
    expect(gateway.published.length).toBeLessThanOrEqual(1);
  });

  it('decisions 26: again and again: twenty messages an hour about one recipient', async () => {
    const to = pathOf();
    const codes: number[] = [];
    for (let number = 0; number < 25; number += 1)
      codes.push(await mail({ to, raw: `${report()}${number}` }));
    expect(codes.filter((code) => code === 250)).toHaveLength(20);
    expect(codes.at(-1)).toBe(451);
  });

  it('decisions 26: six hundred unknown recipients a minute of one address; valid ones do not count', async () => {
    const unknown = Array.from({ length: 100 }, (_, at) => `nobody${at}@send.example.com`);
    const codes: number[] = [];
    for (let round = 0; round < 7; round += 1) codes.push(await mail({ to: unknown }));
    expect(codes[0]).toBe(550);
    expect(codes.at(-1)).toBe(451);
    expect(await mail()).toBe(250);
    expect(gateway.published).toHaveLength(1);
  });
});
