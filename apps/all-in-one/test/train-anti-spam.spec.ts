import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runCommand } from '../src/operator/run-command.js';

let directory: string;
const at = (name: string) => join(directory, name);

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'watchword-train-'));
});
afterEach(() => rm(directory, { recursive: true }));

/** Runs it where no setting is usable and no server can be reached. */
async function train(...args: string[]): Promise<string[]> {
  const said: string[] = [];
  const environment = { PORT: 'none', DATABASE_URL: 'postgres://127.0.0.1:1/none' };
  await runCommand(['train-anti-spam', ...args], environment, (line) => void said.push(line));
  return said;
}

const NUMBERS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
/** Returns as many lines, each with other words. */
function lines(label: string, text: string, count: number): string {
  const pairs = NUMBERS.flatMap((one) => NUMBERS.map((other) => `${one} ${other}`));
  return pairs
    .slice(0, count)
    .map((pair) => `${label}\t${text} ${pair}\n`)
    .join('');
}
const ham = (count: number) => lines('ham', 'your parcel is ready, order', count);
const spam = (count: number) => lines('phishing', 'verify your wallet at wallet-check', count);

describe('train-anti-spam', () => {
  it('writes a model without an installation, and says how good it is', async () => {
    await writeFile(at('own.tsv'), `label\ttext\n${ham(110)}${spam(105)}`);
    const said = (await train(at('own.tsv'), at('model.json'))).join('\n');
    expect(said).toContain('Read 110 clean texts and 105 of spam; left out 0 that repeat another.');
    expect(said).toContain('Cross-validation: fold 5 of 5 done.');
    for (const name of ['accuracy', 'precision', 'recall']) {
      expect(said).toMatch(new RegExp(`^ {2}${name} +\\d+\\.\\d\\d %`, 'm'));
    }
    expect(said).toMatch(/false positive rate +0\.00 % of the clean texts .* \(0 of 110\)/);
    expect(said).toMatch(
      /model\.json: version 20\d\d-\d\d-\d\d-[0-9a-f]{8}\.\nSet ANTI_SPAM_MODEL/,
    );

    const model = JSON.parse(await readFile(at('model.json'), 'utf8')) as Record<string, unknown>;
    expect(Object.keys(model)).toEqual(['version', 'trained', 'bias', 'weights']);
    expect(model.trained).toMatchObject({ clean: 110, spam: 105, false_positive_rate: 0 });
    expect(await readdir(directory)).toEqual(['model.json', 'own.tsv']);
  });

  it('writes the same model for the same texts, in place of the one before', async () => {
    await writeFile(at('own.tsv'), ham(100) + spam(100));
    await writeFile(at('model.json'), 'an older one');
    await train(at('own.tsv'), at('model.json'));
    await train(at('own.tsv'), at('again.json'));
    expect(await readFile(at('model.json'))).toEqual(await readFile(at('again.json')));
  });

  it('names bad lines, and writes nothing', async () => {
    await writeFile(at('own.tsv'), `${ham(100)}nothing\n${spam(100)}maybe\thello\n`);
    await expect(train(at('own.tsv'), at('model.json'))).rejects.toThrow(
      /own\.tsv cannot be used:\n {2}line 101: no tab between label and text\n {2}line 202: the label must be/,
    );
    await writeFile(at('own.tsv'), 'nothing\n'.repeat(15));
    await expect(train(at('own.tsv'), at('model.json'))).rejects.toThrow('and 5 more bad lines');
    expect(await readdir(directory)).toEqual(['own.tsv']);
  });

  it('needs a hundred texts of each class', async () => {
    await writeFile(at('own.tsv'), ham(140) + spam(99));
    await expect(train(at('own.tsv'), at('model.json'))).rejects.toThrow(
      'it needs at least 100 different texts of each class',
    );
  });

  it('explains files that it cannot read or write', async () => {
    await expect(train(at('own.tsv'))).rejects.toThrow(
      'Usage: npm run operator -- train-anti-spam',
    );
    await expect(train(at('a'), at('b'), at('c'))).rejects.toThrow('Usage');
    await expect(train(at('a.tsv'), at('a.tsv'))).rejects.toThrow('would replace');
    await expect(train(at('none.tsv'), at('model.json'))).rejects.toThrow(
      /none\.tsv cannot be read: ENOENT/,
    );
    await writeFile(at('latin.tsv'), Buffer.from([0x68, 0xe9]));
    await expect(train(at('latin.tsv'), at('model.json'))).rejects.toThrow('it is not UTF-8');
    await writeFile(at('own.tsv'), ham(100) + spam(100));
    await expect(train(at('own.tsv'), at('no/model.json'))).rejects.toThrow('cannot be written');
  });
});
