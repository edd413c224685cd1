import { Inject, Injectable } from '@nestjs/common';
import type { SenderRules } from '@watchword/contracts';
import { CachedReading } from '@watchword/platform';
import defaults from './data/sender-rules.json' with { type: 'json' };
import { SenderRulesStore } from './sender-rules.store.js';

/** How long rules are held in memory, and how long a change of them takes. */
export interface SenderRulesTimes {
  /** Milliseconds for which rules that another process stored can be unknown here. */
  readonly heldMs: number;
  /** Milliseconds after which every process reads the rules again before it judges by them. */
  readonly settledMs: number;
}

/** Token of the times. Tests hold no rules, so that a change holds at once. */
export const SENDER_RULES_TIMES = Symbol('times of sender rules');

export const DEFAULT_SENDER_RULES_TIMES: SenderRulesTimes = { heldMs: 1_000, settledMs: 1_100 };

const DEFAULTS = defaults as SenderRules;

/**
 * The countries' rules of senders in memory. They are read while sends come, at most once a second, so an
 * idle system reads nothing.
 */
@Injectable()
export class CachedSenderRules extends CachedReading<SenderRules> {
  constructor(
    @Inject(SenderRulesStore) store: Pick<SenderRulesStore, 'read'>,
    @Inject(SENDER_RULES_TIMES) { heldMs }: Pick<SenderRulesTimes, 'heldMs'>,
  ) {
    super(async () => (await store.read()) ?? DEFAULTS, heldMs);
  }
}
