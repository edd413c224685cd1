import type { EmailOutcome, EmailProvider } from '@watchword/carriers';
import type { CarrierRecord, Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { showCircuit } from '../routing/measurements.js';
import type { CarrierChoices } from '../routing/route-table.policy.js';
import type { SteeredAccounts } from '../routing/steered-accounts.js';
import { SubmitRate } from '../routing/submit-rate.policy.js';
import { expectAttempts } from '../sending/measurements.js';
import type { Providers } from './hand-over.policy.js';

/**
 * Order of the providers for an email: that of the settings, with those that failed recently at the
 * end. A provider rests after `FAULTS_MAX` faults in a row, which opens its circuit. Any answer that
 * is not its fault ends the rest and closes the circuit. Only an operator excludes one.
 */
const FAULTS_MAX = 5;
const REST_MS = 15_000;
/** A provider's faults are logged once in this time. */
const LOGGED_EVERY_MS = 60_000;

type OrderedProvider = Pick<EmailProvider, 'name' | 'carrier' | 'replacesMessageId'>;

interface Standing {
  readonly provider: OrderedProvider;
  readonly rate: SubmitRate;
  faults: number;
  restsUntil: number;
  loggedAt: number;
  /** The last fault in a row. */
  reason: string | null;
}

export class ProviderOrder implements SteeredAccounts {
  readonly hasCountries = false;
  private readonly standings: ReadonlyMap<string, Standing>;
  private choices: CarrierChoices = new Map();

  constructor(
    providers: Iterable<OrderedProvider>,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    const unknown = { faults: 0, restsUntil: 0, loggedAt: -Infinity, reason: null };
    this.standings = new Map(
      [...providers].map((provider) => [
        provider.name,
        { ...unknown, provider, rate: new SubmitRate() },
      ]),
    );
    for (const name of this.standings.keys()) expectAttempts(name);
    this.showCircuits();
  }

  /** Returns the providers of a hand-over that begins now. */
  providers(): Providers {
    const now = this.clock.now();
    const all = [...this.standings.values()];
    const [drained, active] = [
      all.filter((one) => this.isDrained(one)),
      all.filter((one) => !this.isDrained(one)),
    ];
    const isResting = ({ restsUntil }: Standing) => restsUntil > now;
    const best = [...active.filter((one) => !isResting(one)), ...active.filter(isResting)];
    return {
      best: best.map(nameOf),
      drained: drained.map(nameOf),
      renaming: new Set(all.filter((one) => one.provider.replacesMessageId).map(nameOf)),
    };
  }

  list(): CarrierRecord[] {
    return [...this.standings.values()].map((one) => this.recordOf(one));
  }

  follow(choices: CarrierChoices): void {
    this.choices = choices;
    this.showCircuits();
  }

  note(name: string, outcome: EmailOutcome): void {
    const standing = this.standings.get(name);
    if (!standing) return;
    const now = this.clock.now();
    const fault = faultOf(outcome);
    const wasOpen = standing.faults >= FAULTS_MAX;
    standing.rate.count(fault !== null, now);
    standing.faults = fault === null ? 0 : standing.faults + 1;
    standing.reason = fault;
    const isOpen = standing.faults >= FAULTS_MAX;
    standing.restsUntil = isOpen ? now + REST_MS : 0;
    if (fault !== null && now - standing.loggedAt >= LOGGED_EVERY_MS) {
      standing.loggedAt = now;
      this.logger.warn({ provider: name, fault }, 'email provider failed');
    }
    if (isOpen !== wasOpen) this.tellCircuit(name, isOpen);
  }

  private recordOf({ provider, rate, faults, restsUntil, reason }: Standing): CarrierRecord {
    const { name: id, carrier } = provider;
    const now = this.clock.now();
    const { submits, failedShare } = rate.read(now);
    const isOpen = faults >= FAULTS_MAX;
    return {
      id,
      carrier,
      state: this.choices.get(id)?.state ?? 'active',
      circuit: !isOpen ? 'closed' : restsUntil > now ? 'open' : 'probing',
      preferred_in: [],
      submits_per_minute: submits,
      failed_share: failedShare,
      reason: isOpen ? reason : null,
    };
  }

  private tellCircuit(provider: string, isOpen: boolean): void {
    this.showCircuits();
    this.logger.warn({ provider }, isOpen ? 'provider circuit opened' : 'provider circuit closed');
  }

  /** A drained account gets no email that could probe it, so it is not shown as open. */
  private showCircuits(): void {
    for (const [name, standing] of this.standings) {
      showCircuit(name, standing.faults >= FAULTS_MAX && !this.isDrained(standing));
    }
  }

  private isDrained({ provider }: Standing): boolean {
    return this.choices.get(provider.name)?.state === 'drained';
  }
}

function nameOf({ provider }: Standing): string {
  return provider.name;
}

/** Returns what the provider answered, or null where the outcome is not its fault. */
function faultOf(outcome: EmailOutcome): string | null {
  if (outcome.outcome !== 'refused' && outcome.outcome !== 'ambiguous') return null;
  return outcome.rawCode ?? outcome.rawMessage ?? outcome.outcome;
}
