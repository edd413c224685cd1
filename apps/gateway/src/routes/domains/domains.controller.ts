import { Controller, Inject } from '@nestjs/common';
import {
  type CreateDomainBody,
  type Domain,
  type IdempotencyClaim,
  type Page,
  type PageQuery,
  routes,
} from '@watchword/contracts';
import type { Outcome } from '../../accounts/audit/outcome.js';
import type { Caller as KeyCaller } from '../../accounts/keys/key-directory.port.js';
import { Body, Caller, Claim, Id, Query } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { DomainsHandler } from '../../registrations/domains.handler.js';

/** `/v1/domains` */
@Controller()
export class DomainsController {
  constructor(@Inject(DomainsHandler) private readonly domains: DomainsHandler) {}

  @Operation(routes.createDomain)
  async create(
    @Caller() { workspace }: KeyCaller,
    @Body() { name }: CreateDomainBody,
    @Claim() claim: IdempotencyClaim | null,
  ): Promise<Outcome<Domain>> {
    const { domain, replayed } = await this.domains.create(workspace.id, name, claim);
    return { body: domain, replayed };
  }

  @Operation(routes.listDomains)
  async list(
    @Caller() { workspace }: KeyCaller,
    @Query() query: PageQuery,
  ): Promise<Outcome<Page<Domain>>> {
    return { body: await this.domains.list(workspace.id, query) };
  }

  @Operation(routes.getDomain)
  async get(@Caller() { workspace }: KeyCaller, @Id() id: string): Promise<Outcome<Domain>> {
    return { body: await this.domains.get(workspace.id, id) };
  }

  @Operation(routes.verifyDomain)
  async verify(
    @Caller() { workspace }: KeyCaller,
    @Id() id: string,
    @Body() _body: object,
    @Claim() claim: IdempotencyClaim | null,
  ): Promise<Outcome<Domain>> {
    const { domain, replayed } = await this.domains.verify(workspace.id, id, claim);
    return { body: domain, replayed };
  }

  @Operation(routes.deleteDomain)
  async delete(@Caller() { workspace }: KeyCaller, @Id() id: string): Promise<Outcome> {
    await this.domains.delete(workspace.id, id);
    return {};
  }
}
