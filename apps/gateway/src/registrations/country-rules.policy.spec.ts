import { describe, expect, it } from '@jest/globals';
import type { DestinationFinding, SenderProblem } from '@watchword/contracts';
import { VARIANT_B_WORDS as words } from '../inputs/send-words.policy.js';
import { judgeByRule, quietRefusal } from './country-rules.policy.js';

const asked = { sender_id: 'Acme', country_code: 'GB' };
const judged = (problem: SenderProblem | null, is_enforced: boolean, isShared = false) => {
  const finding: Pick<DestinationFinding, 'rule'> =
    problem === null ? {} : { rule: { problem, is_enforced, length_min: 3 } };
  const { refusal, remark, isLogged } = judgeByRule(finding, asked, { isShared, words });
  return [refusal?.type ?? null, refusal?.field ?? null, remark !== null, isLogged];
};
const NOTHING = [null, null, false, false];
const REFUSED = ['sender_id_invalid', 'from', false, false];
const REMARKED = [null, null, true, true];
const LOGGED = [null, null, false, true];

describe('judgeByRule', () => {
  it.each<[string, SenderProblem | null, boolean, boolean, unknown[]]>([
    ['nothing against it', null, false, false, NOTHING],
    ['forbidden, log', 'forbidden', false, false, REMARKED],
    ['forbidden, enforce', 'forbidden', true, false, REFUSED],
    ['reserved, log', 'reserved', false, false, REMARKED],
    ['reserved, enforce, shared', 'reserved', true, true, REFUSED],
    ['too short, enforce', 'too_short', true, false, REFUSED],
    ['unregistered, log', 'unregistered', false, false, LOGGED],
    ['unregistered, enforce', 'unregistered', true, false, REFUSED],
    ['unregistered, enforce, shared', 'unregistered', true, true, NOTHING],
    ['replaced, log', 'replaced', false, false, REMARKED],
    ['replaced, enforce', 'replaced', true, false, REMARKED],
  ])('%s', (_, problem, isEnforced, isShared, verdict) => {
    expect(judged(problem, isEnforced, isShared)).toEqual(verdict);
  });
});

describe('quietRefusal', () => {
  const quiet_until = '2026-11-27T07:00:00.000Z';

  it.each<['off' | 'refuse' | 'delay', string | undefined, boolean]>([
    ['refuse', quiet_until, true],
    ['refuse', undefined, false],
    ['delay', quiet_until, false],
    ['off', quiet_until, false],
  ])('%s, until %s: %s', (quiet_hours, until, isRefused) => {
    const finding = until === undefined ? {} : { quiet_until: until };
    const refusal = quietRefusal(finding, 'NG', { quiet_hours });
    expect(refusal !== null).toBe(isRefused);
    if (!isRefused) return;
    expect(refusal).toMatchObject({ type: 'validation_error', field: 'category' });
    expect(refusal?.text.en).toContain(quiet_until);
    expect(refusal?.text.fr).toContain(quiet_until);
  });
});
