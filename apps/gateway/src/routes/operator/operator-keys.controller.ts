import { Controller, Inject } from '@nestjs/common';
import {
  type ApiKeyId,
  type CreateKeyBody,
  type Outcome,
  type PageQuery,
  routes,
} from '@watchword/contracts';
import { ApiKeysHandler } from '../../accounts/keys/api-keys.handler.js';
import type { Workspace } from '../../accounts/workspaces/workspace.js';
import { ExistingWorkspace } from '../../edge/pipes/existing-workspace.pipe.js';
import { Body, Id, Query } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';

@Controller()
export class OperatorKeysController {
  constructor(@Inject(ApiKeysHandler) private readonly keys: ApiKeysHandler) {}

  @Operation(routes.createKey)
  create(@Id(ExistingWorkspace) { id }: Workspace, @Body() body: CreateKeyBody): Promise<Outcome> {
    return this.keys.create(id, body);
  }

  @Operation(routes.listKeys)
  list(@Id(ExistingWorkspace) { id }: Workspace, @Query() query: PageQuery): Promise<Outcome> {
    return this.keys.list(id, query);
  }

  @Operation(routes.revokeKey)
  revoke(@Id() id: ApiKeyId): Promise<Outcome> {
    return this.keys.revoke(id, null);
  }
}
