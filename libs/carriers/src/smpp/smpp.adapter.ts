import { randomInt } from 'node:crypto';
import type { ConnectionOptions } from 'node:tls';
import { type Clock, systemClock } from '@watchword/contracts';
import type { Capacity } from '../capacity/capacity.js';
import type { CarrierLogger } from '../carrier.js';
import { ambiguous, type SubmitDeadlines } from '../http/outcome.policy.js';
import {
  type CarrierInbound,
  type CarrierReport,
  type DndCapable,
  forAllKinds,
  type InboundSink,
  type Provider,
  type ReportSink,
  type SubmitOutcome,
  type SubmitRequest,
} from '../provider.port.js';
import { type Delivery, optionText, TAG } from './delivery.js';
import { type DefaultAlphabet, messageTextOf } from './delivery-text.js';
import {
  type AddressRules,
  type LongMessages,
  type SubmitParameters,
  submitParts,
} from './message-parts.js';
import {
  commonId,
  handsetOf,
  isPhoneNumber,
  isReceipt,
  type MessageIds,
  receiptOf,
} from './receipt.js';
import { SmppConnection } from './smpp-connection.js';
import { type PduResult, type SmppSession, WINDOW_FULL } from './smpp-session.js';
import {
  type ErrorReasons,
  isAccountRefused,
  isThrottling,
  refusalReason,
  reportMeaning,
  STATUS,
  statusName,
} from './status-map.js';

export interface SmppSettings {
  /** Id of the account. */
  readonly id: string;
  /** Empty where the account has no SMSC yet. */
  readonly host: string;
  readonly port: number;
  /** Null for a connection without TLS. */
  readonly tls: ConnectionOptions | null;
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
  readonly addresses: AddressRules;
  readonly longMessages: LongMessages;
  /** Of `data_coding` 0. `gsm` unless set. */
  readonly defaultAlphabet?: DefaultAlphabet | undefined;
  readonly messageIds: MessageIds;
  readonly errorReasons: ErrorReasons;
  readonly defaultSenderId: string;
  /** False for all kinds unless set. */
  readonly dndCapable?: DndCapable | undefined;
  readonly senderNumber?: string | null | undefined;
  readonly logger?: CarrierLogger | undefined;
  readonly clock?: Clock | undefined;
  readonly capacity: Capacity;
  readonly deadlines: SubmitDeadlines;
}

const THROTTLED_MS_MIN = 1_000;
const THROTTLED_MS_MAX = 60_000;
const REFERENCE_MAX = 0xffff;
const MINUTE_MS = 60_000;

type Refused = Extract<SubmitOutcome, { outcome: 'refused' }>;

/** SMPP 3.4 over one session that is bound as transceiver. */
export class SmppAdapter implements Provider {
  readonly carrier = 'smpp';
  readonly name: string;
  readonly dndCapable: DndCapable;
  readonly defaultSenderId: string;
  readonly senderNumber: string | null;
  readonly capacity: Capacity;
  private readonly connection: SmppConnection;
  private onReports: ReportSink = () => Promise.reject(new Error('The account is not started.'));
  private onInbound: InboundSink = () => Promise.reject(new Error('The account is not started.'));
  /** Random at first, so that two processes do not count alike. */
  private reference = randomInt(REFERENCE_MAX);
  private throttledMs = 0;
  private throttledUntilMs = 0;
  /** Handsets’ messages are passed on in order, so that START after STOP counts. */
  private inbound: Promise<void> = Promise.resolve();
  private readonly clock: Clock;
  private unattributedToldAtMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly settings: SmppSettings) {
    this.name = settings.id;
    this.dndCapable = settings.dndCapable ?? forAllKinds(false);
    this.defaultSenderId = settings.defaultSenderId;
    this.senderNumber = settings.senderNumber ?? null;
    this.capacity = settings.capacity;
    this.clock = settings.clock ?? systemClock;
    this.connection = new SmppConnection(
      { ...settings, windowMax: settings.capacity.concurrency },
      {
        deliver: (delivery) => this.deliver(delivery),
        warn: (fields, message) => this.warn(fields, message),
      },
    );
  }

  /** Fails where an operator has to act: with an account that the SMSC refuses. */
  async start(onReports: ReportSink, onInbound?: InboundSink): Promise<void> {
    this.onReports = onReports;
    if (onInbound) this.onInbound = onInbound;
    await this.connection.start();
    const { status } = this.connection.lastFailure;
    if (status !== null && isAccountRefused(status)) {
      throw new Error(`The SMSC refuses the account ${this.name}: ${statusName(status)}.`);
    }
  }

  ready(): boolean {
    return this.connection.isBound;
  }

  stop(): Promise<void> {
    return this.connection.stop();
  }

  /**
   * Submits the first part, then the others together. A message with a refused part is refused: no
   * handset can show it.
   */
  async submit(request: SubmitRequest): Promise<SubmitOutcome> {
    const untilMs = performance.now() + this.settings.deadlines[request.kind];
    const session = await this.connection.current(untilMs - performance.now());
    if (session === null) return this.unavailable();
    const [first, ...others] = this.partsOf(request);
    const answer = await this.submitPart(session, first!, untilMs);
    if (answer.kind !== 'answered' || answer.status !== STATUS.ok) return this.outcomeOf([answer]);
    const later = others.map((part) => this.submitLater(session, part, untilMs));
    return this.outcomeOf([answer, ...(await Promise.all(later))]);
  }

  private partsOf(request: SubmitRequest): SubmitParameters[] {
    const { addresses, longMessages, defaultAlphabet = 'gsm' } = this.settings;
    this.reference = (this.reference + 1) & REFERENCE_MAX;
    const senderId = request.senderId ?? this.defaultSenderId;
    const rules = { addresses, longMessages, defaultAlphabet };
    return submitParts(request, senderId, rules, this.reference);
  }

  private submitPart(
    session: SmppSession,
    part: SubmitParameters,
    untilMs: number,
  ): Promise<PduResult> {
    return session.submit(part, Math.max(1, untilMs - performance.now()));
  }

  /** Submits a part of a message whose first one is on its way, so it is worth waiting for. */
  private async submitLater(
    session: SmppSession,
    part: SubmitParameters,
    untilMs: number,
  ): Promise<PduResult> {
    for (;;) {
      const result = await this.submitPart(session, part, untilMs);
      const isThrottled = result.kind === 'answered' && isThrottling(result.status);
      if (!isThrottled || performance.now() + THROTTLED_MS_MIN >= untilMs) return result;
      await new Promise((resolve) => setTimeout(resolve, THROTTLED_MS_MIN));
    }
  }

  private outcomeOf(results: readonly PduResult[]): SubmitOutcome {
    const ids: string[] = [];
    let unclear: SubmitOutcome | null = null;
    let refused: Refused | null = null;
    for (const result of results) {
      if (result.kind === 'unsent') refused ??= unsent(result.code);
      else if (result.kind === 'unanswered') {
        unclear = ambiguous(result.code, 'The submit was sent and not answered.');
      } else if (result.status !== STATUS.ok) refused ??= this.refusal(result.status);
      else if (result.messageId === '') {
        unclear = ambiguous('ESME_ROK', 'The answer names no message.');
      } else ids.push(commonId(result.messageId, 'answer', this.settings.messageIds));
    }
    // Later parts are submitted only after the first one is accepted.
    if (refused !== null) return results.length > 1 ? { ...refused, partlyTaken: true } : refused;
    if (unclear !== null) return unclear;
    this.throttledMs = 0;
    const [providerMessageId = ''] = ids;
    return { outcome: 'accepted', providerMessageId, ...(ids.length > 1 && { partIds: ids }) };
  }

  private refusal(status: number): Refused {
    const refused: Refused = {
      outcome: 'refused',
      reason: refusalReason(status, this.settings.errorReasons),
      rawCode: statusName(status),
      rawMessage: null,
    };
    return isThrottling(status) ? { ...refused, retryAfterMs: this.throttle() } : refused;
  }

  /** Returns the milliseconds to wait. They double with each throttling after that time. */
  private throttle(): number {
    const nowMs = performance.now();
    if (this.throttledMs === 0 || nowMs >= this.throttledUntilMs) {
      const doubled = Math.max(this.throttledMs * 2, THROTTLED_MS_MIN);
      this.throttledMs = Math.min(doubled, THROTTLED_MS_MAX);
      this.throttledUntilMs = nowMs + this.throttledMs;
    }
    return this.throttledMs;
  }

  private unavailable(): SubmitOutcome {
    const { code, status } = this.connection.lastFailure;
    if (status === null) return unsent(code);
    const reason = refusalReason(status, this.settings.errorReasons);
    const rawMessage = 'The SMSC refuses the bind.';
    return { outcome: 'refused', reason, rawCode: statusName(status), rawMessage };
  }

  /** Returns the status for the SMSC, once the receipt or message is on record. */
  private async deliver(delivery: Delivery): Promise<number> {
    try {
      const report = this.reportOf(delivery);
      const recording =
        report === null ? this.passOn(this.inboundOf(delivery)) : this.onReports([report]);
      // The sinks log their own failures.
      const isRecorded = await recording.then(
        () => true,
        () => false,
      );
      return isRecorded ? STATUS.ok : STATUS.temporarilyUnable;
    } catch (err) {
      this.warn({ err }, `${delivery.command} failed, the SMSC sends it again`);
      return STATUS.temporarilyUnable;
    }
  }

  private warn(fields: object, message: string): void {
    this.settings.logger?.warn({ provider: this.name, ...fields }, message);
  }

  private reportOf(delivery: Delivery): CarrierReport | null {
    const receipt = receiptOf(delivery);
    if (receipt === null) {
      if (isReceipt(delivery)) this.warn({}, 'receipt without an id or state, ignored');
      return null;
    }
    const { messageIds, errorReasons, longMessages } = this.settings;
    const id = commonId(receipt.id, 'receipt', messageIds);
    return {
      messageId: null,
      attempt: null,
      providerMessageId: id,
      // An SMSC that splits the text itself reports the whole.
      ...(longMessages !== 'payload' && { part: { id, count: null } }),
      destination: receipt.destination,
      ...reportMeaning(receipt.state, receipt.error, errorReasons),
      rawMessage: null,
      network: null,
    };
  }

  /**
   * Returns a handset’s message, or null for what can hold no keyword: a receipt, data, a part of a
   * longer text, and one without an international number.
   */
  private inboundOf(delivery: Delivery): CarrierInbound | null {
    const body = messageTextOf(delivery, this.settings.defaultAlphabet ?? 'gsm');
    if (isReceipt(delivery) || body === null) return null;
    const { source, sourceTon, destination, destinationTon } = delivery;
    const from = handsetOf(source, sourceTon);
    if (from === null) {
      if (isPhoneNumber(source)) this.logUnattributed(sourceTon);
      return null;
    }
    const to = handsetOf(destination, destinationTon) ?? destination;
    return {
      from,
      to,
      body,
      providerMessageId: optionText(delivery, TAG.receiptedMessageId) || null,
    };
  }

  /** A keyword such as STOP is lost with it. Once a minute: an SMSC may write each number so. */
  private logUnattributed(sourceTon: number): void {
    const nowMs = this.clock.now();
    if (nowMs - this.unattributedToldAtMs < MINUTE_MS) return;
    this.unattributedToldAtMs = nowMs;
    this.warn({ sourceTon }, 'message of a handset without an international number, ignored');
  }

  private passOn(message: CarrierInbound | null): Promise<void> {
    if (message === null) return Promise.resolve();
    const passed = this.inbound.then(() => this.onInbound([message]));
    this.inbound = passed.catch(() => undefined);
    return passed;
  }
}

/**
 * Returns the refusal of a message of which no PDU was written, or not all parts. A full window
 * says that the SMSC is slow, not that it is unavailable.
 */
function unsent(code: string): Refused {
  const reason = code === WINDOW_FULL ? 'throttled' : 'provider_unavailable';
  const rawMessage = 'The submit could not be sent.';
  return { outcome: 'refused', reason, rawCode: code, rawMessage };
}
