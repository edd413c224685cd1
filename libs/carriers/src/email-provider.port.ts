import type { EmailBounce } from '@watchword/contracts';
import type { Capacity } from './capacity/capacity.js';

/**
 * An account that takes emails: an SMTP relay or SES. An adapter only translates. Dispatch decides
 * which account is tried, when and how often.
 */
export interface EmailSubmit {
  readonly emailId: string;
  /** Index of the recipient in the email, from 0. */
  readonly recipient: number;
  /**
   * Number of the attempt for this recipient, from 1. With the two fields above it is our
   * reference.
   */
  readonly attempt: number;
  /** `MAIL FROM`: the complete address, with its signed token. */
  readonly returnPath: string;
  /** `RCPT TO`: one bare address. */
  readonly to: string;
  /** The complete, signed message with CRLF line ends, not dot-stuffed. */
  readonly raw: Buffer;
  /** Milliseconds for the submit. */
  readonly deadlineMs: number;
  /**
   * Least milliseconds for the answer to the whole message, where `deadlineMs` leaves less. Only
   * SMTP uses it.
   */
  readonly answerMs?: number;
  /** W3C Trace Context of a traced email. */
  readonly traceparent?: string | undefined;
}

/** The server's answer; null where it gave none. */
interface Answered {
  /** Code of the answer, for example `450 4.2.1`. */
  readonly rawCode: string | null;
  readonly rawMessage: string | null;
}

export type EmailOutcome =
  /** The server took responsibility: a relay queued the email, or a mailbox has it. */
  | {
      readonly outcome: 'accepted';
      /**
       * The provider's id. For SMTP, the id in the answer to the data. Null where none is named.
       */
      readonly providerMessageId: string | null;
      /** Whether the server is the recipient's own mail exchanger. */
      readonly delivered: boolean;
    }
  /** This recipient never accepts the email. With `suppress` it accepts no email at all. */
  | { readonly outcome: 'bounced'; readonly bounce: EmailBounce; readonly suppress: boolean }
  /** A 4xx. Dispatch retries for 24 hours. */
  | (Answered & { readonly outcome: 'deferred' })
  /** A 5.7.x for policy or spam. The email fails, and no other provider is asked. */
  | (Answered & { readonly outcome: 'rejected' })
  /**
   * The provider failed before it could send: unreachable, bad credentials, a 5xx before RCPT. The
   * next provider is tried. `temporary`: this one may take it later.
   */
  | (Answered & { readonly outcome: 'refused'; readonly temporary: boolean })
  /** The whole message was written and no clear answer came. It may or may not be sent. */
  | (Answered & { readonly outcome: 'ambiguous' });

/** States: made, started, stopped. An account is started once and stopped once. */
export interface EmailProvider {
  /** Id of the account, as on attempts: `smtp`, `ses`. */
  readonly name: string;
  /** Token of its carrier. */
  readonly carrier: string;
  /**
   * Whether it replaces the Message-ID. A receiver then does not recognise a second copy, so a copy
   * without an answer waits longer for an event.
   */
  readonly replacesMessageId?: boolean;
  readonly capacity: Capacity;
  start(): Promise<void>;
  /** Submits one copy. A server's failure is an outcome; it never rejects for one. */
  submit(request: EmailSubmit): Promise<EmailOutcome>;
  /** Waits briefly for outstanding answers. Nothing is submitted afterwards. */
  stop(): Promise<void>;
}
