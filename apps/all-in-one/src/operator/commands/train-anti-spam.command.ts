import { isUtf8 } from 'node:buffer';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { trainSpamModel } from '@watchword/dispatch';
import { UserError } from '@watchword/host';
import type { OfflineCommand } from '../operator-command.js';

/** The file is read whole. 64 MB are about 600,000 SMS. */
const FILE_BYTES_MAX = 64_000_000;

export const trainAntiSpam: OfflineCommand = {
  name: 'train-anti-spam',
  summary: 'Train the model of ANTI_SPAM_MODEL on the labelled SMS in <file.tsv>.',
  parameters: ['file.tsv', 'model.json'],
  async runOffline({ args: [from = '', to = ''], say }) {
    const [source, target] = [resolve(from), resolve(to)];
    if (source === target) throw new UserError('The model would replace the file of texts.');
    const today = new Date().toISOString().slice(0, 10);
    const trained = trainSpamModel(await readTexts(source), today, say);
    if ('problems' in trained) {
      throw new UserError([`${source} cannot be used:`, ...trained.problems].join('\n  '));
    }
    await replace(target, trained.json);
    say(`${target}: version ${trained.version}.`);
    say('Set ANTI_SPAM_MODEL to its path and restart every process that runs dispatch.');
  },
};

async function readTexts(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > FILE_BYTES_MAX) throw new Error(`it has more than ${FILE_BYTES_MAX} bytes`);
    const content = await readFile(path);
    if (!isUtf8(content)) throw new Error('it is not UTF-8');
    return content.toString();
  } catch (error) {
    throw new UserError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** A process that starts meanwhile reads the old model or the new one, never a part. */
async function replace(path: string, content: string): Promise<void> {
  const unfinished = `${path}.unfinished`;
  try {
    const file = await open(unfinished, 'w');
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw new UserError(`${path} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}
