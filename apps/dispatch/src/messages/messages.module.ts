import { Module, type Provider } from '@nestjs/common';
import type { HandOver } from '@watchword/bus';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, DATABASE, HAND_OVER, LOGGER, PATIENT_DATABASE } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import { ANSWERING_CHANGES, ANSWERING_STORE } from './answering.js';
import { CancelMessageHandler } from './cancel-message.handler.js';
import { IdempotencyKeyStore } from './idempotency-key.store.js';
import { MessageChanges } from './message-changes.handler.js';
import { MessageListStore } from './message-list.store.js';
import { MessageReads } from './message-reads.js';
import { MessageRpc } from './message.rpc.js';
import { MessageSearchStore } from './message-search.store.js';
import { MessageStore } from './message.store.js';
import { RecentMessages } from './recent-messages.js';

const changesOn = (store: MessageStore, clock: Clock) => new MessageChanges(store, clock);

const providers: Provider[] = [
  {
    provide: MessageStore,
    useFactory: (database: Queryable, logger: Logger, handOver: HandOver) =>
      new MessageStore(database, logger, handOver),
    inject: [PATIENT_DATABASE, LOGGER, HAND_OVER],
  },
  {
    provide: RecentMessages,
    useFactory: ({ recent }: MessageStore) => recent,
    inject: [MessageStore],
  },
  { provide: MessageChanges, useFactory: changesOn, inject: [MessageStore, CLOCK] },
  {
    provide: ANSWERING_STORE,
    useFactory: (
      database: Queryable,
      logger: Logger,
      handOver: HandOver,
      { recent }: MessageStore,
    ) => new MessageStore(database, logger, handOver, recent),
    inject: [DATABASE, LOGGER, HAND_OVER, MessageStore],
  },
  { provide: ANSWERING_CHANGES, useFactory: changesOn, inject: [ANSWERING_STORE, CLOCK] },
  IdempotencyKeyStore,
  MessageListStore,
  MessageSearchStore,
  MessageReads,
  CancelMessageHandler,
];

/** Text messages: stored, changed, read, listed and cancelled. */
@Module({ controllers: [MessageRpc], providers, exports: providers })
export class MessagesModule {}
