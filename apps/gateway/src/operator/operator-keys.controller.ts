import { Controller, Delete, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiError, CreateKeyBody, PageQuery } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiKeyStore } from '../auth/api-key.store.js';
import { issueToken } from '../auth/api-token.js';
import type { KeyDirectory } from '../auth/key-directory.port.js';
import { compileBody, compileQuery } from '../http/validation.policy.js';
import { KEY_DIRECTORY } from '../tokens.js';
import { WorkspaceStore } from '../workspaces/workspace.store.js';
import { keyAnswer, newKeyAnswer } from './operator-answers.policy.js';
import { OperatorEdge } from './operator-edge.js';
import { readPage } from './page.policy.js';
import { existingWorkspace, pathId } from './workspace-lookup.js';

const readCreateBody = compileBody(CreateKeyBody);
const readPageQuery = compileQuery(PageQuery);

type IdParams = { id: string };

@Controller('operator/v1')
export class OperatorKeysController {
  constructor(
    @Inject(OperatorEdge) private readonly edge: OperatorEdge,
    @Inject(WorkspaceStore) private readonly workspaces: WorkspaceStore,
    @Inject(ApiKeyStore) private readonly store: ApiKeyStore,
    @Inject(KEY_DIRECTORY) private readonly directory: KeyDirectory,
  ) {}

  @Post('workspaces/:id/keys')
  create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 201, async () => {
      const { mode, permission = 'full', name = `New ${mode} key` } = readCreateBody(request.body);
      const { id } = await existingWorkspace(this.workspaces, (request.params as IdParams).id);
      const issued = issueToken(mode);
      const key = await this.store.insert({ workspaceId: id, issued, mode, permission, name });
      return {
        body: newKeyAnswer(key, issued.token),
        effect: { workspace_id: id, key_id: key.id, mode, permission },
      };
    });
  }

  @Get('workspaces/:id/keys')
  list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () => {
      const query = readPageQuery(request.query);
      const { id } = await existingWorkspace(this.workspaces, (request.params as IdParams).id);
      const read = (limit: number, beforeId: string | null) => this.store.list(id, limit, beforeId);
      return { body: await readPage(query, read, (rows) => rows.map(keyAnswer)) };
    });
  }

  /** Answers once no gateway accepts the key any more. */
  @Delete('keys/:id')
  revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 204, async () => {
      const key = await this.store.revoke(pathId((request.params as IdParams).id));
      if (!key) throw new ApiError('not_found');
      await this.directory.keyRevoked(key.id);
      return { effect: { workspace_id: key.workspaceId, key_id: key.id } };
    });
  }
}
