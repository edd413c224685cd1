import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { OffsetCommitter, type PartitionOffset } from './offset-committer.js';

const at = (partition: number, offset: number): PartitionOffset => ({
  topic: 't',
  partition,
  offset: String(offset),
});

/** A coordinator with answers that the test controls. */
function setUp() {
  const commits: string[][] = [];
  const answers: { take: () => void; refuse: (error: Error) => void }[] = [];
  const failures: unknown[] = [];
  const committer = new OffsetCommitter(
    (offsets) => {
      commits.push(offsets.map(({ partition, offset }) => `${partition}:${offset}`));
      return new Promise((take, refuse) => answers.push({ take, refuse }));
    },
    (error) => failures.push(error),
  );
  return { committer, commits, answers, failures };
}

const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('offsets', () => {
  it('are committed one commit at a time, each partition where it is by then', async () => {
    const { committer, commits, answers } = setUp();
    committer.handled(at(0, 1));
    committer.handled(at(1, 5));
    await pass(1);
    committer.handled(at(0, 2));
    committer.handled(at(0, 3));
    expect(commits).toEqual([['0:1', '1:5']]);
    answers[0]?.take();
    await pass(100);
    expect(commits).toEqual([['0:1', '1:5'], ['0:3']]);
    answers[1]?.take();
    committer.forget();
  });

  it('rest between two commits, unless a caller waits for the last of them', async () => {
    const { committer, commits, answers } = setUp();
    committer.handled(at(0, 1));
    await pass(1);
    answers[0]?.take();
    await pass(1);
    committer.handled(at(0, 2));
    expect(commits).toEqual([['0:1']]);
    const flushed = committer.flush();
    await pass(1);
    expect(commits).toEqual([['0:1'], ['0:2']]);
    committer.handled(at(0, 3));
    answers[1]?.take();
    await pass(1);
    expect(commits).toEqual([['0:1'], ['0:2'], ['0:3']]);
    answers[2]?.take();
    await flushed;
    committer.forget();
  });

  it('are tried again when the coordinator cannot be reached, and never put back', async () => {
    const { committer, commits, answers, failures } = setUp();
    committer.handled(at(0, 1));
    await pass(1);
    committer.handled(at(0, 2));
    answers[0]?.refuse(new Error('away'));
    await committer.flush();
    expect(failures).toHaveLength(1);
    await pass(250);
    expect(commits).toEqual([['0:1'], ['0:2']]);
    committer.forget();
  });

  it('of a former generation are not committed in the name of the next', async () => {
    const { committer, commits, answers, failures } = setUp();
    committer.handled(at(0, 10));
    await pass(1);
    committer.handled(at(0, 11));
    committer.forget();
    committer.handled(at(1, 1));
    answers[0]?.refuse(new Error('ILLEGAL_GENERATION'));
    await pass(300);
    expect(commits).toEqual([['0:10'], ['1:1']]);
    expect(failures).toEqual([]);
    answers[1]?.take();
  });
});
