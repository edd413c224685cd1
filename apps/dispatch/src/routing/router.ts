import { type CarrierRecord, type Clock, type Reason, reasonRule } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { Provider } from '@watchword/carriers';
import type { Message } from '../messages/message.js';
import { showCircuit } from './measurements.js';
import { type Admission, ProviderHealth } from './provider-health.policy.js';
import { SubmitRate } from './submit-rate.policy.js';
import {
  type CarrierChoices,
  chosenRoute,
  DEFAULT_ROUTES,
  type RouteTable,
} from './route-table.policy.js';

/** How long a provider is passed over for a network that it said it does not serve. */
const UNSERVED_MS = 600_000;
/** Enough for every network of the world twice; beyond it the oldest mark goes. */
const MARKS_MAX = 2_000;

type Circuit = ProviderHealth['circuit'];
type Destination = Pick<Message, 'testMode' | 'network' | 'countryCode'>;
type Routed = Destination & Pick<Message, 'id'>;

/**
 * The providers of a message, best first: the route table, with those behind that are known to be sick or
 * not to serve the network. Only an operator leaves an account out; when all are sick, the least bad is still tried.
 * A provider is chosen for each message by itself, so that one message probes a circuit and not a batch.
 * A sick provider that the route does not put first gets a message of its own, once a minute, as its probe.
 * What it knows is in memory and rebuilt from traffic.
 */
export class Router {
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

  /** From now on the decisions of operators are these. */
  follow(choices: CarrierChoices): void {
    this.choices = choices;
    this.showCircuits();
  }

  /** What is known of an account here. */
  describe(provider: string): Omit<CarrierRecord, 'id' | 'carrier'> {
    const { circuit, reason } = this.healthOf(provider);
    const { submits, failedShare } = this.rateOf(provider).read(this.clock.now());
    const { state = 'active', preferredIn = [] } = this.choices.get(provider) ?? {};
    return {
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
   * The provider of one message: the best one, unless a later one needs a probe. Without that, a provider which
   * no route puts first would stay sick here until the others fail.
   */
  choose(message: Routed): Provider | undefined {
    const { ready, waiting } = this.routeOf(message);
    const now = this.clock.now();
    const inNeed = ready.find(({ name }) => this.health.get(name)?.needsProbe(now));
    const chosen = inNeed ?? ready[0] ?? waiting[0];
    if (chosen) this.admit(chosen.name, message);
    return chosen;
  }

  /** Each part best first. */
  private routeOf(message: Destination): { ready: Provider[]; waiting: Provider[] } {
    const now = this.clock.now();
    const route = chosenRoute(this.table, this.choices, message)
      .map((name) => this.providers.get(name))
      .filter((provider) => provider !== undefined);
    const isReady = ({ name }: Provider) =>
      (this.health.get(name)?.isAvailable(now) ?? true) &&
      (this.unservedUntil.get(markOf(name, message)) ?? 0) <= now;
    return { ready: route.filter(isReady), waiting: route.filter((one) => !isReady(one)) };
  }

  /** Right before the call, however long the message waited for it. */
  admit(provider: string, message: Routed): Admission {
    if (message.testMode) return 'well';
    if (this.isDrained(provider)) return 'sick';
    return this.healthOf(provider).admit(message.id, this.clock.now());
  }

  /** Whether a provider that may be asked now is left besides these. */
  hasOther(message: Destination, asked: ReadonlySet<string>): boolean {
    const now = this.clock.now();
    return this.providersFor(message).some(
      ({ name }) => !asked.has(name) && (this.health.get(name)?.isAvailable(now) ?? true),
    );
  }

  /** The simulated providers fail on demand and stay well. */
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

  /** A probe that fails opens the circuit again, which is no news. */
  private tellCircuit(
    provider: string,
    before: Circuit,
    { circuit, reason }: ProviderHealth,
  ): void {
    this.showCircuits();
    if (before === 'closed') this.logger.warn({ provider, reason }, 'provider circuit opened');
    if (circuit === 'closed') this.logger.warn({ provider }, 'provider circuit closed');
  }

  /** A drained account gets no message, so no probe ends its circuit: it is not shown as open. */
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

function markOf(provider: string, { network, countryCode }: Destination): string {
  return `${provider}/${network ?? countryCode}`;
}
