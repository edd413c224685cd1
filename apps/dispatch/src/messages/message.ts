import type {
  Family,
  MessageId,
  MessageState,
  PublicReason,
  Reason,
  WorkspaceId,
} from '@watchword/contracts';
import type { Content } from '../channels/text-channel.js';
import type { Verdict } from './anti-spam-verdict.js';
import type { Parts } from './parts.policy.js';

/**
 * A message as dispatch keeps it: an envelope that all kinds share, and content by kind
 * (`channels`). Values are never changed in place: a policy returns a new message, and the
 * difference determines the writes and the events (see `message-changes.handler.ts`).
 */
/** The network of a number, as a delivery report named it. */
export interface ReportedNetwork {
  /** Null where it is the one of the prefix. */
  readonly portedTo: string | null;
  readonly at: Date;
}

export interface Message {
  readonly id: MessageId;
  readonly workspaceId: WorkspaceId;
  /** Its text and kind. */
  readonly content: Content;
  readonly family: Family;
  readonly testMode: boolean;
  readonly destination: string;
  readonly countryCode: string;
  readonly network: string | null;
  readonly senderId: string | null;
  /** The sender that the handset shows, of a message without a sender ID that a carrier took. */
  readonly shownSender: string | null;
  readonly credits: number;
  readonly priceRule: string;
  /** Price of a credit at acceptance. */
  readonly creditPrice: { readonly amount: number; readonly currency: string } | null;
  readonly metadata: Record<string, unknown>;
  readonly createdAt: Date;
  /** When a scheduled message is due. Null for one that was sent at once. */
  readonly sendAt: Date | null;

  readonly state: MessageState;
  /** Counts the writes; a write that expects another version does not happen. */
  readonly version: number;
  /** The provider that took it, and its id there. */
  readonly provider: string | null;
  readonly providerMessageId: string | null;
  readonly reason: PublicReason | null;
  /** Null until settled. */
  readonly refunded: boolean | null;
  /** When a failure became public: the ledger has its refund, or none is due. */
  readonly settledAt: Date | null;
  readonly sentAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly verifiedAt: Date | null;
  /** When it failed or expired. */
  readonly endedAt: Date | null;
  readonly updatedAt: Date;

  /** Verdict of the spam filter about an SMS. Null when it was not asked. */
  readonly antispam: Verdict | null;
  /** Resends taken from an OTP's budget, in order. */
  readonly resends: readonly Resend[];
  /** Attempts of all sendings, in order. The number of one is its index plus one. */
  readonly attempts: readonly Attempt[];
  /** Of the number, by the report that makes this change. Written with it, and then dropped. */
  readonly reportedNetwork?: ReportedNetwork | undefined;
}

/**
 * The same code once more, charged under a separate id. It is reserved, then charged, then started
 * by its command; it fails by itself, which gives back its own charge.
 */
export interface Resend {
  readonly number: number;
  /** Id of its charge. */
  readonly id: MessageId;
  readonly reservedAt: Date;
  /** Null until its command came. */
  readonly startedAt: Date | null;
  /** Credits of its charge. Absent before its command came. */
  readonly credits?: number;
  /** Why it failed. Null while it has not. */
  readonly reason: PublicReason | null;
  /**
   * Planned from the start where the workspace wants it, and started when a report says that the
   * code did not arrive. It has no charge, and goes to providers that did not have the code.
   * Absent where a client asked for the resend.
   */
  readonly isReroute?: true;
}

/** Resends that a client asked for. Only they have charges and count for the budget. */
export function chargedOf(resends: readonly Resend[]): Resend[] {
  return resends.filter(({ isReroute }) => !isReroute);
}

/** A call to a provider. It is written before the call is made. */
export interface Attempt {
  readonly number: number;
  /** The sending it belongs to: 0 for the first, then the number of the resend. */
  readonly resend: number;
  readonly provider: string;
  /** When the call is due: in the future for a retry. */
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  /** Null while unanswered. */
  readonly outcome: 'accepted' | 'refused' | 'ambiguous' | null;
  readonly providerMessageId: string | null;
  /** Absent or null where one report covers the message, as usual. */
  readonly parts?: Parts | null | undefined;
  readonly reason: Reason | null;
  readonly rawCode: string | null;
  readonly rawMessage: string | null;
  /** The attempt was ambiguous once. The flag stays, because it explains a second text. */
  readonly wasAmbiguous: boolean;
  /** A delivery report came after the message had failed. */
  readonly lateDelivery: boolean;
  /** The process that handles it; null when nothing is left to do. */
  readonly heldBy: string | null;
}

export function attemptsOf(message: Message, resend: number): Attempt[] {
  return message.attempts.filter((attempt) => attempt.resend === resend);
}

export function lastAttempt(message: Message, resend = 0): Attempt | undefined {
  return message.attempts.findLast((attempt) => attempt.resend === resend);
}

export function withAttempt(message: Message, number: number, change: Partial<Attempt>): Message {
  const attempts = message.attempts.map((attempt) =>
    attempt.number === number ? { ...attempt, ...change } : attempt,
  );
  return { ...message, attempts };
}

export function newAttempt(
  message: Pick<Message, 'attempts'>,
  provider: string,
  heldBy: string,
  startedAt: Date,
  resend = 0,
): Attempt {
  return {
    number: message.attempts.length + 1,
    resend,
    provider,
    startedAt,
    finishedAt: null,
    outcome: null,
    providerMessageId: null,
    reason: null,
    rawCode: null,
    rawMessage: null,
    wasAmbiguous: false,
    lateDelivery: false,
    heldBy,
  };
}

export function withNewAttempt(message: Message, attempt: Attempt): Message {
  return { ...message, attempts: [...message.attempts, attempt] };
}
