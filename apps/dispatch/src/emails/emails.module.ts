import { Module, type Provider } from '@nestjs/common';
import { SecuritySettings } from '@watchword/config';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, DATABASE, KeyRing, LOGGER, PLATFORM, type Platform } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import { IdempotencyKeyStore } from '../messages/idempotency-key.store.js';
import { MessagesModule } from '../messages/messages.module.js';
import { Sender } from '../sending/sender.js';
import { SendingModule } from '../sending/sending.module.js';
import { CancelEmailHandler } from './cancel-email.handler.js';
import { configuredEmail } from './configured-email.js';
import { EmailChanges } from './email-changes.handler.js';
import { EMAIL_CONTENT_PURPOSE, EmailContentStore } from './email-content.store.js';
import { EmailListStore } from './email-list.store.js';
import { EmailSearchStore } from './email-search.store.js';
import { EmailListsController } from './email-lists.controller.js';
import { EmailReads } from './email-reads.js';
import { EmailReportConsumer } from './email-report.consumer.js';
import { EmailRpc } from './email.rpc.js';
import { EmailStore } from './email.store.js';
import { type EmailParts, Emails } from './emails.js';
import { PlatformEmailConsumer } from './platform-email.consumer.js';

/** Token of the providers and other parts that the installation gives to emails. */
export const EMAIL_PARTS = Symbol('email parts');

const stores: Provider[] = [
  {
    provide: EmailStore,
    useFactory: (database: Queryable) => new EmailStore(database),
    inject: [DATABASE],
  },
  EmailReads,
  {
    provide: EmailListStore,
    useFactory: (database: Queryable) => new EmailListStore(database),
    inject: [DATABASE],
  },
  {
    provide: EmailSearchStore,
    useFactory: (database: Queryable) => new EmailSearchStore(database),
    inject: [DATABASE],
  },
  {
    provide: EmailContentStore,
    useFactory: (database: Queryable, { encryptionKeys }: SecuritySettings) =>
      new EmailContentStore(database, new KeyRing(encryptionKeys, EMAIL_CONTENT_PURPOSE)),
    inject: [DATABASE, SecuritySettings],
  },
  {
    provide: CancelEmailHandler,
    useFactory: (store: EmailStore, keys: IdempotencyKeyStore, clock: Clock, logger: Logger) =>
      new CancelEmailHandler(new EmailChanges(store, clock, logger), keys, clock),
    inject: [EmailStore, IdempotencyKeyStore, CLOCK, LOGGER],
  },
];

const providers: Provider[] = [
  { provide: EMAIL_PARTS, useFactory: configuredEmail, inject: [PLATFORM] },
  {
    provide: Emails,
    useFactory: (
      platform: Platform,
      parts: EmailParts,
      keys: IdempotencyKeyStore,
      { id: heldBy }: Sender,
    ) => new Emails(platform, { ...parts, keys, heldBy }),
    inject: [PLATFORM, EMAIL_PARTS, IdempotencyKeyStore, Sender],
  },
];

/** The channel of emails. */
@Module({
  imports: [MessagesModule, SendingModule],
  controllers: [EmailRpc, EmailListsController, EmailReportConsumer, PlatformEmailConsumer],
  providers: [...stores, ...providers],
  exports: [...providers, EmailStore, EmailReads, EmailSearchStore, CancelEmailHandler],
})
export class EmailsModule {}
