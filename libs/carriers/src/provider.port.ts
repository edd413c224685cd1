import { type MessageId, PHONE_KINDS, type PhoneKind, type Reason } from '@watchword/contracts';
import type { Capacity } from './capacity/capacity.js';

/**
 * An account at a carrier. An adapter only translates. Dispatch decides which account is tried,
 * when and how often.
 */
export interface SubmitRequest {
  /**
   * Our id. It travels in the callback URL or in the carrier's reference field, if there is one.
   */
  messageId: MessageId;
  /** Which sending of the message this is: 0 for the first, then one per resend. */
  resend?: number;
  /** Number of the attempt. With the message id it is the reference that a report returns. */
  attempt: number;
  kind: PhoneKind;
  /** Advertising. Some carriers have a route of their own for it. Absent: it is none. */
  isPromotional?: boolean;
  /** Number in E.164 with the plus sign. */
  destination: string;
  senderId: string | null;
  body: string;
  encoding: 'GSM-7' | 'UCS-2';
  segments: number;
  /** Seconds for which the carrier should try to deliver. */
  validitySeconds: number;
  /** W3C Trace Context of a traced message, for the request's header. */
  traceparent?: string | undefined;
}

/** Whether an account may send a message of that kind to numbers on a Do Not Disturb registry. */
export type DndCapable = Readonly<Record<SubmitRequest['kind'], boolean>>;

/** Returns the same value for each kind of message. */
export function forAllKinds<Value>(value: Value): Readonly<Record<PhoneKind, Value>> {
  return Object.fromEntries(PHONE_KINDS.map((kind) => [kind, value])) as Record<PhoneKind, Value>;
}

export type SubmitOutcome =
  | {
      outcome: 'accepted';
      providerMessageId: string;
      /** Ids of all parts, for a carrier that gives each its own. The message's is one of them. */
      partIds?: readonly string[];
    }
  /** The carrier refused, or certainly never got the message. */
  | {
      outcome: 'refused';
      reason: Reason;
      rawCode: string | null;
      rawMessage: string | null;
      retryAfterMs?: number;
      /** The carrier took parts of the text, so at this carrier a repetition sends them twice. */
      partlyTaken?: true;
      /**
       * The handset opted out of this sender at the carrier, as the carrier's documentation says of the code. A
       * list of the carrier's own, for all senders, is no such answer.
       */
      optsOut?: true;
    }
  /** The request was written and no clear answer came. The message may or may not be sent. */
  | { outcome: 'ambiguous'; rawCode: string | null; rawMessage: string | null };

/** An HTTP callback as the gateway received it. */
export interface CarrierCallback {
  method: string;
  /** The full URL that the carrier called, as the carrier knows it. Signatures cover it. */
  url: string;
  headers: Record<string, string | string[] | undefined>;
  query: Record<string, string>;
  rawBody: string;
}

export interface CarrierReport {
  messageId: MessageId | null;
  /** Number of the attempt from the reference. Null where the carrier does not return it. */
  attempt: number | null;
  providerMessageId: string | null;
  /**
   * The part that the report is about, for a carrier that reports each part by itself. Absent where
   * one report covers the message.
   */
  part?: CarrierPart;
  /** Number of the handset, where the carrier sends it. */
  destination?: string | null;
  state: 'enroute' | 'delivered' | 'failed';
  reason: Reason | null;
  rawCode: string | null;
  rawMessage: string | null;
  network: string | null;
}

export interface CarrierPart {
  /** Identifies a part of a submit: the carrier's id of the part, else its number. */
  readonly id: string;
  /** Number of parts, where the report says it. Otherwise null. */
  readonly count: number | null;
}

/** An SMS from a handset to one of our numbers or codes. */
export interface CarrierInbound {
  /** Number of the handset, E.164. */
  from: string;
  /** The number, short code or sender ID that received it, in the carrier's spelling. */
  to: string;
  body: string;
  /** The carrier's id. A repeated callback has the same id. Null where the carrier gives none. */
  providerMessageId: string | null;
}

export type CallbackResult =
  /** `isPartial`: entries that cannot be read were left out. */
  | { verdict: 'reports'; reports: CarrierReport[]; isPartial?: true }
  /** A message of a sender without a number, such as a short code, is left out. */
  | { verdict: 'inbound'; messages: CarrierInbound[]; isPartial?: true }
  /** The signature is missing or wrong. */
  | { verdict: 'forged' }
  | { verdict: 'malformed' };

/**
 * Verifies and translates a callback. It runs in the gateway, never in the process that submits.
 */
export type CallbackReader = (callback: CarrierCallback) => CallbackResult;

/**
 * Takes reports that arrive on a carrier's own connection. Resolves once they are durable. The
 * adapter must not acknowledge them to the carrier before.
 */
export type ReportSink = (reports: readonly CarrierReport[]) => Promise<void>;

/**
 * Takes messages that handsets sent and that arrive on a carrier's own connection. Resolves once
 * they are durable, as `ReportSink`.
 */
export type InboundSink = (messages: readonly CarrierInbound[]) => Promise<void>;

/**
 * States: made, started, stopped. An account is started once and stopped once.
 *
 * An account that has lost its connection restores it by itself. Meanwhile it is not `ready`, and
 * no message goes to it while another account is left.
 */
export interface Provider {
  /** Id of the account, as on attempts: `twilio`, `africas_talking`, `simulator_1`. */
  readonly name: string;
  /** Token of its carrier. */
  readonly carrier: string;
  readonly dndCapable: DndCapable;
  /** Sender of messages that name none. Null where the account hands none over. */
  readonly defaultSenderId: string | null;
  /** Number that is used for senders with letters where a country's networks replace them. */
  readonly senderNumber: string | null;
  readonly capacity: Capacity;
  /** Asks the carrier for the outcome of an unanswered attempt. Absent where that is impossible. */
  query?(messageId: string, attempt: number): Promise<SubmitOutcome>;
  /**
   * Opens connections, or goes on trying. An unavailable carrier is no failure. Resolves within
   * seconds; the account is `ready` then, or later.
   */
  start(onReports: ReportSink, onInbound?: InboundSink): Promise<void>;
  /** Returns whether a submit can reach the carrier now. */
  ready(): boolean;
  submit(request: SubmitRequest): Promise<SubmitOutcome>;
  /** Waits briefly for outstanding answers. Nothing is submitted afterwards. */
  stop(): Promise<void>;
}
