import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Inject } from '@nestjs/common';
import { type AnswerOf, dispatchCalls, type RequestOf } from '@watchword/contracts';
import { CallPattern, DATABASE } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import {
  CachedSenderRules,
  SENDER_RULES_TIMES,
  type SenderRulesTimes,
} from './cached-sender-rules.js';
import { SenderRulesStore } from './sender-rules.store.js';

/** The countries' rules of senders, which operators edit. */
@Controller()
export class SenderRulesRpc {
  private readonly store: SenderRulesStore;

  constructor(
    @Inject(DATABASE) database: Queryable,
    private readonly rules: CachedSenderRules,
    @Inject(SENDER_RULES_TIMES) private readonly times: Pick<SenderRulesTimes, 'settledMs'>,
  ) {
    this.store = new SenderRulesStore(database);
  }

  @CallPattern(dispatchCalls, 'getSenderRules')
  getSenderRules(): AnswerOf<'getSenderRules'> {
    return this.rules.latest();
  }

  /** After the answer, every process judges by the new rules. */
  @CallPattern(dispatchCalls, 'replaceSenderRules')
  async replaceSenderRules({
    rules,
  }: RequestOf<'replaceSenderRules'>): AnswerOf<'replaceSenderRules'> {
    await this.store.replace(rules);
    await sleep(this.times.settledMs);
    return this.rules.latest();
  }
}
