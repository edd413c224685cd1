import { Module, type Provider } from '@nestjs/common';
import type { InProcessQueue } from '@watchword/bus';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, DATABASE, IN_PROCESS_QUEUE, LOGGER } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import { CancelMessageHandler } from './cancel-message.handler.js';
import { IdempotencyKeyStore } from './idempotency-key.store.js';
import { MessageChanges } from './message-changes.handler.js';
import { MessageListStore } from './message-list.store.js';
import { MessageListsController } from './message-lists.controller.js';
import { MessageReads } from './message-reads.js';
import { MessageRpc } from './message.rpc.js';
import { MessageSearchStore } from './message-search.store.js';
import { MessageStore } from './message.store.js';
import { RecentMessages } from './recent-messages.js';

const providers: Provider[] = [
  {
    provide: MessageStore,
    useFactory: (database: Queryable, logger: Logger, queue: InProcessQueue) =>
      new MessageStore(database, logger, queue),
    inject: [DATABASE, LOGGER, IN_PROCESS_QUEUE],
  },
  {
    provide: RecentMessages,
    useFactory: ({ recent }: MessageStore) => recent,
    inject: [MessageStore],
  },
  {
    provide: MessageChanges,
    useFactory: (store: MessageStore, clock: Clock) => new MessageChanges(store, clock),
    inject: [MessageStore, CLOCK],
  },
  IdempotencyKeyStore,
  MessageListStore,
  MessageSearchStore,
  MessageReads,
  CancelMessageHandler,
];

/** Text messages: stored, changed, read, listed and cancelled. */
@Module({ controllers: [MessageRpc, MessageListsController], providers, exports: providers })
export class MessagesModule {}
