import { Controller } from '@nestjs/common';
import { type EraseBody, type Erasure, type Outcome, routes } from '@watchword/contracts';
import { Body } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { EraseHandler } from '../../messages/erasures/erase.handler.js';

@Controller()
export class OperatorErasuresController {
  constructor(private readonly erasures: EraseHandler) {}

  @Operation(routes.createErasure)
  create(@Body() body: EraseBody): Promise<Outcome<Erasure>> {
    return this.erasures.erase(body);
  }
}
