import { Controller, Inject } from '@nestjs/common';
import {
  type CreateSuppressionBody,
  type EmailAddressSuppression,
  type IdempotencyClaim,
  type Page,
  routes,
  type Suppression,
  type SuppressionQuery,
  type SuppressionsQuery,
} from '@watchword/contracts';
import type { Outcome } from '../../accounts/audit/outcome.js';
import type { Caller as KeyCaller } from '../../accounts/keys/key-directory.port.js';
import { Address, Body, Caller, Claim, Query } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { SuppressionsHandler } from '../../registrations/suppressions.handler.js';

/** `/v1/suppressions` */
@Controller()
export class SuppressionsController {
  constructor(@Inject(SuppressionsHandler) private readonly suppressions: SuppressionsHandler) {}

  @Operation(routes.createSuppression)
  async create(
    @Caller() { workspace }: KeyCaller,
    @Body() { address }: CreateSuppressionBody,
    @Claim() claim: IdempotencyClaim | null,
  ): Promise<Outcome<EmailAddressSuppression>> {
    const done = await this.suppressions.create(workspace.id, address, claim);
    return { body: done.suppression, replayed: done.replayed, unchanged: !done.isNew };
  }

  @Operation(routes.listSuppressions)
  async list(
    @Caller() { workspace }: KeyCaller,
    @Query() query: SuppressionsQuery,
  ): Promise<Outcome<Page<Suppression>>> {
    return { body: await this.suppressions.list(workspace.id, query) };
  }

  @Operation(routes.deleteSuppression)
  async delete(
    @Caller() { workspace }: KeyCaller,
    @Address() address: string,
    @Query() query: SuppressionQuery,
  ): Promise<Outcome> {
    await this.suppressions.delete(workspace.id, address, query);
    return {};
  }
}
