import { providerLabel } from '@watchword/carriers';
import { gauge } from '@watchword/observability';

const circuitOpen = gauge(
  'watchword_carrier_circuit_open',
  'Whether this process has opened the circuit of a carrier account, or has no connection to the carrier: 1 until a probe succeeds, the connection is back, or the account is drained.',
  ['account'],
);

/** Shows the state of a circuit. Simulated carriers have none. */
export function showCircuit(account: string, isOpen: boolean): void {
  if (providerLabel(account) === 'simulator') return;
  circuitOpen({ account }, isOpen ? 1 : 0);
}
