import type { EmailOutcome } from '@watchword/carriers';
import type { Logger } from '@watchword/observability';
import { showCircuit } from '../routing/measurements.js';
import { expectAttempts } from '../sending/measurements.js';

/**
 * Order of the providers for an email: that of the settings, with those that failed recently at the
 * end. A provider rests after `FAULTS_MAX` faults in a row, which opens its circuit. Any answer that
 * is not its fault ends the rest and closes the circuit.
 */
const FAULTS_MAX = 5;
const REST_MS = 15_000;
/** A provider's faults are logged once in this time. */
const LOGGED_EVERY_MS = 60_000;

interface Standing {
  faults: number;
  restsUntil: number;
  loggedAt: number;
}

export class ProviderOrder {
  private readonly standings: ReadonlyMap<string, Standing>;

  constructor(
    names: readonly string[],
    private readonly logger: Logger,
  ) {
    const unknown = { faults: 0, restsUntil: 0, loggedAt: -Infinity };
    this.standings = new Map(names.map((name) => [name, { ...unknown }]));
    for (const name of names) {
      expectAttempts(name);
      showCircuit(name, false);
    }
  }

  best(now: number): string[] {
    const all = [...this.standings];
    const isResting = ([, { restsUntil }]: [string, Standing]) => restsUntil > now;
    const sorted = [...all.filter((one) => !isResting(one)), ...all.filter(isResting)];
    return sorted.map(([name]) => name);
  }

  note(name: string, outcome: EmailOutcome, now: number): void {
    const standing = this.standings.get(name);
    if (!standing) return;
    const fault = faultOf(outcome);
    const wasOpen = standing.faults >= FAULTS_MAX;
    standing.faults = fault === null ? 0 : standing.faults + 1;
    const isOpen = standing.faults >= FAULTS_MAX;
    standing.restsUntil = isOpen ? now + REST_MS : 0;
    if (fault !== null && now - standing.loggedAt >= LOGGED_EVERY_MS) {
      standing.loggedAt = now;
      this.logger.warn({ provider: name, fault }, 'email provider failed');
    }
    if (isOpen !== wasOpen) this.tellCircuit(name, isOpen);
  }

  private tellCircuit(provider: string, isOpen: boolean): void {
    showCircuit(provider, isOpen);
    this.logger.warn({ provider }, isOpen ? 'provider circuit opened' : 'provider circuit closed');
  }
}

/** Returns what the provider answered, or null where the outcome is not its fault. */
function faultOf(outcome: EmailOutcome): string | null {
  if (outcome.outcome !== 'refused' && outcome.outcome !== 'ambiguous') return null;
  return outcome.rawCode ?? outcome.rawMessage ?? outcome.outcome;
}
