import { Inject, Injectable } from '@nestjs/common';
import type { EmailOutcome } from '@watchword/carriers';
import type { CarrierRecord, Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, LOGGER, OnceAMinute } from '@watchword/platform';
import { type Account, Accounts } from '../routing/accounts.js';
import type { Admission } from '../routing/provider-health.policy.js';
import type { CarrierChoices } from '../routing/route-table.policy.js';
import type { ControlledAccounts } from '../routing/controlled-accounts.js';
import { expectAttempts } from '../sending/measurements.js';
import type { MayTake, Providers } from './hand-over.policy.js';
import { EMAIL_PARTS, type EmailParts } from './email-parts.port.js';

/** Emails are few beside texts, and some wait for minutes: a share of 20 calls comes too late. */
const FAULTS_IN_A_ROW_MAX = 5;
/** A provider's faults are logged once in this time. */

interface OrderedProvider extends Account {
  readonly replacesMessageId?: boolean | undefined;
}

/**
 * Chooses the provider of each copy of an email: in the order of the settings, with those that are
 * failing at the end (`accounts.ts`). Any answer that is not the provider's fault is a success.
 */
@Injectable()
export class ProviderOrder implements ControlledAccounts {
  readonly hasCountries = false;
  private readonly all: readonly OrderedProvider[];
  private readonly accounts: Accounts;
  private readonly renaming: ReadonlySet<string>;
  private readonly lines: OnceAMinute;

  constructor(
    @Inject(EMAIL_PARTS) { providers }: Pick<EmailParts, 'providers'>,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.all = [...providers.values()];
    this.lines = new OnceAMinute(clock);
    this.accounts = new Accounts(this.all, clock, logger, FAULTS_IN_A_ROW_MAX);
    this.renaming = new Set(
      this.all.filter((one) => one.replacesMessageId).map(({ name }) => name),
    );
    for (const { name } of this.all) expectAttempts(name);
  }

  /** Returns the providers of hand-overs that begin now. */
  providers(): Providers {
    const drained = this.all.map(({ name }) => name).filter((name) => this.isDrained(name));
    return {
      choose: (copy, mayTake) => this.choose(copy, mayTake),
      drained,
      renaming: this.renaming,
    };
  }

  list(): CarrierRecord[] {
    return this.accounts.list();
  }

  follow(choices: CarrierChoices): void {
    this.accounts.follow(choices);
  }

  /** Call it right before each call. After `probe`, `note` must follow. */
  admit(name: string, copy: string): Admission {
    return this.accounts.admit(name, copy);
  }

  /** Returns whether one of these providers may be asked now. */
  isAnyAvailable(mayTake: MayTake): boolean {
    return this.all.some(
      ({ name }) => mayTake(name) && !this.isDrained(name) && this.accounts.isAvailable(name),
    );
  }

  note(name: string, copy: string, outcome: EmailOutcome): void {
    const reason = faultOf(outcome);
    if (reason !== null) this.log(name, reason);
    this.accounts.record(name, copy, reason === null ? null : { reason, health: 'counts' });
  }

  private choose(copy: string, mayTake: MayTake): string | undefined {
    const able = this.all.filter(({ name }) => mayTake(name) && !this.isDrained(name));
    const isReady = ({ name }: OrderedProvider) => this.accounts.isAvailable(name, copy);
    const [ready, waiting] = [able.filter(isReady), able.filter((one) => !isReady(one))];
    return this.accounts.choose(copy, { ready, waiting }).chosen?.name;
  }

  private isDrained(name: string): boolean {
    return this.accounts.isDrained(name);
  }

  private log(provider: string, fault: string): void {
    if (!this.lines.isDue(provider)) return;
    this.logger.warn({ provider, fault }, 'email provider failed');
  }
}

/** Returns what the provider answered, or null where the outcome is not its fault. */
function faultOf(outcome: EmailOutcome): string | null {
  if (outcome.outcome !== 'refused' && outcome.outcome !== 'ambiguous') return null;
  return outcome.rawCode ?? outcome.rawMessage ?? outcome.outcome;
}
