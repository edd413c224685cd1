import type { EmailReport } from '@watchword/contracts';
import type { EmailOutcome } from '@watchword/carriers';
import { ERASED_ADDRESS } from '@watchword/email';
import { type Email, wordsOf } from './email.js';
import type { SuppressionEntry } from './ports.js';

/** Returns what an answer suppresses, usually null. Test mode suppresses nothing. */
export function suppressionOf(
  email: Email,
  recipient: number,
  outcome: EmailOutcome,
  at: Date,
): SuppressionEntry | null {
  const isFinal = outcome.outcome === 'bounced' && outcome.suppress;
  return isFinal ? entryOf(email, recipient, 'bounce', at) : null;
}

export function suppressionByReport(
  email: Email,
  report: EmailReport,
  at: Date,
): SuppressionEntry | null {
  const origin = originOf(report);
  return origin === null ? null : entryOf(email, report.recipient, origin, at);
}

const ORIGINS: Partial<Record<EmailReport['kind'], SuppressionEntry['origin']>> = {
  bounced: 'bounce',
  complained: 'complaint',
  unsubscribed: 'unsubscribe',
};

/** Returns null for a report that suppresses nothing. */
export function originOf(report: EmailReport): SuppressionEntry['origin'] | null {
  const origin = ORIGINS[report.kind] ?? null;
  return origin === 'bounce' && report.suppress !== true ? null : origin;
}

function entryOf(
  email: Email,
  recipient: number,
  origin: SuppressionEntry['origin'],
  at: Date,
): SuppressionEntry | null {
  const address = wordsOf(email).recipients[recipient];
  if (email.testMode || address === undefined || address === ERASED_ADDRESS) return null;
  const scope = origin === 'unsubscribe' ? 'marketing' : 'all';
  return { workspaceId: email.workspaceId, address, origin, scope, at };
}
