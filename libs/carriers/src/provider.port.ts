import type { Reason } from '@watchword/contracts';
import type { Capacity } from './capacity/capacity.js';

/**
 * An account at a carrier, as the product sees it. An adapter translates one carrier's dialect and
 * decides nothing: dispatch decides which account is tried, when and how often.
 */
export interface SubmitRequest {
  /** Our id; travels in the callback URL or the carrier's reference field, where there is one. */
  messageId: string;
  /** Which sending of the same message this is: 0 the first, then one for each resend. */
  resend?: number;
  /** Number of the attempt. With the message id it is the reference that a report brings back. */
  attempt: number;
  kind: 'otp' | 'sms';
  /** E.164 with the plus sign. */
  destination: string;
  senderId: string | null;
  body: string;
  encoding: 'GSM-7' | 'UCS-2';
  segments: number;
  /** How long the carrier should keep trying. */
  validitySeconds: number;
  /** W3C Trace Context of the call, for the request's header; only where the message is traced. */
  traceparent?: string | undefined;
}

export type SubmitOutcome =
  | {
      outcome: 'accepted';
      providerMessageId: string;
      /** Ids of all parts, of a carrier that gives each part its own; the first is the message's. */
      partIds?: readonly string[];
    }
  /** The carrier said no, or certainly never got it. */
  | {
      outcome: 'refused';
      reason: Reason;
      rawCode: string | null;
      rawMessage: string | null;
      retryAfterMs?: number;
    }
  /** The request was written and no clear answer came: the message may or may not go out. */
  | { outcome: 'ambiguous'; rawCode: string | null; rawMessage: string | null };

/** A raw HTTP callback as the gateway got it. */
export interface CarrierCallback {
  method: string;
  /** The full URL that the carrier called, as it knows it (signatures cover it). */
  url: string;
  headers: Record<string, string | string[] | undefined>;
  query: Record<string, string>;
  rawBody: string;
}

export interface CarrierReport {
  messageId: string | null;
  /** From the reference; null where the carrier does not bring it back. */
  attempt: number | null;
  providerMessageId: string | null;
  /** Of a carrier that reports each part; missing where one report speaks for the message. */
  part?: { readonly number: number; readonly count: number };
  /** The destination; only where the carrier sends it. */
  destination?: string | null;
  state: 'enroute' | 'delivered' | 'failed';
  reason: Reason | null;
  rawCode: string | null;
  rawMessage: string | null;
  network: string | null;
}

/** An SMS that a handset sent to one of our numbers or codes. */
export interface CarrierInbound {
  /** The handset, E.164. */
  from: string;
  /** The number, short code or sender ID that it was sent to, as the carrier writes it. */
  to: string;
  body: string;
  /** The carrier's id; the same when the carrier posts it again. */
  providerMessageId: string;
}

export type CallbackResult =
  | { verdict: 'reports'; reports: CarrierReport[] }
  | { verdict: 'inbound'; messages: CarrierInbound[] }
  /** The signature is missing or wrong. */
  | { verdict: 'forged' }
  | { verdict: 'malformed' };

/** Verifies and translates a callback, in the gateway: the process that submits reads none. */
export type CallbackReader = (callback: CarrierCallback) => CallbackResult;

/**
 * Takes reports of a carrier that sends them on its own connection. It resolves once they are
 * durable; until then the adapter must not acknowledge them to the carrier.
 */
export type ReportSink = (reports: readonly CarrierReport[]) => Promise<void>;

/** States: made, started, stopped. An account is started once and stopped once. */
export interface Provider {
  /** Id of the account, as on attempts: `twilio`, `africas_talking`, `simulator_1`. */
  readonly name: string;
  /** Token of its carrier. */
  readonly carrier: string;
  /** Whether it may carry messages to numbers on a do-not-disturb registry. */
  readonly dndCapable: boolean;
  readonly capacity: Capacity;
  /** Asks what became of an unanswered submit; missing where the carrier cannot be asked. */
  readonly query?: (messageId: string) => Promise<SubmitOutcome>;
  /** Opens what it needs. A carrier that is away is no failure: the account is then not `ready`. */
  start(onReports: ReportSink): Promise<void>;
  /** Whether a submit has a way to the carrier now. */
  ready(): boolean;
  submit(request: SubmitRequest): Promise<SubmitOutcome>;
  /** Waits a little for answers that are due; nothing is submitted any more. */
  stop(): Promise<void>;
}
