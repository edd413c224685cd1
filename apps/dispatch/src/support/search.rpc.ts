import { Controller } from '@nestjs/common';
import { type AnswerOf, dispatchCalls, type RequestOf } from '@watchword/contracts';
import { CallPattern } from '@watchword/platform';
import { SupportSearchHandler } from './support-search.handler.js';

/** The call with which operators search. */
@Controller()
export class SearchRpc {
  constructor(private readonly messages: SupportSearchHandler) {}

  @CallPattern(dispatchCalls, 'searchMessages')
  searchMessages(request: RequestOf<'searchMessages'>): AnswerOf<'searchMessages'> {
    return this.messages.search(request);
  }
}
