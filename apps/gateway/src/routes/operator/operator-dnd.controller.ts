import { Controller, Inject } from '@nestjs/common';
import { type DndUpload, type Outcome, routes } from '@watchword/contracts';
import { Country, RawBody } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { DndHandler } from '../../registrations/dnd.handler.js';

/** Do Not Disturb lists: read here, because one call cannot carry a list. */
@Controller()
export class OperatorDndController {
  constructor(@Inject(DndHandler) private readonly lists: DndHandler) {}

  @Operation(routes.putDndList)
  async putList(
    @Country() country: string,
    @RawBody() text: string | undefined,
  ): Promise<Outcome<DndUpload>> {
    const upload = await this.lists.replace(country, text);
    return { body: upload, effect: { ...upload } };
  }
}
