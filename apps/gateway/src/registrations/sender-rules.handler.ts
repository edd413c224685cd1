import { Inject, Injectable } from '@nestjs/common';
import type { DispatchCalls, SenderRules } from '@watchword/contracts';
import { DISPATCH } from '../calls/dispatch-calls.js';
import { checkSenderRules } from './sender-rules-check.policy.js';

/** Handles `/operator/v1/sender-rules`. Dispatch keeps the rules and judges by them. */
@Injectable()
export class SenderRulesHandler {
  constructor(
    @Inject(DISPATCH)
    private readonly dispatch: Pick<DispatchCalls, 'getSenderRules' | 'replaceSenderRules'>,
  ) {}

  read(): Promise<SenderRules> {
    return this.dispatch.getSenderRules({});
  }

  /** Resolves once every process judges by the new rules. */
  async replace(rules: SenderRules): Promise<SenderRules> {
    checkSenderRules(rules);
    return this.dispatch.replaceSenderRules({ rules });
  }
}
