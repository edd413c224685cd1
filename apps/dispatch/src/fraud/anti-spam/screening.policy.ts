import type { SendMessage, SmsContent } from '@watchword/contracts';
import { magicNumber } from '@watchword/telephony';
import { RULES_VERSION } from './spam-signals.policy.js';
import type { Classification, Verdict } from './verdict.js';

/** What a workspace wants done about what is flagged. */
export type Setting = SmsContent['anti_spam'];

/** Where the caller's own key stands in the way, a tag goes to the second one. */
const TAG_KEY = 'antispam';
const SPARE_TAG_KEY = 'svc_antispam';

/** Test-mode numbers that are blocked and tagged, whatever the text and the setting. */
const TEST_ACTIONS: Readonly<Record<number, 'block' | 'tag'>> = { 40: 'block', 41: 'tag' };

export function isToBeClassified({ kind, sms }: SendMessage): boolean {
  return kind === 'sms' && sms !== null && sms.anti_spam !== 'off';
}

/** Null for every number that does not choose. */
export function testVerdict({ kind, test_mode, destination }: SendMessage): Verdict | null {
  const digits = kind === 'sms' && test_mode ? magicNumber(destination) : null;
  const action = digits === null ? undefined : TEST_ACTIONS[digits];
  if (action === undefined) return null;
  return {
    label: 'spam',
    score: 1,
    flagged: true,
    action,
    reasons: ['test_number'],
    model: 'test',
    version: RULES_VERSION,
    latency_ms: 0,
  };
}

export function verdictOf(
  { label, score, flagged, ...rest }: Classification,
  setting: Setting,
): Verdict {
  const action = flagged && setting !== 'off' ? setting : 'none';
  return { label, score, flagged, action, ...rest };
}

export function tagged(
  metadata: Readonly<Record<string, unknown>>,
  { label, score, reasons }: Verdict,
): Record<string, unknown> {
  const key = Object.hasOwn(metadata, TAG_KEY) ? SPARE_TAG_KEY : TAG_KEY;
  return { ...metadata, [key]: { label, score, reasons } };
}
