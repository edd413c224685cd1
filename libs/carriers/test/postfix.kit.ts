/** Debian's Postfix as a relay: the installed one, else the package of the machine's archive, unpacked beside the caches. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SelfSigned } from '@watchword/testing';
import { waitUntil } from '@watchword/testing';
import { freePort, listensAt, type Relay } from './smtp-relays.kit.js';

const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/postfix');
const DOWNLOAD_TIMEOUT_MS = 60_000;
/** Postfix wants an owner of its queue that is not the account it delivers with. */
const OWNER = { name: 'daemon', uid: 1, group: 'mail', gid: 8 } as const;

export interface Postfix {
  readonly libraries: string;
  readonly daemons: string;
  readonly commands: string;
}

/** Null where it cannot run: its master wants to be root. */
export function postfix(): Postfix | null {
  if (process.getuid?.() !== 0) return null;
  const found = below('/') ?? below(join(CACHE, 'root')) ?? downloaded();
  if (found === null) return null;
  const asked = spawnSync(join(found.commands, 'postconf'), ['-d', '-h', 'mail_version'], {
    env: { ...process.env, LD_LIBRARY_PATH: found.libraries },
    encoding: 'utf8',
  });
  return asked.status === 0 ? found : null;
}

function below(root: string): Postfix | null {
  const libraries = join(root, 'usr/lib/postfix');
  const daemons = join(libraries, 'sbin');
  const commands = join(root, 'usr/sbin');
  return existsSync(join(daemons, 'master')) ? { libraries, daemons, commands } : null;
}

/** Apt checks the signature of the archive. */
function downloaded(): Postfix | null {
  mkdirSync(CACHE, { recursive: true });
  const options = { cwd: CACHE, encoding: 'utf8', timeout: DOWNLOAD_TIMEOUT_MS } as const;
  const { status } = spawnSync('apt-get', ['download', '-q', 'postfix'], options);
  const file = readdirSync(CACHE).find((name) => name.endsWith('.deb'));
  if (status !== 0 || file === undefined) return null;
  spawnSync('dpkg-deb', ['-x', file, 'root'], options);
  return below(join(CACHE, 'root'));
}

const QUEUES = 'active bounce corrupt defer deferred flush hold incoming private saved trace';
const SERVICES = [
  'cleanup unix n - n - 0 cleanup',
  'qmgr unix n - n 300 1 qmgr',
  'tlsmgr unix - - n 1000? 1 tlsmgr',
  'rewrite unix - - n - - trivial-rewrite',
  'bounce unix - - n - 0 bounce',
  'defer unix - - n - 0 bounce',
  'trace unix - - n - 0 bounce',
  'verify unix - - n - 1 verify',
  'smtp unix - - n - - smtp',
  'error unix - - n - - error',
  'retry unix - - n - - error',
  'anvil unix - - n - 1 anvil',
  'scache unix - - n - 1 scache',
  'proxymap unix - - n - - proxymap',
];

/** Relays all that comes over TLS to one server. */
export async function startPostfix(
  { libraries, commands }: Postfix,
  { cert, key }: SelfSigned,
  nextPort: number,
): Promise<Relay> {
  const home = mkdtempSync(join(tmpdir(), 'watchword-postfix-'));
  // Its daemons are not root.
  chmodSync(home, 0o755);
  // Postfix splits some of its settings at blanks, which the path of a checkout may have.
  const linked = join(home, 'lib');
  symlinkSync(libraries, linked);
  const port = await freePort();
  const config = join(home, 'etc');
  mkdirSync(config);
  makeQueue(home);
  const files = { cert: join(config, 'cert.pem'), key: join(config, 'key.pem') };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key, { mode: 0o600 });
  const settings = {
    compatibility_level: '3.6',
    queue_directory: join(home, 'queue'),
    data_directory: join(home, 'data'),
    daemon_directory: join(linked, 'sbin'),
    command_directory: commands,
    shlib_directory: linked,
    import_environment: `MAIL_CONFIG LD_LIBRARY_PATH=${linked}`,
    mail_owner: OWNER.name,
    setgid_group: OWNER.group,
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    myhostname: 'relay.example',
    mynetworks: '127.0.0.0/8',
    mydestination: '',
    alias_maps: '',
    local_recipient_maps: '',
    relayhost: `[127.0.0.1]:${nextPort}`,
    smtpd_relay_restrictions: 'permit_mynetworks, reject',
    smtpd_tls_security_level: 'encrypt',
    smtpd_tls_cert_file: files.cert,
    smtpd_tls_key_file: files.key,
    smtp_tls_security_level: 'none',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  writeFileSync(join(config, 'main.cf'), lines.join(''));
  const services = [`${port} inet n - n - - smtpd`, ...SERVICES];
  writeFileSync(join(config, 'master.cf'), `${services.join('\n')}\n`);
  const child = spawn(join(linked, 'sbin', 'master'), ['-d', '-c', config], {
    env: { ...process.env, LD_LIBRARY_PATH: linked, MAIL_CONFIG: config },
    stdio: ['ignore', 'ignore', 'inherit'],
    // Its master ends its daemons as a group of their own.
    detached: true,
  });
  await waitUntil('the port of Postfix', () => listensAt(port));
  return { port, close: () => ending(child, home) };
}

function makeQueue(home: string): void {
  const make = (name: string, mode: number, gid?: number) => {
    const path = join(home, name);
    mkdirSync(path);
    chmodSync(path, mode);
    if (gid !== undefined) chownSync(path, OWNER.uid, gid);
  };
  make('data', 0o700, OWNER.gid);
  make('queue', 0o755);
  make('queue/pid', 0o755);
  for (const name of QUEUES.split(' ')) make(`queue/${name}`, 0o700, 0);
  make('queue/maildrop', 0o730, OWNER.gid);
  make('queue/public', 0o710, OWNER.gid);
}

/** Its master ends its daemons. */
async function ending(child: ChildProcess, home: string): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
  rmSync(home, { recursive: true, force: true });
}
