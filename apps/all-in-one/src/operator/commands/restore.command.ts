import { resolve } from 'node:path';
import { checkFingerprints, type EmbeddedPlace, UserError } from '@watchword/host';
import { type BackupHeader, checkContent, readHeader } from '../back-up/backup-file.js';
import { megabytes, sayProgress } from '../back-up/progress.js';
import { restoreIntoDatabase } from '../back-up/restore-database.js';
import { restoreIntoDirectory } from '../back-up/restore-directory.js';
import type { OperatorCommand, OperatorContext } from '../operator-command.js';

export const restore: OperatorCommand = {
  name: 'restore',
  summary:
    'Make the database from the backup in <file>; with --replace in the place of another one.',
  parameters: [{ name: 'file' }],
  options: ['replace'],
  // Drawn secrets would never be those of the backup.
  needs: ({ pepper, encryptionKeys }) =>
    pepper !== '' && encryptionKeys.length > 0 ? 'nothing' : 'secrets',
  services: ['billing'],
  async run(context) {
    const [file = ''] = context.args;
    const path = resolve(file);
    const header = await readHeader(path);
    checkPlace(header, context.embedded);
    checkSecrets(header, context);
    const checking = sayProgress(context.say, 'Checking');
    await checkContent(path, header, (bytes) =>
      checking(`${megabytes(bytes)} of ${megabytes(header.bytes)}`),
    );
    const restoring = sayProgress(context.say, 'Restoring');
    const work = {
      path,
      header,
      replace: context.options.has('replace'),
      passed: (bytes: number) =>
        restoring(`${megabytes(bytes)} of ${megabytes(header.bytes)} read`),
    };
    if (context.embedded) await restoreIntoDirectory(work, context.embedded.directory, context.say);
    else await restoreIntoDatabase(work, context);
    context.say(
      `The database is that of ${header.made_at}. What was done since then is not in it:`,
    );
    context.say('docs/guides/operate/back-up-and-restore.md says how to find it.');
  },
};

function checkPlace({ kind, machine }: BackupHeader, embedded: EmbeddedPlace | null): void {
  if (kind === 'dump' && embedded) {
    throw new UserError('The backup is of a database of DATABASE_URL: set DATABASE_URL to one.');
  }
  if (kind === 'cluster' && !embedded) {
    throw new UserError('The backup is of an embedded database: restore it without DATABASE_URL.');
  }
  const here = `${process.platform}-${process.arch}`;
  if (kind === 'cluster' && machine !== here) {
    throw new UserError(`The backup was made on ${machine} and starts on such a machine only.`);
  }
  if (embedded?.isRunning) {
    throw new UserError(
      `DATA_DIR ${embedded.directory} is in use: stop the running Watchword first.`,
    );
  }
}

/** Checks the secrets. Without them, codes and webhook secrets in the data cannot be read. */
function checkSecrets({ fingerprints }: BackupHeader, { config, definitions }: OperatorContext) {
  const seen = Object.values(fingerprints).flat();
  const has = (name: string) => seen.some((one) => one.name === name);
  if (has('PEPPER') && config.pepper === '') throw new UserError(isMissing('PEPPER'));
  if (has('ENCRYPTION_KEYS') && config.encryptionKeys.length === 0) {
    throw new UserError(isMissing('ENCRYPTION_KEY'));
  }
  try {
    for (const { name } of definitions) checkFingerprints(fingerprints[name] ?? [], name, config);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const [which] = error.message.split('. ');
    throw new UserError(
      `These are not the secrets of the backup: ${which}.\n` +
        'Set the secrets that were kept beside it. An embedded installation has them in DATA_DIR/secrets.json.',
    );
  }
}

const isMissing = (name: string) =>
  `${name} must be set to the one that was kept beside the backup.`;
