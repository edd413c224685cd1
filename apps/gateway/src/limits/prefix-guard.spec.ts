import { afterEach, describe, expect, it } from '@jest/globals';
import { newId, type PrefixRestriction, type WorkspaceId } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import { FakeClock } from '@watchword/testing';
import { PrefixGuard } from './prefix-guard.js';

const NUMBER = '+2348031234567';
const workspaceId: WorkspaceId = newId();

type Answer = { version: number; restrictions: PrefixRestriction[] | null };

let guard: PrefixGuard | undefined;

/** Starts a guard. The first answer is of its start, the next ones of its refreshes. */
async function started(answer: () => Promise<Answer>): Promise<PrefixGuard> {
  const answers = [async () => ({ version: 1, restrictions: [] })];
  const listPrefixRestrictions = () => (answers.shift() ?? answer)();
  const dispatch = { listPrefixRestrictions };
  guard = new PrefixGuard(
    dispatch,
    new FakeClock(),
    createLogger({ service: 'gateway', level: 'silent' }),
  );
  await guard.start();
  return guard;
}

afterEach(() => guard?.stop());

const isRefused = (one: PrefixGuard) => {
  try {
    one.check(workspaceId, NUMBER);
    return false;
  } catch {
    return true;
  }
};

describe('the first sends after a pause', () => {
  it('are decided by the known ones where dispatch does not answer', async () => {
    let isHanging = true;
    const hanging = Promise.withResolvers<Answer>();
    const answer: Answer = { version: 2, restrictions: null };
    const one = await started(() => (isHanging ? hanging.promise : Promise.resolve(answer)));
    await one.current();
    expect(isRefused(one)).toBe(false);
    isHanging = false;
    hanging.resolve(answer);
  });
});
