import { publicProviderName } from '@watchword/carriers';
import { gauge } from '@watchword/observability';
import type { ProviderHealth } from './provider-health.policy.js';

const circuitOpen = gauge(
  'watchword_carrier_circuit_open',
  'Whether this process has opened the circuit of a carrier account: 1 until a probe succeeds.',
  ['account'],
);

/** Simulated carriers have no circuit. */
export function showCircuit(account: string, circuit: ProviderHealth['circuit']): void {
  if (publicProviderName(account) === 'simulator') return;
  circuitOpen({ account }, circuit === 'closed' ? 0 : 1);
}
