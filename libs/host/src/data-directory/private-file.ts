import { readFile, rename } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes JSON readable only by the owner, replaced as a whole: after a crash it is the old one or
 * the new.
 */
export async function writePrivateJson(directory: string, name: string, value: unknown) {
  const unfinished = join(directory, `${name}.new`);
  const file = await open(unfinished, 'w', 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(`${JSON.stringify(value, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, join(directory, name));
}

export async function readJson<Value>(directory: string, name: string): Promise<Value | undefined> {
  try {
    return JSON.parse(await readFile(join(directory, name), 'utf8')) as Value;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
