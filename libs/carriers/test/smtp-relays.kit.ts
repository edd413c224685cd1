/**
 * Relays in other languages: OpenSMTPD (C) from the machine, aiosmtpd (Python) from its registry.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pythonPackages, type SelfSigned, waitUntil } from '@watchword/testing';
import { SMTPServer } from 'smtp-server';

export interface Taken {
  from: string;
  to: string;
  raw: string;
}

export interface Relay {
  readonly port: number;
  close(): Promise<void>;
}

export const LOGIN = { username: 'ada', password: 'a password of the relay' };

const REQUIREMENTS = [
  'aiosmtpd==1.4.6 --hash=sha256:72c99179ba5aa9ae0abbda6994668239b64a5ce054471955fe75f581d2592475',
  'atpublic==9.0.0 --hash=sha256:449c3c4f0c74df79749d6fe225ba55e2a2fce34b303f0329211e4d6989ed6f6e',
  'attrs==26.1.0 --hash=sha256:c647aa4a12dfbad9333ca4e71fe62ddc36f4e63b2d260a37a8b83d2f043ac309',
];

/** Prints its port, then a line per message. It requires TLS, then a login. */
const PROGRAM = `
import asyncio, json, logging, ssl, sys
from aiosmtpd.smtp import SMTP, AuthResult
user, password, cert, key = sys.argv[1:]
logging.disable()
context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
context.load_cert_chain(cert, key)
def login(server, session, envelope, mechanism, data):
    right = data.login == user.encode() and data.password == password.encode()
    return AuthResult(success=right, handled=False)
class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith('gone'):
            return '550 5.1.1 No such user'
        if address.startswith('later'):
            return '451 4.7.1 Greylisted'
        envelope.rcpt_tos.append(address)
        return '250 2.1.5 OK'
    async def handle_DATA(self, server, session, envelope):
        message = {'from': envelope.mail_from, 'to': envelope.rcpt_tos[0],
                   'raw': envelope.original_content.decode('utf8'), 'tls': session.ssl is not None}
        print(json.dumps(message), flush=True)
        return '250 2.0.0 OK'
async def main():
    make = lambda: SMTP(Handler(), tls_context=context, require_starttls=True,
                        authenticator=login, auth_required=True, hostname='relay.example')
    server = await asyncio.get_running_loop().create_server(make, '127.0.0.1', 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())
`;

export function aiosmtpd(): string | null {
  return pythonPackages('aiosmtpd', { module: 'aiosmtpd', requirements: REQUIREMENTS });
}

export async function startAiosmtpd(
  packages: string,
  { cert, key }: SelfSigned,
  taken: (Taken & { tls: boolean })[],
): Promise<Relay> {
  const directory = mkdtempSync(join(tmpdir(), 'watchword-aiosmtpd-'));
  const files = [join(directory, 'cert.pem'), join(directory, 'key.pem')] as const;
  writeFileSync(files[0], cert);
  writeFileSync(files[1], key);
  const child = spawn(
    'python3',
    ['-W', 'ignore', '-c', PROGRAM, LOGIN.username, LOGIN.password, ...files],
    {
      env: { ...process.env, PYTHONPATH: packages },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let port = 0;
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    for (let end = output.indexOf('\n'); end >= 0; end = output.indexOf('\n')) {
      const line = output.slice(0, end);
      output = output.slice(end + 1);
      if (port === 0) port = Number(line);
      else taken.push(JSON.parse(line));
    }
  });
  await waitUntil('aiosmtpd', () => port > 0);
  return { port, close: () => ending(child, directory) };
}

/**
 * Returns whether OpenSMTPD can run here. It changes its user and has one queue per machine, so it
 * runs in its own namespace.
 */
export function canRunOpenSmtpd(): boolean {
  const known = spawnSync('smtpd', ['-h'], { encoding: 'utf8' });
  if (known.error || !`${known.stdout}${known.stderr}`.includes('OpenSMTPD')) return false;
  return spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0;
}

/** Starts a relay that forwards all mail to one server. */
export async function startOpenSmtpd(nextPort: number): Promise<Relay> {
  const directory = mkdtempSync(join(tmpdir(), 'watchword-opensmtpd-'));
  const config = join(directory, 'smtpd.conf');
  const port = await freePort();
  const lines = [
    `listen on 127.0.0.1 port ${port} hostname relay.example`,
    `action "out" relay host "smtp://127.0.0.1:${nextPort}"`,
    'match from any for any action "out"',
  ];
  writeFileSync(config, `${lines.join('\n')}\n`, { mode: 0o600 });
  const mounts = 'for d in /var/spool /run; do mount -t tmpfs -o mode=755 none $d; done';
  const child = spawn(
    'unshare',
    [
      ...['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'],
      ...['sh', '-c', `${mounts}; exec smtpd -d -f "$0"`, config],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await waitUntil('OpenSMTPD', () => said.includes('starting'));
  await waitUntil('the port of OpenSMTPD', () => listensAt(port));
  return { port, close: () => ending(child, directory) };
}

/** Starts the mail exchanger of all recipients and return paths. */
export async function startExchanger(taken: Taken[], asksForReports = true): Promise<Relay> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    hideDSN: !asksForReports,
    onRcptTo: ({ address }, _session, done) => {
      const isGone = address.startsWith('gone');
      const refusal = Object.assign(new Error('5.1.1 No such user'), { responseCode: 550 });
      done(isGone ? refusal : undefined);
    },
    onData: (stream, { envelope }, done) => {
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8');
        taken.push({ from, to: envelope.rcptTo[0]!.address, raw });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return { port, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

async function ending(child: ChildProcess, directory: string): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  // The parent of a namespace ignores gentler signals. Its end ends everything inside.
  child.kill('SIGKILL');
  await ended;
  rmSync(directory, { recursive: true });
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export function listensAt(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket
      .once('error', () => resolve(false))
      .once('connect', () => {
        socket.destroy();
        resolve(true);
      });
  });
}
