import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Provider } from '@watchword/carriers';
import type { Logger } from '@watchword/observability';
import { LOGGER } from '@watchword/platform';
import { EMAIL_PARTS, type EmailParts } from './emails/email-parts.port.js';
import { ConnectionReports } from './receipts/connection-reports.js';
import { ConnectionInbound } from './registrations/do-not-disturb/connection-inbound.js';
import { SimulatedReceipts } from './receipts/simulated-receipts.js';
import { CARRIERS, type Carriers } from './routing/configured-providers.js';

/** Milliseconds. An account that takes longer to start is not waited for; it is not ready yet. */
const START_WAIT_MS = 5_000;

/**
 * Starts and stops carrier accounts, and passes on reports and handsets' messages that arrive on
 * their own connections.
 */
@Injectable()
export class CarrierConnections {
  /** Reports and messages that are not on record yet. */
  private readonly open = new Set<Promise<void>>();

  constructor(
    @Inject(CARRIERS) private readonly carriers: Carriers,
    private readonly reports: ConnectionReports,
    private readonly inbound: ConnectionInbound,
    private readonly simulated: SimulatedReceipts,
    @Inject(EMAIL_PARTS) private readonly emails: Pick<EmailParts, 'providers'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async start(startWaitMs = START_WAIT_MS): Promise<void> {
    const texts = [...this.carriers.values()].map((one) => this.startOne(one, startWaitMs));
    const emails = [...this.emails.providers.values()].map((one) => one.start());
    await Promise.all([...texts, ...emails]);
  }

  private async startOne(carrier: Provider, startWaitMs: number): Promise<void> {
    const { name: provider } = carrier;
    const starting = carrier
      .start(
        (reports) => this.record(provider, this.reports.take(provider, reports)),
        (messages) => this.record(provider, this.inbound.take(provider, messages)),
      )
      .catch((err: unknown) => this.logger.error({ err, provider }, 'a provider did not start'));
    const waiting = new AbortController();
    const timeout = sleep(startWaitMs, undefined, { signal: waiting.signal }).catch(() => null);
    await Promise.race([starting, timeout]);
    waiting.abort();
    if (!carrier.ready()) this.logger.warn({ provider }, 'provider is not ready');
  }

  private async record(provider: string, recording: Promise<void>): Promise<void> {
    this.open.add(recording);
    try {
      await recording;
    } catch (err) {
      this.logger.warn({ err, provider }, 'a report or message of a carrier was not recorded');
      throw err;
    } finally {
      this.open.delete(recording);
    }
  }

  /** Replays what simulated carriers still owe, because they lose it with the process. */
  resume(): Promise<void> {
    return this.simulated.resume(this.carriers);
  }

  async stop(): Promise<void> {
    const accounts = [...this.carriers.values(), ...this.emails.providers.values()];
    await Promise.all(accounts.map((account) => account.stop()));
  }

  async drain(): Promise<void> {
    await Promise.allSettled(this.open);
  }
}
