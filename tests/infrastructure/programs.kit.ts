/** Debian's PgBouncer, HAProxy and nginx, each with its settings in a folder of its own. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../libs/postgres/src/free-port.ts';
import { waitUntil } from '../support/wait-until.ts';

/** PgBouncer refuses to run as root. */
const ACCOUNT = 'nobody';
const root = join(import.meta.dirname, '../..');

export interface Running {
  readonly port: number;
  close(): Promise<void>;
}

/** Returns the program's path, or null where it is not installed. `PGBOUNCER` names another one than Debian's. */
export function programAt(name: 'haproxy' | 'nginx' | 'pgbouncer'): string | null {
  if (name === 'pgbouncer' && process.env['PGBOUNCER']) return process.env['PGBOUNCER'];
  return ['/usr/sbin', '/usr/bin'].map((at) => join(at, name)).find(existsSync) ?? null;
}

export function whyWithout(program: string | null, name: string): string {
  return program === null ? ` (skipped: apt-get install ${name})` : '';
}

/** From 1.20 on PgBouncer tracks what each connection sets. Debian 12 has 1.18. */
export function canTrack(program: string): boolean {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const [major, minor] = /(\d+)\.(\d+)/.exec(stdout)!.slice(1).map(Number);
  return major! > 1 || minor! >= 20;
}

/** The settings that the page on poolers gives, as they stand there. */
function tracking(): string[] {
  const page = readFileSync(join(root, 'docs/guides/operate/poolers.md'), 'utf8');
  return page.match(/^(track_extra_parameters|max_prepared_statements) = .*$/gm)!;
}

/** Where `to` does not answer, connections go to `standby`. */
export async function startHaproxy(
  program: string,
  mode: 'tcp' | 'http',
  to: number,
  standby?: number,
) {
  return started(
    program,
    'haproxy.cfg',
    (file) => ['-f', file, '-db'],
    (port) => [
      'defaults',
      `  mode ${mode}`,
      '  timeout connect 5s',
      '  timeout client 300s',
      '  timeout server 300s',
      ...(mode === 'http' ? ['  timeout http-keep-alive 60s', '  option forwardfor'] : []),
      'listen all',
      `  bind 127.0.0.1:${port}`,
      `  server one 127.0.0.1:${to}${standby === undefined ? '' : ' check inter 200ms on-marked-down shutdown-sessions'}`,
      ...(standby === undefined
        ? []
        : [`  server two 127.0.0.1:${standby} check inter 200ms backup`]),
    ],
  );
}

export async function startNginx(program: string, to: number) {
  const argumentsOf = (file: string, folder: string) => ['-c', file, '-p', folder];
  return started(program, 'nginx.conf', argumentsOf, (port, folder) => [
    'daemon off; master_process off;',
    `pid ${folder}/pid; error_log ${folder}/error.log;`,
    'events {}',
    'http {',
    '  access_log off; client_max_body_size 11m;',
    ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `  ${name}_temp_path ${folder}/${name};`,
    ),
    `  upstream one { server 127.0.0.1:${to}; keepalive 8; keepalive_timeout 60s; }`,
    `  server { listen 127.0.0.1:${port}; location / { proxy_pass http://one;`,
    '    proxy_http_version 1.1; proxy_set_header Connection ""; proxy_read_timeout 60s;',
    '    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; } }',
    '}',
  ]);
}

/** `url` is that of PostgreSQL's superuser. The others' verifiers are read from the server. */
export async function startPgBouncer(program: string, url: string, pooling: string) {
  const { hostname, port: server, username, password } = new URL(url);
  const as = process.getuid?.() === 0 ? ['-u', ACCOUNT] : [];
  return started(
    program,
    'pgbouncer.ini',
    (file) => [...as, file],
    (port, folder) => {
      const users = join(folder, 'users.txt');
      writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`);
      return [
        '[databases]',
        `* = host=${hostname} port=${server}`,
        '[pgbouncer]',
        `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
        `auth_type = scram-sha-256\nauth_file = ${users}\nauth_user = ${username}`,
        'auth_query = SELECT usename, passwd FROM pg_shadow WHERE usename = $1',
        `pool_mode = ${pooling}\ndefault_pool_size = 60\nmax_client_conn = 400`,
        ...(canTrack(program) ? tracking() : []),
      ];
    },
  );
}

async function started(
  program: string,
  name: string,
  argumentsOf: (file: string, folder: string) => string[],
  linesOf: (port: number, folder: string) => string[],
): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'watchword-proxy-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const file = join(folder, name);
  writeFileSync(file, `${linesOf(port, folder).join('\n')}\n`);
  const child = spawn(program, argumentsOf(file, folder), { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await waitUntil(`${name} to listen`, async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended:\n${said}`);
    return listensAt(port);
  });
  return { port, close: () => ending(child, folder) };
}

function listensAt(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy());
  });
}

async function ending(child: ChildProcess, folder: string): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  if (child.exitCode === null && child.kill('SIGTERM')) await ended;
  rmSync(folder, { recursive: true, force: true });
}
