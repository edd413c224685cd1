import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type Domain,
  DOMAIN_NAME_MAX,
  DOMAINS_MAX,
  type DispatchCalls,
  ERROR_MESSAGES,
  type IdempotencyClaim,
  INPUT_PROBLEMS,
  inputMessage,
  type Page,
  type PageQuery,
  readPage,
  type SendingDomain,
  unknownResource,
  type WorkspaceId,
} from '@watchword/contracts';
import { asciiDomain } from '@watchword/email';
import { DISPATCH } from '../calls/dispatch-calls.js';
import { InFlightKeys } from '../calls/in-flight-keys.js';
import { isSimulatorDomain } from './simulator-domain.policy.js';

type Calls = Pick<
  DispatchCalls,
  'createDomain' | 'listDomains' | 'getDomain' | 'verifyDomain' | 'deleteDomain'
>;

/** Handles `/v1/domains`. */
@Injectable()
export class DomainsHandler {
  constructor(
    @Inject(DISPATCH) private readonly dispatch: Calls,
    private readonly inFlight: InFlightKeys,
  ) {}

  async create(
    workspaceId: WorkspaceId,
    given: string,
    idempotency: IdempotencyClaim | null,
  ): Promise<{ domain: Domain; replayed: boolean }> {
    const name = readName(given);
    const asked = { workspace_id: workspaceId, name, idempotency };
    const result = await this.inFlight.during(workspaceId, idempotency, () =>
      this.dispatch.createDomain(asked),
    );
    switch (result.verdict) {
      case 'created':
        return { domain: domainOf(result.domain), replayed: result.replayed };
      case 'duplicate':
        throw new ApiError('conflict', { field: 'name', message: ERROR_MESSAGES.domainExists });
      case 'too_many':
        throw new ApiError('conflict', { message: ERROR_MESSAGES.tooManyDomains(DOMAINS_MAX) });
      default:
        throw new ApiError('idempotency_conflict');
    }
  }

  list(workspaceId: WorkspaceId, query: PageQuery): Promise<Page<Domain>> {
    return readPage(
      'domains',
      query,
      async (limit, beforeId) => {
        const asked = { workspace_id: workspaceId, limit, before_id: beforeId };
        return (await this.dispatch.listDomains(asked)).data;
      },
      (records) => records.map(domainOf),
    );
  }

  async get(workspaceId: WorkspaceId, id: string): Promise<Domain> {
    const { domain } = await this.dispatch.getDomain({ workspace_id: workspaceId, id });
    return known(domain);
  }

  async verify(
    workspaceId: WorkspaceId,
    id: string,
    idempotency: IdempotencyClaim | null,
  ): Promise<{ domain: Domain; replayed: boolean }> {
    const result = await this.inFlight.during(workspaceId, idempotency, () =>
      this.dispatch.verifyDomain({ workspace_id: workspaceId, id, idempotency }),
    );
    if ('verdict' in result) throw new ApiError('idempotency_conflict');
    return { domain: known(result.domain), replayed: result.replayed === true };
  }

  async delete(workspaceId: WorkspaceId, id: string): Promise<void> {
    const { deleted } = await this.dispatch.deleteDomain({ workspace_id: workspaceId, id });
    if (!deleted) throw unknownResource('domain');
  }
}

function readName(given: string): string {
  const name = asciiDomain(given);
  if (name === null) throw invalid(inputMessage('name', 'domainName'));
  if (isSimulatorDomain(name)) throw invalid(inputMessage('name', 'simulatorDomain'));
  if (name.length > DOMAIN_NAME_MAX) {
    throw invalid(inputMessage('name', INPUT_PROBLEMS.charactersMax(DOMAIN_NAME_MAX)));
  }
  return name;
}

function invalid(message: ReturnType<typeof inputMessage>): ApiError {
  return new ApiError('validation_error', { field: 'name', message });
}

function known(record: SendingDomain | null): Domain {
  if (record === null) throw unknownResource('domain');
  return domainOf(record);
}

function domainOf({ workspace_id: projectId, ...record }: SendingDomain): Domain {
  const { id, ...rest } = record;
  return { id, project_id: projectId, ...rest };
}
