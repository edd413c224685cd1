import { Injectable } from '@nestjs/common';
import {
  ApiError,
  type ApiKeyId,
  type CreateKeyBody,
  ERROR_MESSAGES,
  type Outcome,
  type PageQuery,
  readPage,
  unknownResource,
  type UserId,
  type WorkspaceId,
} from '@watchword/contracts';
import { checkCountry } from '@watchword/platform';
import { pathId } from '../settings/path-id.js';
import type { AgentBounds, ApiKey } from './api-key.js';
import { ApiKeyStore } from './api-key.store.js';
import { issueToken } from './api-token.js';

/** Keys of a workspace, for the operator and for its members. */
@Injectable()
export class ApiKeysHandler {
  constructor(private readonly store: ApiKeyStore) {}

  /** Creates a key for a member, or without `createdBy` for an operator. */
  async create(
    workspaceId: WorkspaceId,
    body: CreateKeyBody,
    createdBy?: UserId,
  ): Promise<Outcome> {
    const { mode, permission = 'full', name = `New ${mode} key` } = body;
    const bounds = boundsOf(body);
    const issued = issueToken(mode);
    const wanted = { workspaceId, issued, mode, permission, name, ...bounds };
    const key = await this.store.insert({ ...wanted, ...(createdBy && { createdBy }) });
    if (!key) throw new ApiError('authentication_error', { message: ERROR_MESSAGES.noSession });
    return {
      body: newKeyAnswer(key, issued.token),
      effect: { workspace_id: workspaceId, key_id: key.id, mode, permission, ...shownBounds(key) },
    };
  }

  async list(workspaceId: WorkspaceId, query: PageQuery): Promise<Outcome> {
    const read = (limit: number, beforeId: string | null) =>
      this.store.list(workspaceId, limit, beforeId);
    return { body: await readPage('api-keys', query, read, (rows) => rows.map(keyAnswer)) };
  }

  /**
   * Revokes a key. No gateway accepts it any more. Without `workspaceId`, the key may belong
   * to any workspace.
   */
  async revoke(keyId: ApiKeyId, workspaceId: WorkspaceId | null): Promise<Outcome> {
    const key = await this.store.revoke(pathId(keyId, 'api_key'), workspaceId);
    if (!key) throw unknownResource('api_key');
    return { effect: { workspace_id: key.workspaceId, key_id: key.id } };
  }
}

/** Returns the bounds. Only agent keys have a budget or a list of countries. */
function boundsOf(body: CreateKeyBody): Partial<AgentBounds> {
  const { permission, daily_budget_credits: dailyBudgetCredits, countries } = body;
  const field = (['daily_budget_credits', 'countries'] as const).find(
    (name) => body[name] !== undefined,
  );
  if (field !== undefined && permission !== 'agent') {
    throw new ApiError('validation_error', { field, message: ERROR_MESSAGES.agentKeysOnly(field) });
  }
  countries?.forEach((country, index) => checkCountry(country, `countries.${index}`));
  return {
    ...(dailyBudgetCredits !== undefined && { dailyBudgetCredits }),
    ...(countries !== undefined && { countries: [...new Set(countries)] }),
  };
}

function shownBounds({ dailyBudgetCredits, countries }: AgentBounds) {
  return {
    ...(dailyBudgetCredits !== null && { daily_budget_credits: dailyBudgetCredits }),
    ...(countries !== null && { countries }),
  };
}

/** Returns who made a key. A workspace does not see an operator's address. */
function makerOf({ createdBy }: ApiKey) {
  return createdBy && { user_id: createdBy.id, email: createdBy.email };
}

function keyAnswer(key: ApiKey) {
  return {
    key_id: key.id,
    name: key.name,
    mode: key.mode,
    permission: key.permission,
    ...shownBounds(key),
    prefix: key.prefix,
    last4: key.last4,
    created_by: makerOf(key),
    created_at: key.createdAt.toISOString(),
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}

/** Returns the answer for a new key, the only one that contains it. */
function newKeyAnswer(key: ApiKey, token: string) {
  return {
    key_id: key.id,
    key: token,
    name: key.name,
    mode: key.mode,
    permission: key.permission,
    ...shownBounds(key),
    last4: key.last4,
    created_by: makerOf(key),
    created_at: key.createdAt.toISOString(),
  };
}
