import type { Clock } from '@watchword/contracts';
import type { Transactional } from '@watchword/postgres';
import { DestinationRpc } from './do-not-disturb/destination.rpc.js';
import type { JudgeDestinationsHandler } from './do-not-disturb/judge-destinations.handler.js';
import { SenderRpc } from './senders/sender.rpc.js';
import { TemplateRpc } from './templates/template.rpc.js';

/** The calls about what workspaces and operators register. */
export class RegistrationsRpc {
  private readonly destinations: DestinationRpc;
  private readonly senders: SenderRpc;
  private readonly templates: TemplateRpc;

  constructor(database: Transactional, judging: JudgeDestinationsHandler, clock: Clock) {
    this.destinations = new DestinationRpc(database, judging, clock);
    this.senders = new SenderRpc(database, clock);
    this.templates = new TemplateRpc(database, clock);
  }

  get calls() {
    return { ...this.templates.calls, ...this.senders.calls, ...this.destinations.calls };
  }

  drain(): Promise<void> {
    return this.destinations.drain();
  }
}
