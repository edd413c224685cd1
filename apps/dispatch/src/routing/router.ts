import { Inject, Injectable } from '@nestjs/common';
import { type CarrierRecord, type Clock, type Reason } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { type Provider, SIMULATOR_NAMES } from '@watchword/carriers';
import { CLOCK, LOGGER } from '@watchword/platform';
import type { Message } from '../messages/message.js';
import { Accounts, type Candidates, type Choice } from './accounts.js';
import { type Admission, faultOf } from './provider-health.policy.js';
import { CARRIERS } from './configured-providers.js';
import type { ControlledAccounts } from './controlled-accounts.js';
import {
  type CarrierChoices,
  chosenRoute,
  DEFAULT_ROUTES,
  type RouteTable,
  withFurtherAccounts,
} from './route-table.policy.js';

/** Milliseconds for which a provider is skipped for a network that it refused to serve. */
const UNSERVED_MS = 600_000;
/** Enough for every network of the world twice. Beyond it the oldest mark is dropped. */
const MARKS_MAX = 2_000;

type Destination = Pick<Message, 'testMode' | 'network' | 'countryCode'>;
type Routed = Destination & Pick<Message, 'id'>;

/**
 * Chooses the providers of a message, best first: the route table, with those at the end that are
 * failing (`accounts.ts`) or do not serve the network. When all are failing, the least bad is still
 * tried. Each message is routed on its own, so one message probes a circuit and not a batch.
 */
@Injectable()
export class Router implements ControlledAccounts {
  readonly hasCountries = true;
  private readonly accounts: Accounts;
  private readonly table: RouteTable;
  private readonly unservedUntil = new Map<string, number>();

  constructor(
    @Inject(CARRIERS) private readonly providers: ReadonlyMap<string, Provider>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const live = [...providers.values()].filter(isLive);
    this.accounts = new Accounts(live, clock, logger);
    this.table = withFurtherAccounts(DEFAULT_ROUTES, live);
  }

  follow(choices: CarrierChoices): void {
    this.accounts.follow(choices);
  }

  list(): CarrierRecord[] {
    return this.accounts.list();
  }

  providersFor(message: Destination): Provider[] {
    const { ready, waiting } = this.routeOf(message);
    return [...ready, ...waiting];
  }

  /** Returns the provider of one message, which may be its probe. */
  choose(message: Routed): Provider | undefined {
    const route = this.routeOf(message);
    const choice = this.accounts.choose(message.id, route);
    if (this.logger.isLevelEnabled('debug')) this.logChoice(message, route, choice);
    return choice.chosen;
  }

  private logChoice(
    { id: messageId, countryCode, network }: Routed,
    { ready, waiting }: Candidates<Provider>,
    { chosen, why }: Choice<Provider>,
  ): void {
    const names = (providers: readonly Provider[]) => providers.map(({ name }) => name);
    const about = { messageId, provider: chosen?.name ?? null, why, countryCode, network };
    const route = { ready: names(ready), waiting: names(waiting) };
    this.logger.debug({ ...about, ...route }, 'provider chosen');
  }

  private routeOf(message: Destination): Candidates<Provider> {
    const now = this.clock.now();
    const route = chosenRoute(this.table, this.accounts.operatorsChoices, message)
      .map((name) => this.providers.get(name))
      .filter((provider) => provider !== undefined);
    const isReady = ({ name }: Provider) =>
      this.accounts.isAvailable(name) &&
      (this.unservedUntil.get(markOf(name, message)) ?? 0) <= now;
    return { ready: route.filter(isReady), waiting: route.filter((one) => !isReady(one)) };
  }

  /** Call it right before each call. After `probe`, `record` must follow. */
  admit(provider: string, message: Routed): Admission {
    return this.accounts.admit(provider, message.id);
  }

  /** Returns the providers that may be asked now, best first. */
  availableFor(message: Destination): Provider[] {
    return this.providersFor(message).filter(({ name }) => this.accounts.isAvailable(name));
  }

  /** Records an outcome. Simulated providers fail on demand and never open a circuit. */
  record(provider: string, message: Routed, reason: Reason | null): void {
    if (message.testMode) return;
    this.accounts.record(provider, message.id, faultOf(reason));
    if (reason === 'no_route') this.markUnserved(markOf(provider, message), this.clock.now());
  }

  private markUnserved(mark: string, now: number): void {
    this.unservedUntil.delete(mark);
    this.unservedUntil.set(mark, now + UNSERVED_MS);
    if (this.unservedUntil.size <= MARKS_MAX) return;
    const [oldest] = this.unservedUntil.keys();
    if (oldest !== undefined) this.unservedUntil.delete(oldest);
  }
}

function isLive({ name }: Provider): boolean {
  return !SIMULATOR_NAMES.some((simulator) => simulator === name);
}

function markOf(provider: string, { network, countryCode }: Destination): string {
  return `${provider}/${network ?? countryCode}`;
}
