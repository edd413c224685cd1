import type { Carrier } from '../carrier.js';
import { forAllKinds } from '../provider.port.js';
import type { Position } from './script.policy.js';

/** In the order in which test messages try them. */
export const SIMULATOR_NAMES = ['simulator_1', 'simulator_2', 'simulator_3'] as const;

/** The carrier of test keys. It has three accounts, so that failover can be seen. */
export const simulator: Carrier = {
  token: 'simulator',
  title: 'Simulator of test mode',
  capacity: { concurrency: 256, messagesPerSecond: null, waitingMax: 1_024 },
  deadlines: forAllKinds(1_000),
  cost: { per: 'message', stated: 'invoice' },
  builtIn: SIMULATOR_NAMES,
  async create({ id }, { clock }) {
    const { SimulatorAdapter } = await import('./simulator.adapter.js');
    const position = (SIMULATOR_NAMES.findIndex((name) => name === id) + 1) as Position;
    return new SimulatorAdapter(position, { clock, capacity: simulator.capacity });
  },
};
