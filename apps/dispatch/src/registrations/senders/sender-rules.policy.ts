import type {
  DestinationFinding,
  DestinationQuestion,
  SenderProblem,
  SenderRule,
  SenderRules,
} from '@watchword/contracts';
import { foldSenderId } from '@watchword/telephony';
import { quietUntil } from './quiet-hours.policy.js';

const LETTER = /[A-Za-z]/;

type Asked = Pick<DestinationQuestion, 'sender_id' | 'country_code' | 'quiet_at'>;
type Registration = DestinationFinding['sender'];

/** Returns what the country's rule adds to a finding: nothing, where it has nothing against the send. */
export function ruled(
  { enforcement, countries }: SenderRules,
  { sender_id: senderId, country_code: countryCode, quiet_at: quietAt }: Asked,
  registration: Registration,
): Pick<DestinationFinding, 'rule' | 'quiet_until'> {
  const rule = Object.hasOwn(countries, countryCode) ? countries[countryCode] : undefined;
  if (rule === undefined) return {};
  const isJudged = senderId !== null && enforcement !== 'off';
  const problem = isJudged ? senderProblem(rule, senderId, registration) : null;
  const until =
    quietAt === undefined || rule.quiet_hours === null
      ? null
      : quietUntil(rule.quiet_hours, new Date(quietAt));
  return {
    ...(problem !== null && {
      rule: {
        problem,
        is_enforced: enforcement === 'enforce',
        length_min: rule.length_min,
      },
    }),
    ...(until !== null && { quiet_until: until.toISOString() }),
  };
}

/** Returns whether the country's networks would show a number instead of the sender. */
export function isReplaced(
  { enforcement, countries }: SenderRules,
  countryCode: string,
  sender: string,
): boolean {
  const rule = Object.hasOwn(countries, countryCode) ? countries[countryCode] : undefined;
  return enforcement === 'enforce' && rule?.alphanumeric === 'replaced' && LETTER.test(sender);
}

/** Returns the first thing that the rule has against the sender ID, the gravest first. */
export function senderProblem(
  rule: SenderRule,
  senderId: string,
  registration: Registration,
): SenderProblem | null {
  if (rule.alphanumeric === 'forbidden') return 'forbidden';
  // No handset shows the letters, so nothing about them is refused.
  if (rule.alphanumeric === 'replaced') return 'replaced';
  const folded = foldSenderId(senderId);
  if (rule.reserved_words.some((word) => foldSenderId(word) === folded)) return 'reserved';
  if (senderId.length < rule.length_min) return 'too_short';
  const needsApproval = rule.alphanumeric === 'registered' && registration !== 'usable';
  return needsApproval ? 'unregistered' : null;
}
