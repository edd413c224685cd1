import type { DeliveryReport, MessageId, PhoneKind } from '@watchword/contracts';
import { channelOf } from '../channels/channels.js';

/**
 * The answer to a submit was lost, and the carrier's receipts carry only its own id. A receipt
 * settles the submit if it cannot mean another: same account, within the time that receipts are
 * awaited, and no other submit to that number is unanswered or ambiguous in any workspace. It also
 * settles one that is unanswered yet, if its message was cancelled: the refund hangs on it.
 */
export interface OpenSubmit {
  readonly messageId: MessageId;
  readonly number: number;
  readonly destination: string;
  readonly provider: string;
  readonly kind: PhoneKind;
  readonly state: string;
  /** Null while the answer is outstanding. */
  readonly outcome: 'ambiguous' | null;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

/** Returns null where the report may mean another submit, or none of ours. */
export function settledSubmit(
  report: DeliveryReport,
  open: readonly OpenSubmit[],
  receiptWaitMs: number,
): OpenSubmit | null {
  const receivedAt = Date.parse(report.received_at);
  const possible = open.filter(
    ({ destination, startedAt }) =>
      destination === report.destination && startedAt.getTime() <= receivedAt,
  );
  const [only] = possible;
  if (possible.length !== 1 || only === undefined) return null;
  const { provider, state, outcome, finishedAt } = only;
  if (provider !== report.provider) return null;
  if (state === 'cancelled' && outcome === null) return only;
  const isAwaited = channelOf(only).awaitsLostAnswer;
  const isWaiting = isAwaited && state === 'accepted' && outcome === 'ambiguous';
  if (!isWaiting || finishedAt === null) return null;
  return receivedAt <= finishedAt.getTime() + receiptWaitMs ? only : null;
}
