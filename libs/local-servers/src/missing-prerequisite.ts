import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** A program is missing. The message says in one line which one and how to install it. */
export class MissingPrerequisite extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MissingPrerequisite';
  }
}

/** Returns the path where the shell would find the program. */
export async function findProgram(name: string): Promise<string | undefined> {
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(directory, name);
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return path;
  }
  return undefined;
}
