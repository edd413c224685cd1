import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type SelfSigned, selfSigned } from '@watchword/testing';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { adapterTo, submitOf } from './smtp-adapter.kit.js';
import type { SmtpAdapter, SmtpSettings } from './smtp.adapter.js';

const raw = Buffer.from('From: a@b.example\r\nSubject: Réçu\r\n\r\n.hidden dot\r\nend\r\n');
const EMAIL = submitOf(raw, 5_000);
const PASSWORD = 'top-secret-password';
const REFUSED = { outcome: 'refused' };

interface Seen {
  messages: { text: string; secure: boolean; cipher: string | undefined; user: unknown }[];
  logins: { secure: boolean }[];
  senders: number;
  opened: number;
}

let ours: SelfSigned;
let theirs: SelfSigned;
const ends: (() => Promise<void>)[] = [];

beforeAll(() => {
  ours = selfSigned();
  theirs = selfSigned();
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/**
 * An SMTP server from npm, which shares no code with the client, and a record of what it received.
 */
async function relay(options: SMTPServerOptions = {}): Promise<{ seen: Seen; port: number }> {
  const seen: Seen = { messages: [], logins: [], senders: 0, opened: 0 };
  const server = new SMTPServer({
    key: ours.key,
    cert: ours.cert,
    authOptional: true,
    disableReverseLookup: true,
    onConnect: (_session, done) => {
      seen.opened += 1;
      done();
    },
    onAuth: ({ username, password }, { secure }, done) => {
      seen.logins.push({ secure });
      if (password !== PASSWORD) return done(new Error('bad credentials'));
      done(null, { user: username });
    },
    onMailFrom: (_address, _session, done) => {
      seen.senders += 1;
      done();
    },
    onData: (stream, { secure, tlsOptions, user }, done) => {
      const chunks: Buffer[] = [];
      const { name } = (tlsOptions || {}) as { name?: string };
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        seen.messages.push({ text, secure, cipher: name, user });
        done();
      });
    },
    ...options,
  });
  // A client that rejects the certificate breaks the handshake, which the server reports as an
  // error.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => new Promise((resolve) => server.close(() => resolve())));
  return { seen, port: (server.server.address() as AddressInfo).port };
}

function account(port: number, settings: Partial<SmtpSettings> = {}): SmtpAdapter {
  const trusting = { security: 'starttls', tls: { ca: ours.ca } } as const;
  const adapter = adapterTo(port, { ...trusting, ...settings });
  ends.unshift(() => adapter.stop());
  return adapter;
}

describe('an SMTP account with STARTTLS', () => {
  it('sends over TLS where it trusts the certificate, and keeps the connection', async () => {
    const { seen, port } = await relay();
    const adapter = account(port);
    for (let email = 0; email < 3; email += 1) {
      expect(await adapter.submit(EMAIL)).toMatchObject({ outcome: 'accepted' });
    }
    expect(seen.opened).toBe(1);
    expect(seen.messages).toHaveLength(3);
    for (const message of seen.messages) {
      expect(message).toMatchObject({ text: raw.toString(), secure: true });
      expect(message.cipher).toMatch(/^TLS_|ECDHE/);
    }
  });

  it('logs in only after the handshake', async () => {
    const { seen, port } = await relay({ authOptional: false });
    const login = { username: 'ada', password: PASSWORD };
    expect(await account(port, login).submit(EMAIL)).toMatchObject({ outcome: 'accepted' });
    expect(seen.logins).toEqual([{ secure: true }]);
    expect(seen.messages).toMatchObject([{ user: 'ada', secure: true }]);
  });

  it.each<[string, (port: number) => Partial<SmtpSettings>]>([
    ['another authority', () => ({ tls: { ca: theirs.ca } })],
    ['the authorities of the machine alone', () => ({ tls: {} })],
    ['a certificate of another host', () => ({ tls: { ca: ours.ca, servername: 'mx.example' } })],
  ])('tells a server with %s nothing', async (_title, settings) => {
    const { seen, port } = await relay();
    const login = { username: 'ada', password: PASSWORD };
    const adapter = account(port, { ...login, ...settings(port) });
    expect(await adapter.submit(EMAIL)).toMatchObject(REFUSED);
    expect(seen).toMatchObject({ logins: [], senders: 0, messages: [] });
  });

  it('sends nothing where the server does not offer TLS, or breaks its handshake', async () => {
    const none = await relay({ disabledCommands: ['STARTTLS'] });
    expect(await account(none.port).submit(EMAIL)).toMatchObject(REFUSED);
    const old = await relay({ maxVersion: 'TLSv1.1', minVersion: 'TLSv1' });
    expect(await account(old.port).submit(EMAIL)).toMatchObject(REFUSED);
    for (const { seen } of [none, old]) {
      expect(seen).toMatchObject({ logins: [], senders: 0, messages: [] });
    }
  });
});

describe('an SMTP account with TLS from the first byte', () => {
  it('sends to the certificate that it trusts', async () => {
    const { seen, port } = await relay({ secure: true });
    const adapter = account(port, { security: 'tls', username: 'ada', password: PASSWORD });
    expect(await adapter.submit(EMAIL)).toMatchObject({ outcome: 'accepted' });
    expect(seen.messages).toMatchObject([{ text: raw.toString(), secure: true, user: 'ada' }]);
  });

  it('sends nothing to another, nor to a server without TLS', async () => {
    const tls = await relay({ secure: true });
    const distrusting = account(tls.port, { security: 'tls', tls: { ca: theirs.ca } });
    expect(await distrusting.submit(EMAIL)).toMatchObject(REFUSED);
    const plain = await relay();
    const adapter = account(plain.port, { security: 'tls' });
    expect(await adapter.submit({ ...EMAIL, deadlineMs: 1_000 })).toMatchObject(REFUSED);
    expect([...tls.seen.messages, ...plain.seen.messages]).toEqual([]);
  });
});
