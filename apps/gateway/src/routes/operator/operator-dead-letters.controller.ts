import { Controller, Inject } from '@nestjs/common';
import {
  type DiscardDeadLettersBody,
  type Outcome,
  type ReplayDeadLettersBody,
  routes,
} from '@watchword/contracts';
import { Body } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { DeadLettersHandler } from '../../messages/dead-letters.handler.js';

@Controller()
export class OperatorDeadLettersController {
  constructor(@Inject(DeadLettersHandler) private readonly letters: DeadLettersHandler) {}

  @Operation(routes.listDeadLetters)
  list(): Promise<Outcome> {
    return this.letters.list();
  }

  @Operation(routes.replayDeadLetters)
  replay(@Body() body: ReplayDeadLettersBody): Promise<Outcome> {
    return this.letters.replay(body);
  }

  @Operation(routes.discardDeadLetters)
  discard(@Body() body: DiscardDeadLettersBody): Promise<Outcome> {
    return this.letters.discard(body);
  }
}
