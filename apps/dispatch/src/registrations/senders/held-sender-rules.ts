import type { SenderRules } from '@watchword/contracts';
import defaults from './data/sender-rules.json' with { type: 'json' };
import type { SenderRulesStore } from './sender-rules.store.js';

/** Milliseconds for which rules that another process stored can be unknown here. */
export const SENDER_RULES_KNOWN_MS = 1_000;
/** Milliseconds after which every process reads the rules again before it judges by them. */
export const SENDER_RULES_SETTLED_MS = SENDER_RULES_KNOWN_MS + 100;

/** Token of the rules that jobs and sendings read, which wait for the database. */
export const PATIENT_SENDER_RULES = Symbol('patient sender rules');

const DEFAULTS = defaults as SenderRules;

/**
 * The countries' rules of senders in memory. They are read while sends come, at most once a second, so an
 * idle system reads nothing.
 */
export class HeldSenderRules {
  private held: { rules: Promise<SenderRules>; until: number } | null = null;

  constructor(private readonly store: Pick<SenderRulesStore, 'read'>) {}

  /** Returns the rules for judging a send, as read within the last second. */
  current(): Promise<SenderRules> {
    if (this.held && performance.now() < this.held.until) return this.held.rules;
    return this.latest();
  }

  /** Returns the rules as they are stored now. */
  latest(): Promise<SenderRules> {
    const rules = this.store.read().then((stored) => stored ?? DEFAULTS);
    const held = { rules, until: performance.now() + SENDER_RULES_KNOWN_MS };
    this.held = held;
    rules.catch(() => {
      if (this.held === held) this.held = null;
    });
    return rules;
  }
}
