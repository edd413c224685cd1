import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { accountFrom } from '@watchword/carriers';
import { type Domain, type DomainRecord, routes } from '@watchword/contracts';
import { EmailTokens } from '@watchword/email';
import { eventually, FakeClock } from '@watchword/testing';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { type Kit, startKit } from './dispatch.kit.js';
import { emailCommand, stateOf, storeContents, WORKSPACE } from './email.kit.js';
import { LocalDns } from './local-dns.js';

/**
 * Everything is real except the relay's network: stores, composer, signature, SMTP, return path.
 */
const CALLBACK_SECRET = 'c'.repeat(32);

interface Taken {
  from: string;
  to: string[];
  raw: string;
}

const taken: Taken[] = [];
const SLOW_DOMAIN = '@slow.example';
const CONCURRENCY = 4;
const DOMAIN_CONCURRENCY = 2;
/** Answers to RCPT that are still to come. */
const held: (() => void)[] = [];
const relayOptions: SMTPServerOptions = {
  closeTimeout: 100,
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo({ address }, _session, done) {
    if (address.endsWith(SLOW_DOMAIN)) held.push(done);
    else done();
  },
  onData(stream, { envelope }, done) {
    const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
    const to = envelope.rcptTo.map(({ address }) => address);
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      taken.push({ from, to, raw: Buffer.concat(chunks).toString('utf8') });
      done();
    });
  },
};
const relay = new SMTPServer(relayOptions);
let clock: FakeClock;
let port: number;

let kit: Kit;
let dns: LocalDns;
let domain: Domain;
let keyRecord = '';

beforeAll(async () => {
  dns = await LocalDns.open();
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  ({ port } = relay.server.address() as AddressInfo);
  clock = new FakeClock(Date.now());
  const settings = {
    ...{ host: '127.0.0.1', port, security: 'none' },
    ...{ concurrency: CONCURRENCY, domainConcurrency: DOMAIN_CONCURRENCY },
  };
  kit = await startKit({
    clock,
    config: {
      callbackSecrets: [CALLBACK_SECRET],
      bounceDomain: 'bounces.sim.test',
      callbackBaseUrl: 'https://gateway.example',
      trackingHost: 'clicks.sim.test',
      dnsServers: [dns.address],
      carrierAccounts: [accountFrom('smtp', settings)],
    },
  });
  const name = 'acme.example';
  const asked = { workspace_id: WORKSPACE, body: { name } };
  domain = (await kit.serve<Domain>(routes.createDomain, asked)).body!;
  const [dkim] = domain.records;
  keyRecord = dkim!.value;
  await publish(dkim!);
});
beforeEach(() => void taken.splice(0));

afterAll(async () => {
  await kit.close();
  await new Promise<void>((resolve) => relay.close(() => resolve()));
  await dns.close();
});

/** Publishes only these records, and has them looked up. */
async function publish(...records: readonly DomainRecord[]): Promise<void> {
  dns.publish(records);
  const { id } = domain;
  const asked = { workspace_id: WORKSPACE, parameters: { id } };
  const answer = await kit.serve(routes.verifyDomain, asked);
  expect(answer.body).toMatchObject({ status: 'verified' });
}

it('decisions 20: an email arrives over SMTP signed, once for each recipient, under a return path that names the recipient', async () => {
  const contents = [{ html: '<p>Héllo <a href="https://acme.example">you</a></p>', text: null }];
  const sha256 = await storeContents(
    kit,
    contents.map((one) => ({ ...one, attachments: [] })),
  );
  const words = {
    content_sha256: sha256[0]!,
    subject: 'Réçu ✓',
    bcc: ['bob@example.com'],
    to: ['Ada <ada@example.com>'],
    category: 'marketing',
    track_clicks: true,
  } as const;
  const command = emailCommand(
    ['ada@example.com', 'bob@example.com'],
    {},
    { ...words, to: [...words.to], bcc: [...words.bcc] },
  );
  await kit.send(command);
  await eventually(async () => {
    expect(await stateOf(kit.database, command.message_id, 0)).toBe('sent');
    expect(await stateOf(kit.database, command.message_id, 1)).toBe('sent');
  });
  expect(taken.map(({ to }) => to.join()).toSorted()).toEqual(command.email!.recipients);
  const tokens = EmailTokens.of(CALLBACK_SECRET);
  for (const { from, to, raw } of taken) {
    const [local, host] = from.split('@');
    expect(host).toBe('bounces.sim.test');
    const recipient = command.email!.recipients.indexOf(to[0]!);
    const ref = { emailId: command.message_id, recipient };
    expect(tokens.readReturnPath(local!, Date.now())).toEqual(ref);
    const { results } = await dkimVerify(raw, { resolver: async () => [[keyRecord]] });
    expect(results.map(({ status }) => status.result)).toEqual(['pass']);
    const message = await simpleParser(raw);
    expect(message.subject).toBe('Réçu ✓');
    expect(message.messageId).toBe(`<${command.message_id}@acme.example>`);
    expect(raw).not.toContain('bob@example.com');
    expect(message.html).toContain('https://clicks.sim.test/t/c/');
    expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect(message.text).toContain('Héllo');
  }
});

it('an email does not wait for emails to a slow domain', async () => {
  const content = { html: null, text: 'Hi', attachments: [] };
  const contents = [content];
  const sha256 = await storeContents(kit, contents);
  const words = { content_sha256: sha256[0]! };
  const slow = Array.from({ length: 2 * CONCURRENCY }, (_, index) => `${index}${SLOW_DOMAIN}`);
  const stuck = emailCommand(slow, {}, words);
  await kit.send(stuck);
  await eventually(() => expect(held).toHaveLength(DOMAIN_CONCURRENCY));
  const other = emailCommand(['ada@example.com'], {}, words);
  await kit.send(other);
  await eventually(async () => {
    expect(await stateOf(kit.database, other.message_id)).toBe('sent');
  });
  expect(held).toHaveLength(DOMAIN_CONCURRENCY);
  await eventually(async () => {
    for (const answer of held.splice(0)) answer();
    for (const index of slow.keys()) {
      expect(await stateOf(kit.database, stuck.message_id, index)).toBe('sent');
    }
  });
});
