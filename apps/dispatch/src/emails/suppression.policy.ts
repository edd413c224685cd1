import type { EmailReport } from '@watchword/contracts';
import type { EmailOutcome } from '@watchword/carriers';
import { ERASED_ADDRESS } from '@watchword/email';
import { type Email, wordsOf } from './email.js';
import type { SuppressionEntry } from './email-parts.port.js';

/** Returns what an answer suppresses, usually null. Test mode suppresses nothing. */
export function suppressionOf(
  email: Email,
  recipient: number,
  outcome: EmailOutcome,
  at: Date,
): SuppressionEntry | null {
  const isFinal = outcome.outcome === 'bounced' && outcome.suppress;
  return isFinal ? entryOf(email, addressOf(email, recipient), 'bounce', at) : null;
}

export function suppressionByReport(
  email: Email,
  report: EmailReport,
  at: Date,
): SuppressionEntry | null {
  const origin = originOf(report);
  if (origin === null) return null;
  const kept = addressOf(email, report.recipient);
  // The link of an unsubscribe has the address also after it was erased here.
  const address = origin === 'unsubscribe' ? (kept ?? report.address ?? undefined) : kept;
  return entryOf(email, address, origin, at);
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

function addressOf(email: Email, recipient: number): string | undefined {
  const address = wordsOf(email).recipients[recipient];
  return address === ERASED_ADDRESS ? undefined : address;
}

function entryOf(
  email: Email,
  address: string | undefined,
  origin: SuppressionEntry['origin'],
  at: Date,
): SuppressionEntry | null {
  if (email.testMode || address === undefined) return null;
  const scope = origin === 'unsubscribe' ? 'marketing' : 'all';
  return { workspaceId: email.workspaceId, address, origin, scope, at };
}
