import type { Reason } from '@watchword/contracts';

/**
 * What every carrier looks like to the product. An adapter translates one carrier's dialect and decides
 * nothing: which carrier is tried, when and how often is dispatch's business.
 */
export interface SubmitRequest {
  /** Our id; travels in the callback URL or the carrier's reference field, where there is one. */
  messageId: string;
  /** Which sending of the same message this is: 0 the first, then one for each resend. */
  resend?: number;
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
  | { outcome: 'accepted'; providerMessageId: string }
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
  providerMessageId: string | null;
  state: 'enroute' | 'delivered' | 'failed';
  reason: Reason | null;
  rawCode: string | null;
  rawMessage: string | null;
  network: string | null;
}

export type CallbackResult =
  | { verdict: 'reports'; reports: CarrierReport[] }
  /** The signature is missing or wrong. */
  | { verdict: 'forged' }
  | { verdict: 'malformed' };

/** Verifies and translates a callback, in the gateway: who submits reads none. */
export type CallbackReader = (callback: CarrierCallback) => CallbackResult;

export interface Provider {
  /** Stable token, as on attempts: `twilio`, `africas_talking`, `simulator_1`; see `publicProviderName`. */
  readonly name: string;
  /** Whether it may carry messages to numbers on a do-not-disturb registry. */
  readonly dndCapable: boolean;
  /** Asks what became of an unanswered submit; missing where the carrier cannot be asked. */
  readonly query?: (messageId: string) => Promise<SubmitOutcome>;
  submit(request: SubmitRequest): Promise<SubmitOutcome>;
  close(): Promise<void>;
}
