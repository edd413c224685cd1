import type { Clock } from '@watchword/contracts';
import type { KeyRing } from '@watchword/platform';
import type { Transactional } from '@watchword/postgres';
import { DestinationRpc } from './do-not-disturb/destination.rpc.js';
import type { JudgeDestinationsHandler } from './do-not-disturb/judge-destinations.handler.js';
import type { CheckDomainHandler } from './domains/check-domain.handler.js';
import { DomainRpc } from './domains/domain.rpc.js';
import { SenderRpc } from './senders/sender.rpc.js';
import { SuppressionRpc } from './suppressions/suppression.rpc.js';
import { TemplateRpc } from './templates/template.rpc.js';

interface Parts {
  readonly judging: JudgeDestinationsHandler;
  readonly checking: CheckDomainHandler;
  /** Of the keys of domains. */
  readonly ring: KeyRing;
  readonly clock: Clock;
}

/** The calls about what workspaces and operators register. */
export class RegistrationsRpc {
  private readonly destinations: DestinationRpc;
  private readonly domains: DomainRpc;
  private readonly senders: SenderRpc;
  private readonly suppressions: SuppressionRpc;
  private readonly templates: TemplateRpc;

  constructor(database: Transactional, { judging, checking, ring, clock }: Parts) {
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
