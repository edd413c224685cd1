import { Module, type Provider } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, LOGGER } from '@watchword/platform';
import { OtpCodes } from '../channels/otp/otp-codes.port.js';
import { FraudModule } from '../fraud/fraud.module.js';
import { MessageChanges } from '../messages/message-changes.handler.js';
import { MessagesModule } from '../messages/messages.module.js';
import { CARRIERS, type Carriers } from '../routing/configured-providers.js';
import { Router } from '../routing/router.js';
import { RegistrationsModule } from '../registrations/registrations.module.js';
import { CachedSenderRules } from '../registrations/senders/cached-sender-rules.js';
import { RoutingModule } from '../routing/routing.module.js';
import { DuePoll } from './due-poll.js';
import { Liveness } from './liveness.js';
import { OpenCalls } from './open-calls.js';
import { RecoveryJob } from './recovery.job.js';
import { SendMessageHandler } from './send-message.handler.js';
import { Sender } from './sender.js';
import { StartResendHandler } from './start-resend.handler.js';
import { UnfinishedStore } from './unfinished.store.js';
import { UnmappedCodes } from './unmapped-codes.js';

const providers: Provider[] = [
  {
    provide: Sender,
    useFactory: (
      changes: MessageChanges,
      carriers: Carriers,
      router: Router,
      codes: OtpCodes,
      clock: Clock,
      logger: Logger,
      unmapped: UnmappedCodes,
      rules: CachedSenderRules,
    ) => {
      const sender = new Sender({
        changes,
        providers: carriers,
        router,
        codes,
        clock,
        logger,
        unmapped,
        rules,
      });
      return sender;
    },
    inject: [
      MessageChanges,
      CARRIERS,
      Router,
      OtpCodes,
      CLOCK,
      LOGGER,
      UnmappedCodes,
      CachedSenderRules,
    ],
  },
  UnmappedCodes,
  { provide: OpenCalls, useFactory: ({ openCalls }: Sender) => openCalls, inject: [Sender] },
  { provide: DuePoll, useFactory: () => new DuePoll() },
  SendMessageHandler,
  StartResendHandler,
  UnfinishedStore,
  Liveness,
  RecoveryJob,
];

/** From a command to the carrier's answer. */
@Module({
  imports: [FraudModule, MessagesModule, RegistrationsModule, RoutingModule],
  providers,
  exports: providers,
})
export class SendingModule {}
