import { Controller, Inject } from '@nestjs/common';
import {
  type AnswerOf,
  ApiError,
  type CreateDomainBody,
  dispatchCalls,
  type Domain,
  DOMAIN_NAME_MAX,
  DOMAINS_MAX,
  ERROR_MESSAGES,
  type IdempotencyClaim,
  INPUT_PROBLEMS,
  inputMessage,
  newId,
  type Outcome,
  type Page,
  type PageQuery,
  readPage,
  type RequestOf,
  routes,
  type SendingDomain,
  unknownResource,
  type WorkspaceId,
} from '@watchword/contracts';
import { asciiDomain, type DkimKey, isSimulatorDomain, newDkimKey } from '@watchword/email';
import {
  Body,
  Caller,
  CallPattern,
  Claim,
  DATABASE,
  Id,
  KeyedAnswers,
  KeyRing,
  Operation,
  Query,
  type WorkspaceCaller,
} from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import { CheckDomainHandler } from './check-domain.handler.js';
import { DOMAIN_KEYS, EmailDomainStore } from './email-domain.store.js';

/** `/v1/domains`, and the domains of links. */
@Controller()
export class DomainsController {
  private readonly domains: EmailDomainStore;

  constructor(
    @Inject(DATABASE) database: Queryable,
    @Inject(DOMAIN_KEYS) private readonly ring: KeyRing,
    private readonly checking: CheckDomainHandler,
    private readonly keyed: KeyedAnswers,
  ) {
    this.domains = new EmailDomainStore(database, ring);
  }

  @Operation(routes.createDomain)
  async create(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Body() body: CreateDomainBody,
    @Claim() claim: IdempotencyClaim | null,
  ): Promise<Outcome<Domain>> {
    const name = readName(body.name);
    // Generated before the transaction, because a key takes a tenth of a second.
    const key = await newDkimKey();
    return this.keyed.once(workspaceId, claim, async (transaction, at) => {
      const domains = new EmailDomainStore(transaction, this.ring);
      return { body: await this.insert(domains, { workspaceId, name }, key, at) };
    });
  }

  @Operation(routes.listDomains)
  async list(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Query() query: PageQuery,
  ): Promise<Outcome<Page<Domain>>> {
    const page = readPage(
      'domains',
      query,
      (limit, beforeId) => this.domains.list(workspaceId, limit, beforeId),
      (domains) => domains.map((domain) => shown(this.checking.recordOf(domain))),
    );
    return { body: await page };
  }

  @Operation(routes.getDomain)
  async get(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Id() id: string,
  ): Promise<Outcome<Domain>> {
    const domain = known(await this.domains.find(workspaceId, id));
    return { body: shown(this.checking.recordOf(domain)) };
  }

  /** A key repeats what its first look-up found. */
  @Operation(routes.verifyDomain)
  async verify(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Id() id: string,
    @Claim() claim: IdempotencyClaim | null,
  ): Promise<Outcome<Domain>> {
    const earlier = await this.keyed.find<Domain>(workspaceId, claim);
    if (earlier) return earlier;
    const domain = known(await this.domains.find(workspaceId, id));
    // The look-up takes seconds, so it is not in the transaction of its key.
    const outcome = { body: shown(known(await this.checking.check(domain))) };
    if (claim === null) return outcome;
    return this.keyed.once(workspaceId, claim, () => Promise.resolve(outcome));
  }

  @Operation(routes.deleteDomain)
  async delete(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Id() id: string,
  ): Promise<Outcome> {
    if (await this.domains.delete(workspaceId, id)) return {};
    throw unknownResource('domain');
  }

  @CallPattern(dispatchCalls, 'findLinkDomain')
  async findLinkDomain({ name }: RequestOf<'findLinkDomain'>): AnswerOf<'findLinkDomain'> {
    return { is_verified: await this.domains.isLinkDomain(name) };
  }

  private async insert(
    domains: EmailDomainStore,
    { workspaceId, name }: { workspaceId: WorkspaceId; name: string },
    key: DkimKey,
    at: Date,
  ): Promise<Domain> {
    if ((await domains.hold(workspaceId)) >= DOMAINS_MAX) {
      throw new ApiError('conflict', { message: ERROR_MESSAGES.tooManyDomains(DOMAINS_MAX) });
    }
    const domain = await domains.insert({ id: newId(), workspaceId, name }, key, at);
    if (domain !== null) return shown(this.checking.recordOf(domain));
    throw new ApiError('conflict', { field: 'name', message: ERROR_MESSAGES.domainExists });
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

function known<Found>(domain: Found | null): Found {
  if (domain === null) throw unknownResource('domain');
  return domain;
}

function shown({ id, workspace_id: projectId, ...record }: SendingDomain): Domain {
  return { id, project_id: projectId, ...record };
}
