import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock, NewId } from '@watchword/contracts';
import { crashPoint, type Logger } from '@watchword/observability';
import { CLOCK, LOGGER } from '@watchword/platform';
import type { Provider } from '@watchword/carriers';
import { channelOf } from '../channels/channels.js';
import { OtpCodes } from '../channels/otp/otp-codes.port.js';
import type { Message } from '../messages/message.js';
import { type MessageChangeRequest, MessageChanges } from '../messages/message-changes.handler.js';
import { CachedSenderRules } from '../registrations/senders/cached-sender-rules.js';
import { CARRIERS, type Carriers } from '../routing/configured-providers.js';
import { Router } from '../routing/router.js';
import { heldMax } from './account-slots-table.js';
import { CarrierCalls } from './carrier-calls.js';
import { expectAttempts, showInHand } from './measurements.js';
import { OpenCalls } from './open-calls.js';
import { OutcomeRecorder } from './outcome-recorder.js';
import { PROCESS_ID } from './process-id.js';
import { DeliveryLoop, type DeliveryLoopParts } from './delivery-loop.js';
import { Slots } from './slots.js';
import { RunningSendings, type Sending } from './running-sendings.js';
import { UnmappedCodes } from './unmapped-codes.js';

/**
 * The sendings of this process: their bound, which of them run, and their stop. Each runs in its
 * own loop (`delivery-loop.ts`). One recorder writes all outcomes (`outcome-recorder.ts`).
 */
@Injectable()
export class Sender {
  readonly openCalls = new OpenCalls();
  private readonly slots: Slots;
  private readonly calls: CarrierCalls;
  private readonly deliveryLoops: DeliveryLoopParts;
  private readonly running = new RunningSendings();
  /**
   * Messages with a first attempt on record by this process, which wait for the rest of their
   * burst.
   */
  private readonly reserved = new Set<string>();
  private readonly stopping = new AbortController();

  constructor(
    /** Of this process, stored on the attempts that it holds. */
    @Inject(PROCESS_ID) readonly id: NewId,
    changes: MessageChanges,
    @Inject(CARRIERS) providers: Carriers,
    router: Router,
    private readonly codes: OtpCodes,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    unmapped: UnmappedCodes,
    @Inject(CachedSenderRules) rules: Pick<CachedSenderRules, 'current'>,
  ) {
    const { signal: stopping } = this.stopping;
    const accounts = [...providers.values()];
    this.slots = new Slots(heldMax(accounts), burstMax(accounts));
    this.calls = new CarrierCalls({ providers, router, clock, logger, unmapped, rules }, stopping);
    const apply = async (requests: readonly MessageChangeRequest[]) => {
      crashPoint('dispatch.outcome.before-change');
      const messages = await changes.apply(requests);
      crashPoint('dispatch.outcome.after-change');
      return messages;
    };
    const recorder = new OutcomeRecorder({ name: 'dispatch.recorder', apply, logger, stopping });
    const { id: heldBy, slots, calls, openCalls } = this;
    this.deliveryLoops = { heldBy, slots, calls, openCalls, recorder, router, clock, stopping };
    showInHand(() => this.slots.inHand);
    for (const account of providers.keys()) expectAttempts(account);
  }

  /** Resolves when there are slots for `count` more messages. */
  waitForSlot(count: number): Promise<void> {
    return this.slots.waitFor(count);
  }

  get hasFreeSlot(): boolean {
    return this.slots.isLeft;
  }

  /** Whether a message is in progress. */
  get isBusy(): boolean {
    return this.running.isAny;
  }

  /** Messages of bursts that wait for their turn. */
  get waitingOfBursts(): number {
    return this.slots.waitingOfBursts;
  }

  /** Starts with the first attempt, which this process has just recorded. */
  send(message: Message, code: string | null, resend = 0): void {
    const deliveryLoop = new DeliveryLoop(this.deliveryLoops, resend, code);
    this.run({ messageId: message.id, resend }, deliveryLoop.begin(message));
  }

  /** Starts a resend with its first attempt, which this process has just recorded. */
  sendAgain(message: Message, resend: number): void {
    const code = this.codeOf(message);
    if (code === null) throw new Error('a resend was begun without its code');
    this.send(message, code, resend);
  }

  /**
   * Until `sendBurst`, these belong to this process: the recovery does not take them for abandoned.
   */
  reserve(messages: readonly Message[]): void {
    for (const { id } of messages) this.reserved.add(id);
  }

  /** Starts with the first attempts, in this order, beside other messages. */
  sendBurst(messages: readonly Message[]): void {
    for (const message of messages) {
      const deliveryLoop = new DeliveryLoop(this.deliveryLoops, 0, null);
      this.run({ messageId: message.id, resend: 0 }, deliveryLoop.begin(message, true));
      this.reserved.delete(message.id);
    }
  }

  /** Resumes a sending from its record. */
  resume(message: Message, resend: number): void {
    this.run({ messageId: message.id, resend }, this.resumed(message, resend));
  }

  isSending(sending: Sending): boolean {
    const isReserved = sending.resend === 0 && this.reserved.has(sending.messageId);
    return isReserved || this.running.has(sending);
  }

  /** Waits up to the deadline for open calls and their records, and not for receipts. */
  async stop(deadlineMs: number): Promise<void> {
    this.stopping.abort();
    this.slots.close();
    await Promise.race([this.running.ended(), sleep(deadlineMs, undefined, { ref: false })]);
    this.calls.close();
  }

  private async resumed(message: Message, resend: number): Promise<void> {
    await new DeliveryLoop(this.deliveryLoops, resend, this.codeOf(message)).resume(message);
  }

  private codeOf({ id, content }: Message): string | null {
    const cipher = channelOf(content).codeCipher(content);
    return cipher === null ? null : this.codes.open(id, cipher);
  }

  private run(sending: Sending, loop: Promise<void>): void {
    const work = loop.catch((error: unknown) => {
      if (this.stopping.signal.aborted) return;
      const { messageId } = sending;
      this.logger.error(
        { err: error, messageId },
        'sending a message failed, recovery will resume it',
      );
    });
    this.running.add(sending, work);
  }
}

/** A burst takes at most half of the calls that the smallest account can make at once. */
function burstMax(providers: readonly Provider[]): number {
  const least = Math.min(...providers.map(({ capacity }) => capacity.concurrency));
  return Number.isFinite(least) ? Math.max(1, Math.floor(least / 2)) : 1;
}
