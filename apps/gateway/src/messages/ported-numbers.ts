import { Inject, Injectable } from '@nestjs/common';
import type { Clock, DispatchCalls, WorkspaceId } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, isUnavailable, LOGGER, OnceAMinute } from '@watchword/platform';
import type { Destination } from '@watchword/telephony';
import { PublicPriceListCache } from '../billing/price-list.cache.js';
import { DISPATCH } from '../calls/dispatch-calls.js';
import { inNetwork } from './destination.policy.js';

const AWAY = 'ported numbers are unknown, priced by their prefix';

/**
 * Networks of ported numbers, for sends that ask dispatch nothing else: one-time passwords. Dispatch
 * is asked only where the country has rates by network; elsewhere the network changes no price.
 */
@Injectable()
export class PortedNumbers {
  private readonly lines: OnceAMinute;

  constructor(
    @Inject(DISPATCH) private readonly dispatch: Pick<DispatchCalls, 'judgeDestinations'>,
    @Inject(PublicPriceListCache) private readonly prices: Pick<PublicPriceListCache, 'atHand'>,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.lines = new OnceAMinute(clock);
  }

  /**
   * Returns the destination in the network that its price depends on: at once where it depends on
   * none. While billing or dispatch is unavailable, the prefix decides.
   */
  locate(workspaceId: WorkspaceId, destination: Destination): Destination | Promise<Destination> {
    const prices = this.prices.atHand();
    if (prices instanceof Promise || hasRates(prices, destination)) {
      return this.ask(workspaceId, destination, prices);
    }
    return destination;
  }

  private async ask(
    workspaceId: WorkspaceId,
    destination: Destination,
    prices: ReturnType<PublicPriceListCache['atHand']>,
  ): Promise<Destination> {
    try {
      if (!hasRates(await prices, destination)) return destination;
      const question = {
        workspace_id: workspaceId,
        sender_id: null,
        country_code: destination.countryCode,
        destination: destination.e164,
      };
      const { findings } = await this.dispatch.judgeDestinations({ questions: [question] });
      return inNetwork(destination, findings[0]?.network ?? null);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (this.lines.isDue(AWAY)) this.logger.warn({ err: error }, AWAY);
      return destination;
    }
  }
}

type Prices = Awaited<ReturnType<PublicPriceListCache['atHand']>>;

function hasRates({ list }: Prices, { countryCode }: Destination): boolean {
  return (list.countries[countryCode]?.networks.length ?? 0) > 0;
}
