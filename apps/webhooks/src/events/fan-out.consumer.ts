import { Controller, Inject } from '@nestjs/common';
import { type IncomingMessage, TransientError } from '@watchword/bus';
import {
  type CreditEvent,
  type EmailEvent,
  type DomainEvent,
  type MessageEvent,
  type PrefixEvent,
  type SenderEvent,
  TOPICS,
} from '@watchword/contracts';
import { BatchPattern } from '@watchword/platform';
import { DatabaseUnavailable } from '@watchword/postgres';
import { EndTrialsHandler } from './end-trials.handler.js';
import { FanOutHandler } from './fan-out.handler.js';
import {
  type Occurrence,
  occurrenceOfCredit,
  occurrenceOfEmail,
  occurrenceOfMessage,
  occurrenceOfPrefix,
  occurrenceOfRegistration,
} from './occurrence.policy.js';
import { eventsWithoutSubscribers } from './events-without-subscribers.js';

const OPTIONS = { group: 'webhooks.fan-out', batchSizeMax: 200 };

type Batch<Payload> = IncomingMessage<Payload>[];

/** Reads what happened to messages, emails, balances, prefixes, sender IDs and domains. */
@Controller()
export class FanOutConsumer {
  constructor(
    @Inject(FanOutHandler) private readonly handler: Pick<FanOutHandler, 'fanOut'>,
    private readonly trials: EndTrialsHandler,
  ) {}

  @BatchPattern(TOPICS.messageEvents, {
    ...OPTIONS,
    canWait: (event) => eventsWithoutSubscribers.hasNoSubscriber(event as MessageEvent),
  })
  ofMessages(batch: Batch<MessageEvent>): Promise<void> {
    return this.fanOut(batch, occurrenceOfMessage);
  }

  @BatchPattern(TOPICS.emailEvents, OPTIONS)
  ofEmails(batch: Batch<EmailEvent>): Promise<void> {
    return this.fanOut(batch, occurrenceOfEmail);
  }

  @BatchPattern(TOPICS.creditEvents, OPTIONS)
  async ofCredits(batch: Batch<CreditEvent>): Promise<void> {
    await this.fanOut(batch, occurrenceOfCredit, () =>
      this.trials.end(batch.map(({ payload }) => payload)),
    );
  }

  @BatchPattern(TOPICS.prefixEvents, OPTIONS)
  ofPrefixes(batch: Batch<PrefixEvent>): Promise<void> {
    return this.fanOut(batch, occurrenceOfPrefix);
  }

  @BatchPattern(TOPICS.registrationEvents, OPTIONS)
  ofRegistrations(batch: Batch<SenderEvent | DomainEvent>): Promise<void> {
    return this.fanOut(batch, occurrenceOfRegistration);
  }

  /** Fanning out again is harmless, so even an unknown outcome is simply tried again. */
  private async fanOut<Payload>(
    batch: Batch<Payload>,
    occurrenceOf: (event: Payload) => Occurrence | null,
    before: () => Promise<void> = async () => undefined,
  ): Promise<void> {
    const occurrences = batch.map(({ payload }) => occurrenceOf(payload));
    try {
      await before();
      await this.handler.fanOut(occurrences.filter((occurrence) => occurrence !== null));
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      throw new TransientError('events wait for the database', error);
    }
  }
}
