import { Controller } from '@nestjs/common';
import { type AnswerOf, dispatchCalls, type RequestOf } from '@watchword/contracts';
import { CallPattern } from '@watchword/platform';
import { scopeOf } from '../messages/scope.policy.js';
import { SupportSearchHandler } from './support-search.handler.js';

/** The call with which operators and members search. */
@Controller()
export class SearchRpc {
  constructor(private readonly messages: SupportSearchHandler) {}

  @CallPattern(dispatchCalls, 'searchMessages')
  searchMessages(request: RequestOf<'searchMessages'>): AnswerOf<'searchMessages'> {
    return this.messages.search(request);
  }

  @CallPattern(dispatchCalls, 'getAttemptReasons')
  async getAttemptReasons(request: RequestOf<'getAttemptReasons'>): AnswerOf<'getAttemptReasons'> {
    return { reasons: await this.messages.attemptReasons(scopeOf(request), request.message_id) };
  }
}
