import { Module, type Provider } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import { Emails } from '../emails/emails.js';
import { EmailsModule } from '../emails/emails.module.js';
import { ByChannel } from '../sending/by-channel.js';
import { SendMessageHandler } from '../sending/send-message.handler.js';
import { SendingModule } from '../sending/sending.module.js';
import { HoldCommandsHandler } from './hold-commands.handler.js';
import { AccountEventConsumer } from './account-event.consumer.js';
import { SendMessageConsumer } from './send-message.consumer.js';
import { SuspensionStore } from './suspension.store.js';

const providers: Provider[] = [
  SuspensionStore,
  {
    provide: ByChannel,
    useFactory: (texts: SendMessageHandler, emails: Emails) => new ByChannel(texts, emails),
    inject: [SendMessageHandler, Emails],
  },
  {
    provide: HoldCommandsHandler,
    useFactory: (suspensions: SuspensionStore, sending: ByChannel, clock: Clock) =>
      new HoldCommandsHandler(suspensions, sending, clock),
    inject: [SuspensionStore, ByChannel, CLOCK],
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
