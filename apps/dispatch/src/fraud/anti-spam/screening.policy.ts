import type { SmsContent } from '@watchword/contracts';
import { magicNumber } from '@watchword/telephony';
import { channelOf } from '../../channels/channels.js';
import type { Judged, TextCommand } from '../../channels/text-channel.js';
import { RULES_VERSION } from './spam-signals.policy.js';
import type { Classification, Verdict } from '../../messages/anti-spam-verdict.js';

/** The workspace's choice for flagged texts. */
export type Setting = SmsContent['anti_spam'];

/** Where the caller's own metadata has the first key, a tag uses the second. */
const TAG_KEY = 'antispam';
const SPARE_TAG_KEY = 'svc_antispam';

/** Test-mode numbers that are blocked or tagged, with every text and setting. */
const TEST_ACTIONS: Readonly<Record<number, 'block' | 'tag'>> = { 40: 'block', 41: 'tag' };

/** Returns null when the classifier is not asked about this message. */
export function toBeClassified(command: TextCommand): Judged | null {
  const judged = channelOf(command).judged(command);
  return judged?.setting === 'off' ? null : judged;
}

/** Returns null for a number that does not choose the verdict. */
export function testVerdict(command: TextCommand): Verdict | null {
  const isJudged = command.test_mode && channelOf(command).judged(command) !== null;
  const digits = isJudged ? magicNumber(command.destination) : null;
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
