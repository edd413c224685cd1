import { Module, type Provider } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import { CLOCK, DATABASE } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import { ScreenMessagesHandler } from '../fraud/anti-spam/screen-messages.handler.js';
import { FraudModule } from '../fraud/fraud.module.js';
import { PrefixGuardStore } from '../fraud/prefix-guard/prefix-guard.store.js';
import { MessageChanges } from '../messages/message-changes.handler.js';
import { MessagesModule } from '../messages/messages.module.js';
import { DestinationStore } from '../registrations/do-not-disturb/destination.store.js';
import {
  DND_REGISTRY,
  type DndRegistry,
} from '../registrations/do-not-disturb/dnd-registry.port.js';
import { JudgeDestinationsHandler } from '../registrations/do-not-disturb/judge-destinations.handler.js';
import { CachedSenderRules } from '../registrations/senders/cached-sender-rules.js';
import { RegistrationsModule } from '../registrations/registrations.module.js';
import { Router } from '../routing/router.js';
import { RoutingModule } from '../routing/routing.module.js';
import { DuePoll } from '../sending/due-poll.js';
import { Sender } from '../sending/sender.js';
import { SendingModule } from '../sending/sending.module.js';
import { SuspensionStore } from '../suspensions/suspension.store.js';
import { SuspensionsModule } from '../suspensions/suspensions.module.js';
import { DueMessagesJob } from './due-messages.job.js';
import { DueMessagesStore } from './due-messages.store.js';
import { RegisteredDueChecks } from './registered-due-checks.js';

const providers: Provider[] = [
  DueMessagesStore,
  {
    provide: RegisteredDueChecks,
    useFactory: (
      database: Queryable,
      registry: DndRegistry | null,
      standings: SuspensionStore,
      rules: CachedSenderRules,
    ) => {
      const judging = new JudgeDestinationsHandler(new DestinationStore(database), registry, rules);
      return new RegisteredDueChecks(judging, new PrefixGuardStore(database), standings);
    },
    inject: [DATABASE, DND_REGISTRY, SuspensionStore, CachedSenderRules],
  },
  {
    provide: DueMessagesJob,
    useFactory: (
      store: DueMessagesStore,
      changes: MessageChanges,
      checks: RegisteredDueChecks,
      screening: ScreenMessagesHandler,
      router: Router,
      sender: Sender,
      look: DuePoll,
      clock: Clock,
    ) => new DueMessagesJob({ store, changes, checks, screening, router, sender, look, clock }),
    inject: [
      DueMessagesStore,
      MessageChanges,
      RegisteredDueChecks,
      ScreenMessagesHandler,
      Router,
      Sender,
      DuePoll,
      CLOCK,
    ],
  },
];

/** Messages that wait for their `send_at`. */
@Module({
  imports: [
    FraudModule,
    MessagesModule,
    RegistrationsModule,
    RoutingModule,
    SendingModule,
    SuspensionsModule,
  ],
  providers,
  exports: providers,
})
export class SchedulingModule {}
