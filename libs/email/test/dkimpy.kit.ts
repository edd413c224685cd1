import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pythonPackages } from '@watchword/testing';

const REQUIREMENTS = [
  'dkimpy==1.1.8 --hash=sha256:b5f60fb47bbf5d8d762f134bcea0c388eba6b498342a682a21f1686545094b77',
];

/** Reads length-prefixed messages and prints a line for each. */
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

/** Returns null without Python and pip. */
export function dkimpy(): string | null {
  return pythonPackages('dkimpy', { module: 'dkim', requirements: REQUIREMENTS });
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
