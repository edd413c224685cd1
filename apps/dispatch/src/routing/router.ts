import { type CarrierRecord, type Clock, type Reason, reasonRule } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { type Provider, SIMULATOR_NAMES } from '@watchword/carriers';
import type { Message } from '../messages/message.js';
import { showCircuit } from './measurements.js';
import { type Admission, ProviderHealth } from './provider-health.policy.js';
import type { SteeredAccounts } from './steered-accounts.js';
import { SubmitRate } from './submit-rate.policy.js';
import {
  type CarrierChoices,
  chosenRoute,
  DEFAULT_ROUTES,
  type RouteTable,
} from './route-table.policy.js';

/** Milliseconds for which a provider is skipped for a network that it refused to serve. */
const UNSERVED_MS = 600_000;
/** Enough for every network of the world twice. Beyond it the oldest mark is dropped. */
const MARKS_MAX = 2_000;

type Circuit = ProviderHealth['circuit'];
type Destination = Pick<Message, 'testMode' | 'network' | 'countryCode'>;
type Routed = Destination & Pick<Message, 'id'>;

/** The providers of a message: those to ask, and those to ask when no other is left. */
interface Route {
  readonly ready: Provider[];
  readonly waiting: Provider[];
}

/**
 * Chooses the providers of a message, best first: the route table, with those at the end that are
 * failing or do not serve the network. Only an operator excludes an account; when all are failing,
 * the least bad is still tried. Each message is routed on its own, so one message probes a circuit
 * and not a batch. A failing provider that no route puts first gets one message a minute as its
 * probe. The state is in memory and rebuilt from traffic.
 */
export class Router implements SteeredAccounts {
  readonly hasCountries = true;
  private readonly health = new Map<string, ProviderHealth>();
  private readonly rates = new Map<string, SubmitRate>();
  private choices: CarrierChoices = new Map();
  private readonly unservedUntil = new Map<string, number>();

  constructor(
    private readonly providers: ReadonlyMap<string, Provider>,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly table: RouteTable = DEFAULT_ROUTES,
  ) {
    this.showCircuits();
  }

  follow(choices: CarrierChoices): void {
    this.choices = choices;
    this.showCircuits();
  }

  list(): CarrierRecord[] {
    return [...this.providers.values()].filter(isLive).map((one) => this.recordOf(one));
  }

  private recordOf({ name: id, carrier }: Provider): CarrierRecord {
    const { circuit, reason } = this.healthOf(id);
    const { submits, failedShare } = this.rateOf(id).read(this.clock.now());
    const { state = 'active', preferredIn = [] } = this.choices.get(id) ?? {};
    return {
      id,
      carrier,
      state,
      circuit,
      preferred_in: [...preferredIn],
      submits_per_minute: submits,
      failed_share: failedShare,
      reason,
    };
  }

  providersFor(message: Destination): Provider[] {
    const { ready, waiting } = this.routeOf(message);
    return [...ready, ...waiting];
  }

  /**
   * Returns the provider of one message: the best one, unless a later one needs a probe. Without
   * that, a provider that no route puts first would stay failing here until the others fail.
   */
  choose(message: Routed): Provider | undefined {
    const { ready, waiting } = this.routeOf(message);
    const now = this.clock.now();
    const inNeed = ready.find(({ name }) => this.health.get(name)?.needsProbe(now));
    const chosen = inNeed ?? ready[0] ?? waiting[0];
    if (chosen) this.admit(chosen.name, message);
    if (this.logger.isLevelEnabled('debug')) {
      const why = inNeed ? 'needs_probe' : ready.length > 0 ? 'best' : 'least_bad';
      this.tellChoice(message, { chosen, ready, waiting }, why);
    }
    return chosen;
  }

  private tellChoice(
    { id: messageId, countryCode, network }: Routed,
    { chosen, ready, waiting }: Route & { chosen: Provider | undefined },
    why: 'needs_probe' | 'best' | 'least_bad',
  ): void {
    const names = (providers: Provider[]) => providers.map(({ name }) => name);
    const about = { messageId, provider: chosen?.name ?? null, why, countryCode, network };
    const route = { ready: names(ready), waiting: names(waiting) };
    this.logger.debug({ ...about, ...route }, 'provider chosen');
  }

  /** Returns both parts, best first. */
  private routeOf(message: Destination): Route {
    const now = this.clock.now();
    const route = chosenRoute(this.table, this.choices, message)
      .map((name) => this.providers.get(name))
      .filter((provider) => provider !== undefined);
    const isReady = ({ name }: Provider) =>
      (this.health.get(name)?.isAvailable(now) ?? true) &&
      (this.unservedUntil.get(markOf(name, message)) ?? 0) <= now;
    return { ready: route.filter(isReady), waiting: route.filter((one) => !isReady(one)) };
  }

  /** Called right before the call, however long the message waited for it. */
  admit(provider: string, message: Routed): Admission {
    if (message.testMode) return 'well';
    if (this.isDrained(provider)) return 'sick';
    return this.healthOf(provider).admit(message.id, this.clock.now());
  }

  /** Returns whether another provider may be asked now. */
  hasOther(message: Destination, asked: ReadonlySet<string>): boolean {
    const now = this.clock.now();
    return this.providersFor(message).some(
      ({ name }) => !asked.has(name) && (this.health.get(name)?.isAvailable(now) ?? true),
    );
  }

  /** Records an outcome. Simulated providers fail on demand and never open a circuit. */
  record(provider: string, message: Routed, reason: Reason | null): void {
    if (message.testMode) return;
    const now = this.clock.now();
    const isFailure = reason !== null && reasonRule(reason).health !== 'none';
    this.rateOf(provider).count(isFailure, now);
    const health = this.healthOf(provider);
    const before = health.circuit;
    health.record(message.id, reason, now);
    if (health.circuit !== before) this.tellCircuit(provider, before, health);
    if (reason === 'no_route') this.markUnserved(markOf(provider, message), now);
  }

  /** Logs a circuit's change. A failed probe reopens a circuit that was already open. */
  private tellCircuit(
    provider: string,
    before: Circuit,
    { circuit, reason }: ProviderHealth,
  ): void {
    this.showCircuits();
    if (before === 'closed') this.logger.warn({ provider, reason }, 'provider circuit opened');
    if (circuit === 'closed') this.logger.warn({ provider }, 'provider circuit closed');
  }

  /**
   * Shows circuits. A drained account gets no message that could probe it, so it is not shown as
   * open.
   */
  private showCircuits(): void {
    for (const name of this.providers.keys()) {
      const isOpen = (this.health.get(name)?.circuit ?? 'closed') !== 'closed';
      showCircuit(name, isOpen && !this.isDrained(name));
    }
  }

  private isDrained(provider: string): boolean {
    return this.choices.get(provider)?.state === 'drained';
  }

  private markUnserved(mark: string, now: number): void {
    this.unservedUntil.delete(mark);
    this.unservedUntil.set(mark, now + UNSERVED_MS);
    if (this.unservedUntil.size <= MARKS_MAX) return;
    const [oldest] = this.unservedUntil.keys();
    if (oldest !== undefined) this.unservedUntil.delete(oldest);
  }

  private rateOf(provider: string): SubmitRate {
    let rate = this.rates.get(provider);
    if (!rate) this.rates.set(provider, (rate = new SubmitRate()));
    return rate;
  }

  private healthOf(provider: string): ProviderHealth {
    let health = this.health.get(provider);
    if (!health) this.health.set(provider, (health = new ProviderHealth()));
    return health;
  }
}

function isLive({ name }: Provider): boolean {
  return !SIMULATOR_NAMES.some((simulator) => simulator === name);
}

function markOf(provider: string, { network, countryCode }: Destination): string {
  return `${provider}/${network ?? countryCode}`;
}
