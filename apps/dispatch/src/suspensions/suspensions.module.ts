import { Module, type Provider } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import { Emails } from '../emails/emails.js';
import { EmailsModule } from '../emails/emails.module.js';
import { ChannelHandlers } from '../sending/channel-handlers.js';
import { SendMessageHandler } from '../sending/send-message.handler.js';
import { SendingModule } from '../sending/sending.module.js';
import { HoldCommandsHandler } from './hold-commands.handler.js';
import { AccountEventConsumer } from './account-event.consumer.js';
import { SendMessageConsumer } from './send-message.consumer.js';
import { SuspensionStore } from './suspension.store.js';

const providers: Provider[] = [
  SuspensionStore,
  {
    provide: ChannelHandlers,
    useFactory: (texts: SendMessageHandler, emails: Emails) => new ChannelHandlers(texts, emails),
    inject: [SendMessageHandler, Emails],
  },
  {
    provide: HoldCommandsHandler,
    useFactory: (suspensions: SuspensionStore, sending: ChannelHandlers, clock: Clock) =>
      new HoldCommandsHandler(suspensions, sending, clock),
    inject: [SuspensionStore, ChannelHandlers, CLOCK],
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
