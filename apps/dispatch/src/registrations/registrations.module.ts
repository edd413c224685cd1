import { Module, type Provider } from '@nestjs/common';
import { SecuritySettings } from '@watchword/config';
import type { Clock } from '@watchword/contracts';
import {
  CLOCK,
  DATABASE,
  KeyedAnswers,
  KeyRing,
  PLATFORM,
  type Platform,
} from '@watchword/platform';
import type { Queryable, Transactional } from '@watchword/postgres';
import { ConnectionInbound } from './do-not-disturb/connection-inbound.js';
import { configuredDndRegistry } from './do-not-disturb/configured-dnd-registry.js';
import { DestinationRpc } from './do-not-disturb/destination.rpc.js';
import { DestinationStore } from './do-not-disturb/destination.store.js';
import { DND_REGISTRY, type DndRegistry } from './do-not-disturb/dnd-registry.port.js';
import { InboundConsumer } from './do-not-disturb/inbound.consumer.js';
import { InboundHandler } from './do-not-disturb/inbound.handler.js';
import { JudgeDestinationsHandler } from './do-not-disturb/judge-destinations.handler.js';
import { CheckDomainHandler } from './domains/check-domain.handler.js';
import { DomainChecksJob } from './domains/domain-checks.job.js';
import { DomainsController } from './domains/domains.controller.js';
import { DKIM_PURPOSE, DOMAIN_KEYS, EmailDomainStore } from './domains/email-domain.store.js';
import { NodeDns } from './domains/node-dns.adapter.js';
import {
  DEFAULT_SENDER_RULES_TIMES,
  CachedSenderRules,
  SENDER_RULES_TIMES,
  type SenderRulesTimes,
} from './senders/cached-sender-rules.js';
import { SenderIdsController } from './senders/sender-ids.controller.js';
import { SenderRulesController } from './senders/sender-rules.controller.js';
import { SenderRulesStore } from './senders/sender-rules.store.js';
import { SuppressionsController } from './suppressions/suppressions.controller.js';
import { SmsTemplatesController } from './templates/sms-templates.controller.js';

/** An owner's check does not wait behind scheduled ones. */
function checkingOn({ clock, config }: Platform, database: Transactional, ring: KeyRing) {
  return new CheckDomainHandler(database, ring, new NodeDns(config.dnsServers), config, clock);
}

const providers: Provider[] = [
  {
    provide: DND_REGISTRY,
    useFactory: ({ config, clock, logger }: Platform) =>
      configuredDndRegistry(config, clock, logger),
    inject: [PLATFORM],
  },
  {
    provide: JudgeDestinationsHandler,
    useFactory: (database: Queryable, registry: DndRegistry | null, rules: CachedSenderRules) =>
      new JudgeDestinationsHandler(new DestinationStore(database), registry, rules),
    inject: [DATABASE, DND_REGISTRY, CachedSenderRules],
  },
  {
    provide: DOMAIN_KEYS,
    useFactory: ({ encryptionKeys }: SecuritySettings) => new KeyRing(encryptionKeys, DKIM_PURPOSE),
    inject: [SecuritySettings],
  },
  {
    provide: CheckDomainHandler,
    useFactory: checkingOn,
    inject: [PLATFORM, DATABASE, DOMAIN_KEYS],
  },
  {
    provide: DomainChecksJob,
    useFactory: (platform: Platform, database: Transactional, ring: KeyRing) => {
      const checking = checkingOn(platform, database, ring);
      return new DomainChecksJob(new EmailDomainStore(database, ring), checking, platform.clock);
    },
    inject: [PLATFORM, DATABASE, DOMAIN_KEYS],
  },
  { provide: SENDER_RULES_TIMES, useValue: DEFAULT_SENDER_RULES_TIMES },
  {
    provide: CachedSenderRules,
    useFactory: (database: Queryable, times: SenderRulesTimes) =>
      new CachedSenderRules(new SenderRulesStore(database), times),
    inject: [DATABASE, SENDER_RULES_TIMES],
  },
  {
    provide: KeyedAnswers,
    useFactory: (database: Transactional, clock: Clock) => new KeyedAnswers(database, clock),
    inject: [DATABASE, CLOCK],
  },
  ConnectionInbound,
  InboundHandler,
];

/** Templates, sender IDs, do-not-disturb lists, opt-outs, suppressions and domains of emails. */
@Module({
  controllers: [
    DestinationRpc,
    DomainsController,
    InboundConsumer,
    SenderIdsController,
    SenderRulesController,
    SuppressionsController,
    SmsTemplatesController,
  ],
  providers,
  exports: providers,
})
export class RegistrationsModule {}
