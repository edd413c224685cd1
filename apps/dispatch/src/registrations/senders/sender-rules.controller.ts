import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Inject } from '@nestjs/common';
import { type Outcome, routes, type SenderRules } from '@watchword/contracts';
import { Body, DATABASE, Operation } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import {
  CachedSenderRules,
  SENDER_RULES_TIMES,
  type SenderRulesTimes,
} from './cached-sender-rules.js';
import { checkSenderRules } from './sender-rules-check.policy.js';
import { SenderRulesStore } from './sender-rules.store.js';

/** The countries' rules of senders, which operators edit. */
@Controller()
export class SenderRulesController {
  private readonly store: SenderRulesStore;

  constructor(
    @Inject(DATABASE) database: Queryable,
    private readonly rules: CachedSenderRules,
    @Inject(SENDER_RULES_TIMES) private readonly times: Pick<SenderRulesTimes, 'settledMs'>,
  ) {
    this.store = new SenderRulesStore(database);
  }

  @Operation(routes.getSenderRules)
  async get(): Promise<Outcome<SenderRules>> {
    return { body: await this.rules.latest() };
  }

  /** After the answer, every process judges by the new rules. */
  @Operation(routes.putSenderRules)
  async put(@Body() rules: SenderRules): Promise<Outcome<SenderRules>> {
    checkSenderRules(rules);
    await this.store.replace(rules);
    await sleep(this.times.settledMs);
    return { body: await this.rules.latest(), effect: { ...rules } };
  }
}
