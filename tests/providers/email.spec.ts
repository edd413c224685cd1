/**
 * The carriers of email against the simulator, which shares no code with them: one contract for
 * both, then what only SES has.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startCarrierSim } from '@watchword/carrier-sim';
import type { CarrierSim } from '@watchword/carrier-sim';
import {
  type CarrierAccount,
  carrierOf,
  createEmailProviders,
  type EmailCallbackReader,
  type EmailCallbackResult,
  type EmailOutcome,
  type EmailProvider,
} from '@watchword/carriers';
import { EmailTokens } from '@watchword/email';
import { request } from 'undici';
import { waitUntil } from '../support/wait-until.js';

const SECRET = 'callback-secret-of-this-spec';
const ARN = 'arn:aws:sns:eu-west-1:123456789012:emails';
const SES = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'eu-west-1',
  configurationSet: 'watchword',
  topicArns: ARN,
};
const ref = { emailId: '0198f3a2-7c1e-7d55-9a31-2f4b8c6d0e12', recipient: 3 };
const tokens = EmailTokens.of(SECRET);
const returnPath = `${tokens.returnPath(ref, Date.now() + 86_400_000)}@send.example.com`;
const raw = Buffer.from('From: a@example.com\r\nSubject: x\r\n\r\nhello\r\n');
const EMAIL = { ...ref, attempt: 1, returnPath, to: 'ada@example.com', raw, deadlineMs: 20_000 };

interface Posted {
  headers: Record<string, string | string[] | undefined>;
  rawBody: string;
}

/** Stands where the gateway's callback route stands. */
const posted: Posted[] = [];
let receiver: Server;
let simulator: CarrierSim;
let read: EmailCallbackReader;

beforeAll(async () => {
  receiver = createServer(async (incoming, answer) => {
    let rawBody = '';
    for await (const chunk of incoming) rawBody += String(chunk);
    posted.push({ headers: incoming.headers, rawBody });
    answer.end('OK');
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const callbackUrl = `http://127.0.0.1:${port}/callbacks/ses`;
  simulator = await startCarrierSim({
    defaultReceiptDelayMs: 10,
    accounts: { ses: { ...SES, callbackUrl } },
  });
  read = await readerOf({ ...SES, snsUrl: simulator.url });
});

beforeEach(async () => {
  await control('DELETE', '/scenarios');
  await control('DELETE', '/emails');
  posted.length = 0;
});

afterAll(async () => {
  await simulator.close();
  await new Promise((resolve) => receiver.close(resolve));
});

async function control(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) {
  const { body: answer } = await request(`${simulator.url}/_simulator${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return text === '' ? null : JSON.parse(text);
}

type Name = 'smtp' | 'ses';

function accountOf(name: Name, settings: Record<string, string> = {}): CarrierAccount {
  const { host, port } = simulator.smtp;
  const ofName: Record<string, string> =
    name === 'ses'
      ? { ...SES, baseUrl: `${simulator.url}/ses` }
      : { host, port: String(port), security: 'none' };
  return { id: name, carrier: name, settings: { ...ofName, ...settings } };
}

async function using(
  name: Name,
  act: (provider: EmailProvider) => Promise<void>,
  settings?: Record<string, string>,
): Promise<void> {
  const context = { callbackBaseUrl: 'http://127.0.0.1:9', callbackSecret: SECRET };
  const provider = (await createEmailProviders([accountOf(name, settings)], context)).get(name)!;
  await provider.start();
  try {
    await act(provider);
  } finally {
    await provider.stop();
  }
}

async function readerOf(settings: Record<string, string>): Promise<EmailCallbackReader> {
  const { callback } = carrierOf('ses')!;
  if (callback?.channel !== 'email') throw new Error('SES reads no callbacks');
  const account = { id: 'ses', carrier: 'ses', settings };
  return callback.reader(account, { callbackSecret: SECRET });
}

const play = (provider: Name, submit: object, receipts: object[] = []) =>
  control('POST', '/scenarios', { provider, to: EMAIL.to, submit, receipts });

describe.each<Name>(['smtp', 'ses'])('%s', (name) => {
  const submits = async (submit: object, deadlineMs = 20_000): Promise<EmailOutcome> => {
    await play(name, submit);
    let outcome: EmailOutcome | undefined;
    await using(name, async (provider) => {
      outcome = await provider.submit({ ...EMAIL, deadlineMs });
    });
    return outcome!;
  };

  it('hands over the bytes that it was given', async () => {
    expect(await submits({ kind: 'accept' })).toMatchObject({
      outcome: 'accepted',
      delivered: false,
    });
    const [email] = await control('GET', '/emails');
    expect(email).toMatchObject({ provider: name, to: EMAIL.to, raw: raw.toString() });
  });

  it.each([
    [{ kind: 'throttle' }, name === 'smtp' ? 'deferred' : 'refused', 0],
    [{ kind: 'http_status', status: 503 }, name === 'smtp' ? 'deferred' : 'refused', 0],
    [{ kind: 'refuse' }, name === 'smtp' ? 'bounced' : 'rejected', 0],
    [{ kind: 'accept_then_lose_answer' }, 'ambiguous', 1],
  ])('%j is %s', async (submit, outcome, taken) => {
    const isRefused = outcome === 'refused';
    expect(await submits(submit)).toMatchObject(
      isRefused ? { outcome, temporary: true } : { outcome },
    );
    expect(await control('GET', '/emails')).toHaveLength(taken);
  });

  it('calls it ambiguous when the answer does not come in time', async () => {
    expect(await submits({ kind: 'hang' }, 500)).toMatchObject({ outcome: 'ambiguous' });
  });

  it('is refused where nothing listens', async () => {
    const elsewhere: Record<string, string> =
      name === 'smtp' ? { port: '9' } : { baseUrl: 'http://127.0.0.1:9' };
    await using(
      name,
      async (provider) => {
        expect(await provider.submit(EMAIL)).toMatchObject({ outcome: 'refused', temporary: true });
      },
      elsewhere,
    );
  });

  it('never shows its credentials', async () => {
    await using(name, async (provider) => {
      await play(name, { kind: 'refuse' });
      const text = JSON.stringify(await provider.submit(EMAIL));
      expect(text).not.toContain(SES.secretAccessKey);
    });
  });
});

describe('SES', () => {
  it.each([
    ['MessageRejected', 'rejected'],
    ['BadRequestException', 'rejected'],
    ['AccountSuspendedException', 'refused'],
    ['SendingPausedException', 'refused'],
    ['MailFromDomainNotVerifiedException', 'refused'],
    ['LimitExceededException', 'refused'],
    ['AnythingElseException', 'refused'],
  ])('%s is %s', async (code, outcome) => {
    await play('ses', { kind: 'refuse', code });
    await using('ses', async (provider) => {
      expect(await provider.submit(EMAIL)).toMatchObject({ outcome, rawCode: code });
    });
  });

  it.each([500, 502, 504])('HTTP %i says nothing of what it did before', async (status) => {
    await play('ses', { kind: 'http_status', status });
    await using('ses', async (provider) => {
      expect(await provider.submit(EMAIL)).toMatchObject({ outcome: 'ambiguous' });
    });
  });

  it.each([
    ['secretAccessKey', 'wrong'],
    ['accessKeyId', 'AKIAAAAAAAAAAAAAAAAA'],
    ['region', 'us-east-1'],
    ['configurationSet', 'unknown'],
  ])('refuses another %s', async (key, value) => {
    await using(
      'ses',
      async (provider) => {
        expect(await provider.submit(EMAIL)).toMatchObject({ outcome: 'refused' });
      },
      { [key]: value },
    );
    expect(await control('GET', '/emails')).toEqual([]);
  });
});

async function readPosted({ rawBody, headers }: Posted): Promise<EmailCallbackResult> {
  return read({ method: 'POST', url: 'https://a.example/', headers, query: {}, rawBody });
}

async function eventOf(receipt: object): Promise<Posted> {
  await play('ses', { kind: 'accept' }, [{ after_ms: 0, ...receipt }]);
  await using('ses', async (provider) => {
    await provider.submit(EMAIL);
  });
  await waitUntil('a notification', () => posted.length > 0);
  return posted[0]!;
}

describe('notifications of SNS', () => {
  it.each([
    [{ outcome: 'delivered' }, { kind: 'delivered' }],
    [{ outcome: 'buffered' }, { kind: 'delayed' }],
    [{ outcome: 'complained' }, { kind: 'complained', complaint: { type: 'abuse' } }],
    [
      { outcome: 'failed' },
      {
        kind: 'bounced',
        suppress: true,
        bounce: { type: 'permanent', sub_type: 'no_email', code: '5.1.1' },
      },
    ],
    [
      { outcome: 'failed', code: 'General' },
      { kind: 'bounced', suppress: true },
    ],
    [
      { outcome: 'failed', code: 'MailboxFull' },
      { kind: 'bounced', suppress: false, bounce: { type: 'transient', sub_type: 'mailbox_full' } },
    ],
    [
      { outcome: 'failed', code: 'ContentRejected' },
      { kind: 'bounced', suppress: false },
    ],
  ])('%j', async (receipt, report) => {
    const result = await readPosted(await eventOf(receipt));
    expect(result).toMatchObject({ verdict: 'email_reports', reports: [{ ...ref, ...report }] });
  });

  it('take a complaint back with not-spam', async () => {
    const event = await eventOf({ outcome: 'complained', code: 'not-spam' });
    expect(await readPosted(event)).toEqual({ verdict: 'email_reports', reports: [] });
  });

  it('confirm a subscription at the host of SNS only', async () => {
    await control('POST', '/ses/subscribe');
    const [confirmation] = posted;
    const body = JSON.parse(confirmation!.rawBody);
    expect(await readPosted(confirmation!)).toEqual({ verdict: 'email_reports', reports: [] });
    expect(await control('POST', '/ses/subscribe')).toEqual({ confirmed: true });
    const SubscribeURL = 'http://169.254.169.254/latest/meta-data';
    const elsewhere = { headers: {}, rawBody: JSON.stringify({ ...body, SubscribeURL }) };
    expect(await readPosted(elsewhere)).toEqual({ verdict: 'forged' });
  });

  it('are forged when their key is not that of the certificate', async () => {
    const event = await eventOf({ outcome: 'failed', forged: true });
    expect(await readPosted(event)).toEqual({ verdict: 'forged' });
  });

  it('are forged, or say nothing, when anything of them is changed', async () => {
    const event = await eventOf({ outcome: 'failed' });
    const good = JSON.parse(event.rawBody) as Record<string, string>;
    const evil = 'https://evil.example/SimpleNotificationService.pem';
    const changes: Record<string, unknown>[] = [
      { Message: good.Message!.replace('Permanent', 'Transient') },
      { Message: '{}' },
      { Message: 'not json' },
      { MessageId: '00000000-0000-0000-0000-000000000000' },
      { Timestamp: '2020-01-01T00:00:00.000Z' },
      { TopicArn: `${ARN}2` },
      { TopicArn: 'arn:aws:sns:eu-west-1:999999999999:emails' },
      { Type: 'SubscriptionConfirmation' },
      { Type: 'UnsubscribeConfirmation' },
      { Subject: 'added' },
      { Signature: '' },
      { Signature: Buffer.from('x').toString('base64') },
      { SignatureVersion: '1' },
      { SigningCertURL: evil },
      { SigningCertURL: `${simulator.url}.evil.example/ses/SimpleNotificationService.pem` },
      { SigningCertURL: `http://user:pass@${new URL(simulator.url).host}/ses/x.pem` },
      { SigningCertURL: `${simulator.url}/ses/none.pem` },
      { SigningCertURL: 'file:///etc/passwd' },
      { SigningCertURL: 'x' },
      { SigningCertURL: '' },
    ];
    for (const change of changes) {
      const rawBody = JSON.stringify({ ...good, ...change });
      const result = await readPosted({ headers: event.headers, rawBody });
      expect([change, result.verdict]).toEqual([
        change,
        expect.stringMatching(/^(forged|malformed)$/),
      ]);
    }
    for (const rawBody of [
      '',
      '[]',
      'null',
      '{}',
      '{"Type":"Notification"}',
      event.rawBody.slice(1),
    ]) {
      expect(await readPosted({ headers: {}, rawBody })).toEqual({ verdict: 'malformed' });
    }
    const unsigned = { ...good, SignatureVersion: '3' };
    expect(await readPosted({ headers: {}, rawBody: JSON.stringify(unsigned) })).toEqual({
      verdict: 'malformed',
    });
  });

  it('are forged where only the hosts of Amazon are believed', async () => {
    const event = await eventOf({ outcome: 'delivered' });
    const strict = await readerOf(SES);
    const callback = { method: 'POST', url: '', headers: {}, query: {} };
    const good = JSON.parse(event.rawBody) as Record<string, string>;
    const hosts = [
      good.SigningCertURL,
      'http://sns.eu-west-1.amazonaws.com/x.pem',
      'https://sns.eu-west-1.amazonaws.com.evil.example/x.pem',
      'https://evil.example/sns.eu-west-1.amazonaws.com/x.pem',
      'https://sns.eu-west-1.amazonaws.com@evil.example/x.pem',
      'https://sns.eu-west-1.amazonaws.com:8443/x.pem',
      'https://s3.amazonaws.com/bucket/x.pem',
      'https://sns.evil.amazonaws.com.example/x.pem',
      'https://SNS-eu-west-1.amazonaws.com/x.pem',
    ];
    for (const SigningCertURL of hosts) {
      const rawBody = JSON.stringify({ ...good, SigningCertURL });
      expect(await strict({ ...callback, rawBody })).toEqual({ verdict: 'forged' });
    }
  });

  it('say nothing about emails that are not ours', async () => {
    const others = EmailTokens.of('another-secret-of-callbacks');
    const foreign = `${others.returnPath(ref, Date.now() + 86_400_000)}@send.example.com`;
    const expired = `${tokens.returnPath(ref, Date.now() - 7_200_000)}@send.example.com`;
    for (const path of [foreign, expired]) {
      posted.length = 0;
      await play('ses', { kind: 'accept' }, [{ after_ms: 0, outcome: 'failed' }]);
      await using('ses', async (provider) => {
        await provider.submit({ ...EMAIL, returnPath: path });
      });
      await waitUntil('a notification', () => posted.length > 0);
      expect(await readPosted(posted[0]!)).toEqual({ verdict: 'email_reports', reports: [] });
    }
  });
});
