/** Tests the SMTP account against relays from other projects. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { composeEmail, dkimRecordValue, newDkimKey, readReportMessage } from '@watchword/email';
import { selfSigned, waitUntil } from '@watchword/testing';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { generatedOrders } from '../../email/test/generated-emails.kit.js';
import { SmtpAdapter, type SmtpSettings } from '../src/smtp/smtp.adapter.js';
import { postfix, startPostfix } from './postfix.kit.js';
import {
  aiosmtpd,
  canRunOpenSmtpd,
  LOGIN,
  type Relay,
  startAiosmtpd,
  startExchanger,
  startOpenSmtpd,
  type Taken,
} from './smtp-relays.kit.js';

const EMAILS = 40;
const DOMAIN = 'mail.example.com';
const RETURN_PATH = `bounce+abc@send.${DOMAIN}`;
const EMAIL = {
  emailId: '0198f3a2-7c1e-7d55-9a31-2f4b8c6d0e12',
  recipient: 0,
  attempt: 1,
  returnPath: RETURN_PATH,
  deadlineMs: 120_000,
};

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

async function using(relay: Promise<Relay>): Promise<Relay> {
  const started = await relay;
  opened.push(started);
  return started;
}

function account(port: number, settings: Partial<SmtpSettings>): SmtpAdapter {
  const ours = { id: 'smtp', host: '127.0.0.1', ehloName: 'sender.example' };
  const open = { security: 'none', username: '', password: '' } as const;
  const capacity = { concurrency: 4, messagesPerSecond: null, waitingMax: 4 };
  const adapter = new SmtpAdapter({ ...ours, ...open, port, capacity, ...settings });
  opened.push({ close: () => adapter.stop() });
  return adapter;
}

/**
 * Returns emails with UTF-8, long lines, attachments and dots at line starts, with their
 * signatures.
 */
async function signedEmails(): Promise<{ messages: Buffer[]; record: string }> {
  const key = await newDkimKey();
  const dkim = { domain: DOMAIN, selector: 'ww1', privateKeyPem: key.privateKeyPem };
  const orders = generatedOrders(EMAILS, 20_261_122);
  const messages = await Promise.all(orders.map((order) => composeEmail({ ...order, dkim })));
  return { messages, record: dkimRecordValue(key.publicKeyBase64) };
}

async function verdictsOf(taken: readonly Taken[], record: string): Promise<string[]> {
  const resolver = async () => [[record]];
  const verified = taken.map(({ raw }) => dkimVerify(raw, { resolver }));
  return (await Promise.all(verified)).map(({ results }) => results[0]!.status.result);
}

async function submitAll(adapter: SmtpAdapter, messages: readonly Buffer[]): Promise<void> {
  const submitted = messages.map((raw, index) =>
    adapter.submit({ ...EMAIL, to: `ada${index}@example.com`, raw }),
  );
  for (const outcome of await Promise.all(submitted)) expect(outcome.outcome).toBe('accepted');
}

describe('aiosmtpd', () => {
  const packages = aiosmtpd();
  const run = packages === null ? it.skip : it;
  const why = packages === null ? ' (skipped: no Python 3 with pip)' : '';

  run(
    `takes signed emails over TLS after a login, and its refusals are understood${why}`,
    async () => {
      const certificate = selfSigned();
      const taken: (Taken & { tls: boolean })[] = [];
      const { port } = await using(startAiosmtpd(packages!, certificate, taken));
      const secured = { security: 'starttls', tls: { ca: certificate.ca } } as const;
      const adapter = account(port, { ...secured, ...LOGIN });
      const { messages, record } = await signedEmails();
      await submitAll(adapter, messages);
      expect(taken).toHaveLength(EMAILS);
      expect(taken.every(({ tls, from }) => tls && from === RETURN_PATH)).toBe(true);
      expect(await verdictsOf(taken, record)).toEqual(Array(EMAILS).fill('pass'));
      const [raw] = messages;
      const submit = (by: SmtpAdapter, to: string) => by.submit({ ...EMAIL, to, raw: raw! });
      expect(await submit(adapter, 'gone@example.com')).toMatchObject({
        outcome: 'bounced',
        suppress: true,
        bounce: { code: '550 5.1.1' },
      });
      expect(await submit(adapter, 'later@example.com')).toMatchObject({ outcome: 'deferred' });
      for (const other of [{ ...LOGIN, password: 'x' }, { tls: {} }, { security: 'none' }]) {
        const wrong = account(port, { ...secured, ...LOGIN, ...(other as object) });
        expect(await submit(wrong, 'a@example.com')).toMatchObject({ outcome: 'refused' });
      }
      expect(taken).toHaveLength(EMAILS);
    },
    120_000,
  );
});

describe('Postfix', () => {
  const program = postfix();
  const run = program === null ? it.skip : it;
  const why =
    program === null ? ' (skipped: neither installed nor to be had by apt, or not root)' : '';

  run(
    `relays signed emails that came over TLS unchanged, and its reports are understood${why}`,
    async () => {
      const certificate = selfSigned();
      const taken: Taken[] = [];
      // This exchanger asks for no reports, so Postfix makes them itself.
      const exchanger = await using(startExchanger(taken, false));
      const { port } = await using(startPostfix(program!, certificate, exchanger.port));
      const adapter = account(port, { security: 'starttls', tls: { ca: certificate.ca } });
      const { messages, record } = await signedEmails();
      await submitAll(adapter, messages);
      const arrived = () => taken.filter(({ from }) => from !== '');
      await waitUntil('all emails at the exchanger', () => arrived().length === EMAILS);
      expect(arrived().every(({ from }) => from === RETURN_PATH)).toBe(true);
      expect(await verdictsOf(arrived(), record)).toEqual(Array(EMAILS).fill('pass'));
      const gone = { ...EMAIL, to: 'gone@example.com', raw: messages[0]! };
      expect(await adapter.submit(gone)).toMatchObject({ outcome: 'accepted' });
      const isBounce = ({ raw }: Taken) => /^Action: failed/im.test(raw);
      const bounce = await waitUntil('the bounce', () => taken.find(isBounce));
      expect(bounce).toMatchObject({ from: '', to: RETURN_PATH });
      expect(await readReportMessage(Buffer.from(bounce.raw))).toMatchObject({
        kind: 'bounced',
        suppress: true,
        bounce: { type: 'permanent', sub_type: 'no_email', code: '550 5.1.1' },
      });
      const inClear = account(port, {});
      expect(await inClear.submit(gone)).toMatchObject({ outcome: 'refused' });
    },
    180_000,
  );
});

describe('OpenSMTPD', () => {
  const can = canRunOpenSmtpd();
  const run = can ? it : it.skip;
  const why = can ? '' : ' (skipped: opensmtpd is not installed, or the tests do not run as root)';

  run(
    `relays signed emails unchanged, and its bounces are understood${why}`,
    async () => {
      const taken: Taken[] = [];
      const exchanger = await using(startExchanger(taken));
      const { port } = await using(startOpenSmtpd(exchanger.port));
      const adapter = account(port, {});
      const { messages, record } = await signedEmails();
      await submitAll(adapter, messages);
      await waitUntil('all emails at the exchanger', () => taken.length === EMAILS);
      expect(taken.every(({ from }) => from === RETURN_PATH)).toBe(true);
      expect(await verdictsOf(taken, record)).toEqual(Array(EMAILS).fill('pass'));
      const gone = { ...EMAIL, to: 'gone@example.com', raw: messages[0]! };
      expect(await adapter.submit(gone)).toMatchObject({ outcome: 'accepted' });
      const bounce = await waitUntil('the bounce', () => taken[EMAILS]);
      expect(bounce).toMatchObject({ from: '', to: RETURN_PATH });
      expect(await readReportMessage(Buffer.from(bounce.raw))).toMatchObject({
        kind: 'bounced',
        suppress: true,
        bounce: { type: 'permanent', sub_type: 'no_email', code: '550 5.1.1' },
      });
    },
    180_000,
  );
});
