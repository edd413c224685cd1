import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Something has to be installed first; the message is one line that says what and how. */
export class MissingPrerequisite extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MissingPrerequisite';
  }
}

/** Where the shell would find the program. */
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
