import type { CarrierRecord, Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { showCircuit } from './measurements.js';
import { type Admission, type Fault, ProviderHealth } from './provider-health.policy.js';
import type { CarrierChoices } from './route-table.policy.js';
import { SubmitRate } from './submit-rate.policy.js';

/** An account at a carrier, of any channel. */
export interface Account {
  readonly name: string;
  /** Token of its carrier. */
  readonly carrier: string;
  /** Returns whether a call can reach the carrier now. Absent without a lasting connection. */
  ready?(): boolean;
}

/** Accounts, best first. `waiting` are used only when `ready` is empty. */
export interface Candidates<T extends Account> {
  readonly ready: readonly T[];
  readonly waiting: readonly T[];
}

export interface Choice<T extends Account> {
  readonly chosen: T | undefined;
  readonly why: 'needs_probe' | 'best' | 'least_bad';
}

interface Standing {
  readonly account: Account;
  readonly health: ProviderHealth;
  readonly rate: SubmitRate;
  wasReady: boolean;
}

type Circuit = ProviderHealth['circuit'];

/**
 * The live accounts of one channel as this process knows them: circuits, connections, rates, and
 * the decisions of operators. The state is in memory and rebuilt from traffic.
 *
 * - Only an operator excludes an account. One whose circuit is open, or that is not ready, is asked
 *   when no other is left.
 * - One call is the probe of an open circuit. An account that no route puts first gets one call a
 *   minute as its probe.
 * - Accounts that are not listed here are always well: the simulated ones of test mode.
 */
export class Accounts {
  private readonly standings: ReadonlyMap<string, Standing>;
  private choices: CarrierChoices = new Map();

  constructor(
    accounts: Iterable<Account>,
    private readonly clock: Clock,
    private readonly logger: Logger,
    faultsInARowMax?: number,
  ) {
    this.standings = new Map(
      [...accounts].map((account) => {
        const health = new ProviderHealth(faultsInARowMax);
        const wasReady = account.ready?.() ?? true;
        return [account.name, { account, health, rate: new SubmitRate(), wasReady }];
      }),
    );
    this.showCircuits();
  }

  get operatorsChoices(): CarrierChoices {
    return this.choices;
  }

  follow(choices: CarrierChoices): void {
    this.choices = choices;
    this.logConnections();
    this.showCircuits();
  }

  list(): CarrierRecord[] {
    return [...this.standings.values()].map((one) => this.recordOf(one));
  }

  isDrained(name: string): boolean {
    return this.choices.get(name)?.state === 'drained';
  }

  /** Returns whether this call may use the account now. A call that is the probe may. */
  isAvailable(name: string, call = ''): boolean {
    const standing = this.standings.get(name);
    if (!standing) return true;
    const { health } = standing;
    return isReady(standing) && (health.isAvailable(this.clock.now()) || health.isProbedBy(call));
  }

  /**
   * Returns the account of one call: the best one, unless a later one needs a probe. Without that,
   * an account that no route puts first would stay failing here until the others fail.
   */
  choose<T extends Account>(call: string, { ready, waiting }: Candidates<T>): Choice<T> {
    const now = this.clock.now();
    const inNeed = ready.find(({ name }) => this.standings.get(name)?.health.needsProbe(now));
    const chosen = inNeed ?? ready[0] ?? waiting[0];
    if (chosen) this.reserve(chosen.name, call);
    return { chosen, why: inNeed ? 'needs_probe' : ready.length > 0 ? 'best' : 'least_bad' };
  }

  private reserve(name: string, call: string): void {
    const standing = this.standings.get(name);
    if (!standing || this.isDrained(name) || !isReady(standing)) return;
    standing.health.reserve(call, this.clock.now());
  }

  /** Call it right before each call. After `probe`, `record` must follow. */
  admit(name: string, call: string): Admission {
    const standing = this.standings.get(name);
    if (!standing) return 'well';
    if (this.isDrained(name) || !isReady(standing)) return 'sick';
    return standing.health.admit(call, this.clock.now());
  }

  /** Records what came of a call; null is a success. */
  record(name: string, call: string, fault: Fault | null): void {
    const standing = this.standings.get(name);
    if (!standing) return;
    const { health, rate } = standing;
    const now = this.clock.now();
    rate.count(fault !== null && fault.health !== 'none', now);
    const before = health.circuit;
    health.record(call, fault, now);
    if (health.circuit !== before) this.logCircuit(name, before, health);
  }

  /** An account that cannot be reached is shown as one with an open circuit. */
  private recordOf(standing: Standing): CarrierRecord {
    const { account, health, rate } = standing;
    const { name: id, carrier } = account;
    const { submits, failedShare } = rate.read(this.clock.now());
    const { state = 'active', preferredIn = [] } = this.choices.get(id) ?? {};
    const isOpen = !isReady(standing) && health.circuit === 'closed';
    return {
      id,
      carrier,
      state,
      circuit: isOpen ? 'open' : health.circuit,
      preferred_in: [...preferredIn],
      submits_per_minute: submits,
      failed_share: failedShare,
      reason: isOpen ? 'provider_unavailable' : health.reason,
    };
  }

  /** Logs a circuit's change. A failed probe reopens a circuit that was already open. */
  private logCircuit(provider: string, before: Circuit, { circuit, reason }: ProviderHealth): void {
    this.showCircuits();
    if (before === 'closed') this.logger.warn({ provider, reason }, 'provider circuit opened');
    if (circuit === 'closed') this.logger.warn({ provider }, 'provider circuit closed');
  }

  /** Logs the loss of an account's connection, and its return. */
  private logConnections(): void {
    for (const [provider, standing] of this.standings) {
      const { wasReady } = standing;
      standing.wasReady = isReady(standing);
      if (wasReady === standing.wasReady) continue;
      if (wasReady) this.logger.warn({ provider }, 'provider connection lost');
      else this.logger.info({ provider }, 'provider is ready');
    }
  }

  /**
   * Shows circuits. A drained account gets no call that could probe it, so it is not shown as open.
   */
  private showCircuits(): void {
    for (const [name, standing] of this.standings) {
      const isOpen = standing.health.circuit !== 'closed' || !isReady(standing);
      showCircuit(name, isOpen && !this.isDrained(name));
    }
  }
}

function isReady({ account }: Standing): boolean {
  return account.ready?.() ?? true;
}
