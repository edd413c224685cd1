import type { EmailBounce } from '@watchword/contracts';

/**
 * An account that takes emails: an SMTP relay, or SES. An adapter translates one dialect and decides
 * nothing: dispatch decides which account is tried, when and how often.
 */
export interface EmailSubmit {
  readonly emailId: string;
  /** Place of the recipient in the email, from 0. */
  readonly recipient: number;
  /** Number of the attempt for this recipient, from 1. With the two above it is our reference. */
  readonly attempt: number;
  /** `MAIL FROM`: the whole address, with its signed token. */
  readonly returnPath: string;
  /** `RCPT TO`: one bare address. */
  readonly to: string;
  /** The finished, signed message with CRLF line ends, not dot-stuffed. */
  readonly raw: Buffer;
  /** Ends the submit from when its conversation begins; waiting for a place has a bound of its own. */
  readonly deadlineMs: number;
  /** The least time for the answer to the whole message, where `deadlineMs` leaves less. SMTP alone has it. */
  readonly answerMs?: number;
  /** W3C Trace Context, where the email is traced. */
  readonly traceparent?: string | undefined;
}

/** What the server answered; null where it gave no answer. */
interface Answered {
  /** `450 4.2.1`. */
  readonly rawCode: string | null;
  readonly rawMessage: string | null;
}

export type EmailOutcome =
  /** The server took responsibility: a relay queued it, or a mailbox has it. */
  | {
      readonly outcome: 'accepted';
      /** The provider's id; of SMTP what stands in the answer to the data, null where it names none. */
      readonly providerMessageId: string | null;
      /** The server is the recipient's own mail exchanger. */
      readonly delivered: boolean;
    }
  /** This recipient never takes it; with `suppress` it takes no email at all. */
  | { readonly outcome: 'bounced'; readonly bounce: EmailBounce; readonly suppress: boolean }
  /** A 4xx: tried again for 24 hours. */
  | (Answered & { readonly outcome: 'deferred' })
  /** A 5.7.x for policy or spam: the email fails, and no other provider is asked. */
  | (Answered & { readonly outcome: 'rejected' })
  /**
   * The provider's fault, and certainly not sent: unreachable, credentials, a 5xx before RCPT. The next provider is
   * tried. `temporary`: this one may take it later.
   */
  | (Answered & { readonly outcome: 'refused'; readonly temporary: boolean })
  /** The whole message was written and no clear answer came: it may or may not go out. */
  | (Answered & { readonly outcome: 'ambiguous' });

/** States: made, started, stopped. An account is started once and stopped once. */
export interface EmailProvider {
  /** Id of the account, as on attempts: `smtp`, `ses`. */
  readonly name: string;
  /** Submits that may be unanswered at once. */
  readonly concurrency: number;
  start(): Promise<void>;
  /** Never rejects for what a server does. */
  submit(request: EmailSubmit): Promise<EmailOutcome>;
  /** Waits a little for answers that are due; nothing is submitted any more. */
  stop(): Promise<void>;
}
