import { describe, expect, it } from '@jest/globals';
import { asId } from '@watchword/contracts';
import { SendAdmission } from './send-admission.js';

const WAIT_MS = 100;
const UNDER_WAY_MIN = 4;

/** Sends that billing answers when the test says so. */
function setUp() {
  let nowMs = 0;
  const bounds = { waitMs: WAIT_MS, underWayMin: UNDER_WAY_MIN };
  const admission = new SendAdmission(bounds, () => nowMs);
  const waiting: (() => Promise<void>)[] = [];
  const begin = (workspace: string) => {
    let end = (): void => {};
    const held = new Promise<void>((resolve) => (end = resolve));
    const done = admission.during(asId(workspace), async (answered) => {
      await held;
      answered();
    });
    waiting.push(() => (end(), done));
  };
  return {
    admission,
    begin,
    pass: (ms: number) => void (nowMs += ms),
    answer: async (count: number) => {
      for (const end of waiting.splice(0, count)) await end();
    },
    isRefused: (workspace: string) => admission.refusal(asId(workspace)) !== undefined,
    fill(workspace: string, count: number) {
      for (let n = 0; n < count; n += 1) begin(workspace);
    },
  };
}

describe('the admission of sends', () => {
  it('takes every burst: what waits at once says nothing yet', () => {
    const { fill, isRefused, pass } = setUp();
    fill('a', 1_000);
    expect(isRefused('a')).toBe(false);
    pass(500);
    expect(isRefused('a')).toBe(false);
  });

  it('refuses once no send was answered in time for half a second', () => {
    const { admission, fill, isRefused, pass } = setUp();
    fill('a', UNDER_WAY_MIN);
    pass(501);
    expect(isRefused('a')).toBe(true);
    expect(admission.refusal(asId('a'))).toMatchObject({ status: 503, retryAfterSeconds: 1 });
  });

  it('is open again with the first answer that comes in time', async () => {
    const { answer, begin, fill, isRefused, pass } = setUp();
    fill('a', UNDER_WAY_MIN);
    pass(600);
    await answer(UNDER_WAY_MIN - 1);
    fill('a', UNDER_WAY_MIN - 1);
    expect(isRefused('a')).toBe(true);
    await answer(1);
    pass(WAIT_MS / 2);
    await answer(1);
    begin('a');
    fill('a', UNDER_WAY_MIN);
    expect(isRefused('a')).toBe(false);
  });

  it('takes as many at a time as were answered in the last period', async () => {
    const { answer, fill, isRefused, pass } = setUp();
    fill('a', 40);
    pass(600);
    await answer(10);
    pass(WAIT_MS);
    fill('a', 1);
    expect(isRefused('a')).toBe(true);
    await answer(22);
    // 9 are open, and 10 were answered in the period before this one.
    expect(isRefused('a')).toBe(false);
    fill('a', 1);
    expect(isRefused('a')).toBe(true);
  });

  it('refuses the workspace that has its share, and no other', () => {
    const { begin, fill, isRefused, pass } = setUp();
    fill('hog', 9);
    begin('small');
    pass(600);
    expect([isRefused('hog'), isRefused('small'), isRefused('new')]).toEqual([true, false, false]);
    begin('small');
    // Two of four is the half of two workspaces.
    expect(isRefused('small')).toBe(true);
  });
});
