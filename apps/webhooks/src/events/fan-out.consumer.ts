import { Inject, Injectable } from '@nestjs/common';
import { type Bus, type IncomingMessage, type Subscription, TransientError } from '@watchword/bus';
import {
  type CreditEvent,
  type EmailEvent,
  type DomainEvent,
  type MessageEvent,
  type PrefixEvent,
  type SenderEvent,
  type Topic,
  TOPICS,
} from '@watchword/contracts';
import { BUS } from '@watchword/platform';
import { DatabaseUnavailable } from '@watchword/postgres';
import { FanOutHandler } from './fan-out.handler.js';
import {
  type Occurrence,
  occurrenceOfCredit,
  occurrenceOfEmail,
  occurrenceOfMessage,
  occurrenceOfPrefix,
  occurrenceOfRegistration,
} from './occurrence.policy.js';

const GROUP = 'webhooks.fan-out';
const BATCH_SIZE_MAX = 200;

/** Reads what happened to messages, emails, balances, prefixes, sender IDs and domains. */
@Injectable()
export class FanOutConsumer {
  private subscriptions: Subscription[] = [];

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(FanOutHandler) private readonly handler: Pick<FanOutHandler, 'fanOut'>,
  ) {}

  async start(): Promise<void> {
    this.subscriptions = [
      await this.subscribe<MessageEvent>(TOPICS.messageEvents, occurrenceOfMessage),
      await this.subscribe<EmailEvent>(TOPICS.emailEvents, occurrenceOfEmail),
      await this.subscribe<CreditEvent>(TOPICS.creditEvents, occurrenceOfCredit),
      await this.subscribe<PrefixEvent>(TOPICS.prefixEvents, occurrenceOfPrefix),
      await this.subscribe<SenderEvent | DomainEvent>(
        TOPICS.registrationEvents,
        occurrenceOfRegistration,
      ),
    ];
  }

  async stop(): Promise<void> {
    await Promise.all(this.subscriptions.map((subscription) => subscription.close()));
  }

  private subscribe<Payload>(
    topic: Topic,
    occurrenceOf: (event: Payload) => Occurrence | null,
  ): Promise<Subscription> {
    const options = { group: GROUP, batchSizeMax: BATCH_SIZE_MAX };
    return this.bus.subscribe<Payload>(topic, options, (batch: IncomingMessage<Payload>[]) => {
      const occurrences = batch.map(({ payload }) => occurrenceOf(payload));
      return this.fanOut(occurrences.filter((occurrence) => occurrence !== null));
    });
  }

  /** Fanning out again is harmless, so even an unknown outcome is simply tried again. */
  private async fanOut(occurrences: Occurrence[]): Promise<void> {
    try {
      await this.handler.fanOut(occurrences);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      throw new TransientError('events wait for the database', error);
    }
  }
}
