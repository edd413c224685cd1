import { Controller } from '@nestjs/common';
import { type AnswerOf, dispatchCalls, type RequestOf } from '@watchword/contracts';
import { CallPattern } from '@watchword/platform';
import { EraseMessagesHandler } from './erase-messages.handler.js';

/** The calls with which operators erase a person. */
@Controller()
export class ErasureRpc {
  constructor(private readonly erasures: EraseMessagesHandler) {}

  @CallPattern(dispatchCalls, 'cancelScheduledMessages')
  cancelScheduledMessages(
    request: RequestOf<'cancelScheduledMessages'>,
  ): AnswerOf<'cancelScheduledMessages'> {
    return this.erasures.cancelScheduled(request);
  }

  @CallPattern(dispatchCalls, 'countOpenMessages')
  countOpenMessages(request: RequestOf<'countOpenMessages'>): AnswerOf<'countOpenMessages'> {
    return this.erasures.countOpen(request);
  }

  @CallPattern(dispatchCalls, 'eraseMessages')
  eraseMessages(request: RequestOf<'eraseMessages'>): AnswerOf<'eraseMessages'> {
    return this.erasures.erase(request);
  }
}
