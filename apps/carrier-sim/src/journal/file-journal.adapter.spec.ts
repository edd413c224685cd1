import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { HandsetStore } from '../handset/handset.store.js';
import { FileJournal } from './file-journal.adapter.js';
import type { AcceptedMessage } from './journal.port.js';

const directory = mkdtempSync(join(tmpdir(), 'file-journal-'));
const path = join(directory, 'journal.ndjson');
const target = { url: 'http://127.0.0.1/callbacks' };

function accepted(number: number, receiptAfterMs: readonly number[] = [50]): AcceptedMessage {
  return {
    message: {
      provider: 'twilio',
      to: `+${number}`,
      from: 'Acme',
      // Line separators that some line readers treat as an end.
      body: `€\u2028\r\n${number}`,
      encoding: 'UCS-2',
      segments: 1,
      reference: `SM${number}`,
      receivedAtMs: number,
    },
    isOnHandset: true,
    target,
    receipts: receiptAfterMs.map((afterMs) => ({ afterMs, outcome: 'delivered' })),
  };
}

/** Starts a new journal on the same file and forgets the one before, as after a kill. */
function start(rewriteAboveBytes?: number, messagesMax?: number) {
  const messages = new HandsetStore(messagesMax);
  const journal = new FileJournal(path, messages, rewriteAboveBytes);
  const open = journal.restore();
  return { messages, journal, open };
}

function accept({ messages, journal }: ReturnType<typeof start>, message: AcceptedMessage): void {
  if (message.isOnHandset) messages.add(message.message);
  journal.accepted(message);
}

const written = (journal: FileJournal) =>
  new Promise<void>((resolve) => journal.onceWritten(resolve));
/** Its line may wait a moment for others. */
const isFinished = async (reference: string) => {
  const isThere = () => readFileSync(path, 'utf8').includes(`{"finished":"${reference}"`);
  while (!isThere()) await sleep(5);
};
const bodies = (messages: HandsetStore) => messages.find(undefined, 0).map(({ body }) => body);
const references = (open: AcceptedMessage[]) => open.map(({ message }) => message.reference);

describe('FileJournal', () => {
  beforeEach(() => rmSync(path, { force: true }));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('answers only when the lines of the turn are in the file, all in one write', async () => {
    const before = start();
    const sizes: number[] = [];
    for (const number of [1, 2, 3]) {
      accept(before, accepted(number));
      before.journal.onceWritten(() => sizes.push(statSync(path).size));
      expect(statSync(path).size).toBe(0);
    }
    await nextTurn();
    expect(sizes).toEqual(Array(3).fill(readFileSync(path).length));
    expect(sizes[0]).toBeGreaterThan(0);
    const after = start();
    expect(after.messages.find(undefined, 0)).toEqual(before.messages.find(undefined, 0));
    expect(after.open).toMatchObject([1, 2, 3].map((number) => accepted(number)));
  });

  it('restores the receipts that are not over, by due time, through several starts', async () => {
    const before = start();
    accept(before, accepted(1, [50, 50, 900]));
    accept(before, accepted(2, [10]));
    accept(before, accepted(3, [20]));
    accept(before, { ...accepted(4, [5]), isOnHandset: false });
    before.journal.finished('SM1', 1);
    before.journal.finished('SM3', 0);
    await isFinished('SM3');
    const after = start();
    expect(references(after.open)).toEqual(['SM4', 'SM2', 'SM1']);
    expect(after.open[2]!.receipts.map(({ afterMs }) => afterMs)).toEqual([50, 900]);
    expect(bodies(after.messages)).toEqual(
      [1, 2, 3].map((number) => accepted(number).message.body),
    );
    after.journal.finished('SM1', 0);
    after.journal.finished('SM4', 0);
    await isFinished('SM4');
    const last = start();
    expect(references(last.open)).toEqual(['SM2', 'SM1']);
    expect(last.open[1]!.receipts.map(({ afterMs }) => afterMs)).toEqual([900]);
    expect(last.messages.size).toBe(3);
  });

  it('passes over a torn last line, and warns of others that it cannot read', async () => {
    const before = start();
    accept(before, accepted(1));
    await written(before.journal);
    appendFileSync(path, '{"finished":"SM1","rec');
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    expect(references(start().open)).toEqual(['SM1']);
    expect(warn).not.toHaveBeenCalled();
    writeFileSync(path, `\0\0\nnull\n${readFileSync(path, 'utf8')}`);
    expect(references(start().open)).toEqual(['SM1']);
    expect(warn).toHaveBeenCalledWith(`${path}: left out 2 unreadable lines`);
    warn.mockRestore();
  });

  it('is written anew when it has grown too large, without a gap for what goes on', async () => {
    const before = start(20_000, 500);
    const sizes: number[] = [];
    for (let number = 1; number <= 4_000; number++) {
      accept(before, accepted(number));
      if (number > 20) before.journal.finished(`SM${number - 20}`, 0);
      await written(before.journal);
      sizes.push(statSync(path).size);
    }
    expect(sizes.filter((size, index) => size < sizes[index - 1]!).length).toBeGreaterThan(3);
    expect(Math.max(...sizes)).toBeLessThan(600_000);
    const after = start(20_000, 500);
    expect(after.messages.find(undefined, 0)).toEqual(before.messages.find(undefined, 0));
    expect(after.messages.size).toBe(500);
    expect(references(after.open)).toEqual(
      Array.from({ length: 20 }, (_, index) => `SM${3_981 + index}`),
    );
  });

  it('forgets cleared messages, not their receipts', async () => {
    const before = start();
    accept(before, accepted(1));
    accept(before, accepted(2, []));
    before.messages.clear();
    before.journal.cleared();
    accept(before, accepted(3, []));
    await written(before.journal);
    const after = start();
    expect(bodies(after.messages)).toEqual([accepted(3).message.body]);
    expect(references(after.open)).toEqual(['SM1']);
  });

  it('records nothing after its end', async () => {
    const { journal, ...rest } = start();
    accept({ journal, ...rest }, accepted(1));
    journal.close();
    jest.useFakeTimers();
    journal.finished('SM1', 0);
    jest.runAllTimers();
    jest.useRealTimers();
    expect(references(start().open)).toEqual(['SM1']);
  });
});
