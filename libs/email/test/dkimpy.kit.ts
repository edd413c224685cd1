import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Pinned by version and hash; installed once, below `node_modules/.cache`. */
const REQUIREMENTS = `
dkimpy==1.1.8 --hash=sha256:b5f60fb47bbf5d8d762f134bcea0c388eba6b498342a682a21f1686545094b77
`;
const DIRECTORY = join(import.meta.dirname, '../../../node_modules/.cache/dkimpy');

/** Without a registry it ends sooner. */
const INSTALL_TIMEOUT_MS = 60_000;

/** Reads length-prefixed messages and answers a line for each. */
const PROGRAM = `
import sys, struct, dkim
record = sys.argv[1].encode()
def lookup(name, timeout=5):
    return record
data = sys.stdin.buffer
while True:
    head = data.read(4)
    if len(head) < 4:
        break
    message = data.read(struct.unpack('>I', head)[0])
    try:
        verdict = 'pass' if dkim.verify(message, dnsfunc=lookup) else 'fail'
    except Exception as error:
        verdict = 'error: ' + repr(error)
    print(verdict, flush=True)
`;

/** The directory that Python finds dkimpy in; null where there is no Python with pip. */
export function dkimpy(): string | null {
  if (existsSync(join(DIRECTORY, 'dkim'))) return DIRECTORY;
  mkdirSync(DIRECTORY, { recursive: true });
  const requirements = join(DIRECTORY, 'requirements.txt');
  writeFileSync(requirements, REQUIREMENTS);
  const pip = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--require-hashes',
    '--retries',
    '0',
    '--timeout',
    '15',
  ];
  const into = ['--no-deps', '--target', DIRECTORY, '--requirement', requirements];
  const { status, stderr } = spawnSync('python3', [...pip, ...into], {
    encoding: 'utf8',
    timeout: INSTALL_TIMEOUT_MS,
  });
  if (status === 0) return DIRECTORY;
  process.stderr.write(`dkimpy is not checked: pip cannot install it here. ${stderr ?? ''}\n`);
  return null;
}

export async function pythonVerdicts(
  directory: string,
  messages: readonly Buffer[],
  record: string,
): Promise<string[]> {
  const child = spawn('python3', ['-c', PROGRAM, record], {
    env: { ...process.env, PYTHONPATH: directory },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  for (const message of messages) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(message.length);
    child.stdin.write(Buffer.concat([length, message]));
  }
  child.stdin.end();
  await once(child, 'close');
  return output.trim().split('\n');
}
