import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import { CLOCK, DATABASE, type KeyRing } from '@watchword/platform';
import type { Transactional } from '@watchword/postgres';
import { DestinationRpc } from './do-not-disturb/destination.rpc.js';
import { JudgeDestinationsHandler } from './do-not-disturb/judge-destinations.handler.js';
import { CheckDomainHandler } from './domains/check-domain.handler.js';
import { DomainRpc } from './domains/domain.rpc.js';
import { DOMAIN_KEYS } from './domains/email-domain.store.js';
import { SenderRpc } from './senders/sender.rpc.js';
import { SuppressionRpc } from './suppressions/suppression.rpc.js';
import { TemplateRpc } from './templates/template.rpc.js';

/** The calls about what workspaces and operators register. */
@Injectable()
export class RegistrationsRpc {
  private readonly destinations: DestinationRpc;
  private readonly domains: DomainRpc;
  private readonly senders: SenderRpc;
  private readonly suppressions: SuppressionRpc;
  private readonly templates: TemplateRpc;

  constructor(
    @Inject(DATABASE) database: Transactional,
    judging: JudgeDestinationsHandler,
    checking: CheckDomainHandler,
    @Inject(DOMAIN_KEYS) ring: KeyRing,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.destinations = new DestinationRpc(database, judging, clock);
    this.domains = new DomainRpc(database, ring, checking, clock);
    this.senders = new SenderRpc(database, clock);
    this.suppressions = new SuppressionRpc(database, clock);
    this.templates = new TemplateRpc(database, clock);
  }

  get calls() {
    return {
      ...this.templates.calls,
      ...this.senders.calls,
      ...this.destinations.calls,
      ...this.domains.calls,
      ...this.suppressions.calls,
    };
  }

  drain(): Promise<void> {
    return this.destinations.drain();
  }
}
