import { Module, type Provider } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import { Emails } from '../emails/emails.js';
import { EmailsModule } from '../emails/emails.module.js';
import { SendMessageHandler } from '../sending/send-message.handler.js';
import { SendingModule } from '../sending/sending.module.js';
import { HoldCommandsHandler } from './hold-commands.handler.js';
import { AccountEventConsumer } from './account-event.consumer.js';
import { SendMessageConsumer } from './send-message.consumer.js';
import { SuspensionStore } from './suspension.store.js';

const providers: Provider[] = [
  SuspensionStore,
  {
    provide: HoldCommandsHandler,
    useFactory: (
      suspensions: SuspensionStore,
      texts: SendMessageHandler,
      emails: Emails,
      clock: Clock,
    ) => new HoldCommandsHandler(suspensions, texts, emails, clock),
    inject: [SuspensionStore, SendMessageHandler, Emails, CLOCK],
  },
];

/** What the gateway said of workspaces; commands of suspended ones wait here. */
@Module({
  controllers: [SendMessageConsumer, AccountEventConsumer],
  imports: [EmailsModule, SendingModule],
  providers,
  exports: providers,
})
export class SuspensionsModule {}
