import { Controller, Inject } from '@nestjs/common';
import {
  type ApiKeyId,
  type CreateKeyBody,
  type Outcome,
  type PageQuery,
  routes,
} from '@watchword/contracts';
import { ApiKeysHandler } from '../../accounts/keys/api-keys.handler.js';
import type { Member as Person } from '../../people/account.js';
import { Body, Id, Member, Query } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';

@Controller()
export class ConsoleKeysController {
  constructor(@Inject(ApiKeysHandler) private readonly keys: ApiKeysHandler) {}

  @Operation(routes.listOwnKeys)
  list(@Member() { workspaceId }: Person, @Query() query: PageQuery): Promise<Outcome> {
    return this.keys.list(workspaceId, query);
  }

  @Operation(routes.createOwnKey)
  create(@Member() { workspaceId, user }: Person, @Body() body: CreateKeyBody): Promise<Outcome> {
    return this.keys.create(workspaceId, body, user.id);
  }

  @Operation(routes.revokeOwnKey)
  revoke(@Member() { workspaceId }: Person, @Id() id: ApiKeyId): Promise<Outcome> {
    return this.keys.revoke(id, workspaceId);
  }
}
