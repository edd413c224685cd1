import type { Provider } from '@nestjs/common';
import { SecuritySettings } from '@watchword/config';
import { DATABASE, KeyRing, PLATFORM } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import { CancelEmailHandler } from './cancel-email.handler.js';
import { configuredEmail } from './configured-email.js';
import { DueEmailStore } from './due-email.store.js';
import { DueEmailsJob } from './due-emails.job.js';
import { DueEmailsPoll } from './due-emails-poll.js';
import { EmailChanges } from './email-changes.handler.js';
import { EmailComposition } from './email-composition.js';
import { EMAIL_CONTENT_PURPOSE, EmailContentStore } from './email-content.store.js';
import { EmailEnvironments } from './email-environments.js';
import { EmailListStore } from './email-list.store.js';
import { EmailReads } from './email-reads.js';
import { EmailReportHandler } from './email-report.handler.js';
import { EmailSearchStore } from './email-search.store.js';
import { EmailSender } from './email-sender.js';
import { EmailStore } from './email.store.js';
import { EMAIL_PARTS } from './email-parts.port.js';
import { ProviderOrder } from './provider-order.js';
import { SendEmailsHandler } from './send-emails.handler.js';

/** Providers of emails in dispatch. */
export const EMAIL_PROVIDERS: Provider[] = [
  { provide: EMAIL_PARTS, useFactory: configuredEmail, inject: [PLATFORM] },
  {
    provide: EmailContentStore,
    useFactory: (database: Queryable, { encryptionKeys }: SecuritySettings) =>
      new EmailContentStore(database, new KeyRing(encryptionKeys, EMAIL_CONTENT_PURPOSE)),
    inject: [DATABASE, SecuritySettings],
  },
  CancelEmailHandler,
  DueEmailStore,
  DueEmailsJob,
  DueEmailsPoll,
  EmailChanges,
  EmailComposition,
  EmailEnvironments,
  EmailListStore,
  EmailReads,
  EmailReportHandler,
  EmailSearchStore,
  EmailSender,
  EmailStore,
  ProviderOrder,
  SendEmailsHandler,
];
