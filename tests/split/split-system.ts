import { ClusterProcesses } from '../support/cluster-processes.js';
import { HttpClient } from '../support/http.js';
import type { Suite } from '../support/suite.js';
import { RunningSystem } from '../support/system.js';

/** The cluster that `WATCHWORD_CREDENTIALS` names, with a hand on its processes. */
export class SplitSystem extends RunningSystem {
  readonly processes: ClusterProcesses;

  private constructor() {
    super(0, '');
    const file = process.env['WATCHWORD_CREDENTIALS'] ?? '';
    if (file === '') throw new Error('WATCHWORD_CREDENTIALS has to name a cluster');
    this.processes = new ClusterProcesses(file);
    this.attach(file);
  }

  /** Opens the system that a suite uses. */
  static async openFor(suite: Suite): Promise<SplitSystem> {
    const system = new SplitSystem();
    await suite.open(async () => system);
    return system;
  }

  /** Returns a client for each gateway, without the balancer. */
  gateways(): HttpClient[] {
    return this.processes.services('gateway').map(({ base_url: url }) => new HttpClient(url ?? ''));
  }

  override async close(): Promise<void> {
    this.processes.resume();
    await super.close();
  }
}
