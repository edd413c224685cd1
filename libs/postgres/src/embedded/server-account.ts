import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

export interface ServerAccount {
  uid: number;
  gid: number;
}

/**
 * Returns the account of the server. PostgreSQL refuses to run as root; then it is `postgres` or,
 * without that user, `nobody`.
 */
export async function serverAccount(): Promise<ServerAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const user = users.find((fields) => fields[0] === name);
    if (user) return { uid: Number(user[2]), gid: Number(user[3]) };
  }
  return { uid: 65_534, gid: 65_534 };
}

/** Returns whether the account may pass through every directory of `path`, itself included. */
export async function canReach(account: ServerAccount | undefined, path: string): Promise<boolean> {
  if (account === undefined) return true;
  for (let directory = resolve(path); ; directory = dirname(directory)) {
    const { uid, gid, mode } = await stat(directory);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (directory === dirname(directory)) return true;
  }
}
