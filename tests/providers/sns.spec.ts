/** Notifications of SES, which SNS posts and signs, against the simulator. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EmailCallbackReader, EmailCallbackResult } from '@watchword/carriers';
import { EmailTokens } from '@watchword/email';
import { waitUntil } from '../support/wait-until.js';
import {
  ARN,
  EMAIL,
  EmailSimulator,
  type Posted,
  readerOf,
  ref,
  SES,
  tokens,
} from './email-simulator.kit.ts';

let simulator: EmailSimulator;
let read: EmailCallbackReader;

beforeAll(async () => {
  simulator = await EmailSimulator.start();
  read = await readerOf({ ...SES, snsUrl: simulator.url });
});

beforeEach(() => simulator.clear());

afterAll(() => simulator?.close());

async function readPosted({ rawBody, headers }: Posted): Promise<EmailCallbackResult> {
  return read({ method: 'POST', url: 'https://a.example/', headers, query: {}, rawBody });
}

async function eventOf(receipt: object): Promise<Posted> {
  await simulator.play('ses', { kind: 'accept' }, [{ after_ms: 0, ...receipt }]);
  await simulator.using('ses', async (provider) => {
    await provider.submit(EMAIL);
  });
  await waitUntil('a notification', () => simulator.posted.length > 0);
  return simulator.posted[0]!;
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

  it('notifications of SNS take a complaint back with not-spam', async () => {
    const event = await eventOf({ outcome: 'complained', code: 'not-spam' });
    expect(await readPosted(event)).toEqual({ verdict: 'email_reports', reports: [] });
  });

  it('notifications of SNS confirm a subscription at the host of SNS only', async () => {
    await simulator.control('POST', '/ses/subscribe');
    const [confirmation] = simulator.posted;
    const body = JSON.parse(confirmation!.rawBody);
    expect(await readPosted(confirmation!)).toEqual({ verdict: 'email_reports', reports: [] });
    expect(await simulator.control('POST', '/ses/subscribe')).toEqual({ confirmed: true });
    const SubscribeURL = 'http://169.254.169.254/latest/meta-data';
    const elsewhere = { headers: {}, rawBody: JSON.stringify({ ...body, SubscribeURL }) };
    expect(await readPosted(elsewhere)).toEqual({ verdict: 'forged' });
  });

  it('notifications of SNS are forged when their key is not that of the certificate', async () => {
    const event = await eventOf({ outcome: 'failed', forged: true });
    expect(await readPosted(event)).toEqual({ verdict: 'forged' });
  });

  it('notifications of SNS are forged, or say nothing, when anything of them is changed', async () => {
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

  it('notifications of SNS are forged where only the hosts of Amazon are believed', async () => {
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

  it('notifications of SNS say nothing about emails that are not ours', async () => {
    const others = EmailTokens.of('another-secret-of-callbacks');
    const foreign = `${others.returnPath(ref, Date.now() + 86_400_000)}@send.example.com`;
    const expired = `${tokens.returnPath(ref, Date.now() - 7_200_000)}@send.example.com`;
    for (const path of [foreign, expired]) {
      simulator.posted.length = 0;
      await simulator.play('ses', { kind: 'accept' }, [{ after_ms: 0, outcome: 'failed' }]);
      await simulator.using('ses', async (provider) => {
        await provider.submit({ ...EMAIL, returnPath: path });
      });
      await waitUntil('a notification', () => simulator.posted.length > 0);
      expect(await readPosted(simulator.posted[0]!)).toEqual({
        verdict: 'email_reports',
        reports: [],
      });
    }
  });
});
