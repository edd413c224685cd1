import { Module, type Provider } from '@nestjs/common';
import { PLATFORM, type Platform } from '@watchword/platform';
import { IdempotencyKeyStore } from '../messages/idempotency-key.store.js';
import { MessagesModule } from '../messages/messages.module.js';
import { Sender } from '../sending/sender.js';
import { SendingModule } from '../sending/sending.module.js';
import { configuredEmail } from './configured-email.js';
import { type EmailParts, Emails } from './emails.js';

/** Providers of emails, and what else the installation gives to emails. */
export const EMAIL_PARTS = Symbol('email parts');

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

@Module({ imports: [MessagesModule, SendingModule], providers, exports: providers })
export class EmailsModule {}
